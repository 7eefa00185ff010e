// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/html/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/escape.h"

enum { LETTER_WIDTH = 7, CAPITAL_MORE = 2 };

/* As few characters as a tenth of a pixel needs. */
static void put_length(FILE *stream, const char *name, double value)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%.1f", value);

	if (length > 2 && text[length - 1] == '0')
		text[length - 2] = '\0';
	fprintf(stream, " %s=\"%s\"", name, text);
}

static void put_class(FILE *stream, const char *class)
{
	if (class)
		fprintf(stream, " class=\"%s\"", class);
}

void svg__begin(FILE *stream, const char *class, double width, double height, const char *label)
{
	fprintf(stream,
		"<div class=\"wide\"><svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
		"height=\"%.0f\" tabindex=\"0\" role=\"group\" aria-label=\"",
		width, height, width, height);
	html__text(stream, label);
	putc('"', stream);
	put_class(stream, class);
	fputs(">\n", stream);
}

void svg__end(FILE *stream)
{
	fputs("</svg>\n</div>\n", stream);
}

static void begin_box(FILE *stream, const char *class, double x, double y, double width, double height)
{
	fputs("<rect", stream);
	put_class(stream, class);
	put_length(stream, "x", x);
	put_length(stream, "y", y);
	put_length(stream, "width", width);
	put_length(stream, "height", height);
}

void svg__box(FILE *stream, const char *class, double x, double y, double width, double height)
{
	begin_box(stream, class, x, y, width, height);
	fputs("/>\n", stream);
}

void svg__mark(FILE *stream, const char *class, double x, double y, double width, double height, const char *hint)
{
	char all[32];

	snprintf(all, sizeof(all), "mark %s", class);
	begin_box(stream, all, x, y, width, height);
	fputs("><title>", stream);
	html__lines(stream, hint);
	fputs("</title></rect>\n", stream);
}

void svg__line(FILE *stream, const char *class, double x1, double y1, double x2, double y2)
{
	fputs("<line", stream);
	put_class(stream, class);
	put_length(stream, "x1", x1);
	put_length(stream, "y1", y1);
	put_length(stream, "x2", x2);
	put_length(stream, "y2", y2);
	fputs("/>\n", stream);
}

void svg__text(FILE *stream, const char *class, double x, double y, const char *text)
{
	fputs("<text", stream);
	put_class(stream, class);
	put_length(stream, "x", x);
	put_length(stream, "y", y);
	putc('>', stream);
	html__text(stream, text);
	fputs("</text>\n", stream);
}

const char *svg__letters(const char *class)
{
	if (!strcmp(class, "c0"))
		return NULL;
	return !strcmp(class, "c4") || !strcmp(class, "c7") ? "on" : "off";
}

/* Capitals are wider. */
double svg__text_width(const char *text)
{
	char *safe = escape__text(text, true);
	double width = LETTER_WIDTH * escape__width(safe);

	for (const char *c = safe; *c; c++)
		width += *c >= 'A' && *c <= 'Z' ? CAPITAL_MORE : 0;
	free(safe);
	return width;
}

double axis__step(double length, unsigned int most)
{
	static const double steps[] = { 1, 2, 5 };
	double power;

	if (!(length > 0) || !isfinite(length))
		return 1;
	for (power = pow(10, floor(log10(length / most)));; power *= 10)
		for (int i = 0; i < 3; i++)
			if (length / (steps[i] * power) <= most)
				return steps[i] * power;
}

void legend__begin(FILE *stream)
{
	fputs("<ul class=\"key\">\n", stream);
}

void legend__entry(FILE *stream, const char *class, char letter, const char *meaning)
{
	fprintf(stream,
		"<li><svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><rect class=\"%s\" "
		"width=\"14\" height=\"14\"/>",
		class);
	if (letter)
		fprintf(stream, "<text class=\"off mid\" x=\"7\" y=\"11\">%c</text>", letter);
	fputs("</svg>", stream);
	html__text(stream, meaning);
	fputs("</li>\n", stream);
}

void legend__end(FILE *stream)
{
	fputs("</ul>\n", stream);
}

void figure__begin(FILE *stream)
{
	fputs("<figure>\n", stream);
}

void figure__end(FILE *stream, const char *caption)
{
	if (caption) {
		fputs("<figcaption>", stream);
		html__text(stream, caption);
		fputs("</figcaption>\n", stream);
	}
	fputs("</figure>\n", stream);
}
