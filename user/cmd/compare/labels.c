// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels of columns: as short as they can be while still telling the columns apart. Builds of one
 * program (samples/dynamic/true, samples/static/true) are named by where their paths differ.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/command_line.h"
#include "cmd/compare/compare_job.h"

enum { LABEL_MAX = 24 };

/* The word up to the first blank after its settings: the program; the rest are its arguments. */
static size_t program_length(const char *word)
{
	const size_t settings = settings__length(word);

	return settings + strcspn(word + settings, " \t");
}

static bool all_share(char *const *words, size_t count, size_t length, bool from_end)
{
	for (size_t i = 0; i < count; i++) {
		size_t own = strlen(words[i]);

		if (own < length || memcmp(from_end ? words[i] + own - length : words[i],
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

/* With its settings, and the program without its directories; to be freed. */
static char *base(const char *word)
{
	const size_t settings = settings__length(word), end = program_length(word);
	const char *start = word + settings;

	for (size_t i = settings; i < end; i++) {
		if (word[i] == '/' && word[i + 1])
			start = word + i + 1;
	}
	return text__of("%.*s%s", (int)settings, word, start);
}

/* Do all run the same command, some of them with settings? These then tell them apart. */
static bool only_settings_differ(char *const *words, size_t count)
{
	size_t longest = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t settings = settings__length(words[i]);

		if (strcmp(words[i] + settings, words[0] + settings__length(words[0])) != 0)
			return false;
		longest = settings > longest ? settings : longest;
	}
	return longest;
}

/* A label for one of several such words; to be freed. */
static char *setting_label(const char *word)
{
	const size_t settings = settings__length(word);
	char *label = base(word);

	if (settings && strlen(label) > LABEL_MAX)
		text__replace(&label, "%.*s", (int)(settings - 1), word);
	return label;
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
static char *make_unique(const struct compare_job *job, size_t index, const char *text)
{
	size_t length = strlen(text);
	const char *dots = length > LABEL_MAX ? "..." : "";
	char *label;

	if (length > LABEL_MAX)
		length = LABEL_MAX - strlen(dots);
	label = text__of("%.*s%s", (int)length, text, dots);
	for (int number = 2; is_taken(job, index, label); number++)
		text__replace(&label, "%.*s%s #%d", (int)length, text, dots, number);
	return label;
}

/* What stands between the common start and the common end of all words. */
static char *different_part(const char *word, size_t start, size_t end)
{
	return text__of("%.*s", (int)(strlen(word) - start - end), word + start);
}

void compare_job__label(struct compare_job *job)
{
	char *const *words = job->words;
	size_t count = job->column_count;
	size_t start = common_start(words, count), end = common_end(words, count);
	const bool of_settings = only_settings_differ(words, count);
	bool differ = count > 1 && end;

	for (size_t i = 0; i < count; i++)
		differ &= strlen(words[i]) > start + end && !settings__length(words[i]);
	for (size_t i = 0; i < count; i++) {
		char *text = of_settings ? setting_label(words[i])
			     : differ	 ? different_part(words[i], start, end)
					 : base(words[i]);

		job->columns[i].label = make_unique(job, i, text);
		free(text);
	}
}
