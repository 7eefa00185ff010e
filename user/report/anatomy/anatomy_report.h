/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anatomy of a run on the page: all of it behind the report of a run, or ranked and explained.
 */
#ifndef FORKTAX_REPORT_ANATOMY_ANATOMY_REPORT_H
#define FORKTAX_REPORT_ANATOMY_ANATOMY_REPORT_H

#include "report/report_sections.h"

/* Was the run made to be explained: does it have a verdict, or advice? */
bool report__is_explained(const struct run *run);
/*
 * The screen of `forktax explain`: for the groups whose forks took most time, what one fork
 * consists of, ranked; then what the dynamic linker did, advice, and how exact all this is.
 */
void report__explain(const struct run *run, const struct report_options *options,
		     const struct table_output *output);

#endif
