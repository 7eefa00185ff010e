/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Follows the threads of a command by the records of the kernel half, for its critical path. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_PATH_PATH_READER_H
#define FORKTAX_SOURCE_EBPF_PATH_PATH_READER_H

#include <stddef.h>

#include "model/run/run.h"

struct forktax_bpf;
struct path_reader;

/* Before the programs are loaded. */
void path_reader__configure(struct forktax_bpf *skeleton);
struct path_reader *path_reader__open(struct forktax_bpf *skeleton);
void path_reader__close(struct path_reader *reader); /* NULL is fine */
/* One record of the ring buffer. As ring_buffer_sample_fn. */
int path_reader__take(void *reader, void *data, size_t size);
/* Into run.critical_path, or a note that says why it is not known. */
void path_reader__finish(struct path_reader *reader, struct run *run);

#endif
