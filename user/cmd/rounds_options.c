// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/rounds_options.h"

#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/common.h"

int take_number(const char *name, const char *option, const char *text, size_t min,
		size_t *number)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || value < min || value > 100000)
		return complain(name, EXIT_USAGE, "%s %s: must be a number from %zu to 100000",
				option, text, min);
	*number = value;
	return 0;
}

int rounds__take(struct rounds *rounds, int option, const char *argument)
{
	switch (option) {
	case 'n':
		return take_number(rounds->name, "-n", argument, 1, &rounds->timed);
	case OPTION_TRACED_RUNS:
		return take_number(rounds->name, "--traced-runs", argument, 0, &rounds->traced);
	case OPTION_NO_TIME:
		rounds->timed = 0;
		return 0;
	case OPTION_NO_ASLR:
		rounds->no_aslr = true;
		return 0;
	case OPTION_SHOW_OUTPUT:
		rounds->show_output = true;
		return 0;
	default: /* 'i' */
		rounds->ignore_failure = true;
		return 0;
	}
}

int rounds__check(const struct rounds *rounds)
{
	if (rounds->timed || rounds->traced)
		return 0;
	return complain(rounds->name, EXIT_USAGE,
			"--no-time and --traced-runs 0 leave nothing to do");
}
