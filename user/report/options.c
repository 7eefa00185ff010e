// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/options.h"

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char report_options_help[] =
	"  -S, --sort=KEY       order of system calls: time, min-time, max-time, avg-time, calls,\n"
	"                       errors, name or nothing; of an anatomy's faults: time, calls\n"
	"                       (number), name (place) or nothing (occurrence)\n"
	"  -e, --trace=SET      show only these system calls: names, %class, /regex, !SET, as strace\n"
	"      --per-child      one row per process\n"
	"      --tree           who created whom\n"
	"      --all-groups     every group of children, not only those of most weight\n"
	"  -o, --output=FILE    write to FILE instead; - is stdout\n"
	"      --json           the saved run: `forktax report FILE` prints it again\n"
	"      --csv            tables as CSV\n"
	"      --color=WHEN     auto, always or never\n"
	"  -q, --quiet          only the tables\n"
	"      --strict         exit status 3 if the run is not exact\n"
	"      --counters       explain every counter and exit\n";

__attribute__((format(printf, 2, 3))) static enum option_result bad(char **message,
								    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(message, format, arguments) < 0)
		err(125, "cannot report an error");
	va_end(arguments);
	return OPTION_BAD;
}

static enum option_result set_filter(struct report_options *options, const char *expression,
				     char **message)
{
	enum option_result result = OPTION_TAKEN;
	char *reason;

	filter__free(options->filter); /* the last one counts */
	options->filter = filter__parse(expression, &reason);
	if (!options->filter) {
		result = bad(message, "-e %s: %s", expression, reason);
		free(reason);
	}
	return result;
}

static enum option_result set_colour(struct report_options *options, const char *when,
				     char **message)
{
	static const char *const names[] = {
		[COLOUR_AUTO] = "auto",
		[COLOUR_ALWAYS] = "always",
		[COLOUR_NEVER] = "never",
	};

	for (int i = 0; i < 3; i++) {
		if (strcmp(when, names[i]) != 0)
			continue;
		options->colour = i;
		return OPTION_TAKEN;
	}
	return bad(message, "--color=%s: must be auto, always or never", when);
}

static enum option_result set_format(struct report_options *options, bool *format, char **message)
{
	*format = true;
	if (options->json + options->csv + options->markdown > 1)
		return bad(message, "--json, --csv and --markdown exclude each other");
	return OPTION_TAKEN;
}

static enum option_result set(bool *flag)
{
	*flag = true;
	return OPTION_TAKEN;
}

enum option_result report_options__take(struct report_options *options, int option,
					const char *argument, char **message)
{
	switch (option) {
	case 'S':
		if (sort_key__parse(argument, &options->sort))
			return OPTION_TAKEN;
		return bad(message,
			   "-S %s: must be time, min-time, max-time, avg-time, calls, errors, name "
			   "or nothing",
			   argument);
	case 'e':
		return set_filter(options, argument, message);
	case 'o':
		options->path = argument;
		return OPTION_TAKEN;
	case 'q':
		return set(&options->quiet);
	case OPTION_PER_CHILD:
		return set(&options->per_child);
	case OPTION_TREE:
		return set(&options->tree);
	case OPTION_ALL_GROUPS:
		return set(&options->all_groups);
	case OPTION_JSON:
		return set_format(options, &options->json, message);
	case OPTION_CSV:
		return set_format(options, &options->csv, message);
	case OPTION_MARKDOWN:
		return set_format(options, &options->markdown, message);
	case OPTION_HISTORY:
		return set(&options->history);
	case OPTION_STRICT:
		return set(&options->strict);
	case OPTION_COUNTERS:
		return set(&options->counters);
	case OPTION_COLOUR:
		return set_colour(options, argument, message);
	default:
		return OPTION_FOREIGN;
	}
}

void report_options__free(struct report_options *options)
{
	filter__free(options->filter);
	options->filter = NULL;
}
