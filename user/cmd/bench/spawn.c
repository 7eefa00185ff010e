// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bench spawn: ways to create a process, from parents of several sizes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int take_sizes(const struct option_row *row, void *field, const char *argument, char **reason)
{
	return sizes__parse(argument, SPAWN_SIZE_MAX, field, reason);
}

static int check_executable(const char *path, char **reason)
{
	return access(path, X_OK) == 0 ? 0 : error__set(reason, "%s", strerror(errno));
}

static int take_shell(const struct option_row *row, void *field, const char *argument, char **reason)
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
static const struct option_type option_shell = { .completes = "program", .take = take_shell };

#define SETTING(member) FIELD(struct spawn_job, settings.member)

static const struct option_row spawn_rows[] = {
	OPTION(0, "methods", "A,B", &option_methods, SETTING(methods),
	       "time these methods: fork, vfork, clone, pidfd, fork-exec, vfork-exec, posix_spawn, "
	       "clone3-exec, system (default all)"),
	OPTION(0, "sizes", "A,B,...", &option_sizes, SETTING(sizes),
	       "give the parent these virtual memory sizes, as in ps -o vsz (default 1.7M,2.7M,11.7M)"),
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

	if (!settings->sizes.count)
		sizes__parse(SPAWN_BOOK_SIZES, SPAWN_SIZE_MAX, &settings->sizes, &reason);
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
