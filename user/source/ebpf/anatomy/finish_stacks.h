/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the hashes of call stacks to stacks. Internal to user/source.
 */
#ifndef FORKTAX_SOURCE_EBPF_ANATOMY_FINISH_STACKS_H
#define FORKTAX_SOURCE_EBPF_ANATOMY_FINISH_STACKS_H

#include "source/ebpf/anatomy/detail_reader_state.h"

/*
 * Fills anatomy->stacks, with objects by their numbers in reader->objects. `order` is where each row of the
 * table went. To be called when all records have come, and before the objects are finished. Shares and calls are
 * in no order: stacks__merge() brings them into theirs.
 */
void stacks__finish(struct detail_reader *reader, const uint32_t *order);

#endif
