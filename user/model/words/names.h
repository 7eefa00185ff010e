/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What executables, groups of children and objects are called, on every screen: short, as long as
 * that is unambiguous in the run. `full`: with whole paths, for programs. All are to be freed.
 * Keys by which runs are compared are others (analysis/same.h).
 */
#ifndef FORKTAX_MODEL_WORDS_NAMES_H
#define FORKTAX_MODEL_WORDS_NAMES_H

#include "model/run/run.h"

/*
 * The name it was executed by, and in parentheses its file if that has another name: "sh (dash)".
 * `full`: the path as executed, nothing else.
 */
char *names__exe(const struct run *run, uint32_t exe, bool full);
/* Whose children: "sh, fork, no exec"; NO_GROUP: "the command itself". */
char *names__group(const struct run *run, uint32_t group, bool full);
/* The same without the parent, where it is known: "fork, no exec". */
char *names__birth(const struct run *run, const struct group *group, bool full);
/* "getpid", or "getpid (i386)" where the number belongs to another calling convention. */
char *names__call(const struct syscall_row *call);
/* The file name of an object, or "ld.so"; its path where another object has the same name. */
char *names__object(const struct run *run, uint32_t object, bool full);

#endif
