// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax watch: which services and containers fork, and what that costs, for weeks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/watch/watch_loop.h"
#include "source/cgroups.h"

struct watch_settings {
	struct attach_options whom;
	uint64_t every_ns; /* 0: as fits */
	const char *textfile, *pprof_dir;
	uint64_t pprof_keep; /* files */
	enum watch_level level; /* WATCH_LEVELS: none is given */
	struct attach_options classes_for; /* cgroups */
	double budget; /* share of all CPUs */
	uint64_t up_after_ns;
	uint64_t pools_ns;
	struct report_options display;
};

/* "1%" or "0.5": of all CPUs. */
static int take_budget(const struct option_row *row, void *field, const char *argument, char **reason)
{
	autofree char *number = checked_strdup(argument);
	size_t length = strlen(number);
	double percent;

	if (length && number[length - 1] == '%')
		number[length - 1] = '\0';
	if (!number__decimal(number, &percent) || percent < 0 || percent > 100)
		return error__set(reason, "must be a percentage of all CPUs, from 0 (no limit) to 100%%");
	*(double *)field = percent / 100;
	return 0;
}

static const struct option_type option_budget = { .completes = "text", .take = take_budget };
static const char *const level_names[] = { "classes", "totals", "forks", NULL };

static const struct option_row watch_rows[] = {
	OPTION(0, "every", "TIME", &option_time, FIELD(struct watch_settings, every_ns),
	       "take a sample this often (default: 2s, with --textfile or --pprof-dir 60s)", .least = 0.1,
	       .most = 86400),
	OPTION(0, "textfile", "FILE", &option_file, FIELD(struct watch_settings, textfile),
	       "replace FILE with the metrics of each sample, for node_exporter and Prometheus"),
	OPTION(0, "pprof-dir", "DIR", &option_directory, FIELD(struct watch_settings, pprof_dir),
	       "write a profile of each interval into DIR: which call stacks copied pages (needs --level=classes)"),
	OPTION(0, "pprof-keep", "N", &option_count, FIELD(struct watch_settings, pprof_keep),
	       "keep the last N of these profiles, and remove older ones (default 1440)", .least = 1, .most = 1e6),
	OPTION(0, "json", NULL, &option_flag, FIELD(struct watch_settings, display.json),
	       "print a line of JSON for each sample (default where stdout is no terminal)"),
	OPTION(0, "level", "LEVEL", &option_word, FIELD(struct watch_settings, level),
	       "count page faults by class (classes), page faults and calls in total (totals, the default), or only "
	       "forks and execs (forks)",
	       .words = level_names),
	OPTION(0, "classes-for", "PATH[,PATH]...", &option_cgroups, FIELD(struct watch_settings, classes_for),
	       "count page faults by class in these cgroups only, and in total in all others"),
	OPTION(0, "budget", "PERCENT", &option_budget, FIELD(struct watch_settings, budget),
	       "count less if forktax takes more than this share of all CPUs (default 1%)"),
	OPTION(0, "step-up-after", "TIME", &option_time, FIELD(struct watch_settings, up_after_ns),
	       "go back to a level that counts more, up to --level, once it would have needed at most half of the "
	       "budget for this long (default 10min)",
	       .least = 0.1, .most = 86400),
	OPTION(0, "pools-every", "TIME", &option_time, FIELD(struct watch_settings, pools_ns),
	       "read how much memory forked workers share this often (default 5min)", .least = 0.1, .most = 1e6),
	{ 0 },
};

static const struct option_set watch_sets[] = {
	{ NULL, watch_rows, 0 },
	{ NULL, attach_rows, offsetof(struct watch_settings, whom) },
	{ 0 },
};

static enum watch_level level_of(const struct watch_settings *settings)
{
	if (settings->level != WATCH_LEVELS)
		return settings->level;
	return settings->classes_for.cgroup_count ? WATCH_CLASSES : WATCH_TOTALS;
}

static int check(void *of, char **operands)
{
	const struct watch_settings *settings = of;

	if (*operands)
		return print_error("watch", EXIT_USAGE, "takes no command: give processes with -p, or cgroups with "
						     "--cgroup");
	if (settings->pprof_dir && level_of(settings) != WATCH_CLASSES)
		return print_error("watch", EXIT_USAGE, "--pprof-dir needs --level=classes: copies are not counted "
						     "otherwise");
	if (settings->classes_for.cgroup_count && settings->level != WATCH_LEVELS && settings->level != WATCH_CLASSES)
		return print_error("watch", EXIT_USAGE, "--classes-for needs --level classes, which it implies");
	if (settings->classes_for.cgroup_count && settings->whom.pid_count)
		return print_error("watch", EXIT_USAGE, "give --classes-for with --cgroup or -a, not with -p");
	if (settings->textfile && settings->display.json)
		return print_error("watch", EXIT_USAGE, "give --textfile or --json, not both");
	return 0;
}

static void release(void *of)
{
	struct watch_settings *settings = of;

	attach_options__free(&settings->whom);
	attach_options__free(&settings->classes_for);
}

/* Units are cgroups of version 2. Without their file system only those have a name that are created later. */
static void warn_without_cgroups(void)
{
	autofree char *root = cgroups__root();

	if (!root)
		print_error("watch", 0,
			    "warning: no cgroup file system of version 2 is mounted: all cgroups that exist "
			    "now are counted as one unit, \"other\" (mount -t cgroup2 none DIRECTORY)");
}

static int act(void *of, char **operands, int *signal)
{
	struct watch_settings *settings = of;
	const bool writes_files = settings->textfile || settings->pprof_dir;
	struct trace_request whom = { .stacks = settings->pprof_dir != NULL };
	struct watch_loop_request request = {
		.whom = &whom,
		.level = level_of(settings),
		.every_ns = settings->every_ns ? settings->every_ns : writes_files ? 60000000000 : 2000000000,
		.duration_ns = settings->whom.duration_ns,
		.textfile = settings->textfile,
		.pprof_dir = settings->pprof_dir,
		.pprof_keep = settings->pprof_keep,
		.budget = settings->budget,
		.up_after_ns = settings->up_after_ns,
		.pools_ns = settings->pools_ns,
	};

	settings->whom.descendants = settings->whom.pid_count;
	attach_options__apply(&settings->whom, &whom);
	if (!trace_request__attaches(&whom))
		whom.whole_machine = true;
	whom.chosen_cgroups = settings->classes_for.cgroups;
	whom.chosen_count = settings->classes_for.cgroup_count;
	request.as_view = !writes_files && !settings->display.json && isatty(STDIN_FILENO) &&
			  isatty(STDOUT_FILENO);
	request.as_lines = settings->display.json || (!writes_files && !request.as_view);
	warn_without_cgroups();
	return watch_loop__run(&request);
}

const struct command watch_command = {
	.name = "watch",
	.summary = "which services and containers fork, and what that costs, for weeks",
	.synopsis = "[OPTIONS]",
	.about = "Counts forks, execs, system calls and page faults of all processes of the machine by unit: a "
		 "systemd unit, a container, or another cgroup. Runs until Ctrl-C or SIGTERM, in bounded memory. "
		 "Shows a live view on a terminal; otherwise prints a line of JSON for each sample, or writes a "
		 "text file for Prometheus.",
	.flag = FOR_WATCH,
	.sets = watch_sets,
	.main = command__run,
	.prints_at_once = true,
	SETTINGS(struct watch_settings, .level = WATCH_LEVELS, .budget = 0.01, .up_after_ns = 600000000000,
		 .pools_ns = 300000000000, .pprof_keep = 1440),
	.check = check,
	.act = act,
	.release = release,
};
