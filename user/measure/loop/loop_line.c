// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "measure/loop/loop_task.h"

static const char prefix[] = "forktax-loop ";

/* Figures of the line that are not metrics under their own keys. */
enum loop_figure { OPERATIONS, ELAPSED, OWN_CPU, CHILDREN_CPU, FIGURE_COUNT };
static const char *const figure_keys[] = { "operations", "elapsed_ns", "own_cpu_ns", "children_cpu_ns" };

/* What follows the prefix on its line; *next is where to look for another. */
static const char *find_line(const char *output, const char **next)
{
	while (*output) {
		size_t length = strcspn(output, "\n");

		*next = output + length + (output[length] == '\n');
		if (!strncmp(output, prefix, strlen(prefix)))
			return output + strlen(prefix);
		output = *next;
	}
	return NULL;
}

/* Digits with or without a fraction: no sign, no exponent, no infinity. */
static bool read_number(const char *text, double *number)
{
	size_t digits = strspn(text, "0123456789");
	char *end;

	if (!digits || digits > 18 || text[digits + strspn(text + digits, ".0123456789")])
		return false;
	*number = strtod(text, &end);
	return !*end;
}

/* Computed from the figures above. */
static bool is_derived(enum bench_metric metric)
{
	return metric == BENCH_METRIC_TIME || metric == BENCH_METRIC_CPU || metric == BENCH_METRIC_OWN_CPU;
}

static int metric_of(const char *key)
{
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++) {
		if (!is_derived(metric) && !strcmp(metric_counters[metric].key, key))
			return metric;
	}
	return -1;
}

static double *place_of(const char *key, double figures[FIGURE_COUNT], struct loop_line *line)
{
	int metric = metric_of(key);

	for (int figure = 0; figure < FIGURE_COUNT; figure++) {
		if (!strcmp(figure_keys[figure], key))
			return &figures[figure];
	}
	return metric < 0 ? NULL : &line->values[metric];
}

static int read_word(char *word, double figures[FIGURE_COUNT], struct loop_line *line, char **reason)
{
	char *equals = strchr(word, '=');
	double *place;

	if (!equals)
		return error__set(reason, "its result line has \"%s\", which is not key=number", word);
	*equals = '\0';
	place = place_of(word, figures, line);
	if (!place)
		return error__set(reason, "its result line has an unknown key: %s", word);
	if (!isnan(*place))
		return error__set(reason, "its result line has %s twice", word);
	if (!read_number(equals + 1, place))
		return error__set(reason, "its result line has %s=%s, which is no number", word, equals + 1);
	return 0;
}

static int finish(const double figures[FIGURE_COUNT], struct loop_line *line, char **reason)
{
	double operations = figures[OPERATIONS];

	if (!(operations >= 1) || operations != floor(operations))
		return error__set(reason, "its result line needs operations=N, at least 1");
	if (!(figures[ELAPSED] > 0))
		return error__set(reason, "its result line needs elapsed_ns=N, above 0");
	line->operations = operations;
	line->elapsed_ns = figures[ELAPSED];
	line->values[BENCH_METRIC_OWN_CPU] = figures[OWN_CPU] / operations; /* NAN stays NAN */
	line->values[BENCH_METRIC_CPU] = (figures[OWN_CPU] + figures[CHILDREN_CPU]) / operations;
	return 0;
}

int loop_line__parse(const char *output, struct loop_line *line, char **reason)
{
	double figures[FIGURE_COUNT] = { NAN, NAN, NAN, NAN };
	const char *next, *found = find_line(output, &next);
	char *words, *rest, *word;
	int status = 0;

	if (!found)
		return error__set(reason, "it printed no line \"%s...\": docs/use/howto-bench-program.md "
				     "says what a loop program does", prefix);
	if (find_line(next, &(const char *){ NULL }))
		return error__set(reason, "it printed more than one line \"%s...\"", prefix);
	for (int metric = 0; metric < BENCH_METRIC_COUNT; metric++)
		line->values[metric] = NAN;
	words = rest = strndup(found, strcspn(found, "\r\n"));
	if (!words)
		err(125, "cannot read a result");
	while (!status && (word = strsep(&rest, " "))) {
		if (*word)
			status = read_word(word, figures, line, reason);
	}
	free(words);
	return status ? status : finish(figures, line, reason);
}
