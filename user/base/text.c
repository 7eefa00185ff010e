// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"

#include <stdio.h>

#include "base/memory.h"

char *text__of_list(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		err(125, "out of memory");
	return text;
}

char *text__of(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text__of_list(format, arguments);
	va_end(arguments);
	return text;
}

int error__set(char **reason, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*reason = text__of_list(format, arguments);
	va_end(arguments);
	return -1;
}

void text__replace(char **text, const char *format, ...)
{
	va_list arguments;
	char *replaced = *text;

	va_start(arguments, format);
	*text = text__of_list(format, arguments);
	va_end(arguments);
	free(replaced);
}

void text__free_list(char *const *texts)
{
	for (size_t i = 0; texts && texts[i]; i++)
		free(texts[i]);
	free((void *)texts);
}

size_t text__list_length(char *const *texts)
{
	size_t count = 0;

	while (texts && texts[count])
		count++;
	return count;
}

char **text__copy_list(char *const *texts)
{
	size_t count = text__list_length(texts);
	char **copy = checked_calloc(count + 1, sizeof(*copy));

	for (size_t i = 0; i < count; i++)
		copy[i] = checked_strdup(texts[i]);
	return copy;
}

char *text__copy(const char *text)
{
	return text ? checked_strdup(text) : NULL;
}

size_t text__words_end(const char *text, size_t words)
{
	size_t end = 0;

	for (size_t i = 0; i < words; i++) {
		end += strspn(text + end, " ");
		end += strcspn(text + end, " ");
	}
	return end;
}

bool text__lists(const char *words, const char *word, size_t length)
{
	for (const char *at = words; *at; at += strspn(at, " ")) {
		const size_t part = strcspn(at, " ");

		if (part == length && !strncmp(at, word, length))
			return length > 0;
		at += part;
	}
	return false;
}

int text__compare(const char *left, const char *right)
{
	if (!left || !right)
		return !!left - !!right;
	return strcmp(left, right);
}

bool text__is_any(const char *text, const char *const *list)
{
	for (size_t i = 0; text && list[i]; i++)
		if (!strcmp(text, list[i]))
			return true;
	return false;
}

bool text__holds_any(const char *text, const char *const *list)
{
	for (size_t i = 0; text && list[i]; i++)
		if (strstr(text, list[i]))
			return true;
	return false;
}

const char *text__file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

bool text__names_library(const char *path)
{
	for (const char *at = text__file_name(path); (at = strstr(at, ".so")); at += 3)
		if (!at[3] || at[3] == '.')
			return true;
	return false;
}

const char *text__short_path(const char *path, const void *list, size_t count,
			     const char *path_of(const void *list, size_t index))
{
	const char *name = text__file_name(path);

	for (size_t i = 0; i < count; i++) {
		const char *other = path_of(list, i);

		if (other && !strcmp(text__file_name(other), name) && strcmp(other, path) != 0)
			return path;
	}
	return name;
}

void name_list__add(struct name_list *list, const char *name)
{
	if (list->count++ >= list->most)
		return;
	text__replace(&list->text, "%s%s%s", list->text ? list->text : "", list->text ? ", " : "", name);
}

char *name_list__finish(struct name_list *list)
{
	if (list->count > list->most)
		text__replace(&list->text, "%s and %zu more", list->text, list->count - list->most);
	return list->text;
}
