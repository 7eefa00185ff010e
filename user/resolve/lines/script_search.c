// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/lines/script_search.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "resolve/names/file_identity.h"

enum {
	DIRECTORIES_MOST = 1024,
	LOOKS_MOST = 1 << 18, /* at entries of directories, and at files: a second, or two */
};

/* Takes over `directory`. */
static void add(struct script_search *search, char *directory)
{
	for (size_t i = 0; i < search->count; i++)
		if (!strcmp(search->directories[i], directory) || search->count == DIRECTORIES_MOST) {
			free(directory);
			return;
		}
	search->directories = checked_grow(search->directories, search->count, sizeof(*search->directories));
	search->directories[search->count++] = directory;
}

/* What lies in it, hidden ones excluded. */
static void add_below(struct script_search *search, const char *directory)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;

	while (stream && search->looks++ < LOOKS_MOST && (entry = readdir(stream)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			add(search, text__of("%s/%s", directory, entry->d_name));
	if (stream)
		closedir(stream);
}

/* "/usr/lib" of "/usr/lib/names.sh"; to be freed, NULL: there is none above. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash != path ? text__of("%.*s", (int)(slash - path), path) : NULL;
}

static void add_above(struct script_search *search, const char *path)
{
	char *directory = directory_of(path), *above = directory ? directory_of(directory) : NULL;

	if (directory)
		add(search, directory);
	if (above)
		add(search, above);
}

static void list_directories(struct script_search *search)
{
	const struct script_lines *lines = search->lines;
	size_t direct;

	add(search, checked_strdup("."));
	for (size_t i = 0; i < lines->file_count; i++)
		if (lines->files[i].name[0] == '/')
			add_above(search, lines->files[i].name);
	direct = search->count;
	for (size_t i = 0; i < direct; i++)
		add_below(search, search->directories[i]);
}

void script_search__release(struct script_search *search)
{
	for (size_t i = 0; i < search->count; i++)
		free(search->directories[i]);
	free(search->directories);
}

char *script_search__find(struct script_search *search, const struct script_file *file)
{
	if (file->name[0] == '/')
		return NULL;
	if (!search->count)
		list_directories(search);
	for (size_t i = 0; i < search->count && search->looks++ < LOOKS_MOST; i++) {
		autofree char *path = text__of("%s/%s", search->directories[i], file->name);

		if (file_identity__of(path, file->dev, file->ino) == FILE_IS_SAME)
			return checked_strdup(path);
	}
	return NULL;
}
