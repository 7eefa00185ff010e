// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/outline.h"

#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

enum {
	FIELDS_MOST = 256, /* of a shape */
	UNKNOWN_MOST = 1 << 16, /* brackets and commas in members that the shape does not have */
	FIGURE_MOST = 16, /* the same in a figure */
};

struct looking {
	const char *at;
	enum outline outline; /* OUTLINE_GOOD as long as there is no other result */
	char *reason;
	size_t unknown;
};

static void stop(struct looking *looking)
{
	if (looking->outline == OUTLINE_GOOD)
		looking->outline = *looking->at ? OUTLINE_NO_JSON : OUTLINE_CUT;
}

static void refuse(struct looking *looking, const char *key, const char *why)
{
	if (looking->outline != OUTLINE_GOOD)
		return;
	looking->outline = OUTLINE_WRONG;
	looking->reason = text__of("\"%s\" %s", key, why);
}

/* The next character that is no blank. */
static char next(struct looking *looking)
{
	looking->at += strspn(looking->at, " \t\r\n");
	return *looking->at;
}

static bool take(struct looking *looking, char c)
{
	if (looking->outline != OUTLINE_GOOD || next(looking) != c)
		return false;
	looking->at++;
	return true;
}

static void need(struct looking *looking, char c)
{
	if (!take(looking, c))
		stop(looking);
}

struct word_span {
	const char *at;
	size_t length;
};

static struct word_span skip_string(struct looking *looking)
{
	struct word_span span;

	need(looking, '"');
	span.at = looking->at;
	while (looking->outline == OUTLINE_GOOD && *looking->at != '"') {
		looking->at += strcspn(looking->at, "\"\\");
		if (*looking->at == '\\' && looking->at[1])
			looking->at += 2;
		else if (*looking->at != '"')
			stop(looking);
	}
	span.length = looking->at - span.at;
	need(looking, '"');
	return span;
}

static void skip_scalar(struct looking *looking)
{
	size_t length;

	if (next(looking) == '"') {
		skip_string(looking);
		return;
	}
	length = strcspn(looking->at, " \t\r\n,]}[{\":");
	looking->at += length;
	if (!length || !*looking->at)
		stop(looking);
}

/* Any value, of at most so many brackets and commas, which are counted. */
static void skip(struct looking *looking, const char *key, size_t *count, size_t most)
{
	size_t depth = 0;

	do {
		const char c = next(looking);

		if (c && strchr("{[,:", c))
			looking->at++;
		else if (depth && (c == '}' || c == ']'))
			looking->at++;
		else
			skip_scalar(looking);
		depth += c == '{' || c == '[';
		depth -= depth && (c == '}' || c == ']');
		*count += c == '{' || c == '[' || c == ',';
		if (*count > most)
			refuse(looking, key, "is more than forktax saves there");
	} while (depth && looking->outline == OUTLINE_GOOD);
}

static void skip_unknown(struct looking *looking, struct word_span key)
{
	autofree char *name = text__of("%.*s", key.length < 100 ? (int)key.length : 100, key.at);

	looking->unknown++;
	skip(looking, name, &looking->unknown, UNKNOWN_MOST);
}

/* Other programs write a slash as "\/". */
static bool is(struct word_span key, const char *text)
{
	const char *at = key.at, *end = key.at + key.length;

	for (; at < end && *text; at++, text++) {
		at += *at == '\\' && *text == '/';
		if (*at != *text)
			return false;
	}
	return at == end && !*text;
}

static char *copy_of(struct word_span span)
{
	char *copy = checked_calloc(span.length + 1, 1), *to = copy;

	for (size_t i = 0; i < span.length; i++)
		if (span.at[i] != '\\')
			*to++ = span.at[i];
	return copy;
}

static bool is_word(const struct words *words, struct word_span key)
{
	for (unsigned int i = 0; i < words->count; i++)
		if (is(key, words__word(words, i)))
			return true;
	return false;
}

