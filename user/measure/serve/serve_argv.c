// SPDX-License-Identifier: GPL-2.0-or-later
/* How samples/server is called. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "measure/serve/serve_task.h"

enum { WORDS_MAX = 16 };

__attribute__((format(printf, 2, 3))) static void add(char **argv, const char *format, ...)
{
	va_list arguments;

	while (*argv)
		argv++;
	va_start(arguments, format);
	if (vasprintf(argv, format, arguments) < 0)
		err(125, "out of memory");
	va_end(arguments);
}

static char **words_of(const struct serve_program *program)
{
	char **argv = checked_calloc(WORDS_MAX, sizeof(*argv));

	add(argv, "%s", program->path);
	add(argv, "-m");
	add(argv, "%s", program->model);
	add(argv, "-w");
	add(argv, "%" PRIu32, program->workers);
	if (program->shell) {
		add(argv, "-s");
		add(argv, "%s", program->shell);
	}
	if (program->resident) {
		add(argv, "-r");
		add(argv, "%" PRIu64, program->resident);
	}
	return argv;
}

char **serve_argv__new(const struct serve_program *program, const struct serve_ground *ground)
{
	char **argv = words_of(program);

	add(argv, "-L%d", ground->listener);
	add(argv, "-P%d", ground->page_fd);
	return argv;
}

void serve_argv__free(char **argv)
{
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
}

char *serve_program__command(const struct serve_program *program)
{
	char **argv = words_of(program);
	char *text = checked_strdup(program->environment ? program->environment : "");

	for (size_t i = 0; argv[i]; i++) {
		char *longer;

		if (asprintf(&longer, "%s%s%s", text, *text ? " " : "", argv[i]) < 0)
			err(125, "out of memory");
		free(text);
		text = longer;
	}
	serve_argv__free(argv);
	return text;
}

char **serve_environment__new(const struct serve_program *program)
{
	const char *more = program->environment;
	size_t count = 0, kept = 0, name = more ? strcspn(more, "=") + 1 : 0;
	char **made;

	if (!more)
		return NULL;
	while (environ[count])
		count++;
	made = checked_calloc(count + 2, sizeof(*made));
	for (size_t i = 0; i < count; i++) {
		if (strncmp(environ[i], more, name) != 0)
			made[kept++] = environ[i];
	}
	made[kept] = (char *)more;
	return made;
}
