/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_MODEL_WORDS_SYSCALL_NAMES_H
#define FORKTAX_MODEL_WORDS_SYSCALL_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "forktax.h"

/*
 * The name of a system call, a static string; NULL if the number means nothing in that ABI. The tables of all
 * machines (syscalls_*.def) are on each of them, because runs and logs are read elsewhere, too.
 */
const char *syscall_name(enum abi abi, int32_t nr);
/* The number of that call; -1: the ABI has none. */
int32_t syscall_number(enum abi abi, const char *name);

#endif
