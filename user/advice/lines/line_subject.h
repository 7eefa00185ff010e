/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a rule for scripts looks at: one line of a bash script, its text as bash reads it, and the processes that it
 * created.
 */
#ifndef FORKTAX_ADVICE_LINES_LINE_SUBJECT_H
#define FORKTAX_ADVICE_LINES_LINE_SUBJECT_H

#include "advice/lines/shell_edit.h"
#include "advice/lines/shell_processes.h"
#include "analysis/forks/fork_breakdowns.h"
#include "model/run/run.h"

struct line_subject {
	const struct run *run;
	const struct fork_breakdowns *breakdowns; /* NULL: not known */
	const struct script_line *line; /* one of its rows */
	const size_t *rows; /* indexes into run->lines->rows: children of this line */
	size_t row_count;
	const struct shell_text *text;
	struct shell_processes each; /* of one execution of the line */
	const size_t *advised; /* pieces of advice so far; and before this line */
	size_t advised_before;
	bool is_sh; /* its file names sh in its first line: what only bash understands is no advice */
	uint64_t executions; /* of the line, all of it: what was counted is so many times `each` */
};

/*
 * False: the text is not known or not understood, or what it should create is not what was counted, in any whole
 * number of executions. The rows stay the caller's; release it if it is true.
 */
bool line_subject__make(struct line_subject *subject, const struct run *run, const size_t *rows, size_t count);
void line_subject__release(struct line_subject *subject);

/* Is a command of that name one of the programs that the line's children executed? */
bool line_subject__is_program(const struct line_subject *subject, struct shell_span name);
/* Is it a call of the program NAME, not of a function of that name, with so many words behind it, and no more? */
bool line_subject__calls(const struct line_subject *subject, const struct shell_command *command, const char *name,
			 size_t words);
/* Of its children, those that executed a program of that name first. */
uint64_t line_subject__children_of(const struct line_subject *subject, struct shell_span name);

#endif
