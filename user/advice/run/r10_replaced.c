// SPDX-License-Identifier: GPL-2.0-or-later
/* R10: a shell starts a program, again and again, for what the shell itself can do. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "advice/run/rules_run.h"
#include "advice/run/run_executions.h"
#include "base/autofree.h"
#include "base/text.h"

enum { STARTS_LEAST = 10, VALUE_LONGEST = 256 /* bytes of what is no file, but the value of a variable */ };
static const double SHARE_LEAST = 0.1;

/* Where what a program works on comes from, and goes to. */
enum streams {
	FROM_OPERANDS, /* its arguments alone; the output is captured */
	FROM_VALUE, /* a value in a pipe; the same */
	ASKS_VALUE, /* a value in a pipe; only how it ends is asked */
	ASKS_OPERANDS,
};

/* POSIX.1 (Shell Command Language, 2.6) has the expansions of `posix`, bash(1) the others. */
static const struct {
	const char *program;
	enum streams streams;
	unsigned int least, most; /* operands; no file is among them */
	const char *bash, *posix; /* NULL: it has nothing for that */
} replacements[] = {
	{ "basename", FROM_OPERANDS, 1, 2, "${x##*/}", "${x##*/}" },
	{ "dirname", FROM_OPERANDS, 1, 1, "${x%/*}", "${x%/*}" },
	{ "expr", FROM_OPERANDS, 3, 99, "$((...)), and ${x#...} for matches", "$((...)), and ${x#...} for matches" },
	{ "pwd", FROM_OPERANDS, 0, 0, "pwd -P", "pwd -P" },
	{ "cat", FROM_OPERANDS, 1, 1, "$(<file), and <file before other programs", NULL },
	{ "date", FROM_OPERANDS, 1, 1, "printf '%(...)T'", NULL },
	{ "cut", FROM_VALUE, 0, 1, "${x%%:*}, ${x#*:}, or read with IFS", "${x%%:*}, ${x#*:}, or read with IFS" },
	{ "tr", FROM_VALUE, 1, 2, "${x//a/b}, ${x^^} and ${x,,}", NULL },
	{ "grep", ASKS_VALUE, 1, 1, "[[ $x == *text* ]], and =~", "case $x in *text*)" },
	{ "test", ASKS_OPERANDS, 1, 99, "test itself", "test itself" },
	{ "[", ASKS_OPERANDS, 1, 99, "[ itself", "[ itself" },
};

static unsigned int operands_of(const struct execution *row)
{
	unsigned int operands = 0;

	for (size_t i = 1; i < row->argument_count; i++)
		operands += row->arguments[i][0] != '-' || !row->arguments[i][1];
	return operands;
}

/*
 * Do its options, and what date has to print, change nothing that the shell has not? Options of grep only tell how it
 * looks for a text, and that it prints nothing; of cut, where a field ends.
 */
static bool is_plain(const struct execution *row, const char *name)
{
	const char *known = !strcmp(name, "grep") ? "qsiEFwx" : !strcmp(name, "cut") ? "df" : "";

	for (size_t i = 1; i < row->argument_count; i++) {
		const char *word = row->arguments[i];

		if (*word == '-' && word[1] && (!strchr(known, word[1]) || !*known))
			return false;
		if (*word == '-' && *known == 'q' && word[1 + strspn(word + 1, known)])
			return false;
		if (strstr(word, "%N"))
			return false;
	}
	return true;
}

static bool has_streams(const struct execution *row, enum streams streams)
{
	const bool takes_value = streams == FROM_VALUE || streams == ASKS_VALUE;
	const bool asks = streams == ASKS_VALUE || streams == ASKS_OPERANDS;

	if (takes_value ? row->fed != row->count || row->input_most_bytes > VALUE_LONGEST : row->fed)
		return false;
	return asks ? !row->same_output : row->same_output && row->captured == row->count;
}

/* The length of a text without characters that mean something in a regular expression, up to one of `end`. */
static size_t literal_length(const char *text, const char *end)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || (text[length] && strchr("_-:,=/ @", text[length]) &&
							 !strchr(end, text[length])))
		length++;
	return length;
}

