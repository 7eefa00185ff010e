// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/pictures.h"

#include <math.h>

#include "analysis/bindnow/bindnow.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "report/cells.h"
#include "report/words.h"

enum { WIDTH = 1000, HEIGHT = 220, LEFT = 90, RIGHT = 20, TOP = 14, BOTTOM = 30, STEPS = 5 };

/* What binding at start costs in all, minus what children save: start - n * saving, n children. */
struct plot {
	const struct break_even *even;
	double children;  /* of the command; NAN: not counted */
	double most;	  /* children that are drawn */
	double low, high; /* of the net cost */
	struct unit unit;
	FILE *stream;
};

static struct estimate net_at(const struct break_even *even, double children)
{
	return (struct estimate){
		.known = true,
		.bounded = true,
		.value = even->start.value - children * even->saving.value,
		.low = even->start.low - children * even->saving.high,
		.high = even->start.high - children * even->saving.low,
	};
}

static double x_of(const struct plot *plot, double children)
{
	return LEFT + children / plot->most * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plot *plot, double cost)
{
	return TOP + (plot->high - cost) / (plot->high - plot->low) * (HEIGHT - TOP - BOTTOM);
}

static void set_range(struct plot *plot)
{
	struct estimate first = net_at(plot->even, 0), last;
	double known = isnan(plot->children) ? 0 : plot->children;

	plot->most = fmax(fmax(known * 1.2, plot->even->children * 2.), 10);
	last = net_at(plot->even, plot->most);
	plot->low = fmin(fmin(first.low, last.low), 0);
	plot->high = fmax(fmax(first.high, last.high), 0);
}

static char *range_text(const struct plot *plot, const struct estimate *net)
{
	char *text = words__estimate(net, plot->unit);

	text__replace(&text, "%s %s", text, plot->unit.name);
	return text;
}

static void draw_costs(const struct plot *plot)
{
	const double unit = plot->unit.size;
	const double step = axis__step((plot->high - plot->low) / unit, STEPS) * unit;

	for (double i = ceil(plot->low / step); i * step <= plot->high; i++) {
		const double y = y_of(plot, i * step);
		autofree char *text = text__of("%g %s", i * step / unit + 0.0, plot->unit.name);

		svg__text(plot->stream, "soft end", LEFT - 8, y + 4, text);
		svg__line(plot->stream, "grid", LEFT, y, WIDTH - RIGHT, y);
	}
}

static void draw_ground(const struct plot *plot)
{
	const double step = fmax(axis__step(plot->most, 2 * STEPS), 1);

	draw_costs(plot);
	for (double children = 0; children <= plot->most; children += step) {
		const bool is_last = children + step > plot->most;
		autofree char *text = text__of(is_last ? "%g children" : "%g", children);

		svg__text(plot->stream, is_last ? "soft end" : "soft mid",
			  x_of(plot, children) + (is_last ? 2 * STEPS : 0), HEIGHT - 10, text);
	}
	svg__line(plot->stream, "axis", LEFT, y_of(plot, 0), WIDTH - RIGHT, y_of(plot, 0));
}

static void draw_band(const struct plot *plot)
{
	struct estimate first = net_at(plot->even, 0), last = net_at(plot->even, plot->most);

	fprintf(plot->stream,
		"<path class=\"band\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n",
		x_of(plot, 0), y_of(plot, first.high), x_of(plot, plot->most),
		y_of(plot, last.high), x_of(plot, plot->most), y_of(plot, last.low), x_of(plot, 0),
		y_of(plot, first.low));
	svg__line(plot->stream, "curve", x_of(plot, 0), y_of(plot, first.value),
		  x_of(plot, plot->most), y_of(plot, last.value));
}

static void draw_point(const struct plot *plot, double children, const char *class,
		       const char *what)
{
	struct estimate net = net_at(plot->even, children);
	autofree char *range = range_text(plot, &net);
	autofree char *hint =
		text__of("%.0f %s, %s: %s", children, number__plural(children, "child", "children"), what, range);

	svg__mark(plot->stream, class, x_of(plot, children) - 5, y_of(plot, net.value) - 5, 10, 10, hint);
}

struct net_line {
	double children;
	struct cell start, saved, net;
	const char *at;
};

static const struct column net_columns[] = {
	{ "children", NUMBER_OF(struct net_line, children) },
	{ "start costs", COLUMN_NUMBER, CELL_OF(struct net_line, start) },
	{ "children save", COLUMN_NUMBER, CELL_OF(struct net_line, saved) },
	{ "net cost (95 % interval)", COLUMN_NUMBER, CELL_OF(struct net_line, net) },
	{ "", TEXT_OF(struct net_line, at) },
};

static struct cell number_cell(const struct plot *plot, double value)
{
	return cell__text(quantity__in(value, plot->unit).text);
}

static void add_line(struct table *table, const struct plot *plot, double children, const char *at)
{
	struct estimate net = net_at(plot->even, children);

	table__add(
		table,
		&(struct net_line){
			children, number_cell(plot, plot->even->start.value),
			number_cell(plot, children * plot->even->saving.value),
			cell__of_estimate(&net, range_text(plot, &net)), at });
}

static void draw(const struct break_even *even, double children, bool is_time,
		 struct html_page *page, const struct table_output *output)
{
	struct plot plot = { .even = even, .children = children, .unit = { 1, "faults" } };
	struct table *table = table__new(NULL);

	if (is_time)
		plot.unit = unit__of_time(fmax(fabs(even->start.value), fabs(even->saving.value)));
	set_range(&plot);
	html_page__place_next(page, PAGE_PICTURE);
	html_page__heading(page, is_time ? "Break-even in time" : "Break-even in faults");
	plot.stream = html_page__markup(page);
	figure__begin(plot.stream);
	svg__begin(plot.stream, NULL, WIDTH, HEIGHT, "Net cost of binding at start by children");
	draw_ground(&plot);
	draw_band(&plot);
	TABLE_COLUMNS(table, net_columns, NULL);
	add_line(table, &plot, 0, "no child");
	if (even->children) {
		draw_point(&plot, even->children, "c6", "cheaper from here");
		add_line(table, &plot, even->children, "cheaper from here, by the values");
	}
	if (!isnan(children)) {
		draw_point(&plot, children, "c1", "this command");
		add_line(table, &plot, children, "this command");
	}
	svg__end(plot.stream);
	figure__end(
		plot.stream,
		"What binding at start costs more, minus what children save, by the number of "
		"children; below the line it pays. The band is as wide as both intervals allow.");
	table__finish(table, output);
}

static bool is_drawable(const struct break_even *even)
{
	return even->start.bounded && even->saving.bounded &&
	       (even->start.low != even->start.high || even->saving.low != even->saving.high ||
		even->start.value != 0 || even->saving.value != 0);
}

void picture__break_even(const struct bindnow *bindnow, const struct table_output *output)
{
	if (!output->page)
		return;
	if (is_drawable(&bindnow->in_faults))
		draw(&bindnow->in_faults, bindnow->children, false, output->page, output);
	if (is_drawable(&bindnow->in_time))
		draw(&bindnow->in_time, bindnow->children, true, output->page, output);
}
