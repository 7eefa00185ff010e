// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench startup: from execve to exit, in every linkage, and any commands. */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bench/bench_options.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "measure/loop/loops.h"
#include "measure/startup/startup.h"

struct startup_job {
	struct bench_options bench;
	struct startup_settings settings;
};

static int take_relocations(const struct option_row *row, void *field, const char *argument,
			    char **reason)
{
	if (option_load.take(row, field, argument, reason))
		return -1;
	return bench_startup__check_relocations(*(uint64_t *)field, reason);
}

static int take_load_sweep(const struct option_row *row, void *field, const char *argument,
		      char **reason)
{
	struct sweep *sweep = field;
	int status = option_sweep.take(row, sweep, argument, reason);

	for (size_t i = 0; i < sweep->count && !status; i++) {
		if (sweep->axis == &startup_axes[STARTUP_RELOCATIONS])
			status = bench_startup__check_relocations(sweep->points[i], reason);
	}
	return status;
}

static const struct option_type option_relocations = {
	.completes = "count", .take = take_relocations,
};
static const struct option_type option_load_sweep = {
	.completes = "axis", .take = take_load_sweep, .word = bench_axis__word,
};

#define SETTING(member) FIELD(struct startup_job, settings.member)

static const struct option_row startup_rows[] = {
	OPTION(0, "libraries", "N", &option_load, SETTING(load[STARTUP_LIBRARIES]),
	       "let ld.so load N more libraries (not for COMMANDs)", .axes = startup_axes),
	OPTION(0, "relocations", "N", &option_relocations, SETTING(load[STARTUP_RELOCATIONS]),
	       "let ld.so look up N more symbols: 256, 1024, 4096 or 16384", .axes = startup_axes),
	OPTION(0, "sweep", "AXIS=LOW..HIGH or AXIS=A,B,C", &option_load_sweep, SETTING(sweep),
	       "vary libraries or relocations; print a plot", .axes = startup_axes),
	OPTION('i', "ignore-failure", NULL, &option_flag, SETTING(may_fail),
	       "accept COMMANDs that exit with a status other than 0"),
	{ 0 },
};

static const struct option_set startup_sets[] = {
	{ NULL, startup_rows, 0 }, BENCH_SETS(struct startup_job), { 0 },
};

static bool is_command_name(const struct startup_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->row_count; i++) {
		if (!strcmp(settings->rows[i].name, name))
			return true;
	}
	return linkages__has_row(name);
}

/* `commands` has room for all operands. */
static int take_command(struct startup_settings *settings, struct startup_row *commands,
			const char *command)
{
	char *path, **words;
	int status;

	if (is_command_name(settings, command))
		return print_error("bench startup", EXIT_USAGE, "%s: another row has that name",
				   command);
	status = split_command("bench startup", command, "sh -c '...'", &words);
	if (status)
		return status;
	status = find_command("bench startup", words[0], &path);
	if (status) {
		text__free_list(words);
		return status;
	}
	commands[settings->row_count++] = (struct startup_row){ command, path, words };
	return 0;
}

static int act(void *of, char **operands, int *signal)
{
	struct startup_job *job = of;
	struct startup_settings *settings = &job->settings;
	autofree struct startup_row *commands = checked_calloc(job->bench.argc, sizeof(*commands));
	int status = 0;

	settings->rows = commands;
	settings->loops = job->bench.loops;
	for (; *operands && !status; operands++)
		status = take_command(settings, commands, *operands);
	if (!status)
		status = bench_options__run(&job->bench, bench_startup__plan(settings), signal);
	for (size_t i = 0; i < settings->row_count; i++) {
		free((char *)commands[i].path);
		text__free_list(commands[i].argv);
	}
	return status;
}

const struct command bench_startup_command = {
	.name = "bench startup",
	.summary = "time before main() and after it, for every linkage",
	.synopsis = "[OPTIONS] ['COMMAND ARGUMENT...' ...]",
	.about = "Times a program that does nothing, built in every linkage, and each COMMAND, "
		 "alternately, from execve to exit. Splits the time into kernel, ld.so, C "
		 "library and program. The output of commands goes to /dev/null.",
	.operands = "line",
	.sets = startup_sets,
	BENCH_COMMAND(struct startup_job, bench_options__begin),
	.act = act,
};
