/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How single capabilities are tried. Internal to user/source; see capabilities.h.
 */
#ifndef FORKTAX_SOURCE_EBPF_CAPABILITY_TRIES_H
#define FORKTAX_SOURCE_EBPF_CAPABILITY_TRIES_H

#include "source/source.h"

/* Writes why, and returns CAPABILITY_MISSING. */
enum capability_state capability__because(char *why, size_t size, const char *reason);
/* Are all these types (NULL-terminated) in the kernel's BTF? */
enum capability_state capability__find_types(const char *const *names, char *why, size_t size);
/* May tracing programs use this helper (enum bpf_func_id)? */
enum capability_state capability__try_helper(int helper, char *why, size_t size);

/* What only the anatomy level uses: capabilities_anatomy.c. */
enum capability_state capability__try_durations(char *why, size_t size);
enum capability_state capability__try_mmap_records(char *why, size_t size);
enum capability_state capability__try_extents(char *why, size_t size);
enum capability_state capability__try_user_memory(char *why, size_t size);
enum capability_state capability__try_child_memory(char *why, size_t size);

#endif
