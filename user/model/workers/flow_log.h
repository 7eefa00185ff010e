/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a source tells of the pools among the processes that it traces, as it comes; workers_flow.h is
 * what is made of it. All moments are CLOCK_MONOTONIC, in nanoseconds.
 */
#ifndef FORKTAX_MODEL_WORKERS_FLOW_LOG_H
#define FORKTAX_MODEL_WORKERS_FLOW_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forktax.h"
#include "model/rows/absent.h"
#include "model/stacks/stacks.h"

/* One address space of a process: an execve begins another one. */
struct flow_process {
	uint64_t id; /* of the process, in the trace */
	int32_t pid;
	uint32_t pool; /* the same number: they inherit from one execve */
	uint32_t image; /* how many it had before */
	uint32_t previous; /* in flow_log.processes, of the same process; FLOW_NONE */
	uint32_t parent; /* in flow_log.processes, of what is inherited; FLOW_NONE */
	uint32_t memory; /* whose pages it writes to: itself, or by CLONE_VM its maker */
	uint64_t born_ns, ended_ns; /* ABSENT: it lives */
	bool executed; /* it ended by an execve */
};

/* An instruction of a process, or a call in which the kernel wrote for it. */
struct flow_code {
	uint32_t process; /* in flow_log.processes */
	enum actor actor;
	uint64_t ip; /* 0: the kernel's */
	int32_t call_nr; /* -1: none; of the kernel only */
	uint8_t call_abi;
	char *object; /* path of the file mapped there; NULL: none, or not known */
	uint64_t offset, ino; /* these two: in and of the file */
	uint32_t dev; /* as the kernel packs it */
	uint64_t filled; /* pages */
	char *symbol; /* of code of no file: what the process calls it; NULL: nothing, or it has a file */
	uint32_t stack; /* in flow_log.stacks; FLOW_NONE: none was taken */
};

/* A copy of a page. */
struct flow_event_copy {
	uint32_t process, code; /* in flow_log */
	uint64_t address, ns;
};

enum { FLOW_NONE = UINT32_MAX };

struct flow_log {
	uint64_t begin_ns, end_ns; /* between these everything was recorded; end_ns 0: not ended */
	struct flow_process *processes;
	size_t process_count;
	struct flow_code *codes;
	size_t code_count;
	struct flow_event_copy *copies; /* as they ended; nearly in the order of time */
	size_t copy_count;
	const char *names_missing; /* says why some codes have no names; NULL: they have */
	uint64_t stacks_lost; /* of codes */
	uint64_t lost; /* copies that found no room on the way */
	uint64_t beyond; /* the same, here */
	uint64_t unattributed; /* pages of new memory, written by unknown code */
	/* Call stacks of copies, if they are asked for; no shares. Their frames lie in these objects. */
	struct stacks *stacks;
	struct object *objects;
	size_t object_count;
};

void flow_log__release(struct flow_log *log);

#endif