/* "s/^APP_//" of sed is "${x#APP_}", "s/_sh$//" is "${x%_sh}"; to be freed; NULL: something else. */
static char *expansion_of(const char *script)
{
	const char delimiter[] = { *script == 's' && script[1] ? script[1] : '/', '$', 0 };
	const bool begins = *script == 's' && script[1] && script[2] == '^';
	const char *text = begins ? script + 3 : script + 2;
	size_t length;

	if (*script != 's' || !script[1])
		return NULL;
	length = literal_length(text, delimiter);
	if (!length || (!begins && text[length] != '$'))
		return NULL;
	if (text[length + !begins] != delimiter[0] || text[length + !begins + 1] != delimiter[0] ||
	    text[length + !begins + 2])
		return NULL;
	return text__of("${x%c%.*s}", begins ? '#' : '%', (int)length, text);
}

static char *sed_replacement(const struct execution *row, bool is_bash)
{
	const char *script = row->argument_count == 2 ? row->arguments[1]
			     : row->argument_count == 3 && !strcmp(row->arguments[1], "-e") ? row->arguments[2] : NULL;
	char *words = script && has_streams(row, FROM_VALUE) ? expansion_of(script) : NULL;

	if (!words && script && has_streams(row, FROM_VALUE) && is_bash && *script == 's')
		return text__of("${x/a/b}, and [[ $x =~ ... ]]");
	return words;
}

/* What the shell has instead; to be freed; NULL: nothing. */
static char *replacement_of(const struct run_subject *subject, const struct execution *row)
{
	const enum starter starter = starter__of(subject, row);
	const char *name = text__file_name(row->arguments[0]);

	if (!starter__is_shell(starter) || !execution__is_whole(row))
		return NULL;
	if (!strcmp(name, "sed"))
		return sed_replacement(row, starter == STARTER_BASH);
	for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++)
		if (!strcmp(replacements[i].program, name) && is_plain(row, name) &&
		    has_streams(row, replacements[i].streams) &&
		    operands_of(row) >= replacements[i].least && operands_of(row) <= replacements[i].most)
			return text__copy(starter == STARTER_BASH ? replacements[i].bash : replacements[i].posix);
	return NULL;
}

/* A program, at one line, with the same replacement: the first argument of sed decides that. */
static bool replaced_key(const struct run_subject *subject, const struct execution *row, uint64_t key[2])
{
	autofree char *words = replacement_of(subject, row);

	key[0] = (uint64_t)row->exe << 32 | row->parent_exe;
	key[1] = row->line;
	return words;
}

/* No group if it is too small. */
static struct execution_group find_replaced(const struct run_subject *subject)
{
	const struct execution_group replaced = execution_group__largest(subject, replaced_key);

	return replaced.spared.count >= STARTS_LEAST && spared__reaches(&replaced.spared, subject, SHARE_LEAST)
		       ? replaced
		       : (struct execution_group){ 0 };
}

bool r10_replaced__says(const struct run_subject *subject, const struct path_line *line, uint64_t children)
{
	const struct execution_group replaced = find_replaced(subject);
	const struct script_line *own = replaced.first && replaced.first->line != NO_LINE
						? &subject->run->lines->rows[replaced.first->line] : NULL;

	return own && path_line__is(line, own) && 2 * replaced.spared.count >= children;
}

bool rule__r10_replaced(const struct run_subject *subject, struct advice *advice)
{
	const struct execution_group replaced = find_replaced(subject);
	const struct execution *row = replaced.first;
	autofree char *place = NULL, *share = NULL, *words = NULL, *where = NULL;
	const char *shell;

	if (!row)
		return false;
	shell = run_subject__name(subject, row->parent_exe);
	share = run_subject__share(subject, spared__predict(&replaced.spared, subject, advice));
	words = replacement_of(subject, row);
	place = execution__place(subject, row);
	where = place	     ? text__of("%s", "")
		: row->named ? text__of(" It is named in %s.", row->named)
			     : text__of(" The lines of %s are not known.", shell);
	advice->evidence = text__of("%s starts %s %" PRIu64 " times, %s: %s itself has %s.%s", place ? place : shell,
				    text__file_name(row->arguments[0]), replaced.spared.count, share, shell, words,
				    where);
	advice->action = text__of("use %s instead of %s%s%s", words, text__file_name(row->arguments[0]),
				  place ? " in " : "", place ? place : "");
	return true;
}
