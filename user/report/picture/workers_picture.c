// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quantity.h"
#include "report/picture/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/page.h"
#include "base/text.h"
#include "format/html/svg.h"
#include "model/workers/workers.h"

/* Every present page is in exactly one of these (model/workers/workers.h). */
static const struct class_look {
	const char *class, *meaning;
	size_t of[3]; /* members of struct worker_pages, 0: no more */
} styles[] = {
	{ "c6", "shared", { offsetof(struct worker_pages, shared) } },
	{ "c5", "private, identical", { offsetof(struct worker_pages, unshared.identical) } },
	{ "c2", "private, a few words differ", { offsetof(struct worker_pages, unshared.few_words) } },
	{ "c1", "private, different", { offsetof(struct worker_pages, unshared.different) } },
	{ "hatched",
	  "private, not compared, or perhaps never shared",
	  { offsetof(struct worker_pages, unshared.unstable), offsetof(struct worker_pages, unshared.unread),
	    offsetof(struct worker_pages, unknown_origin) } },
	{ "c4", "new", { offsetof(struct worker_pages, new) } },
	{ "c3", "private, of files", { offsetof(struct worker_pages, file_private) } },
	{ "c7", "not known whether shared", { offsetof(struct worker_pages, unknown) } },
};
enum { STYLES = sizeof(styles) / sizeof(styles[0]) };
/* Of the master all its own is one: it is what the others are compared with. */
static const struct class_look own_look = { "c0", "private, of the master", { offsetof(struct worker_pages, own) } };

static uint64_t pages_of(const struct worker_pages *pages, const struct class_look *look)
{
	uint64_t sum = 0;

	for (int i = 0; i < 3 && (i == 0 || look->of[i]); i++)
		sum += *(const uint64_t *)((const char *)pages + look->of[i]);
	return sum;
}

static bool is_compared(const struct class_look *look)
{
	return look->of[0] != offsetof(struct worker_pages, shared) &&
	       look->of[0] != offsetof(struct worker_pages, unknown);
}

static void add_part(struct bar_chart *chart, uint64_t page_bytes, const struct worker *member,
		     const struct class_look *look, bool *begun, double *start)
{
	uint64_t pages = pages_of(&member->pages, look);
	struct bar *bar;

	if (!pages)
		return;
	bar = bar_chart__add(chart);
	bar->class = look->class;
	bar->start = *start;
	bar->value = (double)pages * page_bytes;
	bar->same_line = *begun;
	bar->hint =
		text__of("%" PRId32 " %s\n%s: %" PRIu64 " %s, %s", member->pid, member->name ? member->name : "",
			 look->meaning, pages, number__plural(pages, "page", "pages"), quantity__size(bar->value).text);
	if (!*begun)
		bar->label = text__of("%" PRId32, member->pid);
	*begun = true;
	*start += bar->value;
}

static void add_member(struct bar_chart *chart, uint64_t page_bytes, const struct worker *member, bool is_master)
{
	bool begun = false;
	double start = 0;

	for (int i = 0; i < STYLES; i++) {
		const struct class_look *look = &styles[i];

		if (!is_master || !is_compared(look))
			add_part(chart, page_bytes, member, look, &begun, &start);
		if (is_master && i == 0)
			add_part(chart, page_bytes, member, &own_look, &begun, &start);
	}
	if (!begun)
		return;
	chart->bars[chart->count - 1].text = text__of("%s%s", quantity__size(start).text, is_master ? ", master" : "");
}

static void draw_legend(const struct workers *workers, FILE *stream)
{
	const struct worker_pages sum = workers__sum(workers);

	legend__begin(stream);
	for (int i = 0; i < STYLES; i++)
		if (pages_of(&sum, &styles[i]))
			legend__entry(stream, styles[i].class, 0, styles[i].meaning);
	if (workers->has_master)
		legend__entry(stream, own_look.class, 0, own_look.meaning);
	legend__end(stream);
}

void picture__workers(const struct workers *workers, const struct table_output *output)
{
	struct bar_chart chart = { .label = "Anonymous memory of each member" };

	if (!output->page)
		return;
	html_page__place_next(output->page, PAGE_PICTURE);
	html_page__heading(output->page, "Which memory is still shared");
	draw_legend(workers, html_page__markup(output->page));
	if (workers->has_master)
		add_member(&chart, workers->machine.page_bytes, &workers->master, true);
	for (size_t i = 0; i < workers->worker_count; i++)
		add_member(&chart, workers->machine.page_bytes, &workers->workers[i], false);
	bar_chart__draw(&chart,
			"Anonymous memory that is present, each page once for each member that has it; "
			"the oldest worker first.",
			output->page);
}
