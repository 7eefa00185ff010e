/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Turns the detail records of the kernel half into run.anatomy. Internal to user/source. Order of
 * calls: open (after the programs are loaded), consume while the run lasts and once more after it,
 * finish, close.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_DETAIL_READER_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_DETAIL_READER_H

#include <stddef.h>
#include <stdint.h>

#include "model/run/run.h"

struct forktax_bpf;
struct detail_reader;

/* Sizes and switches that the programs are loaded with. */
enum {
	ANATOMY_FULL = 256, /* children of a kind that are recorded, before ... */
	ANATOMY_EVERY = 16, /* ... only every so many-th is */
	ANATOMY_RING = 4 << 20, /* bytes */
};

struct detail_reader *detail_reader__open(struct forktax_bpf *skeleton, struct run *run);
void detail_reader__close(struct detail_reader *reader); /* NULL is fine */

/* One record of the ring buffer (struct detail). As ring_buffer_sample_fn. */
int detail_reader__take(void *reader, void *data, size_t size);

/*
 * Takes in the names of files that have been mapped meanwhile. To be called several times a second.
 */
void detail_reader__consume(struct detail_reader *reader);

/* Takes in the names of what a running process has mapped already. */
void detail_reader__attach(struct detail_reader *reader, int32_t pid);

/*
 * Fills run->anatomy. `positions` are those of groups in run.groups, by the index of their
 * group_value.
 */
void detail_reader__finish(struct detail_reader *reader, const uint32_t *positions, uint32_t group_count);

#endif
