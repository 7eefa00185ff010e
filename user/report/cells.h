/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cells for what the model and the analyses hold.
 */
#ifndef FORKTAX_REPORT_CELLS_H
#define FORKTAX_REPORT_CELLS_H

#include "analysis/stats.h"
#include "format/cell.h"
#include "model/run/run.h"

/* Columns of names, in tables whose subject is the run: of the index that is there in a row. */
#define GROUP_OF(type, field) COLUMN_TEXT, .cell = cell__group_at, .index = offsetof(type, field)
struct cell cell__group_at(const void *run, const void *row, int offset);

/* Names: short for people, whole paths for programs. */
struct cell cell__exe(const struct run *run, uint32_t exe);
struct cell cell__images(const struct run *run, const struct process *process);
struct cell cell__group(const struct run *run, uint32_t group); /* or NO_GROUP */
struct cell cell__object(const struct run *run, uint32_t object);
struct cell cell__exit(int32_t status, int32_t signal, bool finished);
/* A system call; "open (i386)" where it is not of the usual convention. */
struct cell cell__call(const struct syscall_row *row);
/* Of what its errors consist: "9 ENOENT, 4 EACCES, 2 others", at most so many by name; blank without any. */
struct cell cell__errnos(const struct syscall_row *row, size_t most);

/* Per child: median and extremes. */
struct cell cell__distribution(const struct distribution *values, uint64_t children);
/* With extremes, and with an interval. Unless NULL, people read `text`, which is taken over. */
struct cell cell__spread(const struct spread *spread, char *text);
struct cell cell__of_estimate(const struct estimate *estimate, char *text);
/* Microseconds with one digit; NAN: not known. */
struct cell cell__us(double ns);
/* A part of the whole in %, with two digits; blank if the whole is 0, and "-" if the part is more than that. */
struct cell cell__percent(double part, double whole);

#endif
