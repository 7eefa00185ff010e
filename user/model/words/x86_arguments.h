/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Arguments of calls that only x86 has: headers of other machines lack them, and logs of x86 are read there, too.
 */
#ifndef FORKTAX_MODEL_WORDS_X86_ARGUMENTS_H
#define FORKTAX_MODEL_WORDS_X86_ARGUMENTS_H

#include <sys/mman.h>

#ifndef MAP_32BIT
#define MAP_32BIT 0x40
#endif

/* arch_prctl(2). */
enum { ARCH_SET_GS = 0x1001, ARCH_SET_FS = 0x1002, ARCH_GET_FS = 0x1003, ARCH_GET_GS = 0x1004 };

#endif
