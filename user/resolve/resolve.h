/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Adds to a traced run what its executable files say.
 */
#ifndef FORKTAX_RESOLVE_RESOLVE_H
#define FORKTAX_RESOLVE_RESOLVE_H

#include "model/run/run.h"

/*
 * Fills the linkage of every executable that has none yet. The file at its path is read only if it
 * still is the file that ran (file_identity.h; a note says if inodes alone tell). Otherwise the
 * running image decides: "dynamic" if a dynamic linker was mapped, else "static". An anatomy gets
 * its names (place_names.h) and bindings (bindings.h). A run loaded from a file must not be
 * enriched: it may be of another machine.
 */
void resolve__run(struct run *run);

#endif
