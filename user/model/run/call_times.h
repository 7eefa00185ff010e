/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How the times of a call are distributed: calls by powers of two of the unit in which they were
 * measured, as bpftrace's hist(). In nanoseconds these are 1024..2047 ns and so on; of a log of
 * strace with whole microseconds 1..2 us, 2..4 us and so on: so each call is in the right one.
 */
#ifndef FORKTAX_MODEL_RUN_CALL_TIMES_H
#define FORKTAX_MODEL_RUN_CALL_TIMES_H

#include "model/run/run.h"

/*
 * Adds calls that took `time` units of unit_ns each, and less than one unit more. Calls of one row have one
 * unit. In no order: sort them then.
 */
void syscall_row__add_times(struct syscall_row *row, uint64_t time, uint64_t unit_ns, uint64_t calls);
/* What took at least that long has no upper bound: longer times were not distinguished. */
void syscall_row__open_times(struct syscall_row *row, uint64_t low_ns);
void syscall_row__sort_times(struct syscall_row *row);
/* Calls in all buckets: those that returned, unless something was lost. */
uint64_t syscall_row__timed_calls(const struct syscall_row *row);

#endif
