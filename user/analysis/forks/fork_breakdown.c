// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_breakdown.h"

#include <math.h>
#include <string.h>

const char *const breakdown_line_keys[BREAKDOWN_LINE_COUNT] = {
#define BREAKDOWN_LINE(id, key, title) key,
#include "analysis/forks/breakdown_lines.def"
#undef BREAKDOWN_LINE
};

const char *const breakdown_line_titles[BREAKDOWN_LINE_COUNT] = {
#define BREAKDOWN_LINE(id, key, title) title,
#include "analysis/forks/breakdown_lines.def"
#undef BREAKDOWN_LINE
};

/* Time of faults within parts of the child's life, to be taken off these. */
struct inside {
	double user_ns; /* first fault in user mode, since the child's birth; 0: none */
	double start, run, exit;
};

enum breakdown_line fork_breakdown__line_of(const struct fork_breakdown *breakdown,
					    const struct anatomy *anatomy,
					    const struct anatomy_row *row)
{
	if (row->phase == PHASE_PARENT)
		return BREAKDOWN_PARENT;
	if (row->phase == PHASE_EXEC)
		return BREAKDOWN_EXECD;
	if (row->actor == ACTOR_KERNEL)
		return BREAKDOWN_KERNEL;
	if (fork_breakdown__is_binding(breakdown, anatomy, row))
		return BREAKDOWN_BINDING;
	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_COW_REUSE:
	case FAULT_FILE_COW:
		return BREAKDOWN_DATA;
	case FAULT_FILE_MAP:
		return BREAKDOWN_MAPS;
	case FAULT_ACCESS_FLAG:
		return BREAKDOWN_ACCESS_FLAG;
	default:
		return BREAKDOWN_MEMORY;
	}
}

/*
 * The kernel takes faults in all parts of the child's life: before the child is in user mode
 * (thread id), while it runs, and in its exit.
 */
static double *part_of(struct inside *inside, const struct anatomy_row *row)
{
	if (row->actor != ACTOR_KERNEL)
		return &inside->run;
	if ((double)row->since_ns < inside->user_ns * (double)row->faults)
		return &inside->start;
	if (row->call && (!strcmp(row->call, "exit_group") || !strcmp(row->call, "exit")))
		return &inside->exit;
	return &inside->run;
}

static void add_row(struct fork_breakdown *breakdown, const struct anatomy *anatomy,
		    const struct anatomy_row *row, struct inside *inside)
{
	struct breakdown_entry *entry =
		&breakdown->lines[fork_breakdown__line_of(breakdown, anatomy, row)];
	double faults = anatomy__per_child(anatomy, row), each = anatomy_row__ns(row);

	breakdown->faults += faults;
	entry->faults += faults;
	if (!row->timed)
		return;
	entry->timed += faults;
	if (row->phase == PHASE_EXEC) {
		breakdown->execd_faults_ns += faults * each;
		return; /* the part execd has them */
	}
	entry->ns += faults * each;
	entry->known = true;
	if (row->phase == PHASE_CHILD)
		*part_of(inside, row) += faults * each;
}

/*
 * When the first of the faults in user mode came that most children took. Means over the same
 * children, late ones included, are in the order in which one child takes its faults.
 */
static double first_in_user_mode(const struct anatomy *anatomy, uint32_t group)
{
	uint64_t most = 0;
	double first = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		double since = anatomy_row__since(row);

		if (row->group != group || row->phase != PHASE_CHILD ||
		    row->actor == ACTOR_KERNEL || row->children < most)
			continue;
		if (row->children > most || since < first)
			first = since;
		most = row->children;
	}
	return first;
}

static void add_rows(struct fork_breakdown *breakdown, const struct anatomy *anatomy,
		     struct inside *inside)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		if (anatomy->rows[i].group == breakdown->group)
			add_row(breakdown, anatomy, &anatomy->rows[i], inside);
	}
}

static void set(struct fork_breakdown *breakdown, enum breakdown_line line, double ns)
{
	breakdown->lines[line].ns = ns;
	breakdown->lines[line].known = true;
}

/* The binding's code is in the part run, as are its faults. */
static void add_binding_code(struct fork_breakdown *breakdown, const struct run *run, struct inside *inside)
{
	const struct breakdown_entry *faults = &breakdown->lines[BREAKDOWN_BINDING];
	double span;

	if (!fork_breakdown__binding_span(breakdown, run, &span) || !faults->known ||
	    span <= faults->ns)
		return;
	set(breakdown, BREAKDOWN_BINDING_CODE, span - faults->ns);
	inside->run += span - faults->ns;
}

