/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_MODEL_WORDS_ERRNO_NAMES_H
#define FORKTAX_MODEL_WORDS_ERRNO_NAMES_H

#include <stddef.h>

/*
 * The name of an error, "ENOENT" for 2, a static string; NULL if the number has none. The kernel's own
 * are among them: ERESTARTSYS. The C library has no say in this: it lacks those, and on the machine
 * where a saved run or a log is read it may be another one.
 */
const char *errno_name(int number);
/* The other way round; 0 if there is no such name. `name` need not end behind `length`. */
int errno_number(const char *name, size_t length);

#endif
