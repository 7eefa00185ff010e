// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/fork_bill.h"

#include <math.h>
#include <string.h>

const char *const bill_line_keys[BILL_LINE_COUNT] = {
	[BILL_COPY] = "copy",
	[BILL_START] = "start",
	[BILL_KERNEL] = "kernel",
	[BILL_BINDING] = "binding",
	[BILL_BINDING_CODE] = "binding_code",
	[BILL_DATA] = "data",
	[BILL_MAPS] = "maps",
	[BILL_MEMORY] = "memory",
	[BILL_RUN] = "run",
	[BILL_EXECD] = "execd",
	[BILL_EXIT] = "exit",
	[BILL_REAP] = "reap",
	[BILL_PARENT] = "parent",
	[BILL_UNEXPLAINED] = "not_explained",
};

const char *const bill_line_titles[BILL_LINE_COUNT] = {
	[BILL_COPY] = "fork call: copying mappings and page tables",
	[BILL_START] = "starting the child",
	[BILL_KERNEL] = "faults in kernel mode (thread id, rseq, buffers)",
	[BILL_BINDING] = "lazy binding: faults",
	[BILL_BINDING_CODE] = "lazy binding: ld.so's own work",
	[BILL_DATA] = "pages of data copied",
	[BILL_MAPS] = "text and constants mapped again",
	[BILL_MEMORY] = "new and shared memory",
	[BILL_RUN] = "the child's own code and system calls",
	[BILL_EXECD] = "after exec",
	[BILL_EXIT] = "exiting",
	[BILL_REAP] = "teardown, wait",
	[BILL_PARENT] = "the parent's copies after the fork",
	[BILL_UNEXPLAINED] = "not explained",
};

/* Time of faults that a part of the child's life includes, to be taken off it. */
struct inside {
	double user_ns; /* first fault in user mode, since the child's birth; 0: none */
	double start, run, exit;
};

static enum bill_line line_of(const struct anatomy *anatomy, const struct anatomy_row *row)
{
	if (row->phase == PHASE_PARENT)
		return BILL_PARENT;
	if (row->phase == PHASE_EXEC)
		return BILL_EXECD;
	if (row->actor == ACTOR_KERNEL)
		return BILL_KERNEL;
	if (fork_bill__is_binding(anatomy, row))
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
	struct bill_entry *entry = &bill->lines[line_of(anatomy, row)];
	double faults = anatomy__per_child(anatomy, row), each = anatomy_row__ns(row);

	bill->faults += faults;
	entry->faults += faults;
	if (!row->timed)
		return;
	entry->timed += faults;
	if (row->phase == PHASE_EXEC)
		return; /* the part execd has them */
	entry->ns += faults * each;
	entry->known = true;
	if (row->phase == PHASE_CHILD)
		*part_of(inside, row) += faults * each;
}

/*
 * Of the faults in user mode that most children took, the first one. Comparing means over all
 * children, late ones included, tells the order in which one child takes its faults.
 */
static double first_in_user_mode(const struct anatomy *anatomy, uint32_t group)
{
	uint64_t most = 0;
	double first = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		double since = row->faults ? (double)row->since_ns / (double)row->faults : 0;

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
	struct figure span;

	if (!fork_bill__binding_span(anatomy, bill->group, &span))
		return;
	bill->span = span.value;
	if (!faults->known || span.value <= faults->ns)
		return;
	set(bill, BILL_BINDING_CODE, span.value - faults->ns);
	inside->run += span.value - faults->ns;
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
	bill->lines[BILL_COPY].by_parent = bill->lines[BILL_REAP].by_parent = true;
	bill->lines[BILL_PARENT].by_parent = true;
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
	return true;
}

double fork_bill__fault_ns(const struct fork_bill *bill, enum bill_line line)
{
	const struct bill_entry *entry = &bill->lines[line];

	if (line == BILL_EXECD || !entry->known || !entry->timed)
		return NAN;
	return entry->ns / entry->timed;
}
