// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/cgroup_directory.h"

#include <dirent.h>
#include <string.h>

void cgroup_directory__each(const char *path, cgroup_directory__visit *visit, void *context)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			visit(context, entry->d_name, entry->d_ino);
	if (directory)
		closedir(directory);
}
