/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Turns the flow events of the kernel half into a flow_log. Internal to user/source. Order of calls:
 * open (after the programs are loaded), take while the run lasts, end, finish, close.
 */
#ifndef FORKTAX_SOURCE_EBPF_FLOW_FLOW_READER_H
#define FORKTAX_SOURCE_EBPF_FLOW_FLOW_READER_H

#include <stddef.h>

#include "model/workers/flow_log.h"

struct forktax_bpf;
struct flow_reader;

/* Before the programs are loaded. */
void flow_reader__configure(struct forktax_bpf *skeleton);
/* `log` is empty, and must outlive it. */
struct flow_reader *flow_reader__open(struct forktax_bpf *skeleton, struct flow_log *log);
void flow_reader__close(struct flow_reader *reader); /* NULL is fine */
/* One record of the ring buffer (struct flow_event). As ring_buffer_sample_fn. */
int flow_reader__take(void *reader, void *data, size_t size);
/* Counting has just been stopped: copies and new memory end at the same moment. */
void flow_reader__end(struct flow_reader *reader);
/* Takes in what the kernel half has summed up. */
void flow_reader__finish(struct flow_reader *reader);

#endif
