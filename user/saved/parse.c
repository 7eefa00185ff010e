// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/document.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum {
	DEEPEST = 16, /* levels; a saved run has 7 */
	LIST_DEPTH = 2, PIECE_DEPTH = 3, /* that of the document is 1 */
	LARGEST = 1 << 30, /* bytes */
	/*
	 * Bytes that the tree of libjson-c takes for "{}" or "[]", and for a number. It may take so many times
	 * the bytes of the text; that of a saved run takes up to 18 times, its beginning perhaps more. A small text may
	 * be anything.
	 */
	CONTAINER_BYTES = 770, VALUE_BYTES = 60, TREE_MOST = 25, BEGIN_MOST = 2 * TREE_MOST, SMALL = 1 << 18,
};

/* How often these characters stand in the text, outside of strings. */
static size_t count(const char *text, size_t length, const char *marks)
{
	bool in_string = false;
	size_t found = 0;

	for (size_t i = 0; i < length; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && text[i] && strchr(marks, text[i]))
			found++;
	}
	return found;
}

/* Would its tree take much more memory than that of anything forktax saves? */
static bool is_crowded(const char *text, size_t length, size_t most)
{
	return length > SMALL &&
	       CONTAINER_BYTES * count(text, length, "{[") + VALUE_BYTES * count(text, length, ",") > most * length;
}

static void refuse_crowded(size_t length, char **reason)
{
	error__set(reason, "has more values than anything that forktax saves would have in %zu bytes", length);
}

char *document__text(FILE *stream, size_t *length, char **reason)
{
	size_t room = 1 << 16;
	char *text = NULL;
	bool goes_on, is_much;

	*reason = NULL;
	*length = 0;
	do {
		text = checked(realloc(text, room *= 2));
		errno = 0;
		*length += fread(text + *length, 1, room - *length - 1, stream);
		text[*length] = '\0';
		goes_on = *length == room - 1 && *length <= LARGEST;
		is_much = goes_on && is_crowded(text, *length, BEGIN_MOST);
	} while (goes_on && !is_much);
	if (ferror(stream))
		error__set(reason, "%s", strerror(errno ? errno : EIO));
	else if (*length > LARGEST)
		error__set(reason, "larger than 1 GiB: not a saved run");
	else if (is_much)
		refuse_crowded(*length, reason);
	else if (*length == 0)
		error__set(reason, "the file is empty");
	if (!*reason)
		return text;
	free(text);
	return NULL;
}

char *pieces__cut(struct pieces *pieces, const char *text, size_t *length)
{
	bool in_string = false, in_list = false;
	struct piece *piece = NULL;
	size_t depth = 0, copied = 0, size;
	char *rest;
	FILE *stream = checked(open_memstream(&rest, &size));

	pieces->text = text;
	for (size_t i = 0; i < *length; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (in_string)
			continue;
		else if (text[i] == '{' || text[i] == '[') {
			in_list = ++depth == LIST_DEPTH ? text[i] == '[' : in_list;
			if (depth != PIECE_DEPTH || !in_list || text[i] != '{')
				continue;
			fwrite(text + copied, 1, i - copied, stream);
			fprintf(stream, "%zu", pieces->count);
			pieces->list = checked_grow(pieces->list, pieces->count, sizeof(*pieces->list));
			piece = &pieces->list[pieces->count++];
			*piece = (struct piece){ .begin = i };
		} else if ((text[i] == '}' || text[i] == ']') && depth-- == PIECE_DEPTH && piece) {
			copied = i + 1;
			piece->length = copied - piece->begin;
			piece = NULL;
		}
	}
	fwrite(text + copied, 1, *length - copied, stream);
	fclose(stream);
	*length = size;
	return rest;
}

/* Strict also refuses anything behind the object. */
static struct json_tokener *new_tokener(int deepest)
{
	struct json_tokener *tokener = checked(json_tokener_new_ex(deepest));

	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	return tokener;
}

/* How many members objects have in the tree; valid JSON has a colon for each. The parser limits its depth. */
static size_t members_kept(struct json_object *value)
{
	size_t members = 0;

	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, member) {
			(void)key;
			members += 1 + members_kept(member);
		}
	} else if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			members += members_kept(json_object_array_get_idx(value, i));
	}
	return members;
}

struct json_object *pieces__take(struct pieces *pieces, int64_t number)
{
	struct piece *piece = number >= 0 && (size_t)number < pieces->count ? &pieces->list[number] : NULL;
	const char *text = pieces->text + (piece ? piece->begin : 0);
	struct json_tokener *tokener;
	struct json_object *object;

	if (!piece || !piece->length || is_crowded(text, piece->length, TREE_MOST))
		return NULL;
	tokener = new_tokener(DEEPEST - LIST_DEPTH);
	object = json_tokener_parse_ex(tokener, text, piece->length);
	pieces->taken += object && count(text, piece->length, ":") == members_kept(object); /* else not all are */
	json_tokener_free(tokener);
	piece->length = 0;
	return object;
}

static void explain_error(struct json_tokener *tokener, size_t length, char **reason)
{
	enum json_tokener_error error = json_tokener_get_error(tokener);

	if (error == json_tokener_continue || json_tokener_get_parse_end(tokener) >= length)
		error__set(reason, "cut off: the JSON text ends unfinished after %zu "
				    "bytes", length);
	else if (error == json_tokener_error_depth)
		error__set(reason, "JSON nested more than %d levels deep: not a saved run", DEEPEST);
	else
		error__set(reason, "not JSON: %s at byte %zu", json_tokener_error_desc(error),
			json_tokener_get_parse_end(tokener));
}

/* The line, from 1, at which git(1) begins a conflict; 0: none. No line of JSON begins so. */
static size_t conflict_line(const char *text)
{
	size_t line = 1;

	while (strncmp(text, "<<<<<<< ", strlen("<<<<<<< ")) != 0) {
		text = strchr(text, '\n');
		if (!text)
			return 0;
		text++;
		line++;
	}
	return line;
}

/* Each line an object, as of a watch that printed several samples? */
static bool are_lines(const char *text)
{
	const char *end = strchr(text, '\n');

	return end && end > text && end[-1] == '}' && end[1] == '{';
}

struct json_object *document__parse(const char *text, size_t length, char **reason)
{
	struct json_tokener *tokener;
	struct json_object *root;

	if (is_crowded(text, length, TREE_MOST)) {
		refuse_crowded(length, reason);
		return NULL;
	}
	tokener = new_tokener(DEEPEST);
	/* Includes the NUL, so that a number at the very end is complete. */
	root = json_tokener_parse_ex(tokener, text, length + 1);
	if (json_tokener_get_error(tokener) != json_tokener_success) {
		if (conflict_line(text))
			error__set(reason, "line %zu begins a merge conflict: resolve it first", conflict_line(text));
		else if (are_lines(text))
			error__set(reason, "several lines of JSON: give one of them, such as the last (tail -n 1)");
		else
			explain_error(tokener, length, reason);
	} else if (count(text, length, ":") != members_kept(root)) {
		/* The parser keeps the last of two members; other programs may keep the first. */
		error__set(reason, "a key appears twice in the same JSON object");
	} else {
		json_tokener_free(tokener);
		return root;
	}
	json_object_put(root);
	json_tokener_free(tokener);
	return NULL;
}
