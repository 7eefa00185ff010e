// SPDX-License-Identifier: GPL-2.0-or-later
/* R6, R21: fork takes long because of what it copies of the parent, and what the child's end, or exec, has to undo. */
#include <inttypes.h>
#include <math.h>

#include "advice/run/rules_run.h"
#include "analysis/forks/bill_faults.h"
#include "analysis/forks/copied.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"

enum { MAPPINGS_LEAST = 1000, TABLES_LEAST = 400 << 10 };
enum { FORKS_LEAST = 20 }; /* or one that takes long */
static const double LONG_NS = 1e6, SHARE_LEAST = 0.05;

/* The forks of a program: their times are sums, without page faults. */
struct forks {
	const struct bill_row *row;
	const struct fork_cost *cost; /* of its largest group */
	struct copied copied; /* by each */
	bool execute; /* most of its children */
	uint64_t executed; /* by so many of them */
	double starts_ns; /* all that these take to start: exec frees what fork has copied */
	double ns; /* calls and ends of copies */
	double more; /* than that many forks of the smallest process take, so at most ns */
	double least; /* the same, at least */
};

struct reason {
	const char *cure;
	char *what; /* owned; NULL: there is none */
	double ns, most; /* of `more`; by what was measured, at most */
	bool spawns; /* the cure is no fork at all: R21 */
};

static double starts_ns(const struct run_subject *subject, uint32_t exe, uint64_t count)
{
	const struct bill_row *row = run_subject__row(subject, BILL_START, exe, true);

	return row && row->count ? run_subject__wall(subject, row) * fmin(1, (double)count / (double)row->count) : 0;
}

static struct forks forks_of(const struct run_subject *subject, const struct bill_row *row)
{
	const struct run *run = subject->run;
	const struct estimate *smallest = &run->anatomy->costs[COST_FORK];
	struct forks forks = { .row = row };
	uint64_t children = 0, most = 0;

	for (uint32_t i = 0; i < run->group_count; i++) {
		const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, i);
		const uint64_t count = group__children(&run->groups[i]);

		if (run->groups[i].parent_exe != row->exe || run->groups[i].birth != BIRTH_FORK)
			continue;
		children += count;
		if (run->groups[i].exec_target != NO_EXE) {
			forks.executed += count;
			forks.starts_ns += starts_ns(subject, run->groups[i].exec_target, count);
		}
		if (!cost || count <= most)
			continue;
		most = count;
		forks.cost = cost;
		forks.copied = copied__all(run, i);
	}
	forks.execute = 2 * forks.executed > children;
	forks.ns = run_subject__wall(subject, row) * (1 - bill_faults__share(run, row->exe));
	forks.more = fmax(0, forks.ns - (double)row->count * smallest->value);
	forks.least = fmax(0, forks.ns - (double)row->count * smallest->high);
	return forks;
}

/* By calibrated costs: what exec takes to free the page tables that fork has copied. */
static double freed_by_exec(const struct run_subject *subject, const struct forks *forks)
{
	const struct estimate *costs = subject->run->anatomy->costs;
	const struct estimate page = copied__cost(subject->run, forks->cost->group, COST_FORK_PAGE);
	const double freeing = 1 - costs[COST_FORK_CALL].value / costs[COST_FORK_PAGE].value;

	if (!page.known || !costs[COST_FORK_CALL].known)
		return 0;
	return fmin(forks->starts_ns, (double)forks->executed * forks->copied.small * page.value * fmax(0, freeing));
}

/* By calibrated costs, but no more than there is. */
static double tables_ns(const struct run_subject *subject, const struct forks *forks, double freed)
{
	const struct estimate page = copied__cost(subject->run, forks->cost->group, COST_FORK_PAGE);
	const double all = (double)forks->row->count * forks->copied.small * page.value;

	return page.known ? fmin(forks->more + freed, all) : 0;
}

static double mappings_ns(const struct run_subject *subject, const struct forks *forks)
{
	const struct estimate *costs = subject->run->anatomy->costs;
	const double each = forks->copied.vmas * costs[COST_VMA].value +
			    ((double)forks->cost->vmas.median - forks->copied.vmas) * costs[COST_MAPPING].value;

	return costs[COST_VMA].known && costs[COST_MAPPING].known ?
		       fmin(forks->more, (double)forks->row->count * each) : 0;
}

/* What neither page tables nor mappings explain. */
static struct reason reason_beyond(const struct run_subject *subject, const struct forks *forks, double rest)
{
	const enum copied_else copied = copied__else(subject->run, forks->cost->group);

