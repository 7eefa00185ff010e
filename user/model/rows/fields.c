// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/rows/fields.h"

#include <stdlib.h>

const struct field text_element = { .kind = FIELD_TEXT };

const char *words__word(const struct words *words, unsigned int index)
{
	return *(const char *const *)((const char *)words->first + words->stride * index);
}

const void *scope__root(const struct scope *scope)
{
	while (scope->outer)
		scope = scope->outer;
	return scope->self;
}

size_t field__length(const struct field *field, const struct scope *scope)
{
	if (field->kind == FIELD_MAP)
		return field->words->count;
	if (field->length)
		return field->length(scope);
	return *(const size_t *)((const char *)scope->self + field->count);
}

struct scope field__scope(const struct field *field, const struct scope *scope, const char *first, size_t index)
{
	struct scope at = { scope->outer, scope->self, scope->key, index };

	if (field->borrowed) {
		at.outer = scope;
		at.self = first + index * field->size;
	}
	return at;
}

struct field field__element(const struct field *field)
{
	struct field element = { .kind = FIELD_OBJECT, .shape = field->shape, .pointer = field->pointer };

	return field->shape ? element : *field->element;
}

static void release(const struct field *field, const struct scope *scope, void *place);

/* Numbers hold no memory: a list of them need not be walked, nor its length be known. */
static bool holds_memory(const struct field *element)
{
	return element->kind >= FIELD_OBJECT || element->kind == FIELD_TEXT;
}

static void release_elements(const struct field *field, const struct scope *scope, char *first)
{
	const struct field element = field__element(field);

	if (!first || !holds_memory(&element))
		return;
	for (size_t i = 0; i < field__length(field, scope); i++)
		release(&element, scope, first + i * field->size);
}

static void release_object(const struct field *field, const struct scope *outer, char *place)
{
	const struct scope scope = { outer, place, NULL, 0 };

	for (size_t i = 0; i < field->shape->field_count; i++) {
		const struct field *member = &field->shape->fields[i];

		if (!member->of && !member->borrowed)
			release(member, &scope, place + member->place);
	}
}

static void release(const struct field *field, const struct scope *scope, void *place)
{
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_MEMORY:
		free(*(void **)place);
		break;
	case FIELD_OBJECT:
		if (field->pointer)
			shape__free(field->shape, *(void **)place);
		else
			release_object(field, scope, place);
		break;
	case FIELD_LIST:
		release_elements(field, scope, *(char **)place);
		free(*(void **)place);
		break;
	case FIELD_MAP:
		release_elements(field, scope, place);
		break;
	default:
		break;
	}
}

void shape__release(const struct shape *shape, void *self)
{
	release_object(&(struct field){ .shape = shape }, NULL, self);
}

void shape__free(const struct shape *shape, void *self)
{
	if (!self)
		return;
	shape__release(shape, self);
	free(self);
}
