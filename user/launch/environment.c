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
		if (strchr(*changes, '=') && !is_changed(*changes, changes + 1))
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

static bool is_chosen(const char *entry, const char *const *names)
{
	const size_t length = strcspn(entry, "=");

	for (; *names; names++) {
		const size_t named = strlen(*names);

		if ((*names)[named - 1] == '*' ? !strncmp(entry, *names, named - 1)
					       : named == length && !strncmp(entry, *names, length))
			return true;
	}
	return false;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* So long that all of it ends with a page; to be freed. */
static char *padding_for(const char *path, char *const *argv, char *const *chosen)
{
	static const char name[] = "FORKTAX_PADDING=";
	const size_t used = strlen(path) + 1 + bytes_of(argv) + bytes_of(chosen) + sizeof(name) +
			    sizeof(char *);
	const size_t missing = page__end(used) - used;
	char *padding = checked_calloc(1, sizeof(name) + missing);

	memcpy(padding, name, sizeof(name) - 1);
	memset(padding + sizeof(name) - 1, 'x', missing);
	return padding;
}

char **environment__chosen(const char *const *names, const char *path, char *const *argv)
{
	char **chosen = checked_calloc(text__list_length(environ) + 2, sizeof(*chosen));
	size_t count = 0;

	for (char **entry = environ; *entry; entry++)
		if (is_chosen(*entry, names))
			chosen[count++] = checked_strdup(*entry);
	qsort(chosen, count, sizeof(*chosen), by_text);
	chosen[count] = padding_for(path, argv, chosen);
	return chosen;
}
