// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/startup_watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "measure/startup/break_ring.h"

void startup_watch__learn(struct startup_watch *watch, const struct startup_command *command,
			  struct interrupt *interrupt)
{
	*watch = (struct startup_watch){ 0 };
	startup_marks__learn(command, interrupt, &watch->marks, &watch->reason);
}

void startup_watch__open(pid_t pid, void *context)
{
	struct startup_watch *watch = context;
	const struct startup_marks *marks = &watch->marks;
	const uint64_t addresses[STARTUP_MARKS] = { marks->first, marks->entry, marks->main, marks->returned };

	for (int i = 0; i < STARTUP_MARKS; i++) {
		if (!addresses[i])
			continue;
		watch->rings[i] = break_ring__open(pid, addresses[i], true);
		if (!watch->rings[i] && !watch->reason)
			watch->reason = text__of("no breakpoints in debug registers: %s", strerror(errno));
	}
}

/* Since the execve; ABSENT if that instruction was not reached. */
static uint64_t time_of(const void *ring, uint64_t origin)
{
	double time;

	return break_ring__times(ring, &time, 1) && time >= (double)origin ? (uint64_t)time - origin : ABSENT;
}

void startup_watch__take(struct startup_watch *watch, struct start *start)
{
	const uint64_t origin = start->origin_ns;

	start->marks.first = time_of(watch->rings[0], origin);
	start->marks.entry = watch->marks.entry ? time_of(watch->rings[1], origin) : start->marks.first;
	start->marks.main = time_of(watch->rings[2], origin);
	start->marks.returned = time_of(watch->rings[3], origin);
	start->ldso_address = watch->marks.entry ? watch->marks.first : 0;
	start->program_address = watch->marks.entry ? watch->marks.entry : watch->marks.first;
	if (!watch->reason && watch->marks.first && start->marks.first == ABSENT)
		watch->reason = text__of("the kernel has ended the breakpoints at the execve, as it does if a program "
					 "gains rights by it (set-user-ID or the like)");
	if (!watch->reason && start->marks.main == ABSENT)
		watch->reason = text__of("main() was not found, or not reached");
	start->unmarked = watch->reason;
	watch->reason = NULL;
	startup_watch__release(watch);
}

void startup_watch__release(struct startup_watch *watch)
{
	for (int i = 0; i < STARTUP_MARKS; i++)
		break_ring__close(watch->rings[i]);
	free(watch->reason);
	*watch = (struct startup_watch){ 0 };
}
