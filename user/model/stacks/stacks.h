/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call stacks of recorded faults: who called the code that faulted, as far as frame pointers lead
 * (run.anatomy->stacks, NULL unless asked for).
 *
 * The source fills in all but the names; analysis adds these, and cuts a stack where the code before
 * the address to return to is no call: there somebody used the frame pointer for something else.
 */
#ifndef FORKTAX_MODEL_STACKS_STACKS_H
#define FORKTAX_MODEL_STACKS_STACKS_H

#include "model/anatomy/anatomy.h"

/* Code of one address: the instruction that faulted, or one to return to. */
struct frame {
	/*
	 * In an object, or of none: then its kind is PLACE_ANON, the offset is the address in process
	 * `pid`, and the symbol is what that process, or one that it was forked from, says of its code
	 * (/tmp/perf-PID.map).
	 */
	struct place place;
	int32_t pid; /* as forktax sees it; 0: in an object */
};

enum stack_stop {
	STOP_WHOLE, /* no frame says that there is one further out */
	STOP_CUT, /* so many frames are kept */
	STOP_ASTRAY, /* what the last frame has saved is no address to return to */
	STACK_STOP_COUNT
};
extern const char *const stack_stop_keys[STACK_STOP_COUNT]; /* "whole", "cut", "astray" */

struct call_stack {
	uint32_t *frames; /* indexes into stacks.frames, the innermost first; at least one */
	size_t frame_count;
	/*
	 * So many of them are proven: the files say that each function had its frame where the frame pointer
	 * led. Behind an unknown function one may have been skipped.
	 */
	uint64_t proven;
	enum stack_stop stop;
	/*
	 * For analysis, not saved: code whose address was on top of the stack, to which a function without a
	 * frame returns. An index as above; UINT32_MAX: no code.
	 */
	uint32_t top;
};

/* The faults of a row of the anatomy that have one stack. */
struct stack_share {
	uint32_t row; /* index into anatomy.rows */
	uint32_t stack; /* index into stacks.list */
	uint64_t faults;
	uint64_t timed; /* of these, faults with a known duration */
	uint64_t ns; /* sum of these durations */
};

/* System calls of the recorded processes that were made alike. */
struct stack_call {
	char *call; /* its name, with the ABI where that is not the usual one */
	uint32_t exe; /* index into run.exes; NO_EXE: not known */
	uint32_t stack; /* index into stacks.list; NO_STACK: none */
	uint64_t calls;
};

enum { NO_STACK = UINT32_MAX };

struct stacks {
	struct frame *frames;
	size_t frame_count;
	struct call_stack *list;
	size_t count;
	struct stack_share *shares; /* by row; the faults of a row that are in none have no stack */
	size_t share_count;
	struct stack_call *calls; /* most calls first */
	size_t call_count;
	uint64_t calls_left_out; /* found no room, with or without a stack */
	uint64_t lost; /* faults and calls whose stack was taken, but found no room */
};

/* The part of a row's time that a share of it has, ns, untimed faults taken as the others; 0: not known. */
double stack_share__ns(const struct stack_share *share, const struct anatomy_row *row);

#endif
