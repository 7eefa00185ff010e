/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which system calls a table shows: the expressions of strace's -e trace=SET and -e status=SET.
 */
#ifndef FORKTAX_REPORT_RUN_FILTER_H
#define FORKTAX_REPORT_RUN_FILTER_H

#include <stdbool.h>

#include "model/run/call_errors.h"

struct filter;

/*
 * [trace=][!]ITEM[,ITEM]...; an item is a name, a number, %class, /regex, all or none; after a
 * question mark it may be unknown. Or status=[!]STATUS[,STATUS]... NULL and a reason (to be freed) if
 * the expression is wrong.
 */
struct filter *filter__parse(const char *expression, char **reason);
/* The option that the expression was given by, such as "-z"; not copied. */
void filter__name(struct filter *filter, const char *option);
/* "-z", "-e and -z": the options it comes from, to be freed. */
char *filter__given(const struct filter *filter);
void filter__free(struct filter *filter);
/* What `more` does not choose, calls or statuses, stays as in `old` (or NULL). Both are taken over. */
struct filter *filter__join(struct filter *old, struct filter *more);
/* A NULL filter lets everything pass. */
bool filter__passes(const struct filter *filter, const struct syscall_row *row);
/* Does it choose by status, so that counts are only a part of what was counted, without times? */
bool filter__has_status(const struct filter *filter);
/* Is it known of this run what the filter asks for? */
bool filter__suits(const struct filter *filter, const struct run *run);
/*
 * The row with only the calls that ended as the filter wants; what it points to stays the row's. A
 * call that seccomp denied goes with the failed ones, in its own count. Times are not known by status.
 */
struct syscall_row filter__reduce(const struct filter *filter, const struct syscall_row *row);

#endif
