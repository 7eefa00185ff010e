/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * strace's classes of system calls (syscall_classes.def).
 */
#ifndef FORKTAX_REPORT_RUN_SYSCALL_CLASSES_H
#define FORKTAX_REPORT_RUN_SYSCALL_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

struct syscall_class {
	const char *name; /* without the percent sign */
	const char *calls; /* their names, between blanks */
};

/* NULL: no class has that name. */
const struct syscall_class *syscall_class__find(const char *name);
bool syscall_class__has(const struct syscall_class *class, const char *call);
/* Is the call in any of them? */
bool syscall_classes__know(const char *call);

#endif
