// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench fork: fork(), the child ends at once, the parent waits. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/bench_options.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "measure/fork/fork.h"
#include "measure/loop/loops.h"

static const char usage[] =
	"usage: forktax bench fork [OPTIONS]\n\n"
	"Times fork(), the child ends at once, the parent waits, in every linkage, in turns.\n\n"
	"      --exit           children leave by exit(), not _exit()\n"
	"      --pages=N        each child writes to N pages of the parent's\n"
	"      --calls=N        each child calls N functions that were not called before\n"
	"      --resident=SIZE  the parent has written so much memory\n"
	"      --huge           ... in huge pages\n"
	"      --libraries=N    the parent has loaded N more libraries\n"
	"      --mappings=N     the parent has N more mappings\n"
	"      --threads=N      N threads wait in the parent\n"
	"      --sweep=AXIS=LOW..HIGH or AXIS=A,B,C\n"
	"                       one of pages, calls, resident, ... at several points, with a plot\n"
	"      --row=NAME=COMMAND\n"
	"                       a loop program of your own as one more row; {} in COMMAND is the\n"
	"                       point of the sweep; repeatable\n";

enum {
	OPTION_LOAD = OPTION_BENCH_OWN, /* and one more for each load */
	OPTION_HUGE = OPTION_LOAD + LOAD_COUNT,
	OPTION_EXIT,
	OPTION_SWEEP,
	OPTION_ROW,
};

static const struct option long_options[] = {
	BENCH_LONG_OPTIONS,
	{ "resident", required_argument, NULL, OPTION_LOAD + LOAD_RESIDENT },
	{ "pages", required_argument, NULL, OPTION_LOAD + LOAD_PAGES },
	{ "calls", required_argument, NULL, OPTION_LOAD + LOAD_CALLS },
	{ "libraries", required_argument, NULL, OPTION_LOAD + LOAD_LIBRARIES },
	{ "mappings", required_argument, NULL, OPTION_LOAD + LOAD_MAPPINGS },
	{ "threads", required_argument, NULL, OPTION_LOAD + LOAD_THREADS },
	{ "huge", no_argument, NULL, OPTION_HUGE },
	{ "exit", no_argument, NULL, OPTION_EXIT },
	{ "sweep", required_argument, NULL, OPTION_SWEEP },
	{ "row", required_argument, NULL, OPTION_ROW },
	{ 0 },
};

/* What is taken from the command line; rows point into copies of it. */
struct wishes {
	struct fork_settings settings;
	struct fork_row *rows;
};

static int refuse(const char *option, const char *argument, char *reason)
{
	complain("bench fork", 0, "--%s %s: %s", option, argument, reason);
	free(reason);
	return EXIT_USAGE;
}

static int take_load(struct fork_settings *settings, enum fork_load load, const char *argument)
{
	const struct sweep_axis *axis = &fork_axes[load];
	char *reason;

	if (sweep__number(argument, load == LOAD_RESIDENT, axis->max, &settings->load[load],
			  &reason))
		return refuse(axis->name, argument, reason);
	return 0;
}

static int take_sweep(struct fork_settings *settings, const char *argument)
{
	char *reason;

	if (settings->sweep.axis)
		return complain("bench fork", EXIT_USAGE, "--sweep: one axis at a time");
	if (sweep__parse(argument, fork_axes, &settings->sweep, &reason))
		return refuse("sweep", argument, reason);
	return 0;
}

static bool is_taken(const struct wishes *wishes, const char *name)
{
	for (int id = 0; id < LOOP_COUNT; id++) {
		if (!strcmp(linkages[id].name, name))
			return true;
	}
	for (size_t i = 0; i < wishes->settings.row_count; i++) {
		if (!strcmp(wishes->rows[i].name, name))
			return true;
	}
	return false;
}

static int take_row(struct wishes *wishes, const char *argument)
{
	const char *equals = strchr(argument, '=');
	struct fork_settings *settings = &wishes->settings;
	char *name;

	if (!equals || equals == argument || !equals[1 + strspn(equals + 1, " ")])
		return complain("bench fork", EXIT_USAGE, "--row %s: must be NAME=COMMAND",
				argument);
	name = checked(strndup(argument, equals - argument));
	if (is_taken(wishes, name)) {
		complain("bench fork", 0, "--row %s: there is a row of that name", argument);
		free(name);
		return EXIT_USAGE;
	}
	wishes->rows = checked_grow(wishes->rows, settings->row_count, sizeof(*wishes->rows));
	wishes->rows[settings->row_count++] = (struct fork_row){ name, equals + 1 };
	settings->rows = wishes->rows;
	return 0;
}

static int take(void *context, int option, const char *argument)
{
	struct wishes *wishes = context;

	switch (option) {
	case OPTION_HUGE:
		wishes->settings.huge = true;
		return 0;
	case OPTION_EXIT:
		wishes->settings.with_exit = true;
		return 0;
	case OPTION_SWEEP:
		return take_sweep(&wishes->settings, argument);
	case OPTION_ROW:
		return take_row(wishes, argument);
	default:
		return take_load(&wishes->settings, option - OPTION_LOAD, argument);
	}
}

static int measure(struct bench_options *options, struct wishes *wishes)
{
	if (optind < options->argc)
		return complain("bench fork", EXIT_USAGE,
				"%s: takes no operands (a program of your own: --row)",
				options->argv[optind]);
	wishes->settings.loops = options->loops;
	return bench_options__run(options, bench_fork__plan(&wishes->settings));
}

int bench_fork(int argc, char **argv)
{
	struct bench_options options = bench_options__new("bench fork", argc, argv);
	struct wishes wishes = { 0 };
	int status = bench_options__parse(&options, "+:" BENCH_SHORT_OPTIONS, long_options, take,
					  &wishes);

	if (!status && options.help)
		status = bench_options__help(&options, usage);
	else if (!status)
		status = measure(&options, &wishes);
	for (size_t i = 0; i < wishes.settings.row_count; i++)
		free((char *)wishes.rows[i].name);
	free(wishes.rows);
	return status;
}