	if (copied == COPIED_PINNED)
		return (struct reason){
			forks->execute ? "start programs by posix_spawn() or vfork(), or keep pinned memory out of "
					 "children by madvise(MADV_DONTFORK)"
				       : "keep pinned memory out of children by madvise(MADV_DONTFORK), if none of "
					 "them touches it",
			text__of("fork copies %s of pinned pages (io_uring, RDMA, GPU)",
				 quantity__size(forks->cost->pinned_bytes).text),
			rest, forks->more, false,
		};
	if (copied == COPIED_DESCRIPTORS)
		return (struct reason){
			"fork from a small helper process that was started before the files were opened, or use "
			"threads (posix_spawn() and vfork() copy the table of descriptors, too)",
			text__of("fork copies %" PRIu64 " open descriptors, and the child's end closes them",
				 forks->cost->open_files),
			rest, forks->more, false,
		};
	return (struct reason){ 0 };
}

static struct reason reason_of_mappings(const struct forks *forks, double ns)
{
	return (struct reason){
		forks->execute ? "start programs by posix_spawn() or vfork(), which copy no mappings" :
				 "make fewer mappings, or fork from a small helper process that was started "
				 "before they were made",
		text__of("fork copies %" PRIu64 " mappings", forks->cost->vmas.median),
		ns, forks->more, forks->execute,
	};
}

static struct reason reason_of_tables(const struct run_subject *subject, const struct forks *forks)
{
	const uint64_t bytes = forks->cost->page_table_bytes.median;
	const double freed = freed_by_exec(subject, forks);

	if (bytes == ABSENT || bytes < TABLES_LEAST)
		return (struct reason){ 0 };
	return (struct reason){
		forks->execute ? "start programs by posix_spawn() or vfork(), which copy no page tables" :
				 "use huge pages for large memory (madvise(MADV_HUGEPAGE)): fork then copies no entry "
				 "for each small page",
		text__of("fork copies %s of page tables, and %s them", quantity__size(bytes).text,
			 forks->execute ? "each exec frees" : "the child's end frees"),
		tables_ns(subject, forks, freed), forks->more + forks->starts_ns, forks->execute,
	};
}

/* The largest. */
static struct reason reason_for(const struct run_subject *subject, const struct forks *forks)
{
	const double tables = tables_ns(subject, forks, 0), mappings = mappings_ns(subject, forks);
	const double rest = fmax(0, forks->more - tables - mappings);
	struct reason beyond = { 0 };

	if (rest > tables && rest > mappings)
		beyond = reason_beyond(subject, forks, rest);
	if (beyond.what)
		return beyond;
	return mappings > tables && forks->cost->vmas.median >= MAPPINGS_LEAST ? reason_of_mappings(forks, mappings) :
										 reason_of_tables(subject, forks);
}

static bool is_much(const struct run_subject *subject, const struct forks *forks)
{
	return forks->cost && forks->cost->vmas.median != ABSENT && forks->row->count &&
	       forks->ns >= SHARE_LEAST * run_subject__busy(subject) &&
	       (forks->row->count >= FORKS_LEAST || forks->ns >= LONG_NS * (double)forks->row->count);
}

static bool advises(const struct run_subject *subject, bool spawns, struct advice *advice)
{
	const struct run *run = subject->run;
	struct reason found = { 0 };
	struct forks of = { 0 };
	autofree char *share = NULL, *what = NULL;

	if (!run->anatomy || !run->anatomy->costs[COST_FORK].known)
		return false;
	for (size_t i = 0; i < run->bill->count && !found.what; i++) {
		if (run->bill->rows[i].kind != BILL_FORK)
			continue;
		of = forks_of(subject, &run->bill->rows[i]);
		if (is_much(subject, &of))
			found = reason_for(subject, &of);
	}
	what = found.what;
	if (!what || found.spawns != spawns)
		return false;
	share = run_subject__share(subject, of.ns);
	advice->evidence = text__of("%s: %s. %s take %s, page faults apart.", run_subject__name(subject, of.row->exe),
				    what, quantity__count(of.row->count, "fork", "forks").text, share);
	advice->action = text__of("%s", found.cure);
	advice->group = spawns ? of.cost->group : NO_GROUP;
	advice->predicted_ns = (struct estimate){
		.known = true,
		.bounded = true,
		.value = found.ns,
		.low = fmin(found.ns / 2, of.least),
		.high = found.most,
	};
	return true;
}

bool rule__r06_fork(const struct run_subject *subject, struct advice *advice)
{
	return advises(subject, false, advice);
}

bool rule__r21_spawn(const struct run_subject *subject, struct advice *advice)
{
	return advises(subject, true, advice);
}
