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

static const char padding_name[] = "FORKTAX_PADDING=";

/* To be freed. */
static char *padding_of(size_t bytes)
{
	char *padding = checked_calloc(1, sizeof(padding_name) + bytes);

	memcpy(padding, padding_name, sizeof(padding_name) - 1);
	memset(padding + sizeof(padding_name) - 1, 'x', bytes);
	return padding;
}

static char *const *or_ours(char *const *environment)
{
	return environment ? environment : environ;
}

void environments__level(char **environments[], size_t count)
{
	bool differ = false;
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t bytes = bytes_of(or_ours(environments[i]));

		differ |= environments[i] != NULL;
		most = bytes > most ? bytes : most;
	}
	for (size_t i = 0; differ && i < count; i++) {
		char *const *from = or_ours(environments[i]);
		const size_t length = text__list_length(from);
		char **padded = checked_calloc(length + 2, sizeof(*padded));

		for (size_t k = 0; k < length; k++)
			padded[k] = checked_strdup(from[k]);
		padded[length] = padding_of(most - bytes_of(from));
		text__free_list(environments[i]);
		environments[i] = padded;
	}
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
	const size_t used = strlen(path) + 1 + bytes_of(argv) + bytes_of(chosen) + sizeof(padding_name) +
			    sizeof(char *);

	return padding_of(page__end(used) - used);
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
