// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/column.h"
#include "format/wrap.h"
#include "report/run/run_report.h"

enum { INDENT = 6 };

struct counter_line {
	const char *family, *key, *unit, *hook, *definition;
};

static const struct column counter_columns[] = {
	{ "family", TEXT_OF(struct counter_line, family) },
	{ "key", TEXT_OF(struct counter_line, key) },
	{ "unit", TEXT_OF(struct counter_line, unit) },
	{ "hook", TEXT_OF(struct counter_line, hook) },
	{ "definition", TEXT_OF(struct counter_line, definition) },
};

static void add_family(struct table *table, const struct counter_family *family)
{
	for (unsigned int i = 0; i < family->count; i++) {
		const struct counter *counter = &family->counters[i];
		const struct counter_line line = { family->title, counter->key, counter->unit,
						   counter->hook, counter->definition };

		table__add(table, &line);
	}
}

static struct table *table_of_counters(void)
{
	struct table *table = table__new(NULL);

	TABLE_COLUMNS(table, counter_columns, NULL);
	for (unsigned int i = 0; i < counter_family_count; i++)
		add_family(table, &counter_families[i]);
	return table;
}

static void print_family(const struct counter_family *family, const struct table_output *output)
{
	struct table_output picture;

	wrap__title(family->title, output);
	picture = picture__begin(output);
	for (unsigned int i = 0; i < family->count; i++) {
		const struct counter *counter = &family->counters[i];
		const char *separator = *counter->unit ? ", " : "";

		fprintf(picture.stream, "  %s (%s%sfrom %s)\n", counter->key, counter->unit,
			separator, counter->hook);
		wrap__print(NULL, counter->definition, 0, INDENT, &picture);
	}
	picture__end(output);
}

static void print_families(const struct table_output *output)
{
	for (unsigned int i = 0; i < counter_family_count; i++) {
		if (i)
			putc('\n', output->stream);
		print_family(&counter_families[i], output);
	}
}

void report__counters(const struct table_output *output)
{
	if (table_output__view(output) == VIEW_DATA)
		table__finish(table_of_counters(), output);
	else
		print_families(output);
}
