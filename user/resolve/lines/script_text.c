// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/lines/script_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "model/lines/script_lines.h"
#include "resolve/lines/line_check.h"
#include "resolve/names/file_identity.h"

/*
 * Scripts with a relative name, which a shell opened in another working directory than ours: "cd lib; . ./names.sh".
 * Nobody has seen in which one, but which file it was. So it is looked for, in a few directories.
 */

/* Our own working directory, those of scripts with an absolute name and the ones above these; and what lies in them. */
struct script_search {
	const struct script_lines *lines;
	char **directories; /* listed at the first search */
	size_t count;
	size_t looks; /* so far */
};

enum {
	DIRECTORIES_MOST = 1024,
	SEARCH_MOST = 1 << 18, /* at entries of directories, and at files: a second, or two */
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

	while (stream && search->looks++ < SEARCH_MOST && (entry = readdir(stream)))
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

static void script_search__release(struct script_search *search)
{
	for (size_t i = 0; i < search->count; i++)
		free(search->directories[i]);
	free(search->directories);
}

/* Where that very file is, by device and inode; to be freed. NULL: its name is absolute, or it was not found. */
static char *script_search__find(struct script_search *search, const struct script_file *file)
{
	if (file->name[0] == '/')
		return NULL;
	if (!search->count)
		list_directories(search);
	for (size_t i = 0; i < search->count && search->looks++ < SEARCH_MOST; i++) {
		autofree char *path = text__of("%s/%s", search->directories[i], file->name);

		if (file_identity__of(path, file->dev, file->ino) == FILE_IS_SAME)
			return checked_strdup(path);
	}
	return NULL;
}

/*
 * The time of the last change is that of the kernel's last tick before it. So a change within the tick in which the
 * file was opened is not seen, if it leaves the size as it was.
 */
static bool has_changed(int fd, const struct script_file *file)
{
	struct stat now;

	return fstat(fd, &now) || (uint64_t)now.st_size != file->size ||
	       (uint64_t)now.st_ctim.tv_sec * 1000000000 + (uint64_t)now.st_ctim.tv_nsec > file->opened;
}

enum {
	TEXTS_MOST = 1 << 18, /* lines of a file */
	LOOKS_MOST = 1 << 22, /* lines compared with recipes, of all files */
};

/* Rows of files, by file and line; those of one file are a part of all. */
struct rows {
	struct script_line **list;
	size_t count;
};

static int by_file_and_line(const void *left, const void *right)
{
	const struct script_line *a = *(struct script_line *const *)left, *b = *(struct script_line *const *)right;
	const int order = strcmp(a->file, b->file);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static struct rows all_rows(const struct script_lines *lines)
{
	struct rows rows = { checked_calloc(lines->count, sizeof(*rows.list)), 0 };

	for (size_t i = 0; i < lines->count; i++)
		if (lines->rows[i].source == SCRIPT_FILE && lines->rows[i].line)
			rows.list[rows.count++] = &lines->rows[i];
	if (rows.count)
		qsort(rows.list, rows.count, sizeof(*rows.list), by_file_and_line);
	return rows;
}

static bool is_before(const void *list, size_t index, const void *name)
{
	return strcmp(((struct script_line *const *)list)[index]->file, name) < 0;
}

static bool is_not_behind(const void *list, size_t index, const void *name)
{
	return strcmp(((struct script_line *const *)list)[index]->file, name) <= 0;
}

static struct rows rows_of(const struct rows *all, const char *name)
{
	const size_t first = bisect(all->list, all->count, is_before, name);

	return (struct rows){ all->list + first, bisect(all->list, all->count, is_not_behind, name) - first };
}

/* How far a row needs the text: whether a recipe stands elsewhere, the whole makefile tells. */
static uint32_t last_needed(const struct rows *rows)
{
	uint32_t last = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct script_line *row = rows->list[i];

		if (row->language == LANGUAGE_MAKE)
			return UINT32_MAX;
		last = row->line + row->function_line > last ? row->line + row->function_line : last;
	}
	return last;
}

/* False: more would be needed. */
static bool read_texts(struct untrusted_lines *lines, uint32_t last, struct texts_of_lines *texts)
{
	size_t length;
	char *line;

	while (texts->count < last && texts->count < TEXTS_MOST && (line = untrusted_lines__next(lines, &length))) {
		texts->list = checked_grow(texts->list, texts->count, sizeof(*texts->list));
		texts->list[texts->count++] = text__of("%.*s", (int)length, line);
	}
	return texts->count == last || (texts->count < TEXTS_MOST && !lines->budget->cut);
}

static enum script_text read_from(struct untrusted_lines *lines, const struct rows *rows, struct script_file *file,
				  struct texts_of_lines *texts)
{
	bool is_whole;

