// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/names/file_identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* The kernel packs device numbers its own way (major << 20 | minor), stat(2) another. */
static bool same_device(uint64_t seen, dev_t now)
{
	return seen == now || seen == ((uint64_t)major(now) << 20 | minor(now));
}

enum file_identity file_identity__of_opened(const struct stat *now, uint64_t dev, uint64_t ino)
{
	if (now->st_ino != ino)
		return FILE_HAS_CHANGED;
	return same_device(dev, now->st_dev) ? FILE_IS_SAME : FILE_HAS_SAME_INODE;
}

enum file_identity file_identity__of(const char *path, uint64_t dev, uint64_t ino)
{
	struct stat now;

	return path && !stat(path, &now) ? file_identity__of_opened(&now, dev, ino) : FILE_HAS_CHANGED;
}