static void add_parts(struct fork_breakdown *breakdown, const struct fork_cost *cost,
		      const struct inside *inside)
{
	double part[PART_COUNT], sum = 0;

	for (int i = 0; i < PART_COUNT; i++)
		part[i] = (double)cost->part_ns[i] / (double)cost->typical;
	breakdown->complete = cost->typical;
	breakdown->whole = (double)cost->typical_ns / (double)cost->typical;
	set(breakdown, BREAKDOWN_COPY, part[PART_COPY]);
	set(breakdown, BREAKDOWN_START, fmax(0, part[PART_START] - inside->start));
	set(breakdown, BREAKDOWN_RUN, fmax(0, part[PART_RUN] - inside->run));
	set(breakdown, BREAKDOWN_EXECD, part[PART_EXECD]);
	set(breakdown, BREAKDOWN_EXIT, fmax(0, part[PART_EXIT] - inside->exit));
	set(breakdown, BREAKDOWN_REAP, part[PART_REAP]);
	for (int i = 0; i < BREAKDOWN_LINE_COUNT; i++) {
		if (i != BREAKDOWN_PARENT && breakdown->lines[i].known)
			sum += breakdown->lines[i].ns;
	}
	set(breakdown, BREAKDOWN_UNEXPLAINED, breakdown->whole - sum);
}

static double known_ns(const struct fork_breakdown *breakdown, enum breakdown_line line)
{
	return breakdown->lines[line].known ? breakdown->lines[line].ns : 0;
}

/* The part of the start that was not waiting for a CPU. */
static double start_ns(const struct fork_breakdown *breakdown, const struct estimate *smallest)
{
	double start = known_ns(breakdown, BREAKDOWN_START);

	return smallest->known ? fmin(start, known_ns(breakdown, BREAKDOWN_COPY) + smallest->value)
			       : start;
}

static void add_overhead(struct fork_breakdown *breakdown, const struct anatomy *anatomy,
			 const struct fork_cost *cost)
{
	static const enum breakdown_line lines[] = { BREAKDOWN_COPY,	BREAKDOWN_KERNEL,
						     BREAKDOWN_BINDING, BREAKDOWN_BINDING_CODE,
						     BREAKDOWN_DATA,	BREAKDOWN_MAPS,
						     BREAKDOWN_ACCESS_FLAG, BREAKDOWN_EXIT,
						     BREAKDOWN_PARENT };
	double start = start_ns(breakdown, &anatomy->costs[COST_FORK]);
	double reap = fmin(known_ns(breakdown, BREAKDOWN_REAP),
			   known_ns(breakdown, BREAKDOWN_COPY) + start);

	breakdown->has_overhead = true;
	breakdown->overhead = start + (breakdown->complete ? reap : (double)cost->call.median);
	breakdown->waiting = known_ns(breakdown, BREAKDOWN_START) - start +
			     known_ns(breakdown, BREAKDOWN_REAP) - reap;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		breakdown->overhead += known_ns(breakdown, lines[i]);
}

bool fork_breakdown__make(const struct run *run, uint32_t group, struct fork_breakdown *breakdown)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy ? anatomy__sample(anatomy, group) : NULL;
	const struct fork_cost *cost;
	struct inside inside = { 0 };
	double left_out;

	*breakdown = (struct fork_breakdown){ .group = group };
	if (!sample || !sample->children)
		return false;
	breakdown->children = sample->children;
	breakdown->forks = (double)group__children(&run->groups[group]);
	breakdown->lazy = fork_breakdown__binds_lazily(anatomy, group);
	cost = anatomy__fork_cost(anatomy, group);
	inside.user_ns = first_in_user_mode(anatomy, group);
	add_rows(breakdown, anatomy, &inside);
	left_out = (double)(sample->unattributed + sample->missed + sample->beyond +
			    sample->parent_beyond) /
		   (double)sample->children;
	breakdown->lines[BREAKDOWN_UNEXPLAINED].faults = left_out;
	breakdown->faults += left_out;
	add_binding_code(breakdown, run, &inside);
	if (cost && cost->typical)
		add_parts(breakdown, cost, &inside);
	if (cost && cost->call.count)
		add_overhead(breakdown, anatomy, cost);
	return true;
}
