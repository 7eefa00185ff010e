// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/run/run_waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct run_waits {
	struct run_wait *list; /* owned */
	size_t count;
};

/* Not all processes are listed: then a call of a thread that is not the first one tells. */
static bool has_threads(const struct run *run, const struct path_step *step)
{
	const struct process *process = run__process(run, step->process);

	if (process)
		return process->threads > 1;
	for (size_t i = 0; i < run->files->wait_count; i++)
		if (run->files->waits[i].process == step->process && run->files->waits[i].tid != step->pid)
			return true;
	return false;
}

/* The end of the child that is reaped, if it is known; else 0. */
static uint64_t child_end(const struct run *run, const struct wait *wait)
{
	for (size_t i = 0; i < run->process_count; i++) {
		const struct process *child = &run->processes[i];

		if (child->parent == wait->process && (child->ns_pid == wait->child || child->pid == wait->child) &&
		    child->end_ns != ABSENT && child->end_ns >= wait->begin_ns && child->end_ns <= wait->end_ns)
			return child->end_ns;
	}
	return 0;
}

static uint64_t overlap(const struct run *run, const struct path_step *step, const struct wait *wait)
{
	const uint64_t end = wait->end_ns < step->end_ns ? wait->end_ns : step->end_ns;
	const uint64_t child = wait->what == WAIT_REAP ? child_end(run, wait) : 0;
	uint64_t begin = wait->begin_ns > step->begin_ns ? wait->begin_ns : step->begin_ns;

	if (begin < child)
		begin = child;
	return end > begin ? end - begin : 0;
}

static bool is_same(const struct wait *left, const struct wait *right)
{
	return left->what == right->what && left->call == right->call && !strcmp(left->object, right->object);
}

static struct run_wait *sum_of(struct run_waits *waits, const struct wait *wait, const char *program, bool executed)
{
	for (size_t i = 0; i < waits->count; i++)
		if (is_same(waits->list[i].first, wait) && waits->list[i].executed == executed &&
		    !strcmp(waits->list[i].program, program))
			return &waits->list[i];
	waits->list = checked_grow(waits->list, waits->count, sizeof(*waits->list));
	waits->list[waits->count] = (struct run_wait){ .first = wait, .program = program, .executed = executed };
	return &waits->list[waits->count++];
}

static double slept(const struct run *run, const struct path_step *step, const struct wait *wait, bool reaps)
{
	const bool is_wanted = wait->process == step->process && reaps == (wait->what == WAIT_REAP);

	return is_wanted ? (double)overlap(run, step, wait) : 0;
}

/* All that sleep in a step: together no longer than it does. Calls are longer: they wait for a CPU, too. */
static void add_step(struct run_waits *waits, const struct run_subject *of_files, const struct path_step *step,
		     bool reaps)
{
	const struct run *run = of_files->run;
	const double asleep = (double)path__asleep(step->ns);
	double all = 0;

	for (size_t i = 0; i < run->files->wait_count; i++)
		all += slept(run, step, &run->files->waits[i], reaps);
	for (size_t i = 0; i < run->files->wait_count; i++) {
		const struct wait *wait = &run->files->waits[i];
		const double ns = slept(run, step, wait, reaps) * fmin(1, asleep / fmax(all, 1));
		struct run_wait *sum;

		if (ns <= 0)
			continue;
		sum = sum_of(waits, wait, run_subject__name(of_files, step->exe), step->executed);
		sum->children += step->process > sum->newest;
		sum->newest = step->process > sum->newest ? step->process : sum->newest;
		sum->calls++;
		sum->timed_out += wait->timed_out;
		sum->ns += ns;
	}
}

/* All that the bill has of it: the other run may have waited longer. */
static double waits_of(const struct run_subject *subject)
{
	double ns = 0;

	for (int kind = BILL_DEVICE; kind <= BILL_UNKNOWN; kind++) {
		const struct bill_row *row = run_subject__row(subject, kind, NO_EXE, false);

		ns += row ? run_subject__wall(subject, row) : 0;
	}
	return ns;
}

struct run_wait run_wait__longest(const struct run_subject *subject, bool reaps)
{
	const struct run_subject of_files = { .run = subject->of_files };
	const struct critical_path *path = of_files.run ? of_files.run->critical_path : NULL;
	struct run_wait longest = { 0 };
	struct run_waits waits = { 0 };

	if (!path || of_files.run->files->missed || !of_files.run->files->waits)
		return longest;
	for (size_t i = 0; i < path->step_count; i++)
		if (!has_threads(of_files.run, &path->steps[i]))
			add_step(&waits, &of_files, &path->steps[i], reaps);
	for (size_t i = 0; i < waits.count; i++)
		if (waits.list[i].ns > longest.ns)
			longest = waits.list[i];
	free(waits.list);
	longest.ns = fmin(longest.ns, waits_of(subject));
	return longest;
}
