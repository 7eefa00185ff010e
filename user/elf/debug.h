/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that hold the symbols of a stripped one.
 */
#ifndef FORKTAX_ELF_DEBUG_H
#define FORKTAX_ELF_DEBUG_H

#include "elf/object.h"

/*
 * Opens the separate debug file, headers alone (to be closed). It is found as gdb(1) finds it: by
 * build id below /usr/lib/debug, by .gnu_debuglink beside the file and below /usr/lib/debug. Only
 * a file with the same build id counts, or, where there is none, with the checksum that
 * .gnu_debuglink states. `path` is that of the object. False: there is none.
 *
 * libdwfl can do this, too. But it would map files that others may truncate, unpack their contents
 * without any limit, and load libdebuginfod with all that it needs for each file without a debug
 * file.
 */
bool elf_debug_file__open(struct elf_object *debug, const struct elf_object *object, const char *path);

/*
 * .gnu_debugdata: an ELF file with the symbols that .dynsym lacks, packed into a section. Unpacks
 * and opens it, headers alone (to be closed). False: none, damaged, or above 64 MiB.
 */
bool elf_debug_data__open(struct elf_object *debug, const struct elf_object *object);

/* The build id: a hash of the contents of a file when it was linked. */
enum { BUILD_ID_MOST = 64 };

struct build_id {
	size_t size; /* 0: none */
	unsigned char bytes[BUILD_ID_MOST];
};

struct build_id build_id__of(const struct elf_object *object);
bool build_id__equal(const struct build_id *left, const struct build_id *right);

#endif
