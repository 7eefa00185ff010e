/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the time of one fork goes: the bill of a group, line by line, and its tax.
 */
#ifndef FORKTAX_REPORT_ANATOMY_TIME_BAR_H
#define FORKTAX_REPORT_ANATOMY_TIME_BAR_H

#include "analysis/forks/fork_bill.h"
#include "format/table.h"

/*
 * A bar for each line of the bill, after an empty line; says so if no fork is known in all its
 * parts. `bill` NULL: prints nothing.
 */
void time_bar__print(const struct run *run, const struct fork_bill *bill,
		     const struct table_output *output);

#endif
