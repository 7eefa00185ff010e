// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/startup_parts.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/quantile.h"
#include "base/text.h"
#include "launch/interrupt.h"
#include "measure/startup/break_ring.h"

enum { MARKS = 4, RUNS_MIN = 3, RUNS_MAX = 50 };

static const double budget_ns = 5e8;

/* One run. Until its execve the child shares our memory, where it leaves its rings. */
struct shot {
	const struct startup_command *command;
	struct interrupt *interrupt;
	uint64_t addresses[MARKS]; /* 0: none */
	void *rings[MARKS];
	struct timespec began;
	double whole_ns; /* from there to the end */
	int error; /* of the child's preparations */
};

/* In the child, which shares our memory: only system calls. */
static _Noreturn void prepare_and_execute(struct shot *shot, const struct launch *launch, pid_t parent)
{
	for (int i = 0; i < MARKS; i++) {
		if (!shot->addresses[i])
			continue;
		shot->rings[i] = break_ring__open(0, shot->addresses[i], true);
		if (!shot->rings[i]) {
			shot->error = errno;
			_exit(127);
		}
	}
	shot->error = launch__prepare(launch, parent);
	if (!shot->error) {
		clock_gettime(CLOCK_MONOTONIC, &shot->began);
		shot->error = launch__execute(launch);
	}
	_exit(127);
}

static double ns_of(const struct timespec *time)
{
	return time->tv_sec * 1e9 + time->tv_nsec;
}

/*
 * A part is unknown if its begin or end is; without ld.so the first instruction is the program's entry.
 * The cost of noting begin and end is subtracted from each part.
 */
static void split_time(const struct shot *shot, const struct break_cost *cost, double end, double ns[START_PART_COUNT])
{
	const double both = cost->before + cost->after;
	double times[MARKS], entry;

	for (int i = 0; i < MARKS; i++) {
		if (!break_ring__times(shot->rings[i], &times[i], 1))
			times[i] = NAN;
	}
	entry = shot->addresses[1] ? times[1] : times[0];
	ns[START_PART_KERNEL] = times[0] - ns_of(&shot->began) - cost->before;
	ns[START_PART_LDSO] = times[1] - times[0] - both;
	ns[START_PART_LIBC] = times[2] - entry - both;
	ns[START_PART_MAIN] = times[3] - times[2] - both;
	ns[START_PART_END] = end - times[3] - cost->after;
	if (isnan(times[3])) /* main() calls exit() itself, or executes something else */
		ns[START_PART_MAIN] = end - times[2] - cost->after;
	/* Parts shorter than the noise of the noting may come out negative. */
	for (int part = 0; part < START_PART_COUNT; part++)
		ns[part] = ns[part] < 0 ? 0 : ns[part];
}

static int cannot_time(char **reason, int error, int status)
{
	if (error)
		return error__set(reason, "no breakpoints in debug registers: %s",
				  strerror(error));
	return error__set(reason, "the command failed with address randomisation off "
				   "(wait status 0x%x)", status);
}

static int time_shot(struct shot *shot, const struct break_cost *cost, double ns[START_PART_COUNT], char **reason)
{
	const struct launch launch = startup_command__launch(shot->command, shot->interrupt);
	pid_t parent = getpid(), pid;
	struct timespec end;
	int status;

	memset(shot->rings, 0, sizeof(shot->rings));
	shot->error = 0;
	pid = vfork();
	if (pid == 0)
		prepare_and_execute(shot, &launch, parent);
	if (pid < 0)
		return cannot_time(reason, errno, 0);
	interrupt__kill_on_signal(shot->interrupt, pid);
	status = launch__reap(pid);
	clock_gettime(CLOCK_MONOTONIC, &end);
	interrupt__kill_nobody(shot->interrupt);
	shot->whole_ns = ns_of(&end) - ns_of(&shot->began);
	split_time(shot, cost, ns_of(&end), ns);
	for (int i = 0; i < MARKS; i++)
		break_ring__close(shot->rings[i]);
	if (shot->error || (status && !shot->command->may_fail) || interrupt__came(shot->interrupt))
		return cannot_time(reason, shot->error, status);
	return 0;
}

/* As many as half a second allows, judging by the first run, which also warms up. */
static uint64_t choose_runs(double whole_ns)
{
	double runs = budget_ns / fmax(whole_ns, 1);

	return fmin(fmax(runs, RUNS_MIN), RUNS_MAX);
}

int startup_parts__time(const struct startup_command *command, const struct startup_marks *marks,
			struct interrupt *interrupt, double ns[START_PART_COUNT], char **reason)
{
	struct shot shot = {
		.command = command,
		.interrupt = interrupt,
		.addresses = { marks->first, marks->entry, marks->main, marks->returned },
	};
	double values[START_PART_COUNT][RUNS_MAX], one[START_PART_COUNT];
	struct break_cost cost;
	uint64_t runs = 0;
	int status = break_ring__calibrate(&cost, reason);

	if (!status)
		status = time_shot(&shot, &cost, one, reason);
	if (!status)
		runs = choose_runs(shot.whole_ns);
	for (uint64_t run = 0; run < runs && !status; run++) {
		status = time_shot(&shot, &cost, one, reason);
		for (int part = 0; part < START_PART_COUNT; part++)
			values[part][run] = one[part];
	}
	for (int part = 0; part < START_PART_COUNT; part++)
		ns[part] = status ? NAN : quantile__median(values[part], runs);
	return status;
}
