/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What differs between the machines that forktax is built for: a header for each, with the same functions.
 */
#ifndef FORKTAX_BASE_ARCH_H
#define FORKTAX_BASE_ARCH_H

#if defined(__x86_64__)
#include "base/arch/arch_x86_64.h"
#elif defined(__aarch64__)
#include "base/arch/arch_aarch64.h"
#else
#error "base/arch/ has no header for this machine (docs/howto-support-a-machine.md)"
#endif

#endif
