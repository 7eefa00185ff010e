// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/completion/completion.h"
#include "cmd/completion/values.h"

/* What was typed of one command: argv[0] is its name, the last word is being typed. */
struct answer {
	const struct command *command;
	int argc;
	char **argv;
	int before; /* words of the line before argv[0] */
	struct options_typed typed;
	FILE *stream;
};

static const char *last_word(const struct answer *answer)
{
	return answer->argv[answer->argc - 1];
}

static void add_option(void *context, const struct option_set *set, const struct option_row *row)
{
	const struct answer *answer = context;
	const char letter[] = { '-', row->letter, '\0' };
	bool is_help = row == &help_rows[0];
	const char *help = is_help ? "the options of this command" : row->help;
	autofree char *name = NULL;

	if (!help || options__excludes(&answer->typed, row))
		return;
	if (row->letter && last_word(answer)[1] != '-')
		values__add(letter, help, answer->stream);
	if (!row->name)
		return;
	name = text__of("--%s", row->name);
	if (!row->argument || row->type->optional)
		values__add(name, help, answer->stream);
	text__replace(&name, "%s=", name);
	if (row->argument)
		values__add(name, help, answer->stream);
}

static void answer_options(struct answer *answer)
{
	const char *word = last_word(answer);

	values__begin("words", word, word, NULL, answer->stream);
	/* Letters, the last of which takes no value: nothing is missing. */
	if (word[1] && word[1] != '-')
		values__add(word, NULL, answer->stream);
	else
		command__visit(answer->command, add_option, answer);
}

static void answer_operand(const struct answer *answer)
{
	const char *word = last_word(answer), *kind = answer->command->operands;
	bool first = answer->typed.operand == answer->argc - 1;
	autofree char *note = NULL;

	if (kind && !strcmp(kind, "command"))
		note = text__of("%d", answer->before + answer->typed.operand);
	if (!kind || (!strcmp(kind, "saved") && !first))
		kind = "nothing";
	values__begin(kind, word, word, note, answer->stream);
}

static void answer_command(struct answer *answer)
{
	const char *word = last_word(answer);

	answer->typed = options__typed(answer->command, answer->argc, answer->argv);
	if (answer->typed.row)
		values__answer(answer->typed.row, word, answer->typed.value, answer->stream);
	else if (*word == '-' && !answer->typed.closed)
		answer_options(answer);
	else
		answer_operand(answer);
}

static void add_commands(const struct command *const *commands, FILE *stream)
{
	for (; *commands; commands++)
		values__add(command__word(*commands), (*commands)->summary, stream);
}

/* Words of forktax itself that are no commands. */
static void add_others(bool options, FILE *stream)
{
	if (!options) {
		values__add("help", "the manual of a command", stream);
		return;
	}
	values__add("--help", "the commands", stream);
	values__add("--version", "of forktax, libbpf and the kernel", stream);
	values__add("--completion", "the script of a shell", stream);
}

static void answer_shells(const char *word, FILE *stream)
{
	values__begin("words", word, word, NULL, stream);
	values__add("bash", NULL, stream);
	values__add("zsh", NULL, stream);
	values__add("fish", NULL, stream);
}

/* The words of `help`: a command, a measurement of it. */
static void answer_help(const struct command *const *commands, int count, char **words, FILE *stream)
{
	const char *word = words[count - 1];

	for (int i = 0; i < count - 1 && commands; i++) {
		const struct command *command = commands__find(commands, words[i]);

		commands = command ? command->parts : NULL;
	}
	values__begin(commands ? "words" : "nothing", word, word, NULL, stream);
	if (commands)
		add_commands(commands, stream);
}

/* The first word: a command, or an option of forktax itself. */
static void answer_first(const struct command *const *commands, const char *word, bool part,
			 FILE *stream)
{
	values__begin("words", word, word, NULL, stream);
	if (*word != '-')
		add_commands(commands, stream);
	if (part && *word == '-')
		values__add("--help", "the measurements", stream);
	if (!part)
		add_others(*word == '-', stream);
}

/* A tab or a newline would be read as ours. */
static bool is_plain(const char *word)
{
	while (*word && !iscntrl((unsigned char)*word))
		word++;
	return !*word;
}

void completion__answer(const struct command *const *commands, int count, char **words,
			FILE *stream)
{
	const struct command *command = NULL;
	int at = 0;

	if (!count || !is_plain(words[count - 1])) {
		values__begin("nothing", "", "", NULL, stream);
		return;
	}
	if (count > 1 && !strcmp(words[0], "help")) {
		answer_help(commands, count - 1, words + 1, stream);
		return;
	}
	if (count == 2 && !strcmp(words[0], "--completion")) {
		answer_shells(words[1], stream);
		return;
	}
	for (; commands && at < count - 1; at++) {
		command = commands__find(commands, words[at]);
		commands = command ? command->parts : NULL;
	}
	if (commands) {
		answer_first(commands, words[count - 1], at, stream);
	} else if (command) {
		struct answer answer = { .command = command, .before = at - 1, .stream = stream };

		answer.argc = count - at + 1;
		answer.argv = words + at - 1;
		answer_command(&answer);
	} else {
		values__begin("nothing", "", "", NULL, stream);
	}
}
