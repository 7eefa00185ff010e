// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/wrap.h"
#include "report/run/run_report.h"

enum { INDENT = 6 };

static void print_family(const struct counter_family *family, const struct table_output *output)
{
	fprintf(output->stream, output->colour ? "\033[1m%s\033[0m\n" : "%s\n", family->title);
	for (unsigned int i = 0; i < family->count; i++) {
		const struct counter *counter = &family->counters[i];
		const char *separator = *counter->unit ? ", " : "";

		fprintf(output->stream, "  %s (%s%sfrom %s)\n", counter->key, counter->unit,
			separator, counter->hook);
		wrap__print(NULL, counter->definition, 0, INDENT, output);
	}
}

static void print_csv(const struct table_output *output)
{
	static const char *const columns[] = { "family", "key", "unit", "hook", "definition" };
	struct table *table = table__new(NULL);

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table__column(table, columns[i], ALIGN_LEFT);
	for (unsigned int i = 0; i < counter_family_count; i++) {
		for (unsigned int j = 0; j < counter_families[i].count; j++) {
			const struct counter *counter = &counter_families[i].counters[j];

			table__row(table);
			table__text(table, counter_families[i].title);
			table__text(table, counter->key);
			table__text(table, counter->unit);
			table__text(table, counter->hook);
			table__text(table, counter->definition);
		}
	}
	table__print(table, output);
	table__free(table);
}

void report__counters(const struct table_output *output)
{
	if (output->style == TABLE_CSV) {
		print_csv(output);
		return;
	}
	for (unsigned int i = 0; i < counter_family_count; i++) {
		if (i)
			putc('\n', output->stream);
		print_family(&counter_families[i], output);
	}
}
