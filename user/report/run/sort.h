/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order of a table of system calls: the keys of strace's -S.
 */
#ifndef FORKTAX_REPORT_RUN_SORT_H
#define FORKTAX_REPORT_RUN_SORT_H

#include <stdbool.h>

#include "model/run/run.h"

enum sort_key {
	SORT_DEFAULT, /* by time if there are times, else by calls */
	SORT_TIME,
	SORT_MIN_TIME,
	SORT_MAX_TIME,
	SORT_AVG_TIME,
	SORT_CALLS,
	SORT_ERRORS,
	SORT_NAME,
	SORT_NOTHING,
};

/* False if strace has no such key either. */
bool sort_key__parse(const char *name, enum sort_key *key);
/*
 * Largest first, names ascending; equal rows by name, then by calling convention. Keys of time sort
 * by calls unless the run is `timed`.
 */
void sort__rows(const struct syscall_row **rows, size_t count, enum sort_key key, bool timed);

#endif
