// SPDX-License-Identifier: GPL-2.0-or-later
/* One unit: its groups of children, how long its fork calls take, its faults by class, its pool of workers. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "model/watch/watch_words.h"
#include "model/words/dictionary.h"
#include "report/watch/watch_frame.h"

enum { NUMBER_WIDTH = 10, BIRTH_WIDTH = 8, FATE_WIDTH = 7, LINES_OF_TEXT = 2 };

/* Children of one kind. */
struct group_row {
	const struct watch_group *group;
	double rate;
};

static bool is_same(const struct watch_group *a, const struct watch_group *b)
{
	return a->birth == b->birth && a->fate == b->fate && !text__compare(a->parent, b->parent);
}

static uint64_t children_before(const struct watch_unit *before, const struct watch_group *group)
{
	for (size_t i = 0; before && i < before->group_count; i++)
		if (is_same(&before->groups[i], group))
			return before->groups[i].children;
	return 0;
}

/* Most children per second first, then most children. */
static int compare_groups(const void *left, const void *right)
{
	const struct group_row *a = left, *b = right;

	if (a->rate != b->rate && !isnan(a->rate) && !isnan(b->rate))
		return a->rate < b->rate ? 1 : -1;
	return (a->group->children < b->group->children) - (a->group->children > b->group->children);
}

static struct group_row *rows_of(const struct watch_unit *unit, const struct watch_unit *before, double seconds)
{
	struct group_row *rows = checked_calloc(unit->group_count, sizeof(*rows));

	for (size_t i = 0; i < unit->group_count; i++) {
		rows[i].group = &unit->groups[i];
		rows[i].rate = watch_rate(children_before(before, rows[i].group), rows[i].group->children, seconds);
	}
	qsort(rows, unit->group_count, sizeof(*rows), compare_groups);
	return rows;
}

static void add_group(struct screen_lines *lines, const char *parent, const char *birth, const char *fate,
		      const char *rate, const char *children, const struct watch_size *size)
{
	const unsigned int fixed = BIRTH_WIDTH + FATE_WIDTH + 2 * (NUMBER_WIDTH + 1) + 2;
	autofree char *name = watch_lines__fit(parent, size->width > fixed + 1 ? size->width - fixed : 1, size->utf8);

	screen_lines__add(lines,
			  text__of("%s %-*s %-*s %*s %*s", name, BIRTH_WIDTH, birth, FATE_WIDTH, fate, NUMBER_WIDTH,
				   rate, NUMBER_WIDTH, children),
			  false);
}

static void add_groups(struct screen_lines *lines, const struct watch_moment *moment, const struct watch_unit *unit,
		       const struct watch_state *state, size_t room, const struct watch_size *size)
{
	const struct watch_unit *before = watch_sample__unit(moment->before, unit->name);
	autofree struct group_row *rows = rows_of(unit, before, moment->rows.seconds);
	const int decimals = watch_lines__decimals(unit->group_count, &rows[0].rate, sizeof(*rows));

	add_group(lines, "parent", "birth", "fate", "children/s", "children", size);
	for (size_t i = 0; i < unit->group_count && i < room; i++) {
		const struct group_row *row = &rows[state->is_reversed ? unit->group_count - 1 - i : i];

		add_group(lines, row->group->parent, birth_counters[row->group->birth].header,
			  row->group->fate == WATCH_EXECED ? "exec" : "no exec",
			  watch_lines__number(row->rate, decimals).text,
			  number__fixed((double)row->group->children, 0).text, size);
	}
}

/* The upper bound of the bucket in which that share of the calls is reached: "0.2 ms"; NULL: it has none. */
static const uint64_t *bound_of(const uint64_t *calls, uint64_t all, double share)
{
	uint64_t sum = 0;

	for (int i = 0; i < WATCH_FORK_BUCKETS; i++) {
		sum += calls[i];
		if ((double)sum >= share * (double)all)
			return &watch_fork_bounds[i];
	}
	return NULL;
}

