/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pictures of a page, as SVG in it. Lengths are in pixels. Colours are classes of page.css: c0 to c7.
 * Texts are made safe.
 */
#ifndef FORKTAX_FORMAT_HTML_SVG_H
#define FORKTAX_FORMAT_HTML_SVG_H

#include <stdio.h>

#include "format/html/html_page.h"

/* In a box that scrolls where the page is narrower. `class` NULL: none. The label tells those who do
 * not see it what it is. */
void svg__begin(FILE *stream, const char *class, double width, double height, const char *label);
void svg__end(FILE *stream);
/* A mark: a rectangle about which the page tells something, when it is pointed at. */
void svg__mark(FILE *stream, const char *class, double x, double y, double width, double height, const char *hint);
void svg__box(FILE *stream, const char *class, double x, double y, double width, double height);
void svg__line(FILE *stream, const char *class, double x1, double y1, double x2, double y2);
/* `y` is that of the line the letters stand on. */
void svg__text(FILE *stream, const char *class, double x, double y, const char *text);

/* The class of letters that are to be read on a box of that class. */
const char *svg__letters(const char *class);
/* Pixels that small letters take, about: more than the widest fonts in use need. */
double svg__text_width(const char *text);

/* How far apart the lines of an axis are that is so long: 1, 2 or 5 times a power of ten, at most so many; 1 if it
 * has no length. */
double axis__step(double length, unsigned int most);

/* One entry of a legend: a box of that class, with a letter in it unless that is 0. */
void legend__begin(FILE *stream);
void legend__entry(FILE *stream, const char *class, char letter, const char *meaning);
void legend__end(FILE *stream);

/* A figure with what it shows said below. */
void figure__begin(FILE *stream);
void figure__end(FILE *stream, const char *caption);

/* Bars on one scale, one below the other, each with its label before it and its value behind it. */
struct bar {
	char *label, *text, *hint; /* owned by the chart */
	const char *class;
	double start, value; /* the bar goes from start to start + value; start 0 for most */
	double low, high; /* interval of the end; NAN: none */
	unsigned int level; /* indentation of the label */
	bool same_line; /* as the bar before, whose label counts; the last one's text counts */
};

struct bar_chart {
	const char *label;
	struct bar *bars;
	size_t count;
};

/* Adds a bar; what is not given is 0 or NULL, and has no interval. */
struct bar *bar_chart__add(struct bar_chart *chart);
/* Draws it into a figure, and frees its bars. */
void bar_chart__draw(struct bar_chart *chart, const char *caption, struct html_page *page);

#endif
