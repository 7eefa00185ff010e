/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The separate file that holds the symbols of a stripped one: found as gdb(1) finds it, by build
 * id below /usr/lib/debug, by .gnu_debuglink beside the file and below /usr/lib/debug, and if
 * the user has set DEBUGINFOD_URLS from there. Only a file with the same build id counts, or,
 * where there is none, with the checksum that .gnu_debuglink states.
 *
 * libdwfl can do this, too, but would map files that others may truncate, unpack what they hold
 * without any limit, and load libdebuginfod with all it needs for each file that has none.
 */
#ifndef FORKTAX_ELF_DEBUG_FILE_H
#define FORKTAX_ELF_DEBUG_FILE_H

#include "elf/object.h"

/* Opens it, headers alone (to be closed). `path` is that of the object. False: there is none. */
bool elf_debug_file__open(struct elf_object *debug, const struct elf_object *object,
			  const char *path);

#endif
