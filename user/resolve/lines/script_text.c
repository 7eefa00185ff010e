// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/lines/script_text.h"

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
#include "resolve/lines/script_search.h"
#include "resolve/names/file_identity.h"

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

bool script_text__names(const char *line, const char *interpreter)
{
	const size_t length = strcspn(line, "\n");
	autofree char *words = strncmp(line, "#!", 2) ? NULL : text__of("%.*s", (int)length - 2, line + 2);
	char *state = NULL, *word = words ? strtok_r(words, " \t", &state) : NULL;

	if (word && !strcmp(text__file_name(word), "env"))
		word = strtok_r(NULL, " \t", &state);
	return word && !strcmp(text__file_name(word), interpreter);
}

/* False: lines of these rows were not read. */
static bool read_lines(struct untrusted_lines *lines, const struct rows *rows, struct script_file *file)
{
	size_t next = 0, length;
	char *line;

	for (uint32_t number = 1; next < rows->count && (line = untrusted_lines__next(lines, &length)); number++) {
		if (number == 1)
			file->is_sh = script_text__names(line, "sh");
		while (next < rows->count && rows->list[next]->line == number)
			rows->list[next++]->text = script_line__cut(line, length);
	}
	return next == rows->count || !lines->budget->cut;
}

static void forget_lines(const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->list[i]->text);
		rows->list[i]->text = NULL;
	}
}

static enum script_text read_from(struct untrusted_lines *text, const struct rows *all, struct script_file *file)
{
	const struct rows rows = rows_of(all, file->name);
	enum script_text result;

	if (has_changed(text->fd, file))
		return SCRIPT_TEXT_CHANGED;
	result = read_lines(text, &rows, file) ? SCRIPT_TEXT_READ : SCRIPT_TEXT_TOO_LONG;
	if (text->failed)
		result = SCRIPT_TEXT_GONE;
	else if (has_changed(text->fd, file)) /* meanwhile */
		result = SCRIPT_TEXT_CHANGED;
	if (result == SCRIPT_TEXT_GONE || result == SCRIPT_TEXT_CHANGED)
		forget_lines(&rows);
	return result;
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

struct reading {
	struct script_search search;
	struct rows rows;
	struct untrusted_budget budget;
};

static enum script_text read_file(struct reading *reading, struct script_file *file)
{
	struct untrusted_lines lines;
	enum script_text result;
	int fd;

	if (!file->ino)
		return SCRIPT_TEXT_UNSEEN;
	if (file->has_others)
		return SCRIPT_TEXT_SEVERAL;
	fd = open_file(&reading->search, file, &result);
	if (fd < 0)
		return result;
	reading->budget.cut = false;
	lines = untrusted_lines__of(fd, &reading->budget);
	result = read_from(&lines, &reading->rows, file);
	untrusted_lines__close(&lines);
	return result;
}

void script_text__read(struct script_lines *lines)
{
	struct reading reading = { .search = { .lines = lines }, .rows = all_rows(lines) };

	for (size_t i = 0; i < lines->file_count; i++)
		lines->files[i].text = read_file(&reading, &lines->files[i]);
	script_search__release(&reading.search);
	free(reading.rows.list);
}
