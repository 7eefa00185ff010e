// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels of columns: as short as they can be while still telling the columns apart. Builds of one
 * program (samples/dynamic/true, samples/static/true) are named by where their paths differ, and
 * commands with parameters by the values of these.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/compare/compare_job.h"

enum { LABEL_MAX = 24 };

/* The word up to its first blank: the program; the rest are its arguments. */
static size_t program_length(const char *word)
{
	return strcspn(word, " \t");
}

static bool all_share(char *const *words, size_t count, size_t length, bool from_end)
{
	for (size_t i = 0; i < count; i++) {
		size_t own = strlen(words[i]);

		if (own < length ||
		    memcmp(from_end ? words[i] + own - length : words[i],
			   from_end ? words[0] + strlen(words[0]) - length : words[0], length) != 0)
			return false;
	}
	return true;
}

/* Length of the common start of all words, up to its last slash. */
static size_t common_start(char *const *words, size_t count)
{
	size_t length = 0;

	for (size_t i = 0; i < program_length(words[0]); i++) {
		if (words[0][i] == '/' && all_share(words, count, i + 1, false))
			length = i + 1;
	}
	return length;
}

/* Length of the common end of all words, from its first slash in the program's path. */
static size_t common_end(char *const *words, size_t count)
{
	size_t all = strlen(words[0]);

	for (size_t i = 0; i < program_length(words[0]); i++) {
		if (words[0][i] == '/' && all_share(words, count, all - i, true))
			return all - i;
	}
	return 0;
}

static const char *base(const char *word)
{
	const char *start = word;

	for (size_t i = 0; i < program_length(word); i++) {
		if (word[i] == '/' && word[i + 1])
			start = word + i + 1;
	}
	return start;
}

static bool is_taken(const struct compare_job *job, size_t count, const char *label)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(job->columns[i].label, label))
			return true;
	}
	return false;
}

/* Cuts long text, and adds a number if it is still not unique. */
static char *make_unique(const struct compare_job *job, size_t index, const char *text,
			 size_t length)
{
	const char *dots = length > LABEL_MAX ? "..." : "";
	char *label;

	if (length > LABEL_MAX)
		length = LABEL_MAX - strlen(dots);
	label = text__of("%.*s%s", (int)length, text, dots);
	for (int number = 2; is_taken(job, index, label); number++)
		text__replace(&label, "%.*s%s #%d", (int)length, text, dots, number);
	return label;
}

void compare_job__label(struct compare_job *job)
{
	char *const *words = job->words;
	size_t count = job->column_count;
	size_t start = common_start(words, count), end = common_end(words, count);
	bool differ = count > 1 && end;

	for (size_t i = 0; i < count; i++)
		differ &= strlen(words[i]) > start + end;
	for (size_t i = 0; i < count; i++) {
		const char *text = differ ? words[i] + start : base(words[i]);
		size_t length = strlen(text) - (differ ? end : 0);

		if (job->given[i]->label) {
			text = job->given[i]->label;
			length = strlen(text);
		}
		job->columns[i].label = make_unique(job, i, text, length);
	}
}
