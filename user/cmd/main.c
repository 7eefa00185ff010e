// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "base/autofree.h"
#include "base/nearest.h"
#include "cmd/commands.h"
#include "launch/gate.h"
#include "launch/own_rights.h"
#include "source/source.h"

static const struct command *const commands[] = {
#define COMMAND(id, name, documents) &name##_command,
#include "cmd/commands.def"
#undef COMMAND
	NULL,
};

static int unknown_command(const char *name)
{
	struct nearest nearest = { .typed = name };
	autofree char *program = gate__find(name);

	for (int i = 0; commands[i]; i++)
		nearest__try(&nearest, commands[i]->name);
	if (*name == '-')
		return print_error(NULL, EXIT_USAGE, "%s: no such option; see forktax --help", name);
	if (nearest.name && !program)
		return print_error(NULL, EXIT_USAGE, "no command is named \"%s\"; did you mean \"%s\"?",
				   name, nearest.name);
	return print_error(NULL, EXIT_USAGE,
			   "no command is named \"%s\" (to trace a program: forktax run %s); see "
			   "forktax --help", name, program ? name : "PROGRAM");
}

static void print_usage(FILE *stream)
{
	fputs("usage: forktax [--version | --help] COMMAND [OPTIONS] ...\n\n"
	      "Shows why a command forks or starts slowly, and what would help.\n\n",
	      stream);
	commands__list(commands, stream);
	fputs("\n`forktax COMMAND --help` lists the options of a command; its manual is\n"
	      "forktax-COMMAND(1).\n", stream);
}

static bool is_option(const char *argument, char letter, const char *name)
{
	return (argument[0] == '-' && argument[1] == letter && !argument[2]) || !strcmp(argument, name);
}

/* forktax help [COMMAND [PART]]: the same as forktax [COMMAND [PART]] --help. */
static int help(char **words)
{
	char *asked[] = { NULL, "--help", NULL };
	const struct command *const *list = commands;
	const struct command *command = NULL;

	if (!*words || is_option(*words, 'h', "--help")) {
		print_usage(stdout);
		return finish_stdout(NULL);
	}
	for (; *words; words++) {
		if (command && !command->parts)
			return print_error("help", EXIT_USAGE, "%s: one command at a time", *words);
		command = commands__find(list, *words);
		if (!command)
			return list == commands ? unknown_command(*words)
				: print_error("help", EXIT_USAGE, "%s: no such measurement (see forktax "
					      "bench --help)", *words);
		list = command->parts;
	}
	asked[0] = words[-1];
	return command->main(command, 2, asked);
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

static void do_nothing(int signal)
{
}

/*
 * A file that may not grow (ulimit -f) is an error that can be said. A handler, because a traced command
 * shall have the signal as we had it: it inherits what is ignored.
 */
static void fail_where_files_end(void)
{
	struct sigaction before;

	sigaction(SIGXFSZ, NULL, &before);
	if (before.sa_handler == SIG_DFL)
		signal(SIGXFSZ, do_nothing);
}

enum { STACK_KIB = 512 };

/* Else it would end in the middle, by SIGSEGV. */
static bool has_stack(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= STACK_KIB << 10;
}

/* The first line is ours alone, as that of any tool; then what a report of a bug should say. */
static void print_version(void)
{
	struct utsname kernel;

	printf("forktax %s\n", FORKTAX_VERSION);
	for (size_t i = 0; sources[i]; i++) {
		if (sources[i]->library)
			printf("%s\n", sources[i]->library());
	}
	if (!uname(&kernel))
		printf("%s %s %s\n", kernel.sysname, kernel.release, kernel.machine);
}

/* The first word is none of the commands. */
static int option_or_slip(const char *word)
{
	if (is_option(word, 'V', "--version"))
		print_version();
	else if (is_option(word, 'h', "--help"))
		print_usage(stdout);
	else if (!strcmp(word, "--dump-options")) /* for the manual, completion, and tests */
		commands__dump(commands, stdout);
	else if (!strcmp(word, "--dump-commands"))
		commands__dump_names(commands, stdout);
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
	fail_where_files_end();
	if (!has_stack())
		return print_error(NULL, EXIT_FORKTAX,
				   "the limit of the stack is too low; raise it "
				   "(ulimit -s %d)",
				   STACK_KIB);
	/* If it were ignored, nobody could learn how a child ended, or what its children used. */
	signal(SIGCHLD, SIG_DFL);
	own_rights__keep();
	setlocale(LC_ALL, "");
	/* Numbers look the same in all locales: programs compare, sort and read reports. */
	setlocale(LC_NUMERIC, "C");
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "help"))
		return help(argv + 2);
	command = commands__find(commands, argv[1]);
	return command ? command->main(command, argc - 1, argv + 1) : option_or_slip(argv[1]);
}
