// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/common.h"

#include <stdarg.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "format/escape.h"

int complain(const char *name, int status, const char *format, ...)
{
	va_list arguments;
	char *line, *safe;

	va_start(arguments, format);
	if (vasprintf(&line, format, arguments) < 0)
		line = NULL;
	va_end(arguments);
	safe = escape__text(line, true);
	fprintf(stderr, "forktax %s: %s\n", name, safe);
	free(safe);
	free(line);
	return status;
}

int finish_stdout(const char *name)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return complain(name, EXIT_FORKTAX, "cannot write to stdout: %s", strerror(errno));
}

int complain_option(const char *name, int result, char *const *argv)
{
	const char *word = argv[optind - 1];
	const char letter[] = { '-', optopt, '\0' };
	bool is_letter = optopt > 0 && optopt < 128;

	if (is_letter && strchr(word, '=') && !strncmp(word, "--", 2))
		return complain(name, EXIT_USAGE, "%s: takes no value", word);
	return complain(name, EXIT_USAGE, "%s: %s; see forktax %s --help", is_letter ? letter : word,
			result == ':' ? "wants a value" : "no such option", name);
}

int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise)
{
	struct table_output tables;
	struct output *output;
	char *reason;

	output = output__open(options->path, otherwise, &reason);
	if (output) {
		tables = table_output__for(output__stream(output),
					   options->csv ? TABLE_CSV : TABLE_TEXT, options->colour);
		if (options->counters)
			report__counters(&tables);
		else
			report__run(run, options, &tables);
		if (output__commit(output, &reason) == 0)
			return run && options->strict && !run->integrity.exact ? EXIT_INEXACT : 0;
	}
	complain(name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}
