/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where the time of one fork goes: the parts of its life on the clock, and of the child's running
 * the time in page faults, by kind.
 */
#ifndef FORKTAX_REPORT_ANATOMY_TIME_BAR_H
#define FORKTAX_REPORT_ANATOMY_TIME_BAR_H

#include "format/table.h"
#include "model/run.h"

/* Mean time of the faults of a child of a group while it runs, ns. */
struct fault_time {
	double ldso; /* with the dynamic linker's code: binding */
	double copies; /* of the program and the kernel, likewise: copied, filled or taken over */
	double maps; /* pages of files mapped */
	double others;
};

struct fault_time fault_time__of(const struct run *run, uint32_t group);

/* A bar for each part, after an empty line; says so if no fork is known in all its parts. */
void time_bar__print(const struct run *run, uint32_t group, const struct table_output *output);

#endif
