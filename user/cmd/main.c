// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "format/escape.h"

static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "run", cmd_run, "count the system calls and page faults of a command and all its children" },
	{ "compare", cmd_compare, "the same for several commands, side by side" },
	{ "bindnow", cmd_bindnow, "what binding all functions at start costs, and saves children" },
	{ "explain", cmd_explain, "what one fork of a command costs, why, and what would help" },
	{ "bench", cmd_bench, "fork rates and process creation on this machine, measured in turns" },
	{ "report", cmd_report, "print a saved run again, as text, CSV or JSON" },
	{ "doctor", cmd_doctor, "what this kernel, these privileges and this machine allow" },
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]), LONGEST_NAME = 32 };

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
	int best = 3; /* more than two slips are another word */

	for (int i = 0; i < COMMANDS; i++) {
		int slips = distance(commands[i].name, name);

		if (slips >= best)
			continue;
		best = slips;
		nearest = &commands[i];
	}
	if (nearest) {
		char *safe = escape__text(name, true);

		fprintf(stderr, "forktax: no command is named \"%s\"; did you mean \"%s\"?\n",
			safe, nearest->name);
		free(safe);
	}
	else
		fprintf(stderr, "forktax: no such command (to trace a program: forktax run PROGRAM); "
				"see forktax --help\n");
	return EXIT_USAGE;
}

static void print_usage(FILE *stream)
{
	fputs("usage: forktax [--version | --help] COMMAND [OPTIONS] ...\n\n"
	      "Counts what a command and every process that it forks ask of the kernel.\n\n",
	      stream);
	for (int i = 0; i < COMMANDS; i++)
		fprintf(stream, "  %-8s  %s\n", commands[i].name, commands[i].summary);
	fputs("\n`forktax COMMAND --help` lists the options of a command.\n", stream);
}

static int finish_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	perror("forktax: cannot write to stdout");
	return EXIT_FORKTAX;
}

static bool is_option(const char *argument, char letter, const char *name)
{
	return (argument[0] == '-' && argument[1] == letter && !argument[2]) ||
	       !strcmp(argument, name);
}

/*
 * What we open must not become the missing standard input, output or error of anybody: a message
 * written there would go astray. To us the holders fail like a closed descriptor (the wrong
 * direction); to a traced command they are closed, as they were to us.
 */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	hold_standard_streams();
	/* Ignored, nobody could learn how a child has ended, or what its children have used. */
	signal(SIGCHLD, SIG_DFL);
	setlocale(LC_ALL, "");
	/* Numbers look the same everywhere: reports are compared, sorted and read by programs. */
	setlocale(LC_NUMERIC, "C");
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (is_option(argv[1], 'V', "--version")) {
		printf("forktax %s\n", FORKTAX_VERSION);
		return finish_stdout();
	}
	if (is_option(argv[1], 'h', "--help")) {
		print_usage(stdout);
		return finish_stdout();
	}
	for (int i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].main(argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
