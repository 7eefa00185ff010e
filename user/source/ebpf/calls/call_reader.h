/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hands the single calls of the kernel half on to a call_stream. Internal to user/source. Order of
 * calls: configure (before the programs are loaded), open, take while the run lasts and once more
 * after it, finish, close.
 */
#ifndef FORKTAX_SOURCE_EBPF_CALLS_CALL_READER_H
#define FORKTAX_SOURCE_EBPF_CALLS_CALL_READER_H

#include <stddef.h>
#include <stdint.h>

#include "model/run/run.h"

struct forktax_bpf;
struct call_reader;

/* `uses`: bits of enum call_use (source/calls/call_stream.h); not 0. */
void call_reader__configure(struct forktax_bpf *skeleton, unsigned int uses);
struct call_reader *call_reader__open(struct forktax_bpf *skeleton, struct run *run, unsigned int uses);
void call_reader__close(struct call_reader *reader); /* NULL is fine */

/* Takes in what process `pid`, number `id` in the run, has open, before it makes its first call. */
void call_reader__look_at(struct call_reader *reader, uint64_t id, int32_t pid, uint64_t since);

/* One record of the ring buffer (struct call_event_head). As ring_buffer_sample_fn. */
int call_reader__take(void *reader, void *data, size_t size);

/* `positions` are those of groups in run.groups, by the index of their group_value. */
void call_reader__finish(struct call_reader *reader, const uint32_t *positions, uint32_t count);

#endif
