/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Forks by line of bash scripts (forktax run --lines): the line is the shell's LINENO when it forked. Of a command over
 * several lines that is one of its lines (docs/scripts.md).
 */
#ifndef FORKTAX_MODEL_LINES_SCRIPT_LINES_H
#define FORKTAX_MODEL_LINES_SCRIPT_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "forktax.h"

enum script_source {
	SCRIPT_FILE,
	SCRIPT_COMMANDS, /* no file: -c, or standard input */
	SCRIPT_UNKNOWN, /* the line is not known: the parent is no bash, or its variables could not be read */
	SCRIPT_SOURCES,
};

extern const char *const script_source_keys[SCRIPT_SOURCES];

/* Children that one line created, which have executed the same program first. */
struct script_line {
	enum script_source source;
	char *file; /* as the shell knows it; NULL unless SCRIPT_FILE */
	char *function; /* in which the line is; NULL: in none, or not known */
	uint32_t line; /* bash's LINENO; 0: in a trap, or SCRIPT_UNKNOWN */
	uint32_t parent_exe; /* index into run.exes, or NO_EXE */
	uint32_t exec_target; /* index into run.exes; NO_EXE: they never executed a program */
	enum birth birth;
	uint64_t children;
	uint64_t unfinished; /* of these */
	uint64_t life_ns; /* from birth to end, summed up over those that have ended */
};

/* All children of the run are in one of the lines. By children, descending. */
struct script_lines {
	struct script_line *rows;
	size_t count;
	uint64_t left_out; /* children of lines that found no room */
};

#endif
