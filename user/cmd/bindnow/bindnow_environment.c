// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/bindnow/bindnow_environment.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "launch/environment.h"

#define NAME "LD_BIND_NOW"

bool bindnow_environment__is_set(void)
{
	const char *value = getenv(NAME);

	return value && *value;
}

char **bindnow_environment__new(bool set)
{
	const char *changes[] = { set ? NAME "=1" : NAME, NULL };

	return environment__changed(changes);
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
