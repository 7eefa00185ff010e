// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_frame.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/quantity.h"
#include "base/text.h"
#include "model/watch/watch_words.h"

enum { LINES_OF_SENTENCE = 2, LEAST_FOR_KEYS = 12 };

/* "nginx.service forks most: 212/s; its fork calls take 31 ms of each second." */
static char *said_of(const struct watch_row *row, const char *verb)
{
	const double forks = row->values[WATCH_FORK_RATE], time = row->values[WATCH_FORK_TIME];

	if (!(time > 0))
		return text__of("%s %s: %s/s.", row->unit->name, verb, number__rounded(forks).text);
	return text__of("%s %s: %s/s; its fork calls take %s of each second.", row->unit->name, verb,
			number__rounded(forks).text, quantity__time(time * 1e6).text);
}

static const struct watch_row *forks_most(const struct watch_rows *rows)
{
	const struct watch_row *most = NULL;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->rows[i].values[WATCH_FORK_RATE] > (most ? most->values[WATCH_FORK_RATE] : 0))
			most = &rows->rows[i];
	return most;
}

static const struct watch_row *row_named(const struct watch_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (!text__compare(rows->rows[i].unit->name, name))
			return &rows->rows[i];
	return NULL;
}

static char *answer(const struct watch_moment *moment, const struct watch_state *state)
{
	const struct watch_row *row = state->unit ? row_named(&moment->rows, state->unit) : forks_most(&moment->rows);

	if (state->unit && !row)
		return text__of("%s is gone.", state->unit);
	if (isnan(moment->rows.seconds))
		return text__of("%s", "Counting: the next sample gives the first rates.");
	if (row && row->values[WATCH_FORK_RATE] > 0)
		return said_of(row, state->unit ? "forks" : "forks most");
	return text__of("%s has not forked for %s.", state->unit ? state->unit : "Nothing",
			quantity__time(moment->rows.seconds * 1e9).text);
}

/* Of all CPUs together, in hundredths of one; NAN: not known. */
static double own_share(const struct watch_moment *moment)
{
	const struct watch_sample *before = moment->before, *now = moment->now;

	if (isnan(moment->rows.seconds))
		return NAN;
	return (now->own_cpu_seconds + now->program_seconds - before->own_cpu_seconds - before->program_seconds) /
	       moment->rows.seconds;
}

static char *status(const struct watch_moment *moment, const struct watch_state *state)
{
	const struct watch_sample *now = moment->now;
	const time_t second = (time_t)now->time;
	char clock[16], *text;
	struct tm local;

	localtime_r(&second, &local);
	strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	text = text__of("%s%s, level %s, %s", state->is_paused ? "PAUSED at " : "", clock, watch_level_keys[now->level],
			quantity__count(moment->rows.count, "unit", "units").text);
	if (now->lost_events)
		text__replace(&text, "NOT EXACT, %s lost; %s",
			      quantity__count(now->lost_events, "event", "events").text, text);
	else if (!now->is_exact)
		text__replace(&text, "NOT EXACT, %s; %s", quantity__count(now->doubts, "warning", "warnings").text,
			      text);
	if (!isnan(own_share(moment)))
		text__replace(&text, "%s, forktax: %s CPU", text, quantity__percent(own_share(moment)).text);
	return text;
}

/* A terminal may be smaller than the first lines and one row. */
static void cut(struct screen_lines *lines, size_t height)
{
	while (lines->count > height)
		free(lines->lines[--lines->count].text);
}

static void add_keys(struct screen_lines *lines, const struct watch_state *state, const struct watch_size *size)
{
	while (lines->count < size->height - 1)
		screen_lines__add(lines, text__of("%s", ""), false);
	watch_lines__add(lines, text__of("q quit  h help  %s  p pause  r reverse%s",
					 state->unit ? "d all units" : "d groups of the unit",
					 state->unit ? "" : "  < > sort"), 1, size);
}

struct screen_lines watch_frame__of(const struct watch_moment *moment, const struct watch_state *state,
				    const struct watch_size *size)
{
	const bool has_keys = size->height >= LEAST_FOR_KEYS;
	const struct watch_size body = { size->width, size->height - has_keys, size->utf8 };
	struct screen_lines lines = { 0 };

	watch_lines__add(&lines, answer(moment, state), LINES_OF_SENTENCE, size);
	watch_lines__add(&lines, status(moment, state), has_keys ? LINES_OF_SENTENCE : 1, size);
	if (has_keys)
		screen_lines__add(&lines, text__of("%s", ""), false);
	if (state->shows_help)
		watch_frame__add_help(&lines, moment, &body);
	else if (state->unit)
		watch_frame__add_unit(&lines, moment, state, &body);
	else
		watch_frame__add_units(&lines, moment, state, &body);
	cut(&lines, body.height);
	if (has_keys)
		add_keys(&lines, state, size);
	return lines;
}
