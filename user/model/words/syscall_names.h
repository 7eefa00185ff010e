/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_MODEL_WORDS_SYSCALL_NAMES_H
#define FORKTAX_MODEL_WORDS_SYSCALL_NAMES_H

#include <stdint.h>

#include "forktax.h"

/*
 * The name of a system call, a static string; NULL if the number means nothing in that ABI. Names
 * come from the kernel headers of the build machine (asm/unistd_{64,32,x32}.h) and, for newer calls,
 * from syscall_names_newer.def.
 */
const char *syscall_name(enum abi abi, int32_t nr);

#endif
