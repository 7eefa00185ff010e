/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is the file at a path still the one that the kernel saw?
 */
#ifndef FORKTAX_ANALYSIS_NAMES_FILE_IDENTITY_H
#define FORKTAX_ANALYSIS_NAMES_FILE_IDENTITY_H

#include <stdint.h>

enum file_identity {
	FILE_IS_SAME,
	/*
	 * Same inode on a device of another name: btrfs and overlayfs tell user space another one
	 * than they use inside the kernel. Taken for the same file, with a note of the run.
	 */
	FILE_HAS_SAME_INODE,
	FILE_HAS_CHANGED, /* or is gone */
};

/* `dev` as makedev(3) or as the kernel packs it. A path of NULL has changed. */
enum file_identity file_identity__of(const char *path, uint64_t dev, uint64_t ino);

#endif
