// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_breakdown.h"

#include <math.h>
#include <string.h>

const char *const breakdown_line_titles[BREAKDOWN_LINE_COUNT] = {
#define BREAKDOWN_LINE(id, key, title) title,
#include "analysis/forks/breakdown_lines.def"
#undef BREAKDOWN_LINE
};

enum breakdown_line fork_breakdown__line_of(const struct fork_breakdown *breakdown, const struct anatomy *anatomy,
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
static enum fork_part part_of(const struct fork_breakdown *breakdown, const struct anatomy_row *row)
{
	if (row->phase == PHASE_EXEC)
		return PART_EXECD;
	if (row->actor != ACTOR_KERNEL)
		return PART_RUN;
	if ((double)row->since_ns < breakdown->user_ns * (double)row->faults)
		return PART_START;
	if (row->call && (!strcmp(row->call, "exit_group") || !strcmp(row->call, "exit")))
		return PART_EXIT;
	return PART_RUN;
}

static double traced_ns(const struct anatomy *anatomy, const struct anatomy_row *row)
{
	return row->timed ? anatomy__per_child(anatomy, row) * anatomy_row__ns(row) : 0;
}

double fork_breakdown__ns_of(const struct fork_breakdown *breakdown, const struct anatomy *anatomy,
			     const struct anatomy_row *row)
{
	return traced_ns(anatomy, row) * (row->phase == PHASE_PARENT ? 1 : breakdown->fit[part_of(breakdown, row)]);
}

static void add_row(struct fork_breakdown *breakdown, const struct anatomy *anatomy, const struct anatomy_row *row)
{
	struct breakdown_entry *entry = &breakdown->lines[fork_breakdown__line_of(breakdown, anatomy, row)];
	const double faults = anatomy__per_child(anatomy, row);
	const double ns = fork_breakdown__ns_of(breakdown, anatomy, row);

	breakdown->faults += faults;
	entry->faults += faults;
	if (!row->timed)
		return;
	entry->timed += faults;
	if (row->phase == PHASE_EXEC) {
		breakdown->execd_faults_ns += ns;
		return; /* the part execd has them */
	}
	entry->ns += ns;
	entry->known = true;
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

static double part_ns(const struct fork_cost *cost, enum fork_part part)
{
	return (double)cost->part_ns[part] / (double)cost->typical;
}

/* Finds how much of the time of faults fits into the parts that they are in, and what of these is left. */
static void fit_faults(struct fork_breakdown *breakdown, const struct anatomy *anatomy, const struct fork_cost *cost,
		       double rest[PART_COUNT])
{
	double inside[PART_COUNT] = { 0 };

	for (size_t i = 0; i < anatomy->row_count; i++)
		if (anatomy->rows[i].group == breakdown->group && anatomy->rows[i].phase != PHASE_PARENT)
			inside[part_of(breakdown, &anatomy->rows[i])] += traced_ns(anatomy, &anatomy->rows[i]);
	for (int part = 0; part < PART_COUNT; part++) {
		const double whole = cost && cost->typical ? part_ns(cost, part) : INFINITY;

		breakdown->fit[part] = inside[part] > whole ? whole / inside[part] : 1;
		rest[part] = fmax(0, whole - inside[part]);
	}
}

static void add_rows(struct fork_breakdown *breakdown, const struct anatomy *anatomy)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		if (anatomy->rows[i].group == breakdown->group)
			add_row(breakdown, anatomy, &anatomy->rows[i]);
	}
}

static void set(struct fork_breakdown *breakdown, enum breakdown_line line, double ns)
{
	breakdown->lines[line].ns = ns;
	breakdown->lines[line].known = true;
}

/* The binding's code is in the part run, as are its faults. */
static void add_binding_code(struct fork_breakdown *breakdown, const struct run *run, double rest[PART_COUNT])
{
	const struct breakdown_entry *faults = &breakdown->lines[BREAKDOWN_BINDING];
	double span, code;

	if (!fork_breakdown__binding_span(breakdown, run, &span) || !faults->known)
		return;
	code = fmin(span - faults->ns, rest[PART_RUN]);
	if (code <= 0)
		return;
	set(breakdown, BREAKDOWN_BINDING_CODE, code);
	rest[PART_RUN] -= code;
}

static void add_parts(struct fork_breakdown *breakdown, const struct fork_cost *cost, const double rest[PART_COUNT])
{
	double sum = 0;

	breakdown->complete = cost->typical;
	breakdown->whole = (double)cost->typical_ns / (double)cost->typical;
	set(breakdown, BREAKDOWN_COPY, part_ns(cost, PART_COPY));
	set(breakdown, BREAKDOWN_START, rest[PART_START]);
	set(breakdown, BREAKDOWN_RUN, rest[PART_RUN]);
	set(breakdown, BREAKDOWN_EXECD, part_ns(cost, PART_EXECD));
	set(breakdown, BREAKDOWN_EXIT, rest[PART_EXIT]);
	set(breakdown, BREAKDOWN_REAP, part_ns(cost, PART_REAP));
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

	return smallest->known ? fmin(start, known_ns(breakdown, BREAKDOWN_COPY) + smallest->value) : start;
}

static void add_overhead(struct fork_breakdown *breakdown, const struct anatomy *anatomy, const struct fork_cost *cost)
{
	static const enum breakdown_line lines[] = { BREAKDOWN_COPY,	     BREAKDOWN_KERNEL, BREAKDOWN_BINDING,
						     BREAKDOWN_BINDING_CODE, BREAKDOWN_DATA,   BREAKDOWN_MAPS,
						     BREAKDOWN_ACCESS_FLAG,  BREAKDOWN_EXIT,   BREAKDOWN_PARENT };
	double start = start_ns(breakdown, &anatomy->costs[COST_FORK]);
	double reap = fmin(known_ns(breakdown, BREAKDOWN_REAP), known_ns(breakdown, BREAKDOWN_COPY) + start);

	breakdown->has_overhead = true;
	breakdown->overhead = start + (breakdown->complete ? reap : (double)cost->call.median);
	breakdown->waiting = known_ns(breakdown, BREAKDOWN_START) - start + known_ns(breakdown, BREAKDOWN_REAP) - reap;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		breakdown->overhead += known_ns(breakdown, lines[i]);
}

bool fork_breakdown__make(const struct run *run, uint32_t group, struct fork_breakdown *breakdown)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy ? anatomy__sample(anatomy, group) : NULL;
	const struct fork_cost *cost;
	double left_out, rest[PART_COUNT];

	*breakdown = (struct fork_breakdown){ .group = group };
	if (!sample || !sample->children)
		return false;
	breakdown->children = sample->children;
	breakdown->forks = (double)group__children(&run->groups[group]);
	breakdown->lazy = fork_breakdown__binds_lazily(anatomy, group);
	cost = anatomy__fork_cost(anatomy, group);
	breakdown->user_ns = first_in_user_mode(anatomy, group);
	fit_faults(breakdown, anatomy, cost, rest);
	add_rows(breakdown, anatomy);
	left_out = (double)(sample->unattributed + sample->missed + sample->beyond + sample->parent_beyond) /
		   (double)sample->children;
	breakdown->lines[BREAKDOWN_UNEXPLAINED].faults = left_out;
	breakdown->faults += left_out;
	add_binding_code(breakdown, run, rest);
	if (cost && cost->typical)
		add_parts(breakdown, cost, rest);
	if (cost && cost->call.count)
		add_overhead(breakdown, anatomy, cost);
	return true;
}
