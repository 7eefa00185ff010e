// SPDX-License-Identifier: GPL-2.0-or-later
/* A4: fork for a child that executes something else: vfork and posix_spawn copy nothing. */
#include <math.h>
#include <stdlib.h>

#include "advice/rules.h"
#include "advice/saving.h"
#include "base/autofree.h"
#include "base/quantity.h"

enum { SPAWN_FAULTS = 1, TABLE_ENTRY = 8 /* bytes */ };
/* The smallest fork has copied as many: RELRO, data, .bss, stack and the thread's page (slim.c). */
enum { SMALLEST_VMAS = 5 };
/* A shell's child makes about 20 calls: signals, descriptors, groups. */
enum { PREPARING = 40 };
/* Memory that is worth keeping out of children, bytes. */
static const double LARGE = 16 * 1048576.0;

/* A child that borrows the address space copies nothing, and finds mapped what it touches. */
static bool is_by_copy(const struct subject *subject, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD || row->phase == PHASE_PARENT;
}

/* What fork copies before the child runs, and the child's exec throws away. */
static void add_copying(struct saving *saving, const struct subject *subject, struct copied copied)
{
	const struct fork_cost *fork = subject->fork;

	saving__add_smallest_fork(saving, subject);
	saving__add_cost(saving, subject, COST_VFORK, -1);
	if (fork->vmas_anon != ABSENT)
		copied.vmas = (double)fork->vmas_anon;
	copied.vmas = fmax(0, copied.vmas - SMALLEST_VMAS);
	saving__add_copying(saving, subject, &copied);
}

/*
 * If the parent's mappings are unknown: at most as many pages as its page tables have room for. The
 * time by which the call exceeds a whole fork of the smallest process is copying; undoing costs no
 * more.
 */
static void add_unseen(struct saving *saving, const struct subject *subject)
{
	const struct estimate *costs = subject->anatomy->costs;
	const struct breakdown_entry *call = &subject->breakdown->lines[BREAKDOWN_COPY];
	uint64_t tables = subject->fork->page_table_bytes.median;
	double most, likely;

	if (subject->layout || tables == ABSENT || !costs[COST_FORK_PAGE].known || !call->known ||
	    !costs[COST_FORK].known)
		return;
	most = (double)(tables / TABLE_ENTRY) * costs[COST_FORK_PAGE].high;
	likely = fmin(most, 2 * fmax(0, call->ns - costs[COST_FORK].value));
	saving__add_range(saving, 0, likely, most);
}

/*
 * The mappings are those of the first fork. Later page tables have room for more pages: by the
 * median of the recorded forks, and by the largest.
 */
static void add_grown(struct saving *saving, const struct subject *subject)
{
	const struct estimate *cost = &subject->anatomy->costs[COST_FORK_PAGE];
	const struct spread_of *tables = &subject->fork->page_table_bytes;

	if (!subject->layout || tables->median == ABSENT || !cost->known)
		return;
	saving__add_range(saving, 0, (double)((tables->median - tables->min) / TABLE_ENTRY) * cost->value,
			  (double)((tables->max - tables->min) / TABLE_ENTRY) * cost->high);
}

/*
 * What the child computes between its faults. A caller of posix_spawn() computes most of it, too;
 * but an interpreter, for one, sets itself up again in a child of fork.
 */
static void add_code(struct saving *saving, const struct subject *subject)
{
	saving__add_range(saving, 0, 0, subject__code_between(subject));
}

/* Faults of these forks that were not recorded one by one: taken to cost what the others do. */
static void add_unrecorded(struct saving *saving, const struct subject *subject)
{
	const struct sample *sample = subject->sample;
	const struct estimate *costs = subject->anatomy->costs;
	double faults = (double)(sample->child_unattributed + sample->child_missed +
				 sample->child_beyond + sample->parent_beyond) /
			subject__recorded(subject);
	double each = saving->faults > 0 ? saving->ns / saving->faults : costs[COST_REUSE].value;

	if (faults <= 0 || !costs[COST_REUSE].known || !costs[COST_COPY].known)
		return;
	saving__add_range(saving, faults * costs[COST_REUSE].low, faults * each, faults * costs[COST_COPY].high);
	saving->faults += faults;
}

