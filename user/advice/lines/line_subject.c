// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/lines/line_subject.h"

#include <string.h>

#include "advice/lines/shell_words.h"
#include "base/autofree.h"
#include "base/text.h"

/* Longer texts of lines are cut (script_line__cut()). */
enum { WHOLE_TEXT = 1000 };

static const struct script_line *row_of(const struct line_subject *subject, size_t index)
{
	return &subject->run->lines->rows[subject->rows[index]];
}

/* Names of commands are names of files: through a link it is that of the link. */
static bool is_named(const struct run *run, uint32_t exe, struct shell_span name)
{
	autofree char *command = shell_span__copy(name);

	return exe < run->exe_count && run->exes[exe].path &&
	       !strcmp(text__file_name(exe__name(&run->exes[exe])), text__file_name(command));
}

uint64_t line_subject__children_of(const struct line_subject *subject, struct shell_span name)
{
	uint64_t children = 0;

	for (size_t i = 0; i < subject->row_count; i++)
		if (row_of(subject, i)->exec_target != NO_EXE &&
		    is_named(subject->run, row_of(subject, i)->exec_target, name))
			children += row_of(subject, i)->children;
	return children;
}

bool line_subject__is_program(const struct line_subject *subject, struct shell_span name)
{
	return line_subject__children_of(subject, name) > 0;
}

static bool is_program(const void *context, struct shell_span name)
{
	return line_subject__is_program(context, name);
}

/* Are the children what so many executions of the line create? */
static bool agrees(const struct line_subject *subject, uint64_t children, uint64_t no_exec)
{
	const struct shell_processes *each = &subject->each;

	if (children != subject->executions * each->all || no_exec != subject->executions * each->no_exec)
		return false;
	for (size_t i = 0; i < each->program_count; i++)
		if (line_subject__children_of(subject, each->programs[i].name) !=
		    subject->executions * each->programs[i].times)
			return false;
	return true;
}

static bool is_sh(const struct script_lines *lines, const struct script_line *line)
{
	for (size_t i = 0; line->file && i < lines->file_count; i++)
		if (!strcmp(lines->files[i].name, line->file))
			return lines->files[i].is_sh;
	return false;
}

bool line_subject__make(struct line_subject *subject, const struct run *run, const size_t *rows, size_t count)
{
	const struct script_line *line = &run->lines->rows[rows[0]];
	uint64_t children = 0, no_exec = 0;

	*subject = (struct line_subject){ .run = run, .line = line, .rows = rows, .row_count = count,
					  .is_sh = is_sh(run->lines, line) };
	if (line->language != LANGUAGE_BASH || !line->line || !line->text || strlen(line->text) > WHOLE_TEXT)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct script_line *row = row_of(subject, i);

		if (row->certainty != LINE_EXACT || row->birth != BIRTH_FORK || row->unfinished)
			return false;
		children += row->children;
		no_exec += row->exec_target == NO_EXE ? row->children : 0;
	}
	subject->text = shell_text__read(line->text);
	if (subject->text && shell_processes__of(subject->text, is_program, subject, &subject->each) &&
	    subject->each.all) {
		subject->executions = children / subject->each.all;
		if (agrees(subject, children, no_exec))
			return true;
	}
	line_subject__release(subject);
	return false;
}

void line_subject__release(struct line_subject *subject)
{
	shell_text__free((struct shell_text *)subject->text);
	subject->text = NULL;
}

bool line_subject__calls(const struct line_subject *subject, const struct shell_command *command, const char *name,
			 size_t words)
{
	return shell_command__calls(command, name, words) &&
	       line_subject__is_program(subject, shell_command__name(command));
}
