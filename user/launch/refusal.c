// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/refusal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "launch/gate.h"

/* "ls -la" as one word, where ls would be a command. */
static char *missing(const char *name)
{
	autofree char *first = checked_strdup(name), *path = NULL;

	first[strcspn(first, " ")] = '\0';
	if (strlen(first) < strlen(name))
		path = gate__find(first);
	if (path)
		return text__of("%s: command not found: give %s and its arguments as separate words, "
				"without the quotes", name, first);
	return text__of("%s: command not found", name);
}

/* A file without the magic bytes of any format, and without bytes that no text has. */
static bool is_script(const char *path)
{
	char bytes[512];
	size_t size = untrusted__head(path, bytes, sizeof(bytes));

	return size > 0 && *bytes != '\x7f' && !memchr(bytes, '\0', size);
}

static char *wrong_format(const char *name)
{
	autofree char *path = gate__find(name);
	bool script = path && is_script(path);
	char *text = script ? text__of("%s: Exec format error: a script without a #! line; give it to its "
				       "shell: sh %s", name, path)
			    : text__of("%s: cannot be executed: %s", name, strerror(ENOEXEC));

	return text;
}

char *refusal__text(const char *name, int why)
{
	switch (why) {
	case ENOENT:
		return missing(name);
	case EISDIR:
		return text__of("%s: is a directory, not a command", name);
	case EACCES:
		return text__of("%s: %s", name, strchr(name, '/') && access(name, F_OK) < 0 && errno == EACCES
							? strerror(EACCES) /* of a directory on the way */
							: "not executable");
	case ENOEXEC:
		return wrong_format(name);
	default:
		return text__of("%s: cannot be executed: %s", name, strerror(why));
	}
}
