/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which cgroups are watched: those of the request, and those that are created later and match.
 *
 * Internal to source/ebpf.
 */
#ifndef FORKTAX_SOURCE_EBPF_WATCH_CGROUPS_H
#define FORKTAX_SOURCE_EBPF_WATCH_CGROUPS_H

#include "source/ebpf/tracing.h"

struct cgroup_message;
/* Makes room for the cgroups of the request; before the programs are loaded. */
void tracing__configure_cgroups(const struct tracing *tracing, struct forktax_bpf *skeleton);
/* Tells the kernel half which cgroups to watch, now and when they are created. 0 or -errno. */
int tracing__list_cgroups(struct tracing *tracing);
void tracing__take_cgroup(struct tracing *tracing, const struct cgroup_message *message);
/*
 * Looks for cgroups that were created without the kernel half knowing them, where there may be such. True: there
 * were, and it knows them now; the run is not exact.
 */
bool tracing__find_cgroups(struct tracing *tracing);

#endif
