/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report of a run as a list of its sections, in order.
 */
#ifndef FORKTAX_REPORT_SECTIONS_H
#define FORKTAX_REPORT_SECTIONS_H

#include "format/table.h"
#include "model/run.h"
#include "report/options.h"

/* Either a table, NULL where there is nothing to show, or what prints itself. */
struct section {
	const char *name;
	struct table *(*table)(const struct run *run, const struct report_options *options);
	void (*print)(const struct run *run, const struct report_options *options,
		      const struct table_output *output);
	enum table_view view; /* for whom; 0: for people and programs */
	/* NULL: always. */
	bool (*when)(const struct run *run, const struct report_options *options);
};

void sections__print(const struct section *sections, size_t count, const struct run *run,
		     const struct report_options *options, const struct table_output *output);
#define PRINT_SECTIONS(sections, run, options, output) \
	sections__print(sections, sizeof(sections) / sizeof((sections)[0]), run, options, output)

/* Conditions that several reports share. */
bool section__unless_quiet(const struct run *run, const struct report_options *options);
bool section__with_processes(const struct run *run, const struct report_options *options);

#endif
