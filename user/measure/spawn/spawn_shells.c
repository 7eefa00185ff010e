// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/spawn/spawn.h"

#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* Shells that are /bin/sh on some system. */
static const char *const names[] = { "bash", "dash", "busybox", "ksh", "mksh", "yash", "zsh" };
static const char *const directories[] = { "/usr/bin", "/bin", "/usr/local/bin" };

enum {
	NAMES = sizeof(names) / sizeof(names[0]),
	DIRECTORIES = sizeof(directories) / sizeof(directories[0]),
};

static char *find_shell(const char *name)
{
	for (int i = 0; i < DIRECTORIES; i++) {
		char *path = text__of("%s/%s", directories[i], name);

		if (access(path, X_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

char **spawn_shells__installed(size_t *count)
{
	char **shells = NULL;

	*count = 0;
	for (int i = 0; i < NAMES; i++) {
		char *path = find_shell(names[i]);

		if (!path)
			continue;
		shells = checked_grow(shells, *count, sizeof(*shells));
		shells[(*count)++] = path;
	}
	return shells;
}
