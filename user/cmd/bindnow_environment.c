// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bindnow_environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/memory.h"

#define NAME "LD_BIND_NOW"

bool bindnow_environment__is_set(void)
{
	const char *value = getenv(NAME);

	return value && *value;
}

static bool is_ours(const char *entry)
{
	return !strncmp(entry, NAME "=", strlen(NAME "="));
}

char **bindnow_environment__new(bool set)
{
	static char entry[] = NAME "=1";
	char **copy;
	size_t count = 0;

	while (environ[count])
		count++;
	copy = checked_calloc(count + 2, sizeof(*copy));
	count = 0;
	for (char **next = environ; *next; next++) {
		if (!is_ours(*next))
			copy[count++] = *next;
	}
	if (set)
		copy[count] = entry;
	return copy;
}

bool bindnow_environment__is_secure(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return true;
	if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid())
		return true;
	return getuid() && getxattr(path, "security.capability", NULL, 0) > 0;
}
