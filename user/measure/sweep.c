// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char suffixes[] = "KMGT";

/* The factor of a suffix; 0: no suffix. */
static double factor_of(const char *suffix)
{
	const char *found;

	if (!*suffix)
		return 1;
	found = strchr(suffixes, *suffix >= 'a' ? *suffix - 'a' + 'A' : *suffix);
	if (!found || suffix[1])
		return 0;
	return ldexp(1, 10 * (found - suffixes + 1));
}

int sweep__number(const char *text, bool is_size, uint64_t max, uint64_t *number, char **reason)
{
	size_t digits = strspn(text, is_size ? "0123456789." : "0123456789");
	char *limit, *end;
	double value = digits && *text != '.' ? strtod(text, &end) : -1;

	if (value >= 0 && end == text + digits)
		value *= is_size ? factor_of(end) : *end == '\0';
	else
		value = -1;
	/* A wrong suffix has made it 0. */
	if (value > 0 || (value == 0 && strspn(text, "0") == strlen(text))) {
		if (value <= (double)max) {
			*number = value;
			return 0;
		}
	}
	limit = sweep__text(max, is_size);
	error__set(reason, "must be %s, at most %s",
	      is_size ? "a size such as 4096, 512K, 1.7M or 1G" : "a whole number", limit);
	free(limit);
	return -1;
}

char *sweep__text(uint64_t number, bool is_size)
{
	int power = 0;

	while (is_size && power < 4 && number && number % 1024 == 0) {
		number /= 1024;
		power++;
	}
	if (!power)
		return text__of("%" PRIu64, number);
	return text__of("%" PRIu64 "%c", number, suffixes[power - 1]);
}

static int add_point(struct sweep *sweep, uint64_t point, char **reason)
{
	if (sweep->count == SWEEP_POINTS_MAX)
		return error__set(reason, "more than %d points", SWEEP_POINTS_MAX);
	if (sweep->count && point <= sweep->points[sweep->count - 1])
		return error__set(reason, "its points must ascend");
	sweep->points[sweep->count++] = point;
	return 0;
}

/* Each point is four times the last; after 0 comes 1, or a page of bytes. */
static int fill(struct sweep *sweep, uint64_t low, uint64_t high, bool is_size, char **reason)
{
	uint64_t point = low;
	int status = 0;

	while (!status && point < high) {
		status = add_point(sweep, point, reason);
		point = point ? point * 4 : is_size ? 4096 : 1;
	}
	return status ? status : add_point(sweep, high, reason);
}

static int parse_range(char *text, char *dots, bool is_size, struct sweep *sweep, char **reason)
{
	uint64_t low, high;

	*dots = '\0';
	if (sweep__number(text, is_size, sweep->axis->max, &low, reason) ||
	    sweep__number(dots + 2, is_size, sweep->axis->max, &high, reason))
		return -1;
	if (low > high)
		return error__set(reason, "its end lies before its beginning");
	return fill(sweep, low, high, is_size, reason);
}

static int parse_list(char *text, bool is_size, struct sweep *sweep, char **reason)
{
	uint64_t point;
	char *word;

	while ((word = strsep(&text, ","))) {
		if (sweep__number(word, is_size, sweep->axis->max, &point, reason) ||
		    add_point(sweep, point, reason))
			return -1;
	}
	return 0;
}

static const struct sweep_axis *find_axis(const char *text, size_t length,
					  const struct sweep_axis *axes)
{
	for (; axes->name; axes++) {
		if (strlen(axes->name) == length && !strncmp(axes->name, text, length))
			return axes;
	}
	return NULL;
}

static int no_such_axis(const struct sweep_axis *axes, char **reason)
{
	char *names = checked_strdup("");

	for (; axes->name; axes++)
		text__replace(&names, "%s%s%s", names, *names ? ", " : "", axes->name);
	error__set(reason, "must be AXIS=LOW..HIGH or AXIS=A,B,C; there are: %s", names);
	free(names);
	return -1;
}

static bool is_in_bytes(const struct sweep_axis *axis)
{
	return axis->unit && !strcmp(axis->unit, "bytes");
}

int sweep__parse(const char *text, const struct sweep_axis *axes, struct sweep *sweep,
		 char **reason)
{
	size_t length = strcspn(text, "=");
	bool is_size;
	char *points, *dots;
	int status;

	*sweep = (struct sweep){ .axis = find_axis(text, length, axes) };
	if (!sweep->axis || !text[length] || !text[length + 1])
		return no_such_axis(axes, reason);
	is_size = is_in_bytes(sweep->axis);
	points = checked_strdup(text + length + 1);
	dots = strstr(points, "..");
	status = dots ? parse_range(points, dots, is_size, sweep, reason)
		      : parse_list(points, is_size, sweep, reason);
	free(points);
	return status;
}

void sweep__add_columns(const struct sweep *sweep, struct bench *bench)
{
	if (!sweep->axis)
		return;
	bench__set_axis(bench, sweep->axis->name, sweep->axis->unit);
	for (size_t i = 0; i < sweep->count; i++) {
		char *name = sweep__text(sweep->points[i], is_in_bytes(sweep->axis));

		bench__add_column(bench, name, sweep->points[i]);
		free(name);
	}
}

void sweep__note_loads(const struct sweep *sweep, const struct sweep_axis *axes,
		       const uint64_t *load, struct bench *bench)
{
	for (size_t i = 0; axes[i].name; i++) {
		char *amount;

		if (!load[i] || &axes[i] == sweep->axis)
			continue;
		amount = sweep__text(load[i], is_in_bytes(&axes[i]));
		bench_notes__add(&bench->settings, axes[i].name, amount);
		free(amount);
	}
}