static char *reaches(const uint64_t *calls, uint64_t all, double share)
{
	const uint64_t *bound = bound_of(calls, all, share);

	return text__of("%s %s", bound ? "at most" : "more than",
			quantity__time((double)(bound ? *bound : watch_fork_bounds[WATCH_FORK_BUCKETS - 1])).text);
}

/* These return NULL where there is nothing to say. */
static char *fork_calls(const struct watch_unit *unit)
{
	autofree char *half = NULL, *most = NULL;
	uint64_t all = 0;

	for (int i = 0; i <= WATCH_FORK_BUCKETS; i++)
		all += unit->fork_calls[i];
	if (!all)
		return NULL;
	half = reaches(unit->fork_calls, all, 0.5);
	most = reaches(unit->fork_calls, all, 0.99);
	return text__of("Fork calls since counting began: on average %s; half took %s, 99 of 100 %s.",
			quantity__time((double)unit->fork_ns / (double)all).text, half, most);
}

static uint64_t faults_of(const struct watch_unit *unit, int class)
{
	uint64_t faults = 0;

	for (int birth = 0; unit && birth < BIRTH_COUNT; birth++)
		faults += unit->by_birth[birth][class];
	return faults;
}

/* "Faults per second: COW copy 1200, file map 60." */
static char *faults(const struct watch_moment *moment, const struct watch_unit *unit)
{
	const struct watch_unit *before = watch_sample__unit(moment->before, unit->name);
	struct name_list names = { .most = FAULT_COUNT };
	autofree char *list = NULL;

	if (!watch_unit__is_classified(unit, moment->now) || !moment->before ||
	    !watch_unit__is_classified(before ? before : unit, moment->before))
		return NULL;
	for (int class = 0; class < FAULT_COUNT; class++) {
		const double rate = watch_rate(faults_of(before, class), faults_of(unit, class), moment->rows.seconds);
		autofree char *text =
			text__of("%s %s", fault_counters[class].header, quantity__in(rate, unit__none).text);

		if (rate > 0)
			name_list__add(&names, text);
	}
	list = name_list__finish(&names);
	return list ? text__of("Faults per second: %s.", list) : NULL;
}

static char *pool(const struct watch_unit *unit)
{
	const struct watch_pool *pool = &unit->pool;
	const time_t second = (time_t)pool->read_at;
	char clock[16];
	struct tm local;

	if (!(pool->read_at > 0))
		return NULL;
	localtime_r(&second, &local);
	strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	return text__of(
		"Pool of %s at %s: %s shared, %s no longer shared (%s of it identical), %s new.",
		quantity__count(pool->workers, "worker", "workers").text, clock,
		quantity__size((double)pool->shared_bytes).text, quantity__size((double)pool->unshared_bytes).text,
		quantity__size((double)pool->identical_bytes).text, quantity__size((double)pool->new_bytes).text);
}

static void add_text(struct screen_lines *lines, char *text, const struct watch_size *size)
{
	if (text)
		watch_lines__add(lines, text, LINES_OF_TEXT, size);
}

void watch_frame__add_unit(struct screen_lines *lines, const struct watch_moment *moment,
			   const struct watch_state *state, const struct watch_size *size)
{
	const struct watch_unit *unit = watch_sample__unit(moment->now, state->unit);
	struct screen_lines below = { 0 };
	size_t taken;
	bool has_space;

	if (!unit)
		return;
	add_text(&below, fork_calls(unit), size);
	add_text(&below, faults(moment, unit), size);
	add_text(&below, pool(unit), size);
	taken = lines->count + 1 + below.count;
	has_space = taken + unit->group_count < size->height;
	add_groups(lines, moment, unit, state, size->height > taken ? size->height - taken : 1, size);
	if (has_space)
		screen_lines__add(lines, text__of("%s", ""), false);
	for (size_t i = 0; i < below.count; i++) {
		screen_lines__add(lines, below.lines[i].text, false);
		below.lines[i].text = NULL;
	}
	screen_lines__free(&below);
}
