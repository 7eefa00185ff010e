// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "format/escape.h"
#include "report/anatomy/anatomy_report.h"
#include "saved/run_json.h"

static void show_groups(const struct run *run, const struct report_options *options,
			const struct table_output *output)
{
	struct group_picks picks = group_picks__of(run, options);
	char *rest = group_picks__rest(run, &picks);

	table__show(report__groups(run, &picks, options), output);
	if (rest)
		fprintf(output->stream, "%s\n", rest);
	for (size_t i = 0; i < picks.with_calls; i++)
		table__show(report__group_calls(run, &run->groups[picks.order[i]], options), output);
	if (picks.with_calls < picks.count)
		fprintf(output->stream, "\n(system calls of %zu more %s: --all-groups)\n",
			picks.count - picks.with_calls,
			picks.count - picks.with_calls == 1 ? "group" : "groups");
	free(rest);
	group_picks__free(&picks);
}

static void show_notes(const struct run *run, const struct table_output *output)
{
	for (size_t i = 0; i < run->integrity.note_count; i++) {
		char *note = escape__text(run->integrity.notes[i], output->utf8);

		fprintf(output->stream, "%snote: %s\n", i ? "" : "\n", note);
		free(note);
	}
}

static struct table *notes_table(const struct run *run)
{
	struct table *table;

	if (!run->integrity.note_count)
		return NULL;
	table = table__new("Notes");
	table__column(table, "note", ALIGN_LEFT);
	for (size_t i = 0; i < run->integrity.note_count; i++) {
		table__row(table);
		table__text(table, run->integrity.notes[i]);
	}
	return table;
}

void report__integrity(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	table__show(report__losses(run), output);
	if (options->quiet)
		return;
	if (options->csv)
		table__show(notes_table(run), output);
	else
		show_notes(run, output);
	table__show(report__books(run), output);
}

static void show_summary(const struct run *run, const struct table_output *output)
{
	struct table *table = report__summary(run);

	table__print(table, output);
	table__free(table);
}

void report__run(const struct run *run, const struct report_options *options,
		 const struct table_output *output)
{
	if (options->json) {
		run_json__write(run, output->stream); /* a failure stays in the stream */
		return;
	}
	if (!options->csv && report__is_explained(run)) {
		report__explain(run, options, output);
		return;
	}
	if (options->csv)
		show_summary(run, output);
	else
		report__headline(run, options, output);
	table__show(report__syscalls(run, options), output);
	table__show(report__readings(run, options), output);
	table__show(report__faults(run), output);
	show_groups(run, options, output);
	table__show(report__processes(run, options), output);
	table__show(report__tree(run, options), output);
	table__show(report__executables(run, options), output);
	if (run->anatomy)
		report__anatomy_tables(run, options, output);
	report__integrity(run, options, output);
}
