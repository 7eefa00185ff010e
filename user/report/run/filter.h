/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which system calls a table shows: the expressions of strace's -e trace=SET.
 */
#ifndef FORKTAX_REPORT_RUN_FILTER_H
#define FORKTAX_REPORT_RUN_FILTER_H

#include <stdbool.h>

#include "model/run.h"

struct filter;

/*
 * [trace=][!]ITEM[,ITEM]...; an item is a name, a number, %class, /regex, all or none; after a
 * question mark it may be unknown. NULL and a reason (to be freed) if the expression is wrong.
 */
struct filter *filter__parse(const char *expression, char **reason);
void filter__free(struct filter *filter);
/* A NULL filter lets everything pass. */
bool filter__passes(const struct filter *filter, const struct syscall_row *row);

#endif
