/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The processes that bash creates when it executes a line once, all of it. Counted by strace: bash 5.2, as a script,
 * without traps. Where this is not what a line has created, nothing may be concluded from it.
 */
#ifndef FORKTAX_ADVICE_LINES_SHELL_PROCESSES_H
#define FORKTAX_ADVICE_LINES_SHELL_PROCESSES_H

#include "advice/lines/shell_text.h"

enum { LINE_PROGRAMS_MOST = 16 };

struct shell_program {
	struct shell_span name; /* of the command, as written */
	size_t times;
};

struct shell_processes {
	size_t all, no_exec; /* no_exec: of these */
	struct shell_program programs[LINE_PROGRAMS_MOST];
	size_t program_count;
};

/* Is a command of that name a program? If it is neither a builtin nor that, it may be a function. */
typedef bool shell_program_fn(const void *context, struct shell_span name);

/* False: the line has commands whose processes are not known, such as eval, or "$command". */
bool shell_processes__of(const struct shell_text *text, shell_program_fn *is_program, const void *context,
			 struct shell_processes *processes);

/* Is it a builtin command of bash? */
bool shell_command__is_builtin(struct shell_span name);
/* The name of a simple command, behind exec; empty: it has none. */
struct shell_span shell_command__name(const struct shell_command *command);

#endif
