/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copies of pages by unit and call stack, since the last profile was written (forktax watch --pprof-dir).
 */
#ifndef FORKTAX_MODEL_WATCH_COPY_PROFILE_H
#define FORKTAX_MODEL_WATCH_COPY_PROFILE_H

#include "model/stacks/stacks.h"

/* The build ids are those of the files with the same number. */
struct copy_file_id {
	unsigned char bytes[BUILD_ID_BYTES];
};

struct copy_sample {
	char *unit;
	enum birth birth;
	enum copy_place place;
	uint32_t stack; /* index into stacks->list; NO_STACK: none */
	uint64_t copies;
};

struct copy_profile {
	struct copy_sample *samples;
	size_t sample_count;
	/*
	 * Offsets of frames are those in the file. A frame of no object is code of no file, or of one without build id.
	 */
	struct stacks *stacks;
	struct object *objects; /* by build id; path NULL: not found */
	struct copy_file_id *ids;
	size_t object_count;
};

void copy_profile__free(struct copy_profile *profile); /* NULL is fine */

#endif
