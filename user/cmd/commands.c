// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/commands.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/text.h"
#include "format/escape.h"
#include "format/output.h"
#include "format/wrap.h"

/* The last word of its name, which is what to type. */
static const char *word_of(const struct command *command)
{
	const char *space = strrchr(command->name, ' ');

	return space ? space + 1 : command->name;
}

const struct command *commands__find(const struct command *const *commands, const char *word)
{
	while (*commands && strcmp(word_of(*commands), word) != 0)
		commands++;
	return *commands;
}

void commands__list(const struct command *const *commands, FILE *stream)
{
	for (; *commands; commands++)
		fprintf(stream, "  %-8s  %s\n", word_of(*commands), (*commands)->summary);
}

/* On a terminal broken between words; elsewhere one line, for grep. */
static void print_message(const char *line)
{
	const struct table_output output = table_output__for(stderr, TABLE_TEXT, COLOUR_NEVER);
	char *safe;

	if (output.width) {
		wrap__print(NULL, line, 0, 0, &output);
		return;
	}
	safe = escape__text(line, true);
	fprintf(stderr, "%s\n", safe);
	free(safe);
}

int print_error(const char *name, int status, const char *format, ...)
{
	va_list arguments;
	char *words, *line;

	va_start(arguments, format);
	if (vasprintf(&words, format, arguments) < 0)
		words = NULL;
	va_end(arguments);
	line = text__of("forktax%s%s: %s", name ? " " : "", name ? name : "", words ? words : "");
	print_message(line);
	free(line);
	free(words);
	return status;
}

int die_like(int signal)
{
	struct rlimit no_core = { 0, 0 };
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t set;

	setrlimit(RLIMIT_CORE, &no_core);
	sigaction(signal, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal);
	return 128 + signal; /* the signal does not kill us */
}

int finish_stdout(const char *name)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return print_error(name, EXIT_FORKTAX, "cannot write to stdout: %s", strerror(errno));
}
