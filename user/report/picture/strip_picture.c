// SPDX-License-Identifier: GPL-2.0-or-later
/* A cell for each child of a group, in order of birth: the first one, outliers and drift stand out.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"
#include "report/report_sections.h"
#include "report/words.h"

enum { CELL = 12, HEIGHT = 15, LINE = 17, COLUMNS = 90, SHADES = 5, MOST = 4000 };

/* One group: of children that are listed. */
struct strip {
	const struct run *run;
	uint32_t group;
	uint64_t children, faults, first, least, most;
	struct cell whose;
};

static uint64_t faults_of(const struct process *process)
{
	struct faults sum;

	process__faults(process, &sum);
	return sum.total;
}

static void take(struct strip *strip, uint64_t faults)
{
	if (!strip->children++)
		strip->first = strip->least = strip->most = faults;
	strip->faults += faults;
	strip->least = faults < strip->least ? faults : strip->least;
	strip->most = faults > strip->most ? faults : strip->most;
}

static struct strip strip_of(const struct run *run, uint32_t group)
{
	struct strip strip = { .run = run, .group = group };

	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].group == group)
			take(&strip, faults_of(&run->processes[i]));
	return strip;
}

/* Between the least and the most of the group, in as many steps as eyes tell apart. */
static int shade_of(const struct strip *strip, uint64_t faults)
{
	if (strip->most == strip->least)
		return 0;
	return (faults - strip->least) * (SHADES - 1) / (strip->most - strip->least);
}

static void draw_child(const struct strip *strip, const struct process *process, size_t at,
		       FILE *stream)
{
	uint64_t faults = faults_of(process);
	autofree char *exit = words__exit(process->status, process->signal, process->finished);
	autofree char *hint = text__of("%zu. child, pid %" PRId32 "\n%" PRIu64 " faults, %" PRIu64
				       " system calls, %s",
			      at + 1, process->pid, faults, process__syscalls(process), exit);
	char class[] = { 'q', '0' + shade_of(strip, faults), '\0' };

	svg__mark(stream, class, at % COLUMNS * CELL, at / COLUMNS * LINE, CELL - 1, HEIGHT, hint);
}

static void draw(const struct strip *strip, FILE *stream)
{
	autofree char *whose = names__group(strip->run, strip->group, false);
	size_t drawn = strip->children < MOST ? strip->children : MOST, at = 0;

	fputs("<h3>", stream);
	html__text(stream, whose);
	fputs("</h3>\n", stream);
	svg__begin(stream, "map", COLUMNS * CELL, (drawn + COLUMNS - 1) / COLUMNS * LINE, whose);
	for (size_t i = 0; i < strip->run->process_count && at < drawn; i++)
		if (strip->run->processes[i].group == strip->group)
			draw_child(strip, &strip->run->processes[i], at++, stream);
	svg__end(stream);
	if (drawn < strip->children)
		fprintf(stream, "<p>The first %zu of %" PRIu64 ".</p>\n", drawn, strip->children);
}

static const struct column strip_columns[] = {
	{ "faults", COUNT_OF(struct strip, faults) },
	{ "children", COUNT_OF(struct strip, children) },
	{ "first child", COUNT_OF(struct strip, first) },
	{ "least", COUNT_OF(struct strip, least) },
	{ "most", COUNT_OF(struct strip, most) },
	{ "of", COLUMN_TEXT, CELL_OF(struct strip, whose) },
};

/* Every child is listed: with --per-child and --tree, or because there are no others. */
bool section__if_strip(const struct run *run, const struct report_options *options)
{
	return section__if_page(run, options) && run->group_count && run->all_processes &&
	       run__has(run, HAS_PROCESS_FAULTS);
}

void report__strip(const struct run *run, const struct report_options *options,
		   const struct table_output *output)
{
	struct table *table = table__new(NULL);
	FILE *stream;

	html_page__heading(output->page, "Faults of each child, in order of birth");
	stream = html_page__markup(output->page);
	TABLE_COLUMNS(table, strip_columns, NULL);
	figure__begin(stream);
	for (uint32_t group = 0; group < run->group_count; group++) {
		struct strip strip = strip_of(run, group);

		if (strip.children > 1)
			draw(&strip, stream);
		strip.whose = cell__group(run, group);
		table__add(table, &strip);
	}
	figure__end(stream,
		    "The darker, the more faults; of each group from its least to its most.");
	table__finish(table, output);
}
