// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GROUPS_MOST = 1024 };

static bool find(const char *name, uid_t *uid, gid_t *gid)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user = NULL;

	while (file && (user = fgetpwent(file)) && strcmp(user->pw_name, name))
		;
	if (user) {
		*uid = user->pw_uid;
		*gid = user->pw_gid;
	}
	if (file)
		fclose(file);
	return user != NULL;
}

static bool has_member(const struct group *group, const char *name)
{
	for (char **member = group->gr_mem; *member; member++) {
		if (!strcmp(*member, name))
			return true;
	}
	return false;
}

/* Of more than there is room for the first; how many. */
static size_t groups_of(const char *name, gid_t first, gid_t groups[GROUPS_MOST])
{
	FILE *file = fopen("/etc/group", "re");
	const struct group *group;
	size_t count = 0;

	groups[count++] = first;
	while (file && count < GROUPS_MOST && (group = fgetgrent(file))) {
		if (group->gr_gid != first && has_member(group, name))
			groups[count++] = group->gr_gid;
	}
	if (file)
		fclose(file);
	return count;
}

bool user__exists(const char *name)
{
	uid_t uid;
	gid_t gid;

	return find(name, &uid, &gid);
}

int user__become(const char *name)
{
	gid_t gid, groups[GROUPS_MOST];
	uid_t uid;

	if (!find(name, &uid, &gid))
		return EINVAL;
	if (setgroups(groups_of(name, gid, groups), groups) || setgid(gid) || setuid(uid))
		return errno;
	return 0;
}
