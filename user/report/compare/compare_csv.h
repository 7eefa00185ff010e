/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_REPORT_COMPARE_COMPARE_CSV_H
#define FORKTAX_REPORT_COMPARE_COMPARE_CSV_H

#include "report/compare/comparison_report.h"

/* One line per column and figure: column, section, key, value, low, high. Low and high
 * are the extremes of counts and the 95 % interval of times. Empty: not known. */
void compare_csv__print(const struct comparison *comparison, const struct compare_view *view,
			const struct table_output *output);

#endif
