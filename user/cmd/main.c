// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"

static const struct command *const commands[] = {
	&run_command,	 &compare_command, &bindnow_command, &explain_command,
	&bench_command, &workers_command, &report_command,  &doctor_command, NULL,
};

enum { LONGEST_NAME = 32 };

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Letters to insert, delete or replace (Levenshtein), one row of the matrix at a time. */
static int distance(const char *from, const char *to)
{
	int row[LONGEST_NAME + 1];
	int length = strlen(to);

	if (length > LONGEST_NAME)
		return LONGEST_NAME;
	for (int j = 0; j <= length; j++)
		row[j] = j;
	for (int i = 1; from[i - 1]; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= length; j++) {
			int replaced = diagonal + (from[i - 1] != to[j - 1]);

			diagonal = row[j];
			row[j] = smaller(replaced, smaller(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}

static int unknown_command(const char *name)
{
	const struct command *nearest = NULL;
	int best = 3; /* with more than two slips it is another word */

	for (int i = 0; commands[i]; i++) {
		int slips = distance(commands[i]->name, name);

		if (slips >= best)
			continue;
		best = slips;
		nearest = commands[i];
	}
	if (nearest)
		return complain(NULL, EXIT_USAGE, "no command is named \"%s\"; did you mean \"%s\"?",
				name, nearest->name);
	return complain(NULL, EXIT_USAGE, "no such command (to trace a program: forktax run "
					  "PROGRAM); see forktax --help");
}

static void print_usage(FILE *stream)
{
	fputs("usage: forktax [--version | --help] COMMAND [OPTIONS] ...\n\n"
	      "Counts what a command and every process that it forks ask of the kernel.\n\n",
	      stream);
	commands__list(commands, stream);
	fputs("\n`forktax COMMAND --help` lists the options of a command.\n", stream);
}

static bool is_option(const char *argument, char letter, const char *name)
{
	return (argument[0] == '-' && argument[1] == letter && !argument[2]) ||
	       !strcmp(argument, name);
}

/*
 * Files that we open must not take the place of a missing standard input, output or error: messages
 * would end up in them. The holders fail for us like a closed descriptor, because they are open in the
 * wrong direction; for a traced command they are closed, as they were for us.
 */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
}

/* The first word is none of the commands. */
static int option_or_slip(const char *word)
{
	if (is_option(word, 'V', "--version"))
		printf("forktax %s\n", FORKTAX_VERSION);
	else if (is_option(word, 'h', "--help"))
		print_usage(stdout);
	else if (!strcmp(word, "--dump-options")) /* for completion by shells, and tests */
		commands__dump(commands, stdout);
	else if (!strcmp(word, "--do-nothing")) /* for doctor: something to trace in an empty root */
		return 0;
	else
		return unknown_command(word);
	return finish_stdout(NULL);
}

int main(int argc, char **argv)
{
	const struct command *command;

	hold_standard_streams();
	/* If it were ignored, nobody could learn how a child ended, or what its children used. */
	signal(SIGCHLD, SIG_DFL);
	setlocale(LC_ALL, "");
	/* Numbers look the same in all locales: programs compare, sort and read reports. */
	setlocale(LC_NUMERIC, "C");
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	command = commands__find(commands, argv[1]);
	return command ? command->main(command, argc - 1, argv + 1) : option_or_slip(argv[1]);
}
