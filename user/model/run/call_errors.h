/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How the calls of a row ended: errors by errno, and what is left. Every source fills rows with these;
 * reports and the reader of saved runs ask them.
 */
#ifndef FORKTAX_MODEL_RUN_CALL_ERRORS_H
#define FORKTAX_MODEL_RUN_CALL_ERRORS_H

#include "model/run/run.h"

/*
 * Adds calls that failed so. The caller raises row->errors, too: the one is counted, the other says
 * of what it consists. Names come from errno_name(), or from a log; each costs memory.
 */
void syscall_row__add_errno(struct syscall_row *row, const char *name, enum actor actor, uint64_t calls);
/* The same by number; one without a name is called "errno NUMBER". */
void syscall_row__add_error(struct syscall_row *row, int number, enum actor actor, uint64_t calls);
/* Those of another row. */
void syscall_row__add_errnos(struct syscall_row *sum, const struct syscall_row *more);
/* In the order that readers expect: most calls first, then by name. */
void syscall_row__sort_errnos(struct syscall_row *row);
/* Of a row that is not part of a run, which releases its own. */
void syscall_row__release_errnos(struct syscall_row *row);
/* Errors of one actor that have an errno: all of them, unless something was lost. */
uint64_t syscall_row__explained(const struct syscall_row *row, enum actor actor);
/* Does this call end its thread, so that it never returns? */
bool syscall_row__ends_thread(const struct syscall_row *row);

/* What strace(1) calls the status of a call. */
enum call_status { STATUS_SUCCESSFUL, STATUS_FAILED, STATUS_UNFINISHED, CALL_STATUS_COUNT };

extern const char *const call_status_keys[CALL_STATUS_COUNT];

/* Calls of one actor that ended so; of a run whose outcomes are not known only `failed` may be asked. */
uint64_t syscall_row__ended(const struct syscall_row *row, enum actor actor, enum call_status status);

#endif
