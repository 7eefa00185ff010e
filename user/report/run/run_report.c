// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

#include "report/anatomy/anatomy_tables.h"
#include "report/report_sections.h"
#include "report/shown.h"
#include "report/start/start_report.h"

static const struct section run_sections[] = {
#include "report/run/run_sections.def"
};

void run_report__print(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	if (table_output__view(output) == VIEW_READING && report__is_explained(run)) {
		report__explain(run, options, output);
	} else if (options->start_alone && report__is_brief(options)) {
		report__print_exactness(run, output);
		report__print_outcome(run, options, report__print_start_answer(run, options, false, output), output);
		report__start(run, options, output);
	} else {
		PRINT_SECTIONS(run_sections, run, options, output);
	}
	report__print_next(run, options, output);
}
