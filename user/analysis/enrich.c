// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/enrich.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "elf/checked.h"
#include "elf/facts.h"

enum identity { SAME, SAME_INODE, CHANGED };

/* The kernel packs device numbers its own way (major << 20 | minor), stat(2) another. */
static bool same_device(uint64_t seen, dev_t now)
{
	return seen == now || seen == ((uint64_t)major(now) << 20 | minor(now));
}

static enum identity compare(const struct exe *exe)
{
	struct stat stat_now;

	if (!exe->path || stat(exe->path, &stat_now) || stat_now.st_ino != exe->ino)
		return CHANGED;
	return same_device(exe->dev, stat_now.st_dev) ? SAME : SAME_INODE;
}

static char *linkage_by_file(const struct exe *exe)
{
	char *reason = NULL;
	struct elf_facts *facts = elf_facts__read(exe->path, &reason);
	char *linkage = facts ? checked_strdup(elf_linkage_keys[facts->linkage]) : NULL;

	free(reason);
	elf_facts__free(facts);
	return linkage;
}

void enrich__run(struct run *run)
{
	bool other_device = false;

	for (size_t i = 0; i < run->exe_count; i++) {
		struct exe *exe = &run->exes[i];
		enum identity identity;

		if (exe->linkage)
			continue;
		identity = compare(exe);
		if (identity != CHANGED)
			exe->linkage = linkage_by_file(exe);
		other_device |= exe->linkage && identity == SAME_INODE;
		if (!exe->linkage)
			exe->linkage = checked_strdup(exe->has_interp ? "dynamic" : "static");
	}
	if (other_device)
		run__note(
			run,
			"the file system names its device differently to user space "
			"(as btrfs and overlayfs do): executables were recognised by inode alone");
}
