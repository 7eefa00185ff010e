/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the arguments of a call stand for: files as numbers of a path_table.
 */
#ifndef FORKTAX_SOURCE_CALLS_CALL_OBJECTS_H
#define FORKTAX_SOURCE_CALLS_CALL_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/files/call_record.h"
#include "source/calls/descriptors.h"
#include "source/calls/path_table.h"
#include "source/calls/stream_process.h"

/* Argument `number` (from 1). False: there is none, or it is not known. */
bool call_objects__argument(const struct call_record *call, int number, uint64_t *value);
struct span call_objects__span(const struct call_record *call);

uint32_t call_objects__named(struct path_table *paths, const char *path);
/* What the kernel calls the file of a descriptor: "socket:[4711]" says nothing beside others. */
uint32_t call_objects__named_by_kernel(struct path_table *paths, const char *name);

/* What the descriptor in argument `number` leads to; OBJECT_UNKNOWN. */
uint32_t call_objects__known(struct path_table *paths, struct stream_process *process,
			     const struct call_record *call, int number);
/* The same; if it is not known, the descriptor itself. */
uint32_t call_objects__of_descriptor(struct path_table *paths, struct stream_process *process,
				     const struct call_record *call, int number);
/*
 * What path `i` of a call, whose relative paths begin at argument `directory` (0: in the working
 * directory), stands for. An empty one that is not refused stands for the descriptor (AT_EMPTY_PATH),
 * and so does none.
 */
uint32_t call_objects__of_path(struct path_table *paths, struct stream_process *process,
			       const struct call_record *call, int i, int directory);

/* What an open of that object leads to: by /dev/fd/N and the like, what descriptor N does (OBJECT_UNKNOWN). */
uint32_t call_objects__opened(struct path_table *paths, const struct stream_process *process,
			      const struct call_record *call, uint32_t object);

#endif
