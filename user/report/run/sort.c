// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/sort.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum sort_key key;
} names[] = {
	{ "time", SORT_TIME },
	{ "time-percent", SORT_TIME },
	{ "time-total", SORT_TIME },
	{ "total-time", SORT_TIME },
	{ "min-time", SORT_MIN_TIME },
	{ "time-min", SORT_MIN_TIME },
	{ "shortest", SORT_MIN_TIME },
	{ "max-time", SORT_MAX_TIME },
	{ "time-max", SORT_MAX_TIME },
	{ "longest", SORT_MAX_TIME },
	{ "avg-time", SORT_AVG_TIME },
	{ "time-avg", SORT_AVG_TIME },
	{ "calls", SORT_CALLS },
	{ "count", SORT_CALLS },
	{ "errors", SORT_ERRORS },
	{ "error", SORT_ERRORS },
	{ "name", SORT_NAME },
	{ "syscall", SORT_NAME },
	{ "syscall-name", SORT_NAME },
	{ "nothing", SORT_NOTHING },
	{ "none", SORT_NOTHING },
};

/* strace takes time_total for time-total. */
static bool is_same(const char *given, const char *name)
{
	for (; *given && *name; given++, name++)
		if (*given != *name && !(*given == '_' && *name == '-'))
			return false;
	return !*given && !*name;
}

bool sort_key__parse(const char *name, enum sort_key *key)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_same(name, names[i].name))
			continue;
		*key = names[i].key;
		return true;
	}
	return false;
}

static uint64_t known(uint64_t time)
{
	return time == ABSENT ? 0 : time;
}

static uint64_t value(const struct syscall_row *row, enum sort_key key)
{
	uint64_t calls = syscall_row__sum(row->calls);

	switch (key) {
	case SORT_TIME:
		return syscall_row__sum(row->time_ns);
	case SORT_MIN_TIME:
		return known(row->min_ns);
	case SORT_MAX_TIME:
		return known(row->max_ns);
	case SORT_AVG_TIME:
		return calls ? syscall_row__sum(row->time_ns) / calls : 0;
	case SORT_CALLS:
		return calls;
	case SORT_ERRORS:
		return syscall_row__sum(row->errors);
	default:
		return 0;
	}
}

static int compare(const void *left, const void *right, void *key)
{
	const struct syscall_row *a = *(const struct syscall_row *const *)left;
	const struct syscall_row *b = *(const struct syscall_row *const *)right;
	uint64_t of_a = value(a, *(enum sort_key *)key);
	uint64_t of_b = value(b, *(enum sort_key *)key);
	int by_name;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	by_name = strcmp(a->name, b->name);
	return by_name ? by_name : (int)a->abi - (int)b->abi;
}

static bool is_of_times(enum sort_key key)
{
	return key == SORT_TIME || key == SORT_MIN_TIME || key == SORT_MAX_TIME ||
	       key == SORT_AVG_TIME;
}

void sort__rows(const struct syscall_row **rows, size_t count, enum sort_key key, bool timed)
{
	if (key == SORT_NOTHING)
		return;
	if (key == SORT_DEFAULT)
		key = SORT_TIME;
	if (!timed && is_of_times(key))
		key = SORT_CALLS;
	qsort_r(rows, count, sizeof(*rows), compare, &key);
}
