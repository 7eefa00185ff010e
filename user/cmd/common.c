// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/common.h"

#include <stdarg.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cmd/commands.h"
#include "format/escape.h"
#include "launch/gate.h"
#include "model/syscall_names.h"
#include "saved/run_json.h"

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
	return 128 + signal; /* a signal that does not kill us */
}

int find_command(const char *name, const char *word, char **path)
{
	*path = gate__find(word);
	if (*path)
		return 0;
	if (errno == ENOENT)
		return complain(name, EXIT_MISSING, "%s: command not found", word);
	return complain(name, EXIT_REFUSED, "%s: cannot be executed: %s", word, strerror(errno));
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

int take_report_option(const char *name, struct report_options *options, int option)
{
	char *message;

	if (report_options__take(options, option, optarg, syscall_name, &message) == OPTION_TAKEN)
		return 0;
	complain(name, 0, "%s", message);
	free(message);
	return EXIT_USAGE;
}

struct table_output tables_for(FILE *stream, const struct report_options *options)
{
	enum table_style style = options->csv	     ? TABLE_CSV :
				 options->markdown ? TABLE_MARKDOWN :
						     TABLE_TEXT;

	return table_output__for(stream, style, options->colour);
}

int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject)
{
	char *reason;
	struct output *output = output__open(options->path, otherwise, &reason);

	if (output) {
		print(subject, options, output__stream(output));
		if (output__commit(output, &reason) == 0)
			return 0;
	}
	complain(name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

static void print_report(const void *run, const struct report_options *options, FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);

	if (options->counters)
		report__counters(&tables);
	else if (options->json)
		run_json__write(run, stream); /* a failure stays in the stream */
	else
		report__run(run, options, &tables);
}

int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise)
{
	int status = print_to(name, options, otherwise, print_report, run);

	if (status)
		return status;
	return run && options->strict && !run->integrity.exact ? EXIT_INEXACT : 0;
}
