// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/page_map.h"
#include "base/autofree.h"
#include "base/quantity.h"
#include "report/picture/pictures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"
#include "report/picture/time_axis.h"
#include "report/words.h"

enum { WIDTH = 1000, LEFT = 60, RIGHT = 12, LANE = 24, TICK = 30, TOP = 18 };
enum {
	PARENT_Y = TOP + 6,
	CHILD_Y = PARENT_Y + LANE + 14,
	FAULTS_Y = CHILD_Y + LANE + 4,
	HEIGHT = FAULTS_Y + TICK + 6
};
enum { LETTER = 9 };
enum { TICKS = 460 };		    /* two pixels each */
static const double OUTSIDE = 0.05; /* of the whole: so far faults may lie outside, see set_pace() */

/* One fork on one clock; times in ns since the call. */
struct waterfall {
	const struct run *run;
	const struct fork_cost *cost;
	FILE *stream;
	double whole, scale;
	uint64_t children; /* recorded */
	bool is_squeezed;  /* see set_pace() */
	/* Of phases child and exec: where the clock is `first` after the begin of the image, and
	 * its pace. */
	struct pace {
		double at, first, rate;
	} paces[2];
};

static double mean_of(const struct waterfall *fall, enum fork_part part)
{
	return (double)fall->cost->part_ns[part] / fall->cost->typical;
}

static double x_of(const struct waterfall *fall, double ns)
{
	return LEFT + ns * fall->scale;
}

static void draw_axis(const struct waterfall *fall)
{
	const struct time_axis axis = { LEFT, WIDTH - RIGHT, TOP, HEIGHT, fall->whole };

	time_axis__draw(&axis, fall->stream);
}

static void draw_span(const struct waterfall *fall, const char *class, double y, double start,
		      double ns, const char *name)
{
	autofree char *hint = text__of("%s: %s", name, quantity__time(ns).text);

	if (ns > 0) {
		svg__mark(fall->stream, class, x_of(fall, start), y, fmax(ns * fall->scale, 1), LANE, hint);
		if (svg__text_width(name) < ns * fall->scale)
			svg__text(fall->stream, svg__letters(class), x_of(fall, start) + 4, y + LANE - 8, name);
	}
}

static struct pace *pace_of(struct waterfall *fall, enum phase phase)
{
	return &fall->paces[phase != PHASE_CHILD];
}

static double moment_of(const struct waterfall *fall, const struct anatomy_row *row)
{
	const struct pace *pace = pace_of((struct waterfall *)fall, row->phase);

	return pace->at + (anatomy_row__since(row) - pace->first) * pace->rate;
}

/*
 * Moments of faults are means over all recorded children, the parts of the fork over its middle
 * half: a few slow children move the former alone. If most children's faults then lie outside of
 * the time that the child ran in, they are put into it, in their order and at their distances.
 */
static void set_pace(struct waterfall *fall, enum phase phase, double begin, double start, double ns)
{
	const struct anatomy *anatomy = fall->run->anatomy;
	double first = INFINITY, last = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group != fall->cost->group || row->phase != phase || 2 * row->children < fall->children)
			continue;
		first = fmin(first, anatomy_row__since(row));
		last = fmax(last, anatomy_row__since(row) + fmax(anatomy_row__ns(row), 0));
	}
	*pace_of(fall, phase) = (struct pace){ begin, 0, 1 };
	if (last <= first || (begin + first >= start - OUTSIDE * fall->whole &&
			      begin + last <= start + ns + OUTSIDE * fall->whole))
		return;
	*pace_of(fall, phase) = (struct pace){ start, first, fmin(ns / (last - first), 1) };
	fall->is_squeezed = true;
}

/* Images begin at birth, and at the exec. */
static void set_paces(struct waterfall *fall)
{
	double born = mean_of(fall, PART_COPY), ran = born + mean_of(fall, PART_START);
	double execd = ran + mean_of(fall, PART_RUN);

	set_pace(fall, PHASE_CHILD, born, ran, mean_of(fall, PART_RUN));
	set_pace(fall, PHASE_EXEC, execd, execd, mean_of(fall, PART_EXECD));
}

