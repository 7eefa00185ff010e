/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does the CPU leave the access flag of page-table entries to the kernel? Then a page that is there faults when it is
 * accessed for the first time since a fork, which clears the flag in the child (copy_present_pte()).
 */
#ifndef FORKTAX_SOURCE_EBPF_ACCESS_FLAG_H
#define FORKTAX_SOURCE_EBPF_ACCESS_FLAG_H

#include <stdbool.h>

/* Found out by trying: a child reads pages that its parent has written. */
bool access_flag__is_lacking(void);

#endif
