// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax report FILE: a saved run again, or a log of strace, in every format. */
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/load_run.h"
#include "cmd/options/sets.h"
#include "cmd/print.h"
#include "resolve/start/start_explain.h"
#include "saved/saved.h"

static const struct option_set report_sets[] = { { NULL, display_rows, 0 }, { 0 } };

static int check(void *settings, char **operands)
{
	if (*operands && !operands[1])
		return 0;
	return print_error("report", EXIT_USAGE, "give one saved run or log of strace, or - for stdin (see --help)");
}

static int report(void *settings, char **operands, int *signal)
{
	const struct report_options *options = settings;
	const char *path = *operands;
	struct saved what;
	char *reason;
	int status = EXIT_FORKTAX;

	if (load_file(path, options, &what, &reason)) {
		print_error("report", 0, "cannot read %s: %s", strcmp(path, "-") ? path : "stdin", reason);
		free(reason);
	} else {
		if (what.is_log && what.run->start)
			start__explain(what.run);
		status = print_saved("report", what.family, saved__subject(&what), options, stdout);
	}
	saved__free(&what);
	return status;
}

const struct command report_command = {
	.name = "report",
	.summary = "print a saved run or an strace log as text, HTML, CSV or JSON",
	.synopsis = "[OPTIONS] FILE",
	.about = "Prints a run or measurement saved with --json -o FILE, or an strace log (-f "
		 "and any other options but -ff). - reads stdin.",
	.flag = FOR_REPORT,
	.operands = "saved",
	.permutes = true,
	.sets = report_sets,
	.main = command__run,
	.size = sizeof(struct report_options),
	.prints_at_once = true,
	.check = check,
	.act = report,
};
