// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/lines/script_names.h"

#include <ctype.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"

enum {
	ROWS_LOOKED_AT = 32, /* the largest */
	LINES_MOST = 3, /* more lines than that tell nobody where to look */
	WORD_LEAST = 2, /* an argument of one character is in nearly every line */
};

static bool is_script(const char *path)
{
	char bytes[256];
	const size_t size = untrusted__head(path, bytes, sizeof(bytes));

	return size && !memchr(bytes, 0, size);
}

/* The first argument that is a file with a text; NULL: none is, as of -c. */
static const char *operand_of(const struct execution *row)
{
	for (size_t i = 1; i < row->argument_count; i++)
		if (!strcmp(row->arguments[i], "-c") || !strcmp(row->arguments[i], "-e"))
			return NULL;
		else if (row->arguments[i][0] != '-' && is_script(row->arguments[i]))
			return row->arguments[i];
	return NULL;
}

/* The one script that all executions of a program were for; NULL: there is none, or several. */
static const char *script_of(const struct executions *executions, uint32_t exe)
{
	const char *script = NULL;

	for (size_t i = 0; i < executions->count; i++) {
		const struct execution *row = &executions->rows[i];
		const char *operand;

		if (row->exe != exe)
			continue;
		operand = operand_of(row);
		if (!operand || (script && strcmp(operand, script) != 0))
			return NULL;
		script = operand;
	}
	return script;
}

/* Is it the script itself that is started, as by xargs? */
static bool is_for(const struct execution *row, const char *script)
{
	for (size_t i = 0; i < row->argument_count; i++)
		if (!strcmp(row->arguments[i], script))
			return true;
	return false;
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-.$", c));
}

/* Does the line have the word: not in a comment, as a part of a longer name, or as what is assigned or defined? */
static bool names(const char *line, const char *word)
{
	const size_t length = strlen(word);

	line += strspn(line, " \t");
	if (*line == '#' || !strncmp(line, "//", 2))
		return false;
	for (const char *at = line; (at = strstr(at, word)); at++)
		if ((at == line || !is_of_name(at[-1])) && !is_of_name(at[length]) && at[length] != '=' &&
		    at[length] != '(')
			return true;
	return false;
}

static bool has_arguments(const char *line, const struct execution *row)
{
	for (size_t i = 1; i < row->argument_count; i++)
		if (strlen(row->arguments[i]) >= WORD_LEAST && !strstr(line, row->arguments[i]))
			return false;
	return row->argument_count > 1;
}

/* Numbers of lines, as text. */
struct places {
	size_t count;
	char *text; /* "4, 9"; NULL: there are none */
};

static void add(struct places *places, size_t number)
{
	places->count++;
	if (!places->text)
		places->text = text__of("%zu", number);
	else if (places->count <= LINES_MOST)
		text__replace(&places->text, "%s, %zu", places->text, number);
}

/* Those with all arguments, if there are any; else all that name the program. To be freed; NULL: none, or too many. */
static char *lines_of(const char *script, const struct execution *row, struct untrusted_budget *budget)
{
	const char *name = text__file_name(row->arguments[0]);
	struct places all = { 0 }, whole = { 0 };
	struct untrusted_lines lines;
	struct stat status;
	const int fd = untrusted__open(script, 0, &status);
	char *line;
	size_t length;

	if (fd < 0)
		return NULL;
	lines = untrusted_lines__of(fd, budget);
	for (size_t number = 1; (line = untrusted_lines__next(&lines, &length)); number++) {
		autofree char *text = text__of("%.*s", (int)length, line);

		if (!names(text, name))
			continue;
		add(&all, number);
		if (has_arguments(text, row))
			add(&whole, number);
	}
	untrusted_lines__close(&lines);
	if (whole.count) {
		free(all.text);
		all = whole;
	}
	if (all.count > LINES_MOST) {
		free(all.text);
		all.text = NULL;
	}
	return all.text;
}

void script_names__find(struct run *run)
{
	struct executions *executions = run->executions;
	struct untrusted_budget budget = { 0 };

	for (size_t i = 0; executions && i < executions->count && i < ROWS_LOOKED_AT; i++) {
		struct execution *row = &executions->rows[i];
		const char *script = row->line == NO_LINE && row->argument_count && row->parent_exe != NO_EXE
					     ? script_of(executions, row->parent_exe) : NULL;
		autofree char *lines = script && !is_for(row, script) ? lines_of(script, row, &budget) : NULL;

		if (lines)
			row->named = text__of("%s:%s", text__file_name(script), lines);
	}
}
