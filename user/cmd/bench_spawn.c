// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench spawn: ways to create a process, from parents of several sizes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/bench_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "measure/spawn/shells.h"
#include "measure/spawn/spawn.h"

static const char usage[] =
	"usage: forktax bench spawn [OPTIONS]\n\n"
	"Times ways to create a process and wait for it, from parents of several sizes, in turns.\n\n"
	"      --methods=A,B    only these of fork, vfork, clone, pidfd, fork-exec, vfork-exec,\n"
	"                       posix_spawn, clone3-exec, system\n"
	"      --sizes=A,B,...  virtual memory of the parent, as ps -o vsz shows it; its heap grows\n"
	"                       to that (default 1.7M,2.7M,11.7M)\n"
	"      --sweep=size=LOW..HIGH or size=A,B,...\n"
	"                       the same as an axis, with a plot\n"
	"      --untouched      the new memory is never written to\n"
	"      --huge           ... and is in huge pages\n"
	"      --linkage=NAME   of the parent and of what children execute: dynamic, now, static\n"
	"                       (default), static-pie, diet, musl\n"
	"      --exec=PATH      children execute that, not a program that does nothing\n"
	"      --shell=PATH     system() also with that shell; repeatable (default: all installed)\n";

enum {
	OPTION_METHODS = OPTION_BENCH_OWN,
	OPTION_SIZES,
	OPTION_SWEEP,
	OPTION_UNTOUCHED,
	OPTION_HUGE,
	OPTION_LINKAGE,
	OPTION_EXEC,
	OPTION_SHELL,
};

static const struct option long_options[] = {
	BENCH_LONG_OPTIONS,
	{ "methods", required_argument, NULL, OPTION_METHODS },
	{ "sizes", required_argument, NULL, OPTION_SIZES },
	{ "sweep", required_argument, NULL, OPTION_SWEEP },
	{ "untouched", no_argument, NULL, OPTION_UNTOUCHED },
	{ "huge", no_argument, NULL, OPTION_HUGE },
	{ "linkage", required_argument, NULL, OPTION_LINKAGE },
	{ "exec", required_argument, NULL, OPTION_EXEC },
	{ "shell", required_argument, NULL, OPTION_SHELL },
	{ 0 },
};

struct wishes {
	struct spawn_settings settings;
	char **shells; /* owned */
	size_t shell_count;
	bool has_methods;
};

static int refuse(const char *option, const char *argument, char *reason)
{
	complain("bench spawn", 0, "--%s %s: %s", option, argument, reason);
	free(reason);
	return EXIT_USAGE;
}

static int find_method(const char *key)
{
	for (int method = 0; method < SPAWN_METHOD_COUNT; method++) {
		if (!strcmp(spawn_methods[method].key, key))
			return method;
	}
	return -1;
}

static int take_methods(struct wishes *wishes, const char *argument)
{
	char *words = checked_strdup(argument), *rest = words, *word;
	int status = 0;

	wishes->has_methods = true;
	while (!status && (word = strsep(&rest, ","))) {
		int method = find_method(word);

		if (method >= 0)
			wishes->settings.methods[method] = true;
		else
			status = complain("bench spawn", EXIT_USAGE,
					  "--methods %s: there is no \"%s\" (see --help)", argument,
					  word);
	}
	free(words);
	return status;
}

static int take_sweep(struct wishes *wishes, const char *argument)
{
	struct spawn_settings *settings = &wishes->settings;
	char *reason;

	if (settings->sizes.axis)
		return complain("bench spawn", EXIT_USAGE,
				"--sizes and --sweep: give one of them, once");
	if (sweep__parse(argument, spawn_axes, &settings->sizes, &reason))
		return refuse("sweep", argument, reason);
	settings->is_sweep = true;
	return 0;
}

