/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files by their build ids: among those that processes map now, or did when they were found before.
 */
#ifndef FORKTAX_RESOLVE_NAMES_COPY_FILES_H
#define FORKTAX_RESOLVE_NAMES_COPY_FILES_H

#include "base/hash.h"
#include "model/watch/copy_profile.h"

/* All zero: none. Bounded. */
struct copy_files {
	struct hash paths; /* of those that were found, by build id */
	struct hash failures; /* how often others were not, by build id */
};

/* Finds the files of a profile, names its frames, and keeps of each stack what can be believed (stack_names.h). */
void copy_files__resolve(struct copy_files *files, struct copy_profile *profile);
void copy_files__release(struct copy_files *files);

#endif
