// SPDX-License-Identifier: GPL-2.0-or-later
/* What a parent had when it forked, which is what fork had to copy. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "format/wrap.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/anatomy/words_anatomy.h"

/* "28 mappings", "28 (27..30) mappings". */
static void append(char **text, const struct spread_of *values, uint64_t unit, const char *noun)
{
	const char *separator = **text ? ", " : "";

	if (values->median == ABSENT)
		return;
	if (values->min == values->max || values->min == ABSENT || values->max == ABSENT)
		text__replace(text, "%s%s%" PRIu64 " %s", *text, separator, values->median / unit,
			      noun);
	else
		text__replace(text, "%s%s%" PRIu64 " (%" PRIu64 "..%" PRIu64 ") %s", *text,
			      separator, values->median / unit, values->min / unit,
			      values->max / unit, noun);
}

static void append_one(char **text, uint64_t value, uint64_t unit, const char *noun)
{
	const struct spread_of same = { value, value, value };

	append(text, &same, unit, noun);
}

void report__print_fork_parent(const struct run *run, uint32_t group,
			       const struct table_output *output)
{
	const struct fork_cost *cost = anatomy__fork_cost(run->anatomy, group);
	char *text = text__of("%s", "");

	if (cost && cost->forks) {
		append(&text, &cost->vmas, 1, "mappings");
		append_one(&text, cost->vmas_anon, 1,
			   "of them with anonymous pages, whose page tables are copied");
		append(&text, &cost->page_table_bytes, 1024, "KiB of page tables");
		append_one(&text, cost->rss_bytes, 1024, "KiB resident");
		append(&text, &cost->threads, 1, cost->threads.median == 1 ? "thread" : "threads");
	}
	if (*text) {
		putc('\n', output->stream);
		wrap__title("The parent when it forked, median (min..max)", output);
		wrap__print(NULL, text, 0, 2, output);
	}
	free(text);
}

static void add_values(struct table *table, const struct spread_of *values)
{
	table__count(table, values->min);
	table__count(table, values->median);
	table__count(table, values->max);
}

static void add_group(struct table *table, const struct run *run, const struct fork_cost *cost)
{
	char *group = words__group(run, cost->group, true);

	table__row(table);
	table__text(table, group);
	table__count(table, cost->forks);
	add_values(table, &cost->vmas);
	table__count(table, cost->vmas_anon);
	add_values(table, &cost->page_table_bytes);
	table__count(table, cost->rss_bytes);
	add_values(table, &cost->threads);
	free(group);
}

struct table *report__fork_parents(const struct run *run)
{
	static const char *const headers[] = {
		"children of",	    "forks",		  "min vmas",
		"median vmas",	    "max vmas",		  "anon vmas",
		"min page-table B", "median page-table B", "max page-table B",
		"RSS bytes",	    "min threads",	  "median threads",
		"max threads",
	};
	struct table *table;

	if (!run->anatomy->fork_count)
		return NULL;
	table = table__new("Parents when they forked");
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		table__column(table, headers[i], ALIGN_LEFT);
	for (size_t i = 0; i < run->anatomy->fork_count; i++)
		add_group(table, run, &run->anatomy->forks[i]);
	return table;
}
