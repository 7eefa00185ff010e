// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/autofree.h"
#include "base/quantity.h"
#include "report/picture/pictures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/column.h"
#include "format/html/svg.h"
#include "report/anatomy/words_anatomy.h"
#include "report/cells.h"

/* As on the clock of the typical fork (waterfall_picture.c). */
static const char *const part_classes[PART_COUNT] = {
	[PART_COPY] = "c4",  [PART_START] = "c0", [PART_RUN] = "c6",
	[PART_EXECD] = "c5", [PART_EXIT] = "c7",  [PART_REAP] = "c3",
};

/* One fork, or the mean of the typical ones. */
struct fork_line {
	char *name;
	double parts[PART_COUNT], whole;
};

static struct fork_line line_of(char *name, const uint64_t parts[PART_COUNT], uint64_t forks)
{
	struct fork_line line = { .name = name };

	for (int part = 0; part < PART_COUNT; part++) {
		line.parts[part] = (double)parts[part] / forks;
		line.whole += line.parts[part];
	}
	return line;
}

static void add_bars(struct bar_chart *chart, const struct fork_line *line)
{
	double start = 0;

	for (int part = 0; part < PART_COUNT; part++) {
		struct bar *bar;

		if (!line->parts[part])
			continue;
		bar = bar_chart__add(chart);
		bar->label = start ? NULL : text__of("%s", line->name);
		bar->same_line = start > 0;
		bar->class = part_classes[part];
		bar->start = start;
		bar->value = line->parts[part];
		bar->hint = text__of("%s\n%s: %s", line->name, part_counters[part].header,
				    quantity__time(line->parts[part]).text);
		start += line->parts[part];
	}
	if (start)
		chart->bars[chart->count - 1].text = text__of("%s",
							      quantity__time(line->whole).text);
}

static struct cell part_cell(const void *subject, const void *row, int index)
{
	return cell__us(((const struct fork_line *)row)->parts[index]);
}

static struct cell whole_cell(const void *subject, const void *row, int index)
{
	return cell__us(((const struct fork_line *)row)->whole);
}

static const struct column line_columns[] = {
	{ "us", COLUMN_NUMBER, .cell = whole_cell },
	{ NULL, COLUMN_NUMBER, .cell = part_cell, EACH_BY(part_counters, header) },
	{ "fork", TEXT_OF(struct fork_line, name) },
};

static void add(struct bar_chart *chart, struct table *table, struct fork_line line)
{
	add_bars(chart, &line);
	table__add(table, &line);
	free(line.name);
}

/* Its pid, if it is listed. */
static char *name_of(const struct run *run, uint64_t id)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].id == id)
			return text__of("pid %" PRId32, run->processes[i].pid);
	return text__of("process %" PRIu64, id);
}

void picture__slowest(const struct run *run, uint32_t group, const struct table_output *output)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	struct bar_chart chart = { .label = "The slowest forks" };
	struct table *table = table__new(NULL);
	autofree char *whose = names__group(run, group, false);
	autofree char *title = text__of("The slowest forks: %s", whose);
	FILE *stream;

	html_page__heading(output->page, title);
	stream = html_page__markup(output->page);
	TABLE_COLUMNS(table, line_columns, NULL);
	add(&chart, table, line_of(text__of("typical"), cost->part_ns, cost->typical));
	for (size_t i = 0; i < cost->slowest_count; i++)
		add(&chart, table,
		    line_of(name_of(run, cost->slowest[i].process), cost->slowest[i].part_ns, 1));
	legend__begin(stream);
	for (int part = 0; part < PART_COUNT; part++)
		legend__entry(stream, part_classes[part], 0, part_counters[part].header);
	legend__end(stream);
	bar_chart__draw(&chart,
			"What made a fork slow is the part that is longer than in the typical one.",
			output->page);
	table__finish(table, output);
}
