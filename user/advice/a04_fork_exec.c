// SPDX-License-Identifier: GPL-2.0-or-later
/* A4: fork for a child that executes something else: vfork and posix_spawn copy nothing. */
#include <math.h>
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/tally.h"

enum { SPAWN_FAULTS = 1, TABLE_ENTRY = 8 /* bytes */ };
/* The smallest fork has copied as many: RELRO, data, .bss, stack and the thread's page (slim.h). */
enum { SMALLEST_VMAS = 5 };

/* A borrowed address space takes no copies, and what it touches the parent has mapped. */
static bool is_by_copy(const struct matter *matter, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD || row->phase == PHASE_PARENT;
}

/* What fork copies before the child runs, and the child's exec throws away. */
static void add_copying(struct tally *tally, const struct matter *matter, struct copied copied)
{
	const struct fork_cost *fork = matter->fork;

	tally__add_cost(tally, matter, COST_FORK, 1);
	tally__add_cost(tally, matter, COST_VFORK, -1);
	if (fork->vmas_anon != ABSENT)
		copied.vmas = (double)fork->vmas_anon;
	copied.vmas = fmax(0, copied.vmas - SMALLEST_VMAS);
	tally__add_copying(tally, matter, &copied);
}

/*
 * Without the parent's mappings: at most as many pages as its page tables have room for. What the call
 * took longer than a whole fork of the smallest process is copying, and undoing costs no more.
 */
static void add_unseen(struct tally *tally, const struct matter *matter)
{
	const struct figure *costs = matter->anatomy->costs;
	const struct bill_entry *call = &matter->bill.lines[BILL_COPY];
	uint64_t tables = matter->fork->page_table_bytes.median;
	double most, likely;

	if (matter->layout || tables == ABSENT || !costs[COST_FORK_PAGE].known || !call->known ||
	    !costs[COST_FORK].known)
		return;
	most = (double)(tables / TABLE_ENTRY) * costs[COST_FORK_PAGE].high;
	likely = fmin(most, 2 * fmax(0, call->ns - costs[COST_FORK].value));
	tally__add_range(tally, 0, likely, most);
}

/*
 * The mappings are those of the first fork. Page tables that came later have room for so many pages
 * more, in the middle of the recorded forks and at their greatest.
 */
static void add_grown(struct tally *tally, const struct matter *matter)
{
	const struct figure *cost = &matter->anatomy->costs[COST_FORK_PAGE];
	const struct spread_of *tables = &matter->fork->page_table_bytes;

	if (!matter->layout || tables->median == ABSENT || !cost->known)
		return;
	tally__add_range(tally, 0, (double)((tables->median - tables->min) / TABLE_ENTRY) * cost->value,
			 (double)((tables->max - tables->min) / TABLE_ENTRY) * cost->high);
}

/*
 * What the child computes between its faults: most of it the caller of posix_spawn() computes, too, but
 * an interpreter, for one, sets itself up anew in a child of fork.
 */
static void add_code(struct tally *tally, const struct matter *matter)
{
	tally__add_range(tally, 0, 0, matter__code_between(matter));
}

/* Faults that belong to these forks, but were too many to be recorded one by one: like the others. */
static void add_unrecorded(struct tally *tally, const struct matter *matter)
{
	const struct sample *sample = matter->sample;
	const struct figure *costs = matter->anatomy->costs;
	double faults = (double)(sample->child_unattributed + sample->child_missed +
				 sample->child_beyond + sample->parent_beyond) /
			matter__recorded(matter);
	double each = tally->faults > 0 ? tally->ns / tally->faults : costs[COST_REUSE].value;

	if (faults <= 0 || !costs[COST_REUSE].known || !costs[COST_COPY].known)
		return;
	tally__add_range(tally, faults * costs[COST_REUSE].low, faults * each,
			 faults * costs[COST_COPY].high);
	tally->faults += faults;
}

/*
 * posix_spawn() does what vfork() does, and more: it sets signals, and in glibc the child has a stack
 * of its own, whose first page is a fault. The estimate is for that; the other end is vfork().
 */
static void predict(struct tally *tally, const struct matter *matter, struct advice *advice)
{
	const struct figure *spawn = &matter->anatomy->costs[COST_SPAWN];
	double high = fmax(tally->high, tally->ns); /* noise may turn differences round */

	if (spawn->known)
		tally__add_range(tally, -spawn->high, -spawn->value, -spawn->value);
	tally->faults -= SPAWN_FAULTS;
	tally__predict(tally, advice);
	figure__widen(&advice->predicted_faults, tally->faults, tally->faults + SPAWN_FAULTS);
	if (advice->predicted_ns.known)
		figure__widen(&advice->predicted_ns, tally->low, high);
}

static char *evidence(const struct matter *matter, const struct copied *copied)
{
	const struct fork_bill *bill = &matter->bill;
	double by_parent = bill->lines[BILL_PARENT].faults +
			   (double)matter->sample->parent_beyond / matter__recorded(matter);
	double before_exec = (double)matter->sample->child_faults / matter__recorded(matter);
	uint64_t vmas = matter->fork->vmas.median;
	char *mappings = vmas == ABSENT ? text("its mappings")
					: text("%llu mappings", (unsigned long long)vmas);
	char *huge = copied->huge ? text("of %.0f huge pages, ", copied->huge) : text("%s", "");
	char *entries = matter->layout
				? text("%sthe entries of %.0f pages and ", huge, copied->small)
				: text("%s", "");
	char *result =
		text("%.0f %s forked to execute another program; until then %s took %.*f "
		     "faults, and its parent %.*f because of it. Fork copied %s%s for that, and the "
		     "exec threw it all away. Parent and child pay.",
		     matter->children, matter->children == 1 ? "child was" : "children were",
		     matter->children == 1 ? "it" : "each",
		     COUNT(before_exec), COUNT(by_parent), entries, mappings);

	free(mappings);
	free(entries);
	free(huge);
	return result;
}

bool rule__a04_fork_exec(const struct matter *matter, struct advice *advice)
{
	struct copied copied = copied__all(matter);
	struct tally tally = { 0 };

	if (matter->group->fate_exe == NO_EXE || matter->group->birth == BIRTH_VFORK || !matter->fork)
		return false;
	tally__add_all(&tally, matter, is_by_copy);
	if (!tally.faults)
		return false;
	add_unrecorded(&tally, matter);
	add_copying(&tally, matter, copied);
	add_unseen(&tally, matter);
	add_grown(&tally, matter);
	add_code(&tally, matter);
	advice->evidence = evidence(matter, &copied);
	advice->action = text("Start programs with posix_spawn() or vfork() in %s: nothing is copied, "
			      "however large it grows.",
			      matter__object(matter, matter->program));
	predict(&tally, matter, advice);
	return true;
}
