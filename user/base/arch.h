/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What differs between the machines that forktax is built for: a header for each, with the same functions.
 */
#ifndef FORKTAX_BASE_ARCH_H
#define FORKTAX_BASE_ARCH_H

#include <stdint.h>

/* Registers of a stopped thread that is about to execute the first instruction of a function. */
struct arch_registers {
	uint64_t ip;
	uint64_t argument; /* the first */
	uint64_t return_address; /* 0: not known */
};

#if defined(__x86_64__)
#include "base/arch/arch_x86_64.h"
#elif defined(__aarch64__)
#include "base/arch/arch_aarch64.h"
#else
#error "base/arch/ has no header for this machine"
#endif

#endif
