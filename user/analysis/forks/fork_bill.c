// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_bill.h"

#include <math.h>
#include <string.h>

const char *const bill_line_keys[BILL_LINE_COUNT] = {
#define BILL_LINE(id, key, title) key,
#include "analysis/forks/bill_lines.def"
#undef BILL_LINE
};

const char *const bill_line_titles[BILL_LINE_COUNT] = {
#define BILL_LINE(id, key, title) title,
#include "analysis/forks/bill_lines.def"
#undef BILL_LINE
};

/* Time of faults within parts of the child's life, to be taken off these. */
struct inside {
	double user_ns; /* first fault in user mode, since the child's birth; 0: none */
	double start, run, exit;
};

enum bill_line fork_bill__line_of(const struct fork_bill *bill, const struct anatomy *anatomy,
				  const struct anatomy_row *row)
{
	if (row->phase == PHASE_PARENT)
		return BILL_PARENT;
	if (row->phase == PHASE_EXEC)
		return BILL_EXECD;
	if (row->actor == ACTOR_KERNEL)
		return BILL_KERNEL;
	if (fork_bill__is_binding(bill, anatomy, row))
		return BILL_BINDING;
	switch (row->class) {
	case FAULT_COW_COPY:
	case FAULT_COW_REUSE:
	case FAULT_FILE_COW:
		return BILL_DATA;
	case FAULT_FILE_MAP:
		return BILL_MAPS;
	default:
		return BILL_MEMORY;
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

static void add_row(struct fork_bill *bill, const struct anatomy *anatomy,
		    const struct anatomy_row *row, struct inside *inside)
{
	struct bill_entry *entry = &bill->lines[fork_bill__line_of(bill, anatomy, row)];
	double faults = anatomy__per_child(anatomy, row), each = anatomy_row__ns(row);

	bill->faults += faults;
	entry->faults += faults;
	if (!row->timed)
		return;
	entry->timed += faults;
	if (row->phase == PHASE_EXEC) {
		bill->execd_faults_ns += faults * each;
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

static void add_rows(struct fork_bill *bill, const struct anatomy *anatomy, struct inside *inside)
{
	for (size_t i = 0; i < anatomy->row_count; i++) {
		if (anatomy->rows[i].group == bill->group)
			add_row(bill, anatomy, &anatomy->rows[i], inside);
	}
}

static void set(struct fork_bill *bill, enum bill_line line, double ns)
{
	bill->lines[line].ns = ns;
	bill->lines[line].known = true;
}

/* The binding's code is in the part run, as are its faults. */
static void add_binding_code(struct fork_bill *bill, const struct anatomy *anatomy,
			     struct inside *inside)
{
	const struct bill_entry *faults = &bill->lines[BILL_BINDING];
	double span;

	if (!fork_bill__binding_span(bill, anatomy, &span) || !faults->known || span <= faults->ns)
		return;
	set(bill, BILL_BINDING_CODE, span - faults->ns);
	inside->run += span - faults->ns;
}

static void add_parts(struct fork_bill *bill, const struct fork_cost *cost,
		      const struct inside *inside)
{
	double part[PART_COUNT], sum = 0;

	for (int i = 0; i < PART_COUNT; i++)
		part[i] = (double)cost->part_ns[i] / (double)cost->typical;
	bill->complete = cost->typical;
	bill->whole = (double)cost->typical_ns / (double)cost->typical;
	set(bill, BILL_COPY, part[PART_COPY]);
	set(bill, BILL_START, fmax(0, part[PART_START] - inside->start));
	set(bill, BILL_RUN, fmax(0, part[PART_RUN] - inside->run));
	set(bill, BILL_EXECD, part[PART_EXECD]);
	set(bill, BILL_EXIT, fmax(0, part[PART_EXIT] - inside->exit));
	set(bill, BILL_REAP, part[PART_REAP]);
	for (int i = 0; i < BILL_LINE_COUNT; i++) {
		if (i != BILL_PARENT && bill->lines[i].known)
			sum += bill->lines[i].ns;
	}
	set(bill, BILL_UNEXPLAINED, bill->whole - sum);
}

static double known_ns(const struct fork_bill *bill, enum bill_line line)
{
	return bill->lines[line].known ? bill->lines[line].ns : 0;
}

/* The part of the start that was not waiting for a CPU. */
static double start_ns(const struct fork_bill *bill, const struct estimate *smallest)
{
	double start = known_ns(bill, BILL_START);

	return smallest->known ? fmin(start, known_ns(bill, BILL_COPY) + smallest->value) : start;
}

static void add_tax(struct fork_bill *bill, const struct anatomy *anatomy,
		    const struct fork_cost *cost)
{
	static const enum bill_line lines[] = { BILL_COPY,	   BILL_KERNEL, BILL_BINDING,
						BILL_BINDING_CODE, BILL_DATA,	BILL_MAPS,
						BILL_EXIT,	   BILL_PARENT };
	double start = start_ns(bill, &anatomy->costs[COST_FORK]);
	double reap = fmin(known_ns(bill, BILL_REAP), known_ns(bill, BILL_COPY) + start);

	bill->taxed = true;
	bill->tax = start + (bill->complete ? reap : (double)cost->call.median);
	bill->waiting = known_ns(bill, BILL_START) - start + known_ns(bill, BILL_REAP) - reap;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		bill->tax += known_ns(bill, lines[i]);
}

bool fork_bill__make(const struct run *run, uint32_t group, struct fork_bill *bill)
{
	const struct anatomy *anatomy = run->anatomy;
	const struct sample *sample = anatomy ? anatomy__sample(anatomy, group) : NULL;
	const struct fork_cost *cost;
	struct inside inside = { 0 };
	double left_out;

	*bill = (struct fork_bill){ .group = group };
	if (!sample || !sample->children)
		return false;
	bill->children = sample->children;
	bill->forks = (double)group__children(&run->groups[group]);
	bill->lazy = fork_bill__binds_lazily(anatomy, group);
	cost = anatomy__fork_cost(anatomy, group);
	inside.user_ns = first_in_user_mode(anatomy, group);
	add_rows(bill, anatomy, &inside);
	left_out = (double)(sample->unattributed + sample->missed + sample->beyond +
			    sample->parent_beyond) /
		   (double)sample->children;
	bill->lines[BILL_UNEXPLAINED].faults = left_out;
	bill->faults += left_out;
	add_binding_code(bill, anatomy, &inside);
	if (cost && cost->typical)
		add_parts(bill, cost, &inside);
	if (cost && cost->call.count)
		add_tax(bill, anatomy, cost);
	return true;
}
