/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report of a run as a list of its sections, in order. Each list is a .def file, whose rows also
 * declare the functions: a section is a file and a row.
 */
#ifndef FORKTAX_REPORT_REPORT_SECTIONS_H
#define FORKTAX_REPORT_REPORT_SECTIONS_H

#include "format/table.h"
#include "model/run/run.h"
#include "report/options.h"
#include "report/shown.h"

/*
 * A section makes a table (the caller frees it; NULL or without rows: nothing to show) or prints
 * itself, for people after an empty line. It heeds the options that concern it.
 */
typedef struct table *section_table_fn(const struct run *run, const struct report_options *options);
typedef void section_print_fn(const struct run *run, const struct report_options *options,
			      const struct table_output *output);
typedef bool section_when_fn(const struct run *run, const struct report_options *options);

struct section {
	enum section_id id;
	section_table_fn *table;
	section_print_fn *print;
	enum table_view view; /* for whom */
	enum section_level level;
	section_when_fn *when; /* NULL: always */
};

#define TABLE(id, function, view, level, when) section_table_fn function;
#define PRINT(id, function, view, level, when) section_print_fn function;
#include "report/anatomy/anatomy_sections.def"
#include "report/anatomy/explain_sections.def"
#include "report/run/run_sections.def"
#include "report/start/start_sections.def"
#undef TABLE
#undef PRINT
/* From here on, the rows of a list fill an array of sections. */
#define TABLE(id, function, view, level, when) \
	{ SHOW_##id, function, NULL, view, level, when },
#define PRINT(id, function, view, level, when) { SHOW_##id, NULL, function, view, level, when },

void sections__print(const struct section *sections, size_t count, const struct run *run,
		     const struct report_options *options, const struct table_output *output);
#define PRINT_SECTIONS(sections, run, options, output)                                                                 \
	sections__print(sections, sizeof(sections) / sizeof((sections)[0]), run, options, output)

/* For the column "when". */
section_when_fn section__unless_quiet, section__if_files, section__unless_files, section__unless_about_files,
	section__if_lines, section__if_several_lines, section__if_tree_times, section__if_bill,
	section__if_lines_beside, section__unless_start, section__if_anatomy, section__if_start, section__if_forks,
	section__if_page, section__if_start_advice, section__if_run_advice, section__if_fork_advice,
	section__if_fork_causes, section__unless_start_calls;

#endif
