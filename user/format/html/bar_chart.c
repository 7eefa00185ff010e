// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/html/svg.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { WIDTH = 1000, ROW = 22, BAR = 14, GAP = 10, STEP = 14, LABELS_MOST = 340 };

/* Where things are. */
struct plan {
	double left, scale; /* of the value 0; pixels per unit */
};

struct bar *bar_chart__add(struct bar_chart *chart)
{
	chart->bars = checked_grow(chart->bars, chart->count, sizeof(*chart->bars));
	chart->bars[chart->count] = (struct bar){ .class = "c4", .low = NAN, .high = NAN };
	return &chart->bars[chart->count++];
}

static struct plan plan_of(const struct bar_chart *chart)
{
	double labels = 0, texts = 0, most = 0;

	for (size_t i = 0; i < chart->count; i++) {
		const struct bar *bar = &chart->bars[i];

		if (bar->label)
			labels = fmax(labels, svg__text_width(bar->label) + STEP * bar->level);
		if (bar->text)
			texts = fmax(texts, svg__text_width(bar->text));
		most = fmax(most, fmax(bar->start + bar->value, bar->high)); /* fmax passes NAN over */
	}
	labels = fmin(labels, LABELS_MOST);
	return (struct plan){
		.left = labels + GAP,
		.scale = most > 0 ? fmax(WIDTH - labels - texts - 3 * GAP, 100) / most : 0,
	};
}

/* From the low end of an interval to the high one. */
static void draw_interval(const struct bar *bar, const struct plan *plan, double middle, FILE *stream)
{
	double low = plan->left + bar->low * plan->scale, high = plan->left + bar->high * plan->scale;

	svg__line(stream, "axis", low, middle, high, middle);
	svg__line(stream, "axis", low, middle - 4, low, middle + 4);
	svg__line(stream, "axis", high, middle - 4, high, middle + 4);
}

static void draw_bar(const struct bar *bar, const struct plan *plan, double y, FILE *stream)
{
	double from = fmin(bar->start, bar->start + bar->value), length = fabs(bar->value);
	double end = fmax(from + length, isnan(bar->high) ? 0 : bar->high);

	if (bar->label)
		svg__text(stream, bar->level ? "soft" : NULL, STEP * bar->level, y + BAR - 3, bar->label);
	if (bar->class) /* else it is not known how long it is */
		svg__mark(stream, bar->class, plan->left + from * plan->scale, y,
			  fmax(length * plan->scale, 1), BAR, bar->hint ? bar->hint : bar->text);
	if (!isnan(bar->low))
		draw_interval(bar, plan, y + BAR / 2., stream);
	if (bar->text)
		svg__text(stream, NULL, plan->left + end * plan->scale + GAP, y + BAR - 3, bar->text);
}

void bar_chart__draw(struct bar_chart *chart, const char *caption, struct html_page *page)
{
	FILE *stream = html_page__markup(page);
	struct plan plan = plan_of(chart);
	size_t lines = 0;

	for (size_t i = 0; i < chart->count; i++)
		lines += !chart->bars[i].same_line;
	figure__begin(stream);
	svg__begin(stream, NULL, WIDTH, ROW * lines, chart->label);
	lines = 0;
	for (size_t i = 0; i < chart->count; i++) {
		lines += !chart->bars[i].same_line;
		draw_bar(&chart->bars[i], &plan, ROW * lines - (ROW + BAR) / 2., stream);
		free(chart->bars[i].label);
		free(chart->bars[i].text);
		free(chart->bars[i].hint);
	}
	svg__end(stream);
	figure__end(stream, caption);
	free(chart->bars);
	*chart = (struct bar_chart){ 0 };
}