	if (has_changed(lines->fd, file))
		return SCRIPT_TEXT_CHANGED;
	is_whole = read_texts(lines, last_needed(rows), texts);
	if (lines->failed)
		return SCRIPT_TEXT_GONE;
	if (has_changed(lines->fd, file)) /* meanwhile */
		return SCRIPT_TEXT_CHANGED;
	return is_whole ? SCRIPT_TEXT_READ : SCRIPT_TEXT_TOO_LONG;
}

/* -1: it was not found, or is another file now. */
static int open_file(struct script_search *search, const struct script_file *file, enum script_text *why)
{
	autofree char *elsewhere = NULL;
	struct stat status;
	int fd = untrusted__open(file->name, 0, &status);

	*why = fd < 0 && errno != EINVAL ? SCRIPT_TEXT_GONE : SCRIPT_TEXT_CHANGED;
	if (fd >= 0 && file_identity__of_opened(&status, file->dev, file->ino) != FILE_HAS_CHANGED)
		return fd;
	if (fd >= 0)
		close(fd);
	elsewhere = script_search__find(search, file);
	return elsewhere ? untrusted__open(elsewhere, 0, &status) : -1;
}

static enum script_text read_file(struct script_search *search, struct untrusted_budget *budget,
				  const struct rows *rows, struct script_file *file, struct texts_of_lines *texts)
{
	struct untrusted_lines lines;
	enum script_text result;
	int fd;

	if (!file->ino)
		return SCRIPT_TEXT_UNSEEN;
	if (file->has_others)
		return SCRIPT_TEXT_SEVERAL;
	fd = open_file(search, file, &result);
	if (fd < 0)
		return result;
	budget->cut = false;
	lines = untrusted_lines__of(fd, budget);
	result = read_from(&lines, rows, file, texts);
	untrusted_lines__close(&lines);
	return result;
}

static void take_texts(const struct rows *rows, struct script_file *file, const struct texts_of_lines *texts)
{
	const bool is_read = file->text == SCRIPT_TEXT_READ || file->text == SCRIPT_TEXT_TOO_LONG;

	for (size_t i = 0; i < rows->count; i++) {
		struct script_line *row = rows->list[i];

		line_check__weigh(row, file->text == SCRIPT_TEXT_READ ? texts : NULL);
		if (is_read && row->line && row->line <= texts->count)
			row->text = script_line__cut(texts->list[row->line - 1], strlen(texts->list[row->line - 1]));
	}
}

void script_text__read(struct script_lines *lines)
{
	const struct rows all = all_rows(lines);
	struct script_search search = { .lines = lines };
	struct untrusted_budget budget = {};
	uint64_t looks = LOOKS_MOST;

	for (size_t i = 0; i < lines->file_count; i++) {
		struct script_file *file = &lines->files[i];
		const struct rows rows = rows_of(&all, file->name);
		struct texts_of_lines texts = { .looks = &looks };

		file->text = read_file(&search, &budget, &rows, file, &texts);
		take_texts(&rows, file, &texts);
		for (size_t k = 0; k < texts.count; k++)
			free(texts.list[k]);
		free(texts.list);
	}
	script_search__release(&search);
	free(all.list);
}
