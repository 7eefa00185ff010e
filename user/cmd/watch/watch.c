// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax watch: which services and containers fork, and what that costs, for weeks. */
#include <stdlib.h>

#include "base/autofree.h"
#include "cmd/commands.h"
#include "cmd/options/sets.h"
#include "cmd/options/types.h"
#include "cmd/watch/watch_loop.h"
#include "source/cgroups.h"

struct watch_settings {
	struct attach_options whom;
	uint64_t every_ns; /* 0: as fits */
	const char *textfile;
	enum watch_level level;
	struct report_options display;
};

static const char *const level_names[] = { "classes", "totals", NULL };

static const struct option_row watch_rows[] = {
	OPTION(0, "every", "TIME", &option_time, FIELD(struct watch_settings, every_ns),
	       "take a sample this often (default: 2s, with --textfile 60s)", .least = 0.1, .most = 86400),
	OPTION(0, "textfile", "FILE", &option_file, FIELD(struct watch_settings, textfile),
	       "replace FILE with the metrics of each sample, for node_exporter and Prometheus"),
	OPTION(0, "level", "LEVEL", &option_word, FIELD(struct watch_settings, level),
	       "count page faults by class, too (classes), or in total (totals, the default)", .words = level_names),
	{ 0 },
};

static const struct option_set watch_sets[] = {
	{ NULL, watch_rows, 0 },
	{ NULL, attach_rows, offsetof(struct watch_settings, whom) },
	{ 0 },
};

static int check(void *of, char **operands)
{
	(void)of;
	return *operands ? print_error("watch", EXIT_USAGE, "takes no command: it watches all processes, or those of "
							     "--cgroup")
			 : 0;
}

static void release(void *of)
{
	attach_options__free(&((struct watch_settings *)of)->whom);
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
	struct trace_request whom = { 0 };
	struct watch_loop_request request = {
		.whom = &whom,
		.level = settings->level,
		.every_ns = settings->every_ns ? settings->every_ns : settings->textfile ? 60000000000 : 2000000000,
		.duration_ns = settings->whom.duration_ns,
		.textfile = settings->textfile,
	};

	attach_options__apply(&settings->whom, &whom);
	whom.whole_machine = !whom.cgroup_count;
	warn_without_cgroups();
	return watch_loop__run(&request);
}

const struct command watch_command = {
	.name = "watch",
	.summary = "which services and containers fork, and what that costs, for weeks",
	.synopsis = "[OPTIONS]",
	.about = "Counts forks, execs, system calls and page faults of all processes of the machine by unit: a "
		 "systemd unit, a container, or another cgroup. Runs until Ctrl-C or SIGTERM, in bounded memory. "
		 "Prints a line of JSON for each sample, or writes a text file for Prometheus.",
	.flag = FOR_WATCH,
	.sets = watch_sets,
	.main = command__run,
	.prints_at_once = true,
	SETTINGS(struct watch_settings, .level = WATCH_TOTALS),
	.check = check,
	.act = act,
	.release = release,
};
