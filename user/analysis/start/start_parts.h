/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shared by the files of this folder: what is known of the files and mappings of a process at each
 * of its calls.
 */
#ifndef FORKTAX_ANALYSIS_START_START_PARTS_H
#define FORKTAX_ANALYSIS_START_START_PARTS_H

#include "model/run/run.h"

/* What a descriptor stands for. Paths point into the calls of the start. */
struct start_file {
	const char *path; /* "stdin", ... for the three that a process begins with */
	bool is_standard; /* one of these */
	bool is_library; /* mapped as ld.so maps libraries */
	const struct start_call *opened; /* the call that did it by a path; NULL: none did */
};

struct start_mapping {
	uint64_t begin, end;
	uint64_t offset; /* that the first address has in the owner's file */
	const char *owner; /* path; NULL: anonymous */
	bool is_library;
};

enum { START_FILES = 1024 }; /* descriptors that are followed */

struct start_view {
	const struct start *start;
	size_t index; /* of the call that is looked at */
	const struct start_call *call;
	struct start_file files[START_FILES]; /* before this call */
	struct start_mapping *mappings; /* before this call, the newest last */
	size_t mapping_count;
	/* Of this call. */
	struct start_file file; /* the descriptor's; path NULL: none, or not known */
	const struct start_mapping *mapping; /* that its address lies in; NULL */
	uint64_t heap_end; /* as the last brk left it; 0: not known */
	bool has_storage; /* the thread pointer has been set */
	bool has_program; /* the program's entry has been reached */
};

void start_view__begin(struct start_view *view, const struct start *start);
/* Looks at a call; the calls before it have been passed. */
void start_view__look(struct start_view *view, size_t index);
/* The newest mapping at an address; NULL: none is known. */
const struct start_mapping *start_view__mapping(const struct start_view *view, uint64_t address);
/* Takes in what the call has changed. */
void start_view__pass(struct start_view *view);
void start_view__end(struct start_view *view);

/* Of 32-bit programs: that of the 64-bit call which does the same. */
const char *start_call__name(const struct start_call *call);
bool start_call__is(const struct start_call *call, const char *name);
/* Is it one of these? The list ends with NULL. */
bool start_call__is_any(const struct start_call *call, const char *const *names);
/* The argument; 0 if it is not known. */
uint64_t start_call__argument(const struct start_call *call, int index);
/* Did ld.so make it? */
bool start_call__by_ldso(const struct start_call *call);
/* Has nobody seen that other code made it? */
bool start_call__may_be_ldso(const struct start_call *call);
/* Looks for a file by its name, and does not open it. */
bool start_call__asks(const struct start_call *call);
bool start_call__opens(const struct start_call *call);
/* Is a file with this descriptor, opened by call `index`, mapped as ld.so maps libraries? */
bool start_calls__map_library(const struct start *start, size_t index);

/* Is the call about a file that a library uses for that: by the path, and by what is done with it? */
bool start_view__is_for_locale(const struct start_view *view);
bool start_view__is_for_character_sets(const struct start_view *view);
bool start_view__is_for_names(const struct start_view *view); /* of users, groups and hosts */
bool start_view__is_for_terminal(const struct start_view *view);
bool start_view__is_for_time_zone(const struct start_view *view);

/* Sets the phase of every call, and sums calls, faults and time up by phase. */
void start_phases__find(struct start *start);
/* Fills the searches. */
void start_searches__find(struct start *start);

#endif
