/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The system calls that a reader has asked for, in his order.
 */
#ifndef FORKTAX_REPORT_RUN_CALL_LIST_H
#define FORKTAX_REPORT_RUN_CALL_LIST_H

#include "model/run.h"
#include "report/options.h"

struct call_list {
	const struct syscall_row **rows; /* the array is owned */
	size_t count;
};

struct call_list call_list__of(const struct syscall_table *calls, bool timed,
			       const struct report_options *options);
void call_list__free(struct call_list *list);

#endif