static const char *class_of_actor(enum actor actor)
{
	return actor == ACTOR_LDSO ? "edge c1" : actor == ACTOR_KERNEL ? "edge c3" : "edge c2";
}

/* As in page maps. */
static char letter_of(enum actor actor)
{
	return page_state_letters[actor == ACTOR_LDSO	 ? PAGE_BY_LDSO
				 : actor == ACTOR_KERNEL ? PAGE_BY_KERNEL
							 : PAGE_BY_PROGRAM];
}

/* Rows of one actor that begin in the same two pixels. */
struct tick {
	const struct anatomy_row *first;
	double at, ns; /* of the first; of all of them in one child, on average; NAN: not known */
	uint64_t children; /* most of a row */
	size_t rows;
};

static char *hint_of(const struct waterfall *fall, const struct tick *tick)
{
	const struct anatomy_row *row = tick->first;
	autofree char *place = words__place(fall->run, &row->place);
	autofree char *more =
		tick->rows > 1 ? text__of(" and %s", quantity__count(tick->rows - 1, "more place", "more places").text)
			       : text__of("%s", "");

	return text__of("%s by %s\n%s%s\nin %" PRIu64 " of %s, %s", fault_counters[row->class].header,
			actor_counters[row->actor].header, place, more, tick->children,
			quantity__count(fall->children, "child", "children").text, quantity__time(tick->ns).text);
}

/* Up to `next` another one covers no letter. */
static void draw_tick(const struct waterfall *fall, const struct tick *tick, const struct tick *next)
{
	enum actor actor = tick->first->actor;
	double height = TICK * fmin((double)tick->children / fall->children, 1);
	double rate = pace_of((struct waterfall *)fall, tick->first->phase)->rate;
	double width = fmax(isnan(tick->ns) ? 0 : tick->ns * rate * fall->scale, 1.2);
	autofree char *hint = hint_of(fall, tick);

	svg__mark(fall->stream, class_of_actor(actor), x_of(fall, tick->at), FAULTS_Y + TICK - height, width, height,
		  hint);
	if (height > LETTER && width > LETTER && (!next || x_of(fall, next->at) - x_of(fall, tick->at) > LETTER))
		svg__text(fall->stream, "off mid", x_of(fall, tick->at) + LETTER / 2. + 1, FAULTS_Y + TICK - 4,
			  (char[]){ letter_of(actor), '\0' });
}

static void add_to_tick(const struct waterfall *fall, struct tick *tick, const struct anatomy_row *row, double at)
{
	/* Of a child that has them; of all, where several rows share a tick. */
	const double ns = anatomy_row__ns(row) * row->faults;

	if (!tick->rows++) {
		tick->first = row;
		tick->at = at;
		tick->ns = ns / row->children;
	} else {
		if (tick->rows == 2)
			tick->ns = anatomy_row__ns(tick->first) * tick->first->faults / fall->children;
		tick->ns += ns / fall->children;
	}
	tick->children = row->children > tick->children ? row->children : tick->children;
}

/* Puts the faults of the child onto the clock. Returns how many rows came later than this fork
 * lasts. */
static size_t collect(const struct waterfall *fall, struct tick ticks[ACTOR_COUNT][TICKS])
{
	const struct anatomy *anatomy = fall->run->anatomy;
	size_t late = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];
		double at = moment_of(fall, row);

		if (row->group != fall->cost->group || row->phase == PHASE_PARENT)
			continue;
		if (at > fall->whole || at < 0)
			late++;
		else
			add_to_tick(fall, &ticks[row->actor][(int)(at / fall->whole * (TICKS - 1))], row, at);
	}
	return late;
}

static size_t draw_faults(const struct waterfall *fall)
{
	struct tick(*ticks)[TICKS] = checked_calloc(ACTOR_COUNT, sizeof(*ticks));
	const struct tick *before = NULL;
	size_t late = collect(fall, ticks);

	for (int i = 0; i < TICKS; i++) {
		for (int actor = 0; actor < ACTOR_COUNT; actor++) {
			if (!ticks[actor][i].rows)
				continue;
			if (before)
				draw_tick(fall, before, &ticks[actor][i]);
			before = &ticks[actor][i];
		}
	}
	if (before)
		draw_tick(fall, before, NULL);
	free(ticks);
	return late;
}

