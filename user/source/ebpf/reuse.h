/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loaded programs of a run for the next one that asks for the same, or for other single calls: `compare`, `check` and
 * `explain` make many. Meanwhile they are attached to nothing, so that what is measured in between does not pay for
 * them. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_REUSE_H
#define FORKTAX_SOURCE_EBPF_REUSE_H

struct forktax_bpf;
struct source_request;

/* As they were when they had just been loaded, to be attached; NULL: there are none for this (any more). */
struct forktax_bpf *reuse__take(const struct source_request *request);

/* After a run that has been counted to its end, so that they know none of its processes: keeps or destroys them. */
void reuse__give(struct forktax_bpf *skeleton, const struct source_request *request);

#endif