/* The field that a key of an object stands for, the number of the member of `shape` it is, or is in; NULL: none. */
static const struct field *find(const struct shape *shape, struct word_span key, size_t *number)
{
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i], *inner = NULL;
		size_t unused;

		*number = i;
		if (field->kind == FIELD_MEMORY)
			continue;
		if (!field->inlined && is(key, field->key))
			return field;
		if (field->inlined && field->kind == FIELD_MAP && is_word(field->words, key))
			return field->element;
		if (field->inlined && field->kind == FIELD_OBJECT)
			inner = find(field->shape, key, &unused);
		if (inner)
			return inner;
	}
	return NULL;
}

static bool is_needed(const struct field *field)
{
	return field->kind != FIELD_MEMORY && !field->inlined && !field->of && !field->when && !field->optional &&
	       !field->omitted;
}

static void look_at_value(struct looking *looking, const struct field *field, const char *key);

static void look_at_object(struct looking *looking, const struct shape *shape)
{
	bool seen[FIELDS_MOST] = { 0 };

	need(looking, '{');
	if (!take(looking, '}')) {
		do {
			struct word_span key = skip_string(looking);
			size_t number;
			const struct field *field = find(shape, key, &number);

			need(looking, ':');
			if (field)
				look_at_value(looking, field, shape->fields[number].key);
			else
				skip_unknown(looking, key);
			if (field && number < FIELDS_MOST)
				seen[number] = true;
		} while (take(looking, ','));
		need(looking, '}');
	}
	for (size_t i = 0; i < shape->field_count && i < FIELDS_MOST; i++)
		if (is_needed(&shape->fields[i]) && !seen[i])
			refuse(looking, shape->fields[i].key, "is missing");
}

static void look_at_list(struct looking *looking, const struct field *field, const char *key)
{
	const struct field element = field__element(field);

	need(looking, '[');
	if (take(looking, ']'))
		return;
	do
		look_at_value(looking, &element, key);
	while (take(looking, ','));
	need(looking, ']');
}

static void look_at_map(struct looking *looking, const struct field *field, const char *key)
{
	need(looking, '{');
	if (take(looking, '}'))
		return;
	do {
		struct word_span word = skip_string(looking);

		need(looking, ':');
		if (is_word(field->words, word))
			look_at_value(looking, field->element, key);
		else
			skip_unknown(looking, word);
	} while (take(looking, ','));
	need(looking, '}');
}

static void look_at_value(struct looking *looking, const struct field *field, const char *key)
{
	static const char begins[FIELD_KIND_COUNT] = {
		[FIELD_OBJECT] = '{', [FIELD_MAP] = '{', [FIELD_LIST] = '[', [FIELD_FIGURE] = '{',
	};
	const char c = next(looking);
	size_t parts = 0;

	if (looking->outline != OUTLINE_GOOD || c != begins[field->kind]) {
		skip(looking, key ? key : "", &looking->unknown, UNKNOWN_MOST); /* who reads it says why it is wrong */
	} else if (field->kind == FIELD_OBJECT) {
		look_at_object(looking, field->shape);
	} else if (field->kind == FIELD_MAP) {
		look_at_map(looking, field, key);
	} else if (field->kind == FIELD_LIST) {
		look_at_list(looking, field, key);
	} else {
		skip(looking, key ? key : "", &parts, FIGURE_MOST);
	}
}

enum outline outline__schema(const char *text, char **schema)
{
	struct looking looking = { .at = text };

	*schema = NULL;
	need(&looking, '{');
	do {
		struct word_span key = skip_string(&looking), value = { 0 };
		size_t count = 0;

		need(&looking, ':');
		if (is(key, "schema") && next(&looking) == '"')
			value = skip_string(&looking);
		else
			skip(&looking, "", &count, SIZE_MAX);
		if (value.at && looking.outline == OUTLINE_GOOD)
			*schema = copy_of(value);
	} while (!*schema && take(&looking, ','));
	return looking.outline;
}

enum outline outline__check(const char *text, const struct shape *shape, char **reason)
{
	struct looking looking = { .at = text };

	look_at_object(&looking, shape);
	*reason = looking.reason;
	return looking.outline;
}
