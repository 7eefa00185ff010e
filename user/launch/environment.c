// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

static bool is_same_variable(const char *a, const char *b)
{
	size_t length = strcspn(a, "=");

	return length == strcspn(b, "=") && !strncmp(a, b, length);
}

static bool is_changed(const char *entry, const char *const *changes)
{
	for (; *changes; changes++) {
		if (is_same_variable(entry, *changes))
			return true;
	}
	return false;
}

char **environment__changed(const char *const *changes)
{
	size_t count = text__list_length(environ), more = 0, kept = 0;
	char **changed;

	while (changes && changes[more])
		more++;
	if (!more)
		return NULL;
	changed = checked_calloc(count + more + 1, sizeof(*changed));
	for (size_t i = 0; i < count; i++) {
		if (!is_changed(environ[i], changes))
			changed[kept++] = checked_strdup(environ[i]);
	}
	for (; *changes; changes++) {
		if (strchr(*changes, '='))
			changed[kept++] = checked_strdup(*changes);
	}
	return changed;
}
