// SPDX-License-Identifier: GPL-2.0-or-later
/* A start: how long each phase took, and on one clock who ran when, with the system calls. */
#include "base/autofree.h"
#include "base/quantity.h"
#include "report/picture/pictures.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/start/start_groups.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "report/picture/time_axis.h"
#include "report/start/start_report.h"

/* Whose code runs, as in pictures of forks. */
enum runner { BY_LDSO, BY_PROGRAM, BY_KERNEL, RUNNERS };
static const struct {
	const char *class, *name;
} runners[RUNNERS] = {
	[BY_LDSO] = { "c1", "ld.so" },
	[BY_PROGRAM] = { "c2", "the program and its libraries" },
	[BY_KERNEL] = { "c3", "the kernel's exec and exit" },
};

static enum runner runner_of(enum start_phase phase)
{
	switch (phase) {
	case START_EXEC:
	case START_END:
		return BY_KERNEL;
	case START_SETUP:
	case START_SEARCH:
	case START_MAP:
	case START_RELOCATE:
	case START_LDSO:
		return BY_LDSO;
	default:
		return BY_PROGRAM;
	}
}

static void draw_legend(FILE *stream)
{
	legend__begin(stream);
	for (int i = 0; i < RUNNERS; i++)
		legend__entry(stream, runners[i].class, 0, runners[i].name);
	legend__end(stream);
}

/* Each bar begins where the one above ends. Phases take turns: it is no clock. */
static void draw_phases(const struct start *start, struct html_page *page)
{
	struct bar_chart chart = { .label = "How long each phase of the start took" };
	double from = 0;

	for (int phase = 0; phase < START_PHASE_COUNT; phase++) {
		const struct start_sum *sum = &start->phases[phase];
		const char *name = start_phase_counters[phase].header;
		struct bar *bar;

		if (sum->ns == ABSENT)
			continue;
		bar = bar_chart__add(&chart);
		bar->label = text__of("%s", name);
		bar->text = text__of("%s  %s", quantity__time((double)sum->ns).text,
				     quantity__share((double)sum->ns, (double)start->marks.end).text);
		bar->hint = text__of("%s: %s, %s, %s", name, quantity__time((double)sum->ns).text,
				     quantity__count(sum->calls, "call", "calls").text,
				     quantity__count(start_sum__faults(sum), "page fault", "page faults").text);
		bar->class = runners[runner_of(phase)].class;
		bar->start = from;
		bar->value = (double)sum->ns;
		from += bar->value;
	}
	bar_chart__draw(&chart,
			"Each bar begins where the one above ends: together they are the whole start, as traced.",
			page);
}

/* The clock. */

enum { WIDTH = 1000, LEFT = 60, RIGHT = 12, LANE = 24, TOP = 18, GAP = 8 };
enum { SPANS_Y = TOP + 6, CALLS_Y = SPANS_Y + LANE + GAP, HEIGHT = CALLS_Y + LANE + 6 };
enum { NARROWEST = 2 }; /* pixels of a mark */

struct clock {
	const struct start *start;
	struct time_axis axis;
	FILE *stream;
};

static double x_of(const struct clock *clock, uint64_t ns)
{
	return time_axis__x(&clock->axis, (double)ns);
}

static void draw_span(const struct clock *clock, const char *name, enum runner by, uint64_t from, uint64_t to)
{
	const double width = x_of(clock, to) - x_of(clock, from);
	const char *class = runners[by].class;
	autofree char *hint = text__of("%s: %s", name, quantity__time((double)(to - from)).text);

	svg__mark(clock->stream, class, x_of(clock, from), SPANS_Y, fmax(width, 1), LANE, hint);
	if (svg__text_width(name) < width)
		svg__text(clock->stream, svg__letters(class), x_of(clock, from) + 4, SPANS_Y + LANE - 8, name);
}

/* Between the moments that are known. */
static void draw_spans(const struct clock *clock)
{
	const struct start_marks *marks = &clock->start->marks;
	const struct {
		const char *name;
		enum runner by;
		uint64_t from;
	} spans[] = {
		{ "kernel: exec", BY_KERNEL, 0 },
		{ "ld.so, initialisers", BY_LDSO, marks->first == marks->entry ? ABSENT : marks->first },
		{ marks->main == ABSENT ? "program" : "libc's start", BY_PROGRAM, marks->entry },
		{ "main()", BY_PROGRAM, marks->main },
		{ "exit handlers", BY_PROGRAM, marks->returned },
		{ "kernel: end", BY_KERNEL, marks->exit },
	};
	const size_t count = sizeof(spans) / sizeof(spans[0]);

	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && spans[next].from == ABSENT; next++)
			;
		draw_span(clock, spans[i].name, spans[i].by, spans[i].from,
			  next < count ? spans[next].from : marks->end);
	}
}

static double end_of(const struct start_call *call)
{
	return (double)call->begin_ns + (call->ns == ABSENT ? 0 : (double)call->ns);
}

/* One that has no room of its own is part of the mark before. Returns how many calls this one is for. */
static size_t draw_call(const struct clock *clock, size_t first)
{
	const struct start_call *call = &clock->start->calls[first], *next = call + 1;
	const struct start_call *end = clock->start->calls + clock->start->call_count;
	const enum runner by = runner_of(call->phase);
	const double x = x_of(clock, call->begin_ns);
	double right = fmax(time_axis__x(&clock->axis, end_of(call)), x + NARROWEST);
	autofree char *words = start_call__words(call), *result = start_words__result(call);
	autofree char *why = start_call__why(call), *hint = text__of("%s = %s\n%s", words, result, why);

	for (; next < end && runner_of(next->phase) == by && x_of(clock, next->begin_ns) < right; next++)
		right = fmax(right, time_axis__x(&clock->axis, end_of(next)));
	if (next - call > 1)
		text__replace(&hint, "%s\nand %td more", hint, next - call - 1);
	svg__mark(clock->stream, runners[by].class, x, CALLS_Y, right - x, LANE, hint);
	return next - call;
}

static void draw_clock(const struct start *start, FILE *stream)
{
	const struct clock clock = { start, { LEFT, WIDTH - RIGHT, TOP, HEIGHT, (double)start->marks.end }, stream };

	figure__begin(stream);
	svg__begin(stream, NULL, WIDTH, HEIGHT, "The start on the clock");
	time_axis__draw(&clock.axis, stream);
	svg__text(stream, NULL, 0, SPANS_Y + LANE - 8, "who");
	draw_spans(&clock);
	svg__text(stream, NULL, 0, CALLS_Y + LANE - 8, "calls");
	for (size_t i = 0; i < start->call_count; i += draw_call(&clock, i))
		;
	svg__end(stream);
	figure__end(stream, "The start on the clock, as traced: who ran, and the system calls.");
}

void picture__start(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	const struct start *start = run->start;
	struct table *table = report__start_phases(run, options);

	html_page__place_next(output->page, PAGE_PICTURE);
	html_page__heading(output->page, "Phases of the start");
	table__drop_title(table);
	if (start->marks.end != ABSENT && start->marks.end) {
		draw_legend(html_page__markup(output->page));
		draw_phases(start, output->page);
		if (start->marks.first != ABSENT && start->marks.entry != ABSENT)
			draw_clock(start, html_page__markup(output->page));
	}
	table__show(table, output);
}
