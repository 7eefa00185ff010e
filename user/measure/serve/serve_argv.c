// SPDX-License-Identifier: GPL-2.0-or-later
/* How samples/server is called. */
#include <inttypes.h>
#include <stdarg.h>

#include "base/memory.h"
#include "base/text.h"
#include "launch/launch.h"
#include "measure/serve/serve_task.h"

enum { WORDS_MAX = 16 };

__attribute__((format(printf, 2, 3))) static void add_word(char **argv, const char *format, ...)
{
	va_list arguments;

	while (*argv)
		argv++;
	va_start(arguments, format);
	*argv = text__of_list(format, arguments);
	va_end(arguments);
}

static char **words_of(const struct serve_program *program)
{
	char **argv = checked_calloc(WORDS_MAX, sizeof(*argv));

	add_word(argv, "%s", program->path);
	add_word(argv, "-m");
	add_word(argv, "%s", program->model);
	add_word(argv, "-w");
	add_word(argv, "%" PRIu32, program->workers);
	if (program->shell) {
		add_word(argv, "-s");
		add_word(argv, "%s", program->shell);
	}
	if (program->resident) {
		add_word(argv, "-r");
		add_word(argv, "%" PRIu64, program->resident);
	}
	return argv;
}

char **serve_argv__new(const struct serve_program *program, const struct serve_endpoint *endpoint)
{
	char **argv = words_of(program);

	add_word(argv, "-L%d", endpoint->listener);
	add_word(argv, "-P%d", endpoint->page_fd);
	return argv;
}

char *serve_program__command(const struct serve_program *program)
{
	char **argv = words_of(program);
	char *text = checked_strdup(program->environment ? program->environment : "");

	for (size_t i = 0; argv[i]; i++)
		text__replace(&text, "%s%s%s", text, *text ? " " : "", argv[i]);
	text__free_list(argv);
	return text;
}

char **serve_environment__new(const struct serve_program *program)
{
	const char *changes[] = { program->environment, NULL };

	return environment__changed(changes);
}
