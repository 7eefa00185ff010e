/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines of threads whose creator is not known yet. They wait in their order.
 */
#ifndef FORKTAX_SOURCE_STRACE_HELD_LINES_H
#define FORKTAX_SOURCE_STRACE_HELD_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct held_line {
	int32_t tid;
	uint64_t number, time_ns;
	char *text; /* owned */
	size_t length;
};

/* All zero: none. */
struct held_lines {
	struct held_node *first, *last; /* owned */
	struct hash queues; /* struct held_queue by tid: the lines of that thread */
	size_t count;
	size_t bytes; /* of all texts */
	uint64_t added; /* lines that ever were */
};

/* More than these are not kept waiting: bytes, and lines. */
enum { HELD_MOST = 16 << 20, HELD_LINES_MOST = 1 << 13 };

/* Which line of all was the first that waits of this thread, from 1; 0: none waits. */
uint64_t held_lines__first(const struct held_lines *held, int32_t tid);
void held_lines__add(struct held_lines *held, const struct held_line *line); /* copies the text */
/*
 * Takes the first line of that thread (0: of any) out. False: there is none. Its text is the
 * caller's to free.
 */
bool held_lines__take(struct held_lines *held, int32_t tid, struct held_line *line);
void held_lines__free(struct held_lines *held);

#endif
