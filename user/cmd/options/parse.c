// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/nearest.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/options/command.h"
#include "cmd/options/types.h"

/*
 * getopt_long() returns the letter of an option or, if its name was typed, this plus the index of
 * its entry. So error messages name the option as the user did.
 */
enum { LONG_OPTIONS = 256 };

enum { OPTIONS_MOST = 96 }; /* of one command */

/* A row of the command, and where its value goes. */
struct entry {
	const struct option_row *row;
	size_t offset; /* in the settings */
	bool given;
};

struct parser {
	const struct command *command;
	struct entry entries[OPTIONS_MOST];
	size_t count;
	struct option long_options[OPTIONS_MOST + 1]; /* of entries with a name */
	size_t long_count;
	char letters[3 * OPTIONS_MOST + 3]; /* as getopt(3) wants them */
};

static void add_entry(void *context, const struct option_set *set, const struct option_row *row)
{
	struct parser *parser = context;
	int arguments = !row->type->completes ? no_argument :
			row->type->optional   ? optional_argument :
						required_argument;
	const char letter[] = { row->letter, arguments ? ':' : '\0', arguments > 1 ? ':' : '\0', '\0' };

	assert(parser->count < OPTIONS_MOST);
	strcat(parser->letters, letter);
	if (row->name)
		parser->long_options[parser->long_count++] =
			(struct option){ row->name, arguments, NULL, LONG_OPTIONS + parser->count };
	parser->entries[parser->count++] = (struct entry){
		.row = row,
		.offset = set->offset + row->field.offset,
	};
}

static void begin(struct parser *parser)
{
	strcpy(parser->letters, parser->command->permutes ? ":" : "+:");
	command__visit(parser->command, add_entry, parser);
	opterr = 0;
	optind = 1;
}

static struct entry *find_letter(struct parser *parser, int letter)
{
	for (size_t i = 0; i < parser->count; i++) {
		if (parser->entries[i].row->letter == letter)
			return &parser->entries[i];
	}
	return NULL;
}

static struct entry *find_name(struct parser *parser, const char *name)
{
	for (size_t i = 0; i < parser->count; i++) {
		if (parser->entries[i].row->name && !strcmp(parser->entries[i].row->name, name))
			return &parser->entries[i];
	}
	return NULL;
}

/* "; -n makes N runs", of an option of another tool, or the nearest name; to be freed. NULL: neither. */
static char *guess(const struct parser *parser, const char *word)
{
	autofree char *name = text__of("%.*s", (int)strcspn(word, "="), word);
	struct nearest nearest = { .typed = name };

	for (const struct option_hint *hint = parser->command->hints; hint && hint->options; hint++)
		if (text__lists(hint->options, name, strlen(name)))
			return text__of("; %s", hint->words);
	nearest.typed += strspn(name, "-");
	for (size_t i = 0; i < parser->count && word[1] == '-'; i++)
		if (parser->entries[i].row->name)
			nearest__try(&nearest, parser->entries[i].row->name);
	return nearest.name ? text__of(" (did you mean --%s?)", nearest.name) : NULL;
}

/* Prints an error for an option that getopt_long() refused: '?', or ':' for a missing argument. */
static int refuse_word(const struct parser *parser, int result, char *const *argv)
{
	const char *name = parser->command->name, *word = argv[optind - 1];
	const char letter[] = { '-', optopt, '\0' };
	bool is_letter = optopt > 0 && optopt < 128;
	autofree char *more = NULL;

	if (result == '?' && optopt >= LONG_OPTIONS)
		return print_error(name, EXIT_USAGE, "%s: takes no value", word);
	if (is_letter)
		word = letter;
	more = result == '?' ? guess(parser, word) : NULL;
	return print_error(name, EXIT_USAGE, "%s: %s%s; see forktax %s --help", word,
			   result == ':' ? "needs a value" : "no such option", more ? more : "", name);
}

/* "-o" or "--output"; to be freed. */
static char *name_of(const struct option_row *row, bool by_letter)
{
	return by_letter ? text__of("-%c", row->letter) : text__of("--%s", row->name);
}

static int refuse_value(const struct parser *parser, const struct option_row *row, bool by_letter,
			const char *value, char *reason)
{
	autofree char *name = name_of(row, by_letter);
	const char *shown = !value ? "" : *value ? value : "\"\"";

	print_error(parser->command->name, 0, "%s%s%s: %s", name, value ? " " : "", shown, reason);
	free(reason);
	return EXIT_USAGE;
}

/* Prints an error about two options that exclude or need each other. */
static int refuse_pair(const struct parser *parser, const struct option_row *one, const char *verb,
		       const struct option_row *other, const char *rest)
{
	autofree char *first = name_of(one, one->letter), *second = name_of(other, other->letter);

	print_error(parser->command->name, 0, "%s %s %s%s", first, verb, second, rest);
	return EXIT_USAGE;
}

static bool exclude(const struct option_row *one, const struct option_row *other)
{
	return one->one_of && other->one_of && !strcmp(one->one_of, other->one_of);
}

/* Checks what the rows say about options that go together. */
static int check_given(struct parser *parser)
{
	for (size_t i = 0; i < parser->count; i++) {
		const struct option_row *row = parser->entries[i].row;
		const struct entry *needed = row->needs ? find_name(parser, row->needs) : NULL;

		if (!parser->entries[i].given)
			continue;
		if (needed && !needed->given)
			return refuse_pair(parser, row, "goes with", needed->row, "");
		for (size_t j = 0; j < i; j++) {
			const struct entry *other = &parser->entries[j];

			if (other->given && exclude(row, other->row))
				return refuse_pair(parser, other->row, "and", row, " exclude each other");
		}
	}
	return 0;
}

/* Stores the option that getopt_long() found. Returns 0, or EXIT_USAGE after an error message. */
static int take_one(const struct parser *parser, const struct entry *entry, bool by_letter, char *settings)
{
	const struct option_row *row = entry->row;
	char *reason;

	if (row->type->take(row, settings + entry->offset, optarg, &reason))
		return refuse_value(parser, row, by_letter, optarg, reason);
	return 0;
}

static void take_implied(struct parser *parser, const struct option_row *row, char *settings)
{
	struct entry *implied = row->implies ? find_name(parser, row->implies) : NULL;

	if (!implied)
		return;
	implied->given = true;
	implied->row->type->take(implied->row, settings + implied->offset, NULL, NULL);
}

/* Stores all values, up to a wrong one or --help. Returns the exit status. */
static int take_all(struct parser *parser, int argc, char **argv, char *settings, bool *help)
{
	int option;

	while ((option = getopt_long(argc, argv, parser->letters, parser->long_options, NULL)) >= 0) {
		struct entry *entry;
		int status;

		if (option == '?' || option == ':')
			return refuse_word(parser, option, argv);
		entry = option < LONG_OPTIONS ? find_letter(parser, option) : &parser->entries[option - LONG_OPTIONS];
		entry->given = true;
		*help = entry->row == &help_rows[0];
		if (*help)
			return 0;
		status = take_one(parser, entry, option < LONG_OPTIONS, settings);
		if (status)
			return status;
		take_implied(parser, entry->row, settings);
	}
	return check_given(parser);
}

bool options__parse(const struct command *command, int argc, char **argv, void *settings, int *status)
{
	struct parser parser = { .command = command };
	bool help = false;

	begin(&parser);
	*status = take_all(&parser, argc, argv, settings, &help);
	if (help) {
		command__help(command, stdout);
		*status = finish_stdout(command->name);
	}
	return !help && !*status;
}
