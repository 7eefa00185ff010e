/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts of system calls that are known by name: each name is stored once, as a kind of call; a
 * table of counts has an element for each kind that it needs.
 */
#ifndef FORKTAX_SOURCE_STRACE_KIND_COUNTS_H
#define FORKTAX_SOURCE_STRACE_KIND_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/run/run.h"
#include "source/calls/durations.h"

struct call_kind {
	char *name; /* as in struct syscall_row; owned */
	enum abi abi;
	int32_t nr; /* -1: only the name is known, unless it is_numbered */
	int32_t known_nr; /* of calls of that name; -1: there is none */
	bool is_numbered; /* its name is only a number */
	bool is_impossible; /* which no call has */
	uint32_t index;
	enum call_role {
		CALL_PLAIN,
		CALL_FORK, /* fork, vfork, clone, clone3 */
		CALL_EXEC,
		CALL_EXIT, /* of the process: its argument is the status */
		CALL_THREAD_EXIT,
	} role;
	struct durations durations; /* of those that returned with a time */
	uint32_t *reasons; /* indexes; owned */
	size_t reason_count;
	struct hash by_name; /* the same indexes */
};

struct call_kinds {
	struct call_kind **list; /* in order of appearance; owned */
	size_t count;
	struct call_reason *reasons; /* of all kinds, in order of appearance; owned */
	size_t reason_count;
	struct hash by_name[ABI_COUNT];
};

/* So many names no kernel has: what makes more is not strace. */
enum { CALL_KINDS_MOST = 4096 };

/* NULL: there are too many already. `name` as in the log: "syscall_0x1f3" is "unknown(499)". */
struct call_kind *call_kinds__find(struct call_kinds *kinds, const char *name, size_t length, enum abi abi);
void call_kinds__free(struct call_kinds *kinds);

/* A reason for which a kind of call has failed. */
struct call_reason {
	const struct call_kind *kind;
	char *name; /* "ENOENT"; owned */
};

struct call_sum {
	uint64_t calls, errors, unfinished, time_ns;
};

struct kind_counts {
	struct call_sum *of; /* by index of the kind; owned */
	size_t room;
	uint64_t *failed; /* by index of the reason; owned */
	size_t failed_room;
};

/* No kernel has that many names of errors: a log that does has one reason for the rest, "other errors". */
enum { CALL_REASONS_MOST = 4096 };

/* A call of this kind has failed, with an error of this name. */
void kind_counts__add_error(struct kind_counts *counts, struct call_kinds *kinds, struct call_kind *kind,
			    const char *name, size_t length);
struct call_sum *kind_counts__of(struct kind_counts *counts, const struct call_kind *kind);
void kind_counts__add(struct kind_counts *sum, const struct kind_counts *more);
void kind_counts__free(struct kind_counts *counts);

/* Kinds with a count as rows of a table, which is empty before. */
void kind_counts__table(const struct kind_counts *counts, const struct call_kinds *kinds, struct syscall_table *table);
/* Shortest, longest and 99th percentile: of the whole run's table. */
void call_kinds__times(struct call_kinds *kinds, struct syscall_table *table);

#endif
