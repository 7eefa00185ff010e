// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

bool user__exists(const char *name)
{
	return getpwnam(name) != NULL;
}

int user__become(const char *name)
{
	const struct passwd *user = getpwnam(name);

	if (!user)
		return EINVAL;
	if (initgroups(user->pw_name, user->pw_gid) || setgid(user->pw_gid) || setuid(user->pw_uid))
		return errno;
	return 0;
}
