/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts of units, read while they go on.
 *
 * Internal to source/ebpf.
 */
#ifndef FORKTAX_SOURCE_EBPF_UNITS_UNITS_H
#define FORKTAX_SOURCE_EBPF_UNITS_UNITS_H

#include "source/ebpf/tracing.h"

/* The unit of cgroups that find no room, which the programs expect to find. 0 or -errno. */
int units__create_other(const struct forktax_bpf *skeleton);
/* These implement members of struct source. */
int units__read(struct tracing *tracing, struct unit_reading *reading);
bool units__take(struct tracing *tracing, uint64_t cgroup, struct unit_value *value);
bool units__take_kind(struct tracing *tracing, const struct unit_child_key *key, uint64_t *children);
void units__set_trial(struct tracing *tracing, enum unit_trial trial);
bool units__path(struct tracing *tracing, uint64_t cgroup, char *path, size_t size);

#endif
