// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench startup: from execve to exit, in every linkage, and any commands. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/bench_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/split_command.h"
#include "measure/loop/loops.h"
#include "measure/startup/startup.h"

static const char usage[] =
	"usage: forktax bench startup [OPTIONS] ['COMMAND ARGUMENT...' ...]\n\n"
	"Times a program that does nothing, in every linkage, and each COMMAND, from execve to exit,\n"
	"in turns, and says which part of that is whose. Output of commands goes to /dev/null.\n\n"
	"      --libraries=N    ld.so loads N more libraries (not for COMMANDs)\n"
	"      --relocations=N  ld.so looks up N more symbols: 256, 1024, 4096 or 16384\n"
	"      --sweep=AXIS=LOW..HIGH or AXIS=A,B,C\n"
	"                       libraries or relocations at several points, with a plot\n"
	"  -i, --ignore-failure a COMMAND may exit with other than 0\n";

enum {
	OPTION_LIBRARIES = OPTION_BENCH_OWN,
	OPTION_RELOCATIONS,
	OPTION_SWEEP,
};

static const struct option long_options[] = {
	BENCH_LONG_OPTIONS,
	{ "libraries", required_argument, NULL, OPTION_LIBRARIES },
	{ "relocations", required_argument, NULL, OPTION_RELOCATIONS },
	{ "sweep", required_argument, NULL, OPTION_SWEEP },
	{ "ignore-failure", no_argument, NULL, 'i' },
	{ 0 },
};

static int refuse(const char *option, const char *argument, char *reason)
{
	complain("bench startup", 0, "--%s %s: %s", option, argument, reason);
	free(reason);
	return EXIT_USAGE;
}

static int take_load(struct startup_settings *settings, enum startup_load load,
		     const char *argument)
{
	const struct sweep_axis *axis = &startup_axes[load];
	uint64_t *number = &settings->load[load];
	char *reason;

	if (sweep__number(argument, false, axis->max, number, &reason) ||
	    (load == STARTUP_RELOCATIONS && bench_startup__check_relocations(*number, &reason)))
		return refuse(axis->name, argument, reason);
	return 0;
}

static int take_sweep(struct startup_settings *settings, const char *argument)
{
	struct sweep *sweep = &settings->sweep;
	char *reason;

	if (sweep->axis)
		return complain("bench startup", EXIT_USAGE, "--sweep: one axis at a time");
	if (sweep__parse(argument, startup_axes, sweep, &reason))
		return refuse("sweep", argument, reason);
	for (size_t i = 0; i < sweep->count; i++) {
		if (sweep->axis == &startup_axes[STARTUP_RELOCATIONS] &&
		    bench_startup__check_relocations(sweep->points[i], &reason))
			return refuse("sweep", argument, reason);
	}
	return 0;
}

static int take(void *context, int option, const char *argument)
{
	struct startup_settings *settings = context;

	switch (option) {
	case OPTION_LIBRARIES:
		return take_load(settings, STARTUP_LIBRARIES, argument);
	case OPTION_RELOCATIONS:
		return take_load(settings, STARTUP_RELOCATIONS, argument);
	case OPTION_SWEEP:
		return take_sweep(settings, argument);
	case 'i':
		settings->may_fail = true;
		return 0;
	default:
		return EXIT_USAGE;
	}
}

static bool is_taken(const struct startup_settings *settings, const char *name)
{
	for (int id = 0; id < LOOP_COUNT; id++) {
		if (!strcmp(linkages[id].name, name))
			return true;
	}
	for (size_t i = 0; i < settings->row_count; i++) {
		if (!strcmp(settings->rows[i].name, name))
			return true;
	}
	return false;
}

/* The rows, one for each operand, have room already. */
static int take_command(struct startup_settings *settings, struct startup_row *rows,
			const char *command)
{
	char *path, **words;
	int status;

	if (is_taken(settings, command))
		return complain("bench startup", EXIT_USAGE, "%s: there is a row of that name",
				command);
	status = split_command("bench startup", command, "sh -c '...'", &words);
	if (status)
		return status;
	status = find_command("bench startup", words[0], &path);
	if (status) {
		text__free_list(words);
		return status;
	}
	rows[settings->row_count++] = (struct startup_row){ command, path, words };
	return 0;
}

static int measure(struct bench_options *options, struct startup_settings *settings)
{
	size_t most = options->argc - optind;
	struct startup_row *rows = checked_calloc(most + 1, sizeof(*rows));
	int status = 0;

	settings->rows = rows;
	settings->loops = options->loops;
	for (size_t i = 0; i < most && !status; i++)
		status = take_command(settings, rows, options->argv[optind + i]);
	if (!status)
		status = bench_options__run(options, bench_startup__plan(settings));
	for (size_t i = 0; i < settings->row_count; i++) {
		free((char *)rows[i].path);
		text__free_list(rows[i].argv);
	}
	free(rows);
	return status;
}

int bench_startup(int argc, char **argv)
{
	struct bench_options options = bench_options__new("bench startup", argc, argv);
	struct startup_settings settings = { .row_count = 0 };
	int status = bench_options__parse(&options, "+:i" BENCH_SHORT_OPTIONS, long_options, take,
					  &settings);

	if (!status && options.help)
		return bench_options__help(&options, usage);
	return status ? status : measure(&options, &settings);
}
