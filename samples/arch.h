/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What of raw.h differs between machines.
 */
#ifndef SAMPLE_ARCH_H
#define SAMPLE_ARCH_H

#if defined(__x86_64__)
#include "arch_x86_64.h"
#elif defined(__aarch64__)
#include "arch_aarch64.h"
#else
#error "samples/ have no arch_NAME.h for this machine"
#endif

#endif
