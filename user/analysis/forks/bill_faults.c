// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/bill_faults.h"

static struct bill_row *find_row(const struct bill *bill, enum bill_kind kind, uint32_t exe, bool executed)
{
	for (size_t i = 0; i < bill->count; i++) {
		struct bill_row *row = &bill->rows[i];

		if (row->kind == kind && row->exe == exe && row->executed == executed)
			return row;
	}
	return NULL;
}

/* New memory a child would need without a fork, too. */
static bool is_of_fork(const struct anatomy_row *row)
{
	if (row->group == NO_GROUP || row->actor == ACTOR_KERNEL || !row->timed)
		return false;
	return row->phase == PHASE_PARENT ||
	       (row->phase == PHASE_CHILD && row->class != FAULT_ZERO_FILL && row->class != FAULT_ZERO_PAGE);
}

/* So much CPU time, and what it is on the clock. */
static void move(struct bill_row *from, struct bill_row *to, double cpu_ns)
{
	const uint64_t cpu = cpu_ns < from->cpu_ns ? cpu_ns : from->cpu_ns;
	const uint64_t wall = from->cpu_ns ? (double)from->wall_ns * cpu / from->cpu_ns : 0;

	from->cpu_ns -= cpu;
	from->wall_ns -= wall;
	to->cpu_ns += cpu;
	to->wall_ns += wall;
}

static double cpu_of(const struct run *run, const struct anatomy_row *row)
{
	return anatomy__per_child(run->anatomy, row) * group__children(&run->groups[row->group]) * anatomy_row__ns(row);
}

double bill_faults__share(const struct run *run, uint32_t exe)
{
	const struct bill_row *fork = find_row(run->bill, BILL_FORK, exe, true);
	double cpu = 0;

	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];

		if (is_of_fork(row) && run->groups[row->group].parent_exe == exe)
			cpu += cpu_of(run, row);
	}
	return !fork || !fork->cpu_ns ? 0 : cpu < fork->cpu_ns ? cpu / fork->cpu_ns : 1;
}

void bill_faults__move(struct run *run)
{
	if (!run->bill || !run->anatomy)
		return;
	for (size_t i = 0; i < run->anatomy->row_count; i++) {
		const struct anatomy_row *row = &run->anatomy->rows[i];
		const struct group *group = is_of_fork(row) ? &run->groups[row->group] : NULL;
		struct bill_row *code, *fork;

		if (!group)
			continue;
		fork = find_row(run->bill, BILL_FORK, group->parent_exe, true);
		code = find_row(run->bill, BILL_CODE, group->parent_exe, row->phase == PHASE_PARENT);
		if (code && fork)
			move(code, fork, cpu_of(run, row));
	}
	bill__sort(run->bill);
}
