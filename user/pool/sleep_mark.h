/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Has a process run meanwhile? If not, it has not written to its memory: what was read of that need not be
 * read again.
 */
#ifndef FORKTAX_POOL_SLEEP_MARK_H
#define FORKTAX_POOL_SLEEP_MARK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sleep_mark {
	bool asleep; /* all threads were; else the rest says nothing */
	uint64_t switches; /* hash of the threads, and of how often each has left a CPU */
};

struct sleep_mark sleep_mark__of(pid_t pid);
/* Has no thread run since the mark was made? */
bool sleep_mark__holds(const struct sleep_mark *mark, pid_t pid);

#endif
