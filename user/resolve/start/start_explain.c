// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/start/start_explain.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "analysis/start/start_parts.h"
#include "resolve/start/start_objects.h"
#include "resolve/start/start_reasons.h"

/* When it left: its last call never returned, or began another program. */
static void mark_exit(struct start *start)
{
	static const char *const exits[] = { "exit_group", "exit", NULL };
	static const char *const execs[] = { "execve", "execveat", NULL };
	const struct start_call *last;

	if (start->call_count < 2)
		return;
	last = &start->calls[start->call_count - 1];
	/* Other threads may still make calls until they are killed. */
	for (size_t i = start->call_count; i-- > 1;)
		if (!start->calls[i].returned && start_call__is(&start->calls[i], "exit_group"))
			last = &start->calls[i];
	if (!last->returned ? start_call__is_any(last, exits)
			    : start_call__is_any(last, execs) && !last->result)
		start->marks.exit = last->begin_ns;
	if (last->returned && start->marks.exit != ABSENT && last->ns != ABSENT)
		start->marks.end = last->begin_ns + last->ns;
}

/* Marks that come too late, or before what must precede them, are of something else. */
static void drop_impossible(struct start_marks *marks)
{
	uint64_t *const order[] = { &marks->first, &marks->entry, &marks->main, &marks->returned,
				    &marks->exit };
	uint64_t latest = 0;

	if (marks->first == ABSENT) /* then the kernel's part has no end, and so on */
		marks->entry = marks->main = marks->returned = ABSENT;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (*order[i] == ABSENT)
			continue;
		if (*order[i] < latest || *order[i] > marks->end ||
		    (i < 4 && *order[i] > marks->exit))
			*order[i] = ABSENT;
		else
			latest = *order[i];
	}
}

/* The list ends at a limit; the count of the image does not. */
static void count_beyond(struct start *start, uint64_t counted)
{
	uint64_t listed = start->left_out;

	for (size_t i = 0; i < start->call_count; i++)
		listed += !start->calls[i].denied;
	if (listed >= START_CALLS_MOST && counted > listed)
		start->beyond = counted - listed;
}

/* What the counts say of the image. Unfinished, it may have had faults that they do not hold yet. */
static void take_process(struct run *run)
{
	const struct process *process = run->process_count ? &run->processes[0] : NULL;
	struct start *start = run->start;

	if (process && process->image_count == 1)
		start->marks.end = process->end_ns;
	if (process && process->image_count)
		start->image_faults = process->images[0].faults.total;
	if (process && process->image_count && !start->missed)
		count_beyond(start, process->images[0].syscalls);
	if (start->image_faults < start->fault_count)
		start->image_faults = start->fault_count;
}

/* Is this all that ld.so asks the kernel for before anything is mapped? */
static bool may_be_of_ldso(const struct start_call *call)
{
	static const char *const names[] = {
		"brk", "mmap", "munmap", "mprotect", "access", "faccessat", "faccessat2", "open", "openat",
		"read", "pread64", "fstat", "newfstatat", "stat", "close", "readlink", "readlinkat", "uname",
		"getcwd", "arch_prctl", "set_tid_address", "set_robust_list", "rseq", "getuid", "geteuid",
		"getgid", "getegid", "prctl", NULL,
	};

	return start_call__is_any(call, names);
}

static bool makes_read_only(const struct start_call *call)
{
	return start_call__is(call, "mprotect") && start_call__argument(call, 2) == PROT_READ;
}

/*
 * Where nobody knows whose code made a call: until ld.so has made read-only what it has relocated, no code
 * of the program runs. So what it maps first as a library tells that there is an ld.so, and the first
 * mprotects behind the last library tell how far it has come for certain.
 */
static void find_ldso(struct start *start)
{
	size_t last = 0, i;
	bool has_library = false;

	for (i = 1; i < start->call_count && may_be_of_ldso(&start->calls[i]); i++) {
		bool opens = start_call__opens(&start->calls[i]) && !start_call__errno(&start->calls[i]);

		has_library |= opens && start_calls__map_library(start, i);
		if (has_library && makes_read_only(&start->calls[i]))
			last = i;
		else if (last)
			break;
	}
	for (i = 1; i <= last; i++)
		start->calls[i].before_program = true;
}

void start__explain(struct run *run)
{
	struct start *start = run->start;

	if (!run__has(run, HAS_ACTORS))
		find_ldso(start);
	take_process(run);
	mark_exit(start);
	drop_impossible(&start->marks);
	start_phases__find(start);
	start_reasons__find(run);
	start_searches__find(start);
	start_objects__find(run);
	free(start->fault_list);
	start->fault_list = NULL;
	start->fault_count = 0;
}
