// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/options/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "measure/sizes.h"

static void store(const struct option_row *row, void *field, uint64_t value)
{
	memcpy(field, &value, row->field.size); /* x86-64: the low bytes come first */
}

static int take_flag(const struct option_row *row, void *field, const char *argument, char **reason)
{
	store(row, field, true);
	return 0;
}

static int take_off(const struct option_row *row, void *field, const char *argument, char **reason)
{
	store(row, field, 0);
	return 0;
}

static int take_nothing(const struct option_row *row, void *field, const char *argument, char **reason)
{
	return 0;
}

static int take_text(const struct option_row *row, void *field, const char *argument, char **reason)
{
	*(const char **)field = argument;
	return 0;
}

static int take_file(const struct option_row *row, void *field, const char *argument, char **reason)
{
	return *argument ? take_text(row, field, argument, reason) : error__set(reason, "must be the name of a file");
}

static int take_count(const struct option_row *row, void *field, const char *argument, char **reason)
{
	uint64_t least = row->least, most = row->most, number;

	if (number__whole(argument, least, most, &number)) {
		store(row, field, number);
		return 0;
	}
	if (least)
		return error__set(reason, "must be a whole number from %" PRIu64 " to %" PRIu64, least, most);
	return error__set(reason, "must be a whole number, at most %" PRIu64, most);
}

static int take_size(const struct option_row *row, void *field, const char *argument, char **reason)
{
	return sizes__one(argument, row->most, field, reason);
}

/* Rounded: as a double, 0.28 s is not a whole number of nanoseconds. */
static int take_time(const struct option_row *row, void *field, const char *argument, char **reason)
{
	double ns;

	if (!quantity__read_time(argument, &ns) || ns < 1 || ns < row->least * 1e9) {
		autofree char *least = row->least > 0 ? text__of(" of at least %g s", row->least) : NULL;

		error__set(reason, "must be a time%s, such as 500ms, 10s, 2min or 1h", least ? least : " above zero");
		return -1;
	}
	if (ns > row->most * 1e9)
		return error__set(reason, "must be a time of at most %g h", row->most / 3600);
	*(uint64_t *)field = ns + 0.5;
	return 0;
}

const char *option_row__word(const struct option_row *row, size_t index)
{
	if (row->type->word)
		return row->type->word(row, index);
	return row->words ? row->words[index] : NULL;
}

int option_row__wrong_word(const struct option_row *row, const char *typed, char **reason)
{
	autofree char *list = checked_strdup(option_row__word(row, 0)), *guess = NULL;
	struct nearest nearest = { .typed = typed };
	const char *word;

	nearest__try(&nearest, option_row__word(row, 0));
	for (size_t i = 1; (word = option_row__word(row, i)); i++) {
		text__replace(&list, "%s%s%s", list, option_row__word(row, i + 1) ? ", " : " or ", word);
		nearest__try(&nearest, word);
	}
	guess = nearest.name ? text__of("; did you mean \"%s\"?", nearest.name) : NULL;
	return error__set(reason, "must be %s%s", list, guess ? guess : "");
}

static int take_word(const struct option_row *row, void *field, const char *argument, char **reason)
{
	const char *word;

	for (size_t i = 0; (word = option_row__word(row, i)); i++) {
		if (strcmp(word, argument) != 0)
			continue;
		store(row, field, i);
		return 0;
	}
	return option_row__wrong_word(row, argument, reason);
}

static bool choose(const struct option_row *row, bool *chosen, const char *choice)
{
	const char *word;

	if (!strcmp(choice, "all")) {
		memset(chosen, true, row->field.size);
		return true;
	}
	for (size_t i = 0; (word = option_row__word(row, i)); i++) {
		if (!strcmp(word, choice))
			return chosen[i] = true;
	}
	return false;
}

int option_list__take(const struct option_row *row, void *field, const char *argument, char **reason)
{
	char *list = checked_strdup(argument), *rest = list, *choice;
	int status = 0;

	memset(field, false, row->field.size);
	while (!status && (choice = strsep(&rest, ","))) {
		if (!choose(row, field, choice))
			status = option_row__wrong_word(row, choice, reason);
	}
	free(list);
	return status;
}

const struct option_type option_flag = { .take = take_flag };
const struct option_type option_off = { .take = take_off };
const struct option_type option_ignored = { .take = take_nothing };
const struct option_type option_file = { .completes = "file", .take = take_file };
const struct option_type option_text = { .completes = "text", .take = take_text };
const struct option_type option_user = { .completes = "user", .take = take_text };
const struct option_type option_word = { .completes = "words", .take = take_word };
const struct option_type option_count = { .completes = "count", .take = take_count };
const struct option_type option_size = { .completes = "size", .take = take_size };
const struct option_type option_time = { .completes = "time", .take = take_time };
