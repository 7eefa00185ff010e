// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/workers/workers_report.h"

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/advice/advice_tables.h"
#include "report/options.h"
#include "report/picture/pictures.h"
#include "report/run/run_report.h"
#include "report/saved_table.h"
#include "report/shown.h"
#include "report/workers/workers_flow_report.h"

static void print_head(const struct workers *workers, const struct table_output *output)
{
	autofree char *of = workers->has_master ?
			   text__of("of process %d (%s)", workers->master.pid, workers->master.name) :
				    text__of("without a master");
	autofree char *machine = machine__words(&workers->machine);

	wrap__paragraph(
		NULL,
		text__of("Pool %s, %s%s%s; read in %s%s", of,
			 quantity__count(workers->worker_count, "worker", "workers").text, *machine ? ", on " : "",
			 machine, quantity__time(workers->look_ns).text,
			 workers->witness == WITNESS_FRAMES ? ", by frames" : ", by the page map's bit \"exclusive\""),
		output);
}

static void print_unknown(const struct workers *workers, const struct table_output *output)
{
	workers_report__print_warnings(workers, output);
	for (size_t i = 0; i < workers->gap_count; i++) {
		const struct workers_gap *gap = &workers->gaps[i];

		wrap__paragraph("Not known:",
				text__of("%s: %s%s%s", gap->what, gap->why, gap->remedy ? "; " : "",
					 gap->remedy ? gap->remedy : ""), output);
	}
}

/* Of each worker; people read their sum. */
static struct table *mappings_data(const struct workers *workers)
{
	const struct shape *mapping = saved_table__shape(&workers_shape, "mappings");
	const struct shape *pages = saved_table__shape(saved_table__shape(&workers_shape, "workers"), "mappings");
	struct table *table = table__new("Mappings");

	table__column(table, "pid", COLUMN_COUNT);
	saved_table__add_columns(table, mapping);
	saved_table__add_columns(table, pages);
	for (size_t i = 0; i < workers->worker_count; i++) {
		const struct worker *worker = &workers->workers[i];

		for (size_t k = 0; k < worker->mapping_count; k++) {
			table__row(table);
			table__count(table, worker->pid);
			saved_table__put(table, mapping, workers, &workers->mappings[worker->mappings[k].mapping]);
			saved_table__put(table, pages, workers, &worker->mappings[k]);
		}
	}
	return table;
}

static void print_state_data(const struct workers *workers, const struct report_options *options,
			     const struct table_output *output)
{
	const bool has_members = section__is_shown(SHOW_MEMBERS, IN_FULL, options);

	if (has_members) {
		table__show(saved_table__of_one("Pool", workers, &workers_shape, workers), output);
		table__show(saved_table__of("Workers", workers, &workers_shape, workers, "workers"), output);
	}
	if (section__is_shown(SHOW_MAPPINGS, IN_FULL, options))
		table__show(mappings_data(workers), output);
	if (has_members)
		table__show(saved_table__of("Not known", workers, saved_table__shape(&workers_shape, "integrity"),
					    workers, "not_known"), output);
}

static void print_data(const struct workers *workers, const struct report_options *options,
		       const struct table_output *output)
{
	if (workers->has_state)
		print_state_data(workers, options, output);
	if (workers->flow)
		workers_flow__print_data(workers->flow, options, output);
	if (section__is_shown(SHOW_ADVICE, IN_FULL, options))
		table__show(saved_table__of("Advice", workers, &workers_shape, workers, "advice"), output);
}

static void print_state(const struct workers *workers, const struct report_options *options,
			const struct table_output *output)
{
	if (!options->quiet && section__is_shown(SHOW_SHARING, IN_FULL, options)) {
		if (!output->page)
			putc('\n', output->stream);
		print_head(workers, output);
		workers_words__print(workers, output);
		if (workers->worker_count)
			table__show(workers_tables__cost(workers), output);
	}
	picture__workers(workers, output);
	if (section__is_shown(SHOW_MEMBERS, IN_FULL, options))
		table__show(workers_tables__members(workers, options), output);
	if (section__is_shown(SHOW_MAPPINGS, IN_FULL, options) && workers->mapping_count)
		table__show(workers_tables__mappings(workers, options), output);
	print_unknown(workers, output);
}

static void print_advice(const struct workers *workers, const struct report_options *options,
			 const struct table_output *output)
{
	struct advice_order order = advice_order__of_pool(workers);

	if (order.count && output->page)
		advice_rows__print(&order, options, output);
	else if (order.count)
		advice_text__print(&order, output);
	advice_order__free(&order);
}

static void print_for_people(const struct workers *workers, const struct report_options *options,
			     const struct table_output *output)
{
	if (workers->flow && !workers_flow__is_exact(workers->flow))
		report__not_exact("what was written to was not recorded completely (see the warnings below)", output);
	if (!workers->has_state)
		wrap__paragraph(NULL, text__of("The pool had ended before its state could be read."), output);
	else if (!options->quiet)
		wrap__paragraph(NULL, workers_words__verdict(workers), output);
	if (report__is_brief(options)) {
		workers_report__print_brief(workers, options, output);
		return;
	}
	if (workers->has_state)
		print_state(workers, options, output);
	if (workers->flow)
		workers_flow__print(workers->flow, options, output);
	if (section__is_shown(SHOW_ADVICE, IN_FULL, options))
		print_advice(workers, options, output);
}

void workers_report__print(const struct workers *workers, const struct report_options *options,
			   const struct table_output *output)
{
	if (table_output__view(output) == VIEW_DATA)
		print_data(workers, options, output);
	else
		print_for_people(workers, options, output);
}
