// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax bindnow: a command as it is, and with LD_BIND_NOW=1. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/print.h"
#include "cmd/variants.h"
#include "launch/launch.h"
#include "report/bindnow/bindnow_report.h"
#include "resolve/bindnow/read_files.h"

struct bindnow_settings {
	struct rounds rounds;
	struct report_options display;
};

static const struct option_set bindnow_sets[] = {
	{ NULL, rounds_rows, offsetof(struct bindnow_settings, rounds) },
	{ NULL, display_rows, offsetof(struct bindnow_settings, display) },
	{ 0 },
};

/* Does ld.so see LD_BIND_NOW as set? An empty value counts as none. */
static bool is_set(void)
{
	const char *value = getenv("LD_BIND_NOW");

	return value && *value;
}

/* Our environment with LD_BIND_NOW=1, or without it; to be freed by text__free_list(). */
static char **environment_of(enum bindnow_side side)
{
	const char *changes[] = { side == SIDE_NOW ? "LD_BIND_NOW=1" : "LD_BIND_NOW", NULL };

	return environment__changed(changes);
}

/*
 * Would the kernel start ld.so in secure mode (AT_SECURE), because the file changes our rights when
 * it is executed?
 */
static bool is_secure(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return true;
	if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid())
		return true;
	return getuid() && getxattr(path, "security.capability", NULL, 0) > 0;
}

static const char *const column_labels[SIDE_COUNT] = {
	[SIDE_LAZY] = "as it is",
	[SIDE_NOW] = "LD_BIND_NOW=1",
};

static struct compare_column *columns_of(struct variant *variants)
{
	struct compare_column *columns = checked_calloc(SIDE_COUNT, sizeof(*columns));

	for (int side = 0; side < SIDE_COUNT; side++) {
		columns[side].label = checked_strdup(column_labels[side]);
		columns[side].command = text__copy_list(variants[side].argv);
		columns[side].path = checked_strdup(variants[side].path);
		variant__move(&variants[side], &columns[side]);
	}
	return columns;
}

static int print(const struct bindnow_settings *settings, const char *path,
		 struct variant *variants)
{
	struct compare_column *columns = columns_of(variants);
	struct bindnow_files files;
	struct bindnow *bindnow;
	int status;

	bindnow_files__read(&files, &columns[SIDE_LAZY]);
	bindnow = bindnow__new(columns, &files);
	bindnow->was_set = is_set();
	bindnow->is_secure = is_secure(path);
	bindnow->machine = machine__here();
	status = print_bindnow("bindnow", bindnow, &settings->display, stdout);
	bindnow__free(bindnow);
	return status;
}

static int measure(void *of, char **argv, int *signal)
{
	struct bindnow_settings *settings = of;
	autofree char *path = NULL;
	int status = find_command("bindnow", argv[0], &path);
	char **lazy = environment_of(SIDE_LAZY), **now = environment_of(SIDE_NOW);
	autofree char *with = text__of("%s with LD_BIND_NOW=1", argv[0]);
	struct variant variants[SIDE_COUNT] = {
		[SIDE_LAZY] = { argv[0], path, argv, lazy },
		[SIDE_NOW] = { with, path, argv, now },
	};

	if (!status)
		status = variants__measure(variants, SIDE_COUNT, &settings->rounds, signal);
	if (!status)
		status = print(settings, path, variants);
	variant__release(&variants[SIDE_LAZY]);
	variant__release(&variants[SIDE_NOW]);
	text__free_list(lazy);
	text__free_list(now);
	return status;
}

static int check(void *of, char **operands)
{
	struct bindnow_settings *settings = of;

	if (!*operands)
		return print_error("bindnow", EXIT_USAGE, "give a command (see --help)");
	settings->rounds.progress = bench_progress__is_wanted(&settings->display);
	return rounds__check(&settings->rounds);
}

const struct command bindnow_command = {
	.name = "bindnow",
	.summary = "cost and benefit of LD_BIND_NOW for a forking command",
	.synopsis = "[OPTIONS] [--] COMMAND [ARGUMENT]...",
	.about = "Runs a command alternately as it is and with LD_BIND_NOW=1. Shows what binding "
		 "all functions at startup costs, what it saves each child, and how many "
		 "children it takes to pay off. The command's input and output are /dev/null.",
	.flag = FOR_BINDNOW,
	.operands = "command",
	.sets = bindnow_sets,
	.main = command__run,
	SETTINGS(struct bindnow_settings,
		 .rounds = { .name = "bindnow", .timed = 10, .traced = 7, .anatomy = true }),
	.check = check,
	.act = measure,
};
