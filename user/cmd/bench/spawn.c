// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench spawn: ways to create a process, from parents of several sizes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/bench/bench_options.h"
#include "measure/spawn/spawn.h"

struct spawn_job {
	struct bench_options bench;
	struct spawn_settings settings;
	char **shells; /* owned */
	size_t shell_count;
};

static const char *method_word(const struct option_row *row, size_t index)
{
	return index < SPAWN_METHOD_COUNT ? spawn_methods[index].key : NULL;
}

static int set_sizes(struct spawn_settings *settings, const char *sweep, char **reason)
{
	if (settings->sizes.axis)
		return error__set(reason, "--sizes and --sweep: give one of them, once");
	return sweep__parse(sweep, spawn_axes, &settings->sizes, reason);
}

static int take_size_sweep(const struct option_row *row, void *field, const char *argument,
		      char **reason)
{
	struct spawn_settings *settings = field;

	settings->is_sweep = true;
	return set_sizes(settings, argument, reason);
}

static int take_sizes(const struct option_row *row, void *field, const char *argument,
		      char **reason)
{
	autofree char *sweep = text__of("size=%s", argument);
	int status = set_sizes(field, sweep, reason);

	return status;
}

/* Names of directories; LD_BIND_NOW=1 has none of its own. */
static const char *directory_word(const struct option_row *row, size_t index)
{
	if (index >= LOOP_BIND_NOW)
		index++;
	return index < LOOP_COUNT ? linkages[index].directory : NULL;
}

static int take_linkage(const struct option_row *row, void *field, const char *argument,
			char **reason)
{
	for (int id = 0; id < LOOP_COUNT; id++) {
		if (id == LOOP_BIND_NOW || strcmp(linkages[id].directory, argument) != 0)
			continue;
		*(enum linkage_id *)field = id;
		return 0;
	}
	return option_row__wrong_word(row, argument, reason);
}

static int check_executable(const char *path, char **reason)
{
	return access(path, X_OK) == 0 ? 0 : error__set(reason, "%s", strerror(errno));
}

static int take_executable(const struct option_row *row, void *field, const char *argument,
			   char **reason)
{
	*(const char **)field = argument;
	return check_executable(argument, reason);
}

static int take_shell(const struct option_row *row, void *field, const char *argument,
		      char **reason)
{
	struct spawn_job *job = field;

	for (size_t i = 0; i < job->shell_count; i++) {
		if (!strcmp(text__file_name(job->shells[i]), text__file_name(argument)))
			return error__set(reason, "another row has that name");
	}
	job->shells = checked_grow(job->shells, job->shell_count, sizeof(char *));
	job->shells[job->shell_count++] = checked_strdup(argument);
	return check_executable(argument, reason);
}

static const struct option_type option_methods = {
	.completes = "list", .take = option_list__take, .word = method_word,
};
static const struct option_type option_sizes = { .completes = "size", .take = take_sizes };
static const char *const size_axis[] = { "size", NULL };
static const struct option_type option_size_sweep = { .completes = "axis", .take = take_size_sweep };
static const struct option_type option_linkage = {
	.completes = "words", .take = take_linkage, .word = directory_word,
};
static const struct option_type option_executable = {
	.completes = "program", .take = take_executable,
};
static const struct option_type option_shell = { .completes = "program", .take = take_shell };

#define SETTING(member) FIELD(struct spawn_job, settings.member)

static const struct option_row spawn_rows[] = {
	OPTION(0, "methods", "A,B", &option_methods, SETTING(methods),
	       "time these methods: fork, vfork, clone, pidfd, fork-exec, vfork-exec, posix_spawn, "
	       "clone3-exec, system (default all)"),
	OPTION(0, "sizes", "A,B,...", &option_sizes, FIELD(struct spawn_job, settings),
	       "give the parent these virtual memory sizes, as in ps -o vsz (default 1.7M,2.7M,11.7M)"),
	OPTION(0, "sweep", "size=LOW..HIGH or size=A,B,...", &option_size_sweep,
	       FIELD(struct spawn_job, settings), "vary the size of the parent; print a plot",
	       .words = size_axis),
	OPTION(0, "untouched", NULL, &option_flag, SETTING(untouched),
	       "do not write to the parent's memory"),
	OPTION(0, "huge", NULL, &option_flag, SETTING(huge), "use huge pages for the parent's "
	       "memory"),
	OPTION(0, "linkage", "NAME", &option_linkage, SETTING(linkage),
	       "link the parent and the executed program this way: dynamic, now, static "
	       "(default), static-pie, diet, musl"),
	OPTION(0, "exec", "PATH", &option_executable, SETTING(target),
	       "let children execute PATH (default: a program that does nothing)"),
	OPTION(0, "shell", "PATH", &option_shell, { 0 },
	       "use this shell for system(); repeatable (default: all installed)"),
	{ 0 },
};

static const struct option_set spawn_sets[] = {
	{ NULL, spawn_rows, 0 }, BENCH_SETS(struct spawn_job), { 0 },
};

static void begin(void *of, const struct command *command, int argc, char **argv)
{
	struct spawn_job *job = of;

	bench_options__begin(job, command, argc, argv);
	job->settings.linkage = LOOP_STATIC;
	memset(job->settings.methods, true, sizeof(job->settings.methods));
}

static int check(void *of, char **operands)
{
	return bench_options__no_operands(of, operands, "");
}

static int act(void *of, char **operands, int *signal)
{
	struct spawn_job *job = of;
	struct spawn_settings *settings = &job->settings;
	char *reason;

	if (!settings->sizes.axis)
		set_sizes(settings, SPAWN_BOOK_SIZES, &reason);
	if (!job->shells)
		job->shells = spawn_shells__installed(&job->shell_count);
	settings->shells = (const char *const *)job->shells;
	settings->shell_count = job->shell_count;
	settings->loops = job->bench.loops;
	return bench_options__run(&job->bench, bench_spawn__plan(settings), signal);
}

static void release(void *of)
{
	struct spawn_job *job = of;

	for (size_t i = 0; i < job->shell_count; i++)
		free(job->shells[i]);
	free(job->shells);
}

const struct command bench_spawn_command = {
	.name = "bench spawn",
	.summary = "compare fork, vfork, clone, posix_spawn and system() by process size",
	.synopsis = "[OPTIONS]",
	.about = "Times ways to create a process and wait for it, alternately, from parents of "
		 "several sizes.",
	.sets = spawn_sets,
	BENCH_COMMAND(struct spawn_job, begin),
	.check = check,
	.act = act,
	.release = release,
};
