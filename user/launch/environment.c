// SPDX-License-Identifier: GPL-2.0-or-later
#include "launch/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/page.h"
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

/* Strings with their NUL, and a pointer to each. */
static size_t bytes_of(char *const *texts)
{
	size_t bytes = 0;

	for (; *texts; texts++)
		bytes += strlen(*texts) + 1 + sizeof(char *);
	return bytes;
}

char **environment__padded(const char *path, char *const *argv)
{
	static const char name[] = "FORKTAX_PADDING=";
	const char *const without[] = { "FORKTAX_PADDING", NULL };
	char **padded = environment__changed(without), *padding;
	const size_t count = text__list_length(padded);
	const size_t used = strlen(path) + 1 + bytes_of(argv) + bytes_of(padded) + sizeof(name) +
			    sizeof(char *);
	const size_t missing = page__end(used) - used;

	padding = checked(malloc(sizeof(name) + missing));
	memcpy(padding, name, sizeof(name));
	memset(padding + sizeof(name) - 1, 'x', missing);
	padding[sizeof(name) - 1 + missing] = '\0';
	padded = checked(reallocarray(padded, count + 2, sizeof(*padded)));
	padded[count] = padding;
	padded[count + 1] = NULL;
	return padded;
}
