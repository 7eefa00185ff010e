// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/lines/script_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "resolve/lines/script_search.h"
#include "resolve/names/file_identity.h"

/*
 * The time of the last change is that of the kernel's last tick before it. So a change within the tick in which the
 * file was opened is not seen, if it leaves the size as it was.
 */
static bool has_changed(FILE *stream, const struct script_file *file)
{
	struct stat now;

	return fstat(fileno(stream), &now) || (uint64_t)now.st_size != file->size ||
	       (uint64_t)now.st_ctim.tv_sec * 1000000000 + (uint64_t)now.st_ctim.tv_nsec > file->opened;
}

/* The rows of one file, by line. */
struct rows {
	struct script_line **list;
	size_t count;
};

static int by_line(const void *left, const void *right)
{
	const struct script_line *a = *(struct script_line *const *)left, *b = *(struct script_line *const *)right;

	return (a->line > b->line) - (a->line < b->line);
}

static struct rows rows_of(const struct script_lines *lines, const struct script_file *file)
{
	struct rows rows = { checked_calloc(lines->count, sizeof(*rows.list)), 0 };

	for (size_t i = 0; i < lines->count; i++) {
		struct script_line *line = &lines->rows[i];

		if (line->source == SCRIPT_FILE && line->line && !strcmp(line->file, file->name))
			rows.list[rows.count++] = line;
	}
	if (rows.count)
		qsort(rows.list, rows.count, sizeof(*rows.list), by_line);
	return rows;
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

static void read_lines(FILE *stream, const struct rows *rows, struct script_file *file)
{
	autofree char *line = NULL;
	size_t room = 0, next = 0;
	ssize_t length;

	for (uint32_t number = 1; next < rows->count && (length = getline(&line, &room, stream)) > 0; number++) {
		if (number == 1)
			file->is_sh = script_text__names(line, "sh");
		while (next < rows->count && rows->list[next]->line == number)
			rows->list[next++]->text = script_line__cut(line, (size_t)length);
	}
}

static void forget_lines(const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->list[i]->text);
		rows->list[i]->text = NULL;
	}
}

static enum script_text read_from(FILE *stream, const struct script_lines *lines, struct script_file *file)
{
	struct rows rows;
	enum script_text result = SCRIPT_TEXT_READ;

	if (has_changed(stream, file))
		return SCRIPT_TEXT_CHANGED;
	rows = rows_of(lines, file);
	read_lines(stream, &rows, file);
	if (ferror(stream))
		result = SCRIPT_TEXT_GONE;
	else if (has_changed(stream, file)) /* meanwhile */
		result = SCRIPT_TEXT_CHANGED;
	if (result != SCRIPT_TEXT_READ)
		forget_lines(&rows);
	free(rows.list);
	return result;
}

/* NULL: it was not found, or is another file now. */
static FILE *open_file(struct script_search *search, const struct script_file *file, enum script_text *why)
{
	autofree char *elsewhere = NULL;
	FILE *stream = fopen(file->name, "re");

	*why = stream ? SCRIPT_TEXT_CHANGED : SCRIPT_TEXT_GONE;
	if (stream && file_identity__of(file->name, file->dev, file->ino) != FILE_HAS_CHANGED)
		return stream;
	if (stream)
		fclose(stream);
	elsewhere = script_search__find(search, file);
	return elsewhere ? fopen(elsewhere, "re") : NULL;
}

static enum script_text read_file(struct script_search *search, struct script_file *file)
{
	enum script_text result;
	FILE *stream;

	if (!file->ino)
		return SCRIPT_TEXT_UNSEEN;
	if (file->has_others)
		return SCRIPT_TEXT_SEVERAL;
	stream = open_file(search, file, &result);
	if (!stream)
		return result;
	result = read_from(stream, search->lines, file);
	fclose(stream);
	return result;
}

void script_text__read(struct script_lines *lines)
{
	struct script_search search = { .lines = lines };

	for (size_t i = 0; i < lines->file_count; i++)
		lines->files[i].text = read_file(&search, &lines->files[i]);
	script_search__release(&search);
}
