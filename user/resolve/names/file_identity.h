/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is the file at a path still the one that the kernel saw?
 */
#ifndef FORKTAX_RESOLVE_NAMES_FILE_IDENTITY_H
#define FORKTAX_RESOLVE_NAMES_FILE_IDENTITY_H

#include <stdint.h>
#include <sys/stat.h>

enum file_identity {
	FILE_IS_SAME,
	/*
	 * Same inode, but another device: btrfs and overlayfs report another one to user space than
	 * the kernel uses. Taken for the same file; the run gets a note.
	 */
	FILE_HAS_SAME_INODE,
	FILE_HAS_CHANGED, /* or is gone */
};

/* `dev`: as makedev(3) or the kernel packs it. `path` NULL: FILE_HAS_CHANGED. */
enum file_identity file_identity__of(const char *path, uint64_t dev, uint64_t ino);
/* The same of a file that is open. */
enum file_identity file_identity__of_opened(const struct stat *now, uint64_t dev, uint64_t ino);

#endif