static int take_sizes(struct wishes *wishes, const char *argument)
{
	struct spawn_settings *settings = &wishes->settings;
	char *reason, *text;
	int status;

	if (settings->sizes.axis)
		return complain("bench spawn", EXIT_USAGE,
				"--sizes and --sweep: give one of them, once");
	if (asprintf(&text, "size=%s", argument) < 0)
		err(EXIT_FORKTAX, "out of memory");
	status = sweep__parse(text, spawn_axes, &settings->sizes, &reason);
	free(text);
	return status ? refuse("sizes", argument, reason) : 0;
}

static int take_linkage(struct wishes *wishes, const char *argument)
{
	for (int id = 0; id < LOOP_COUNT; id++) {
		if (id == LOOP_BIND_NOW || strcmp(linkages[id].directory, argument) != 0)
			continue;
		wishes->settings.linkage = id;
		return 0;
	}
	return complain("bench spawn", EXIT_USAGE,
			"--linkage %s: must be dynamic, now, static, static-pie, diet or musl",
			argument);
}

static int take_shell(struct wishes *wishes, const char *argument)
{
	if (access(argument, X_OK) < 0)
		return complain("bench spawn", EXIT_USAGE, "--shell %s: %m", argument);
	for (size_t i = 0; i < wishes->shell_count; i++) {
		if (!strcmp(basename(wishes->shells[i]), basename(argument)))
			return complain("bench spawn", EXIT_USAGE,
					"--shell %s: there is one of that name", argument);
	}
	wishes->shells = checked_grow(wishes->shells, wishes->shell_count, sizeof(char *));
	wishes->shells[wishes->shell_count++] = checked_strdup(argument);
	return 0;
}

static int take(void *context, int option, const char *argument)
{
	struct wishes *wishes = context;

	switch (option) {
	case OPTION_METHODS:
		return take_methods(wishes, argument);
	case OPTION_SIZES:
		return take_sizes(wishes, argument);
	case OPTION_SWEEP:
		return take_sweep(wishes, argument);
	case OPTION_UNTOUCHED:
		wishes->settings.untouched = true;
		return 0;
	case OPTION_HUGE:
		wishes->settings.huge = true;
		return 0;
	case OPTION_LINKAGE:
		return take_linkage(wishes, argument);
	case OPTION_SHELL:
		return take_shell(wishes, argument);
	case OPTION_EXEC:
		if (access(argument, X_OK) < 0)
			return complain("bench spawn", EXIT_USAGE, "--exec %s: %m", argument);
		wishes->settings.target = argument;
		return 0;
	default:
		return EXIT_USAGE;
	}
}

static int measure(struct bench_options *options, struct wishes *wishes)
{
	struct spawn_settings *settings = &wishes->settings;
	int status = 0;

	if (optind < options->argc)
		return complain("bench spawn", EXIT_USAGE, "%s: takes no operands",
				options->argv[optind]);
	if (!settings->sizes.axis)
		status = take_sizes(wishes, SPAWN_BOOK_SIZES + strlen("size="));
	for (int method = 0; !wishes->has_methods && method < SPAWN_METHOD_COUNT; method++)
		settings->methods[method] = true;
	if (!wishes->shells)
		wishes->shells = shells__installed(&wishes->shell_count);
	settings->shells = (const char *const *)wishes->shells;
	settings->shell_count = wishes->shell_count;
	settings->loops = options->loops;
	return status ? status : bench_options__run(options, bench_spawn__plan(settings));
}

int bench_spawn(int argc, char **argv)
{
	struct bench_options options = bench_options__new("bench spawn", argc, argv);
	struct wishes wishes = { .settings.linkage = LOOP_STATIC };
	int status = bench_options__parse(&options, "+:" BENCH_SHORT_OPTIONS, long_options, take,
					  &wishes);

	if (!status && options.help)
		status = bench_options__help(&options, usage);
	else if (!status)
		status = measure(&options, &wishes);
	for (size_t i = 0; i < wishes.shell_count; i++)
		free(wishes.shells[i]);
	free(wishes.shells);
	return status;
}
