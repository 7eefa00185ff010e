/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names for the places of an anatomy: which section and which symbol of its file each lies in.
 */
#ifndef FORKTAX_ANALYSIS_NAMES_PLACE_NAMES_H
#define FORKTAX_ANALYSIS_NAMES_PLACE_NAMES_H

#include <stdbool.h>

#include "model/run.h"

/*
 * Fills section, symbol and symbol_offset of every place in an object, and `changed` of objects
 * whose path names no longer the file that was mapped: in those nothing is looked up, nor in
 * objects without a path and in files that are not ELF. Places outside objects (heap, stack, TLS,
 * vdso, anonymous) have no names. A place behind the .bss that the file states becomes anonymous
 * (bss.h). For live runs only, once, before bindings__find(): the files of another machine are other
 * files. A note tells of files that code ran from and that could not be read.
 *
 * Returns whether a file was recognised by its inode alone (file_identity.h).
 */
bool anatomy__resolve(struct run *run);

#endif
