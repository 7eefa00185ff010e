/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Adds to a traced run what the executable files state.
 */
#ifndef FORKTAX_ANALYSIS_NAMES_ENRICH_H
#define FORKTAX_ANALYSIS_NAMES_ENRICH_H

#include "model/run.h"

/*
 * Fills the linkage of every executable that has none yet. The file at its path is asked only if
 * it still is the file that ran: same inode, and same device where both sides name the device
 * alike (btrfs and overlayfs tell user space another one; a note says so then). Otherwise the
 * running image decides: "dynamic" if a dynamic linker was mapped, else "static". An anatomy gets
 * its names (place_names.h) and its bindings (bindings.h). A run that has been loaded from a file
 * must not be enriched: the machine may be another one.
 */
void enrich__run(struct run *run);

#endif