static void draw_lanes(const struct waterfall *fall)
{
	double reap = fall->whole - mean_of(fall, PART_REAP);
	double at = mean_of(fall, PART_COPY);

	svg__text(fall->stream, NULL, 0, PARENT_Y + LANE - 8, "parent");
	svg__text(fall->stream, NULL, 0, CHILD_Y + LANE - 8, "child");
	svg__text(fall->stream, NULL, 0, FAULTS_Y + TICK - 8, "its faults");
	draw_span(fall, "c4", PARENT_Y, 0, at, part_counters[PART_COPY].header);
	draw_span(fall, "c4", PARENT_Y, reap, mean_of(fall, PART_REAP), part_counters[PART_REAP].header);
	for (int part = PART_START; part < PART_REAP; part++) {
		static const char *const classes[PART_COUNT] = {
			[PART_START] = "c0",
			[PART_RUN] = "c6",
			[PART_EXECD] = "c5",
			[PART_EXIT] = "c0",
		};

		draw_span(fall, classes[part], CHILD_Y, at, mean_of(fall, part), part_counters[part].header);
		at += mean_of(fall, part);
	}
	svg__line(fall->stream, "axis", x_of(fall, mean_of(fall, PART_COPY)), PARENT_Y + LANE,
		  x_of(fall, mean_of(fall, PART_COPY)), CHILD_Y);
	svg__line(fall->stream, "axis", x_of(fall, reap), CHILD_Y + LANE, x_of(fall, reap), PARENT_Y + LANE);
}

static char *caption_of(const struct waterfall *fall, size_t left_out)
{
	char *text = text__of(
		"The mean of the middle half of the forks (%" PRIu64 " of %" PRIu64 "). Faults "
		"stand where they came on average over all recorded children, as high as the share of children "
		"that took them, as wide as they lasted.",
		fall->cost->typical, fall->cost->complete);

	if (fall->is_squeezed)
		text__replace(&text,
			      "%s Some forks were slower or faster and moved these averages: the "
			      "faults are "
			      "drawn where the child ran.",
			      text);
	if (left_out)
		text__replace(&text,
			      "%s %s only in the tables: some children took %s later than "
			      "this fork lasts.",
			      text, quantity__count(left_out, "more is", "more are").text,
			      number__plural(left_out, "it", "them"));
	return text;
}

void picture__waterfall(const struct run *run, uint32_t group, const struct table_output *output)
{
	const struct sample *sample = anatomy__sample(run->anatomy, group);
	struct waterfall fall = { .run = run,
				  .cost = anatomy__fork_cost(run->anatomy, group),
				  .children = sample ? sample->children : 0 };
	struct table *parts;
	autofree char *whose = NULL, *title = NULL, *caption = NULL;

	if (!output->page || !fall.cost || !fall.cost->typical || !fall.cost->typical_ns || !fall.children)
		return;
	whose = names__group(run, group, false);
	title = text__of("One fork on the clock: %s", whose);
	html_page__place_next(output->page, PAGE_PICTURE);
	html_page__heading(output->page, title);
	fall.whole = (double)fall.cost->typical_ns / fall.cost->typical;
	fall.scale = (WIDTH - LEFT - RIGHT) / fall.whole;
	set_paces(&fall);
	fall.stream = html_page__markup(output->page);
	figure__begin(fall.stream);
	svg__begin(fall.stream, NULL, WIDTH, HEIGHT, title);
	draw_axis(&fall);
	draw_lanes(&fall);
	caption = caption_of(&fall, draw_faults(&fall));
	svg__end(fall.stream);
	legend__begin(fall.stream);
	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		autofree char *meaning = text__of("fault by %s", actor_counters[actor].header);

		legend__entry(fall.stream, class_of_actor(actor), letter_of(actor), meaning);
	}
	legend__end(fall.stream);
	figure__end(fall.stream, caption);
	parts = report__fork_parts(run, group);
	table__drop_title(parts);
	table__show(parts, output);
}
