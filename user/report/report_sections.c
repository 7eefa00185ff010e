// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_sections.h"

#include "base/text.h"
#include "format/wrap.h"

bool section__unless_quiet(const struct run *run, const struct report_options *options)
{
	return !options->quiet;
}

bool section__if_files(const struct run *run, const struct report_options *options)
{
	return run->files;
}

bool section__if_lines(const struct run *run, const struct report_options *options)
{
	return run->lines;
}

bool section__if_several_lines(const struct run *run, const struct report_options *options)
{
	return run->lines && script_lines__are_several(run->lines);
}

bool section__if_anatomy(const struct run *run, const struct report_options *options)
{
	return run->anatomy;
}

bool section__if_start(const struct run *run, const struct report_options *options)
{
	return run->start;
}

bool section__if_page(const struct run *run, const struct report_options *options)
{
	return options->formats[TABLE_HTML];
}

/* Without forks, a run that tells of its start has no more to say. */
bool section__if_forks(const struct run *run, const struct report_options *options)
{
	return !run->start || run->totals[LIFE_FORKS];
}

void sections__print(const struct section *sections, size_t count, const struct run *run,
		     const struct report_options *options, const struct table_output *output)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *section = &sections[i];

		if (!(section->view & table_output__view(output)) ||
		    !section__is_shown(section->id, section->level, options))
			continue;
		if (section->when && !section->when(run, options))
			continue;
		if (section->table)
			table__show(section->table(run, options), output);
		else
			section->print(run, options, output);
	}
}

void report__print_not_recorded(const struct run *run, const struct report_options *options,
				const struct table_output *output)
{
	static const struct {
		enum section_id id;
		section_when_fn *has;
		const char *option;
	} recorded[] = {
		{ SHOW_LINES, section__if_lines, "--lines" },	     { SHOW_BILL, section__if_bill, "--tree-times" },
		{ SHOW_FILES, section__if_files, "--files" },	     { SHOW_SEARCHES, section__if_files, "--files" },
		{ SHOW_CLOCK, section__if_anatomy, "--anatomy" },    { SHOW_CAUSES, section__if_anatomy, "--anatomy" },
		{ SHOW_FORKS, section__if_anatomy, "--anatomy" },    { SHOW_COSTS, section__if_anatomy, "--anatomy" },
		{ SHOW_BINDINGS, section__if_anatomy, "--anatomy" },
		{ SHOW_TREE_TIMES, section__if_tree_times, "--tree-times" },
	};

	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++)
		if (options->show[recorded[i].id] && !recorded[i].has(run, options))
			wrap__paragraph("note:", text__of("this run has no %s: forktax run %s records them",
							  section__name(recorded[i].id), recorded[i].option), output);
}
