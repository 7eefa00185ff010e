// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/start/start_report.h"

static const struct section start_sections[] = {
#include "report/start/start_sections.def"
};

void report__start(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	if (run->start)
		PRINT_SECTIONS(start_sections, run, options, output);
}
