/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One system call as a source saw it: an element of a stream, from which tables of files and the
 * story of a start are made. Not saved by itself.
 */
#ifndef FORKTAX_MODEL_FILES_CALL_RECORD_H
#define FORKTAX_MODEL_FILES_CALL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rows/absent.h"
#include "model/words/dictionary.h"

#define CALL_ARGUMENTS 6
#define CALL_PATHS     2 /* rename and link have two */

enum path_state {
	PATH_NONE, /* the call has none, or it was NULL */
	PATH_WHOLE,
	PATH_CUT, /* only its beginning is known */
	PATH_UNREADABLE, /* EFAULT, or the kernel refuses to read it */
};

/* With which registers, and with which words on its stack, a thread entered a call (x86-64). */
#define ENTRY_WORDS 128
struct call_entry_stack {
	uint64_t ip, sp, bp;
	uint64_t link; /* the register with the address to return to; 0: it is on the stack */
	size_t count; /* of words, from sp on */
	uint64_t words[ENTRY_WORDS];
};

struct call_record {
	uint64_t process; /* its id in the run */
	int32_t tid;
	int32_t nr; /* -1: only the name is known */
	const char *name; /* static, or the caller's for the time of the call; never NULL */
	enum abi abi;
	enum actor actor; /* ACTOR_COUNT: not known */
	uint64_t begin_ns, end_ns; /* since the start of the run; ABSENT: not known */
	uint64_t time_ns; /* how long it took; ABSENT: not asked for, or not known */
	/*
	 * Begin and end in an order of all threads, whatever its unit. What the call does, it does
	 * between them. Both 0: the order in which calls come is all that is known.
	 */
	uint64_t entered, left;
	bool returned; /* false: exit_group, or killed in it; `result` says nothing then */
	bool denied; /* by seccomp: it was never entered */
	int64_t result; /* -errno if it failed; descriptors and addresses as they are */
	uint64_t arguments[CALL_ARGUMENTS];
	uint8_t known; /* bit i: arguments[i] is; a log of strace does not give all as numbers */
	uint8_t not_open; /* bit i: the source says of descriptor arguments[i] that it was not open */
	/* The file of the descriptor as the source prints it; NULL: not printed. */
	const char *leads_to[CALL_ARGUMENTS], *result_leads_to;
	const struct call_entry_stack *stack; /* the caller's for the time of the call; NULL: not known */
	/* In the order of the arguments; hostile bytes, the caller's for the time of the call. */
	const char *paths[CALL_PATHS];
	enum path_state path_states[CALL_PATHS];
	/* What an argument of a waiting call points to (model/files/waits.h): the caller's. NULL: nothing was read. */
	const void *memory;
	size_t memory_size;
	bool pair_known; /* of pipe and socketpair that succeeded: */
	int32_t pair[2]; /* the two new descriptors */
};

static inline bool call_record__failed(const struct call_record *call)
{
	return call->returned && call->result < 0 && call->result > -4096;
}

#endif
