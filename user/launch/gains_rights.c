// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "launch/launch.h"

bool launch__gains_rights(const char *path)
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