/*
 * posix_spawn() does more than vfork(): it sets signals, and glibc gives the child a stack of its
 * own, whose first page is a fault. Another program has run between two of them, and left the caches
 * neither warm nor cold. The estimate is for posix_spawn(); the other end of the interval is vfork().
 */
static void predict(struct saving *saving, const struct subject *subject, struct advice *advice)
{
	const struct estimate *spawn = &subject->anatomy->costs[COST_SPAWN];
	double high = fmax(saving->high, saving->ns); /* noise may turn differences round */

	if (spawn->known)
		saving__add_range(saving, -spawn->high, -(spawn->value + spawn->high) / 2, -spawn->value);
	saving->faults -= SPAWN_FAULTS;
	saving__predict(saving, advice);
	estimate__widen(&advice->predicted_faults, saving->faults, saving->faults + SPAWN_FAULTS);
	if (advice->predicted_ns.known)
		estimate__widen(&advice->predicted_ns, saving->low, high);
}

static char *evidence(const struct subject *subject, const struct copied *copied)
{
	const struct fork_breakdown *breakdown = subject->breakdown;
	double by_parent = breakdown->lines[BREAKDOWN_PARENT].faults +
			   (double)subject->sample->parent_beyond / subject__recorded(subject);
	double before_exec = (double)subject->sample->child_faults / subject__recorded(subject);
	uint64_t vmas = subject->fork->vmas.median;
	autofree char *mappings =
		vmas == ABSENT ? text__of("its mappings") : text__of("%llu mappings", (unsigned long long)vmas);
	autofree char *huge = copied->huge ? text__of("of %.0f huge pages, ", copied->huge) : text__of("%s", "");
	autofree char *entries = subject->layout
					 ? text__of("%sthe page-table entries of %.0f pages and ", huge, copied->small)
					 : text__of("%s", "");
	char *result = text__of("%s forked to execute another program; until then %s took %s "
				"faults, and its parent %s because of it. fork() copied %s%s, and the "
				"execve discarded them all. Parent and child pay.%s",
				quantity__count(subject->children, "child was", "children were").text,
				number__plural(subject->children, "it", "each"), number__rounded(before_exec).text,
				number__rounded(by_parent).text, entries, mappings, subject__doubt(subject));

	return result;
}

/* A child that does more than to prepare its execve has work that somebody has to do. */
static bool executes_at_once(const struct subject *subject)
{
	return subject__first_calls(subject).before <= PREPARING;
}

/* What is kept out of children no child of the program has, whether it executes something or not. */
static bool all_children_execute(const struct subject *subject)
{
	const struct run *run = subject->run;

	for (size_t i = 0; i < run->group_count; i++)
		if (run->groups[i].parent_exe == subject->group->parent_exe && run->groups[i].exec_target == NO_EXE)
			return false;
	return executes_at_once(subject);
}

static char *action(const struct subject *subject, const struct copied *copied)
{
	char *text = text__of("Start programs by posix_spawn() or vfork() in %s: they copy nothing, "
			      "however large it grows.", subject__object(subject, subject->program));

	if (!executes_at_once(subject))
		text__replace(&text, "%s Not if children do work of their own before the execve: the first one made "
			      "%.0f system calls.", text, subject__first_calls(subject).before);
	if (copied->small * run__page_bytes(subject->run) >= LARGE && all_children_execute(subject))
		text__replace(&text, "%s Where it has to be fork(): madvise(MADV_DONTFORK) keeps large memory out of "
			      "children. A child that touches it before its execve, even to read, is killed by "
			      "SIGSEGV.", text);
	return text;
}

bool rule__a04_fork_exec(const struct subject *subject, struct advice *advice)
{
	struct copied copied = copied__all(subject->run, subject->index);
	struct saving saving = { .unknown = *subject__doubt(subject) };

	if (subject->group->exec_target == NO_EXE || subject->group->birth == BIRTH_VFORK || !subject->fork)
		return false;
	saving__add_all(&saving, subject, is_by_copy);
	if (!saving.faults)
		return false;
	add_unrecorded(&saving, subject);
	add_copying(&saving, subject, copied);
	add_unseen(&saving, subject);
	add_grown(&saving, subject);
	add_code(&saving, subject);
	advice->evidence = evidence(subject, &copied);
	advice->action = action(subject, &copied);
	predict(&saving, subject, advice);
	return true;
}
