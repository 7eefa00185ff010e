// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/saved_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/run/run_fields.h"
#include "report/cells.h"

/* What to do with a member: `name` is that of its column. */
typedef void visit_fn(struct table *table, const char *name, const struct field *field, const struct scope *scope);

static void walk(struct table *table, const struct shape *shape, const char *before,
		 const struct scope *scope, visit_fn *visit);

static void walk_map(struct table *table, const struct field *map, const char *name,
		     const struct scope *scope, visit_fn *visit)
{
	/* Of structs it would be too wide. */
	for (unsigned int i = 0; map->element && map->element->kind < FIELD_OBJECT && i < map->words->count; i++) {
		struct field element = *map->element;
		autofree char *of_word = text__of("%s_%s", name, words__word(map->words, i));

		element.place = map->place + i * map->size;
		visit(table, of_word, &element, scope);
	}
}

static bool is_there(const struct field *field, const struct scope *scope)
{
	return scope->self && (!field->when || field->when(scope)) && (!field->has || field->has(scope)) &&
	       (!field->flag || *((const bool *)scope->self + field->flag));
}

/* Of an object that is not there, all cells are blank. */
static void walk_object(struct table *table, const struct field *object, const char *name,
			const struct scope *scope, visit_fn *visit)
{
	const char *self = is_there(object, scope) ? scope->self : NULL;
	const struct scope section = { scope->outer, self, scope->key, scope->index };
	const struct scope inner = { scope, self ? self + object->place : NULL, NULL, 0 };
	autofree char *before = text__of("%s_", name);

	walk(table, object->shape, before, object->section ? &section : &inner, visit);
}

/* An index leads to what has a name, and the column has the name of that. */
static char *column_name(const char *before, const struct field *field)
{
	const char *end = field->kind == FIELD_INDEX ? strstr(field->key, "_index") : NULL;

	return text__of("%s%.*s", before, (int)(end ? (size_t)(end - field->key) : strlen(field->key)), field->key);
}

static void walk(struct table *table, const struct shape *shape, const char *before,
		 const struct scope *scope, visit_fn *visit)
{
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];
		const bool is_path = field->kind == FIELD_INDEX && i && field[-1].of; /* which stands before it */
		autofree char *name = NULL;

		if (is_path || field->kind == FIELD_LIST || field->kind == FIELD_MEMORY || field->pointer)
			continue;
		name = column_name(before, field);
		if (field->kind == FIELD_MAP)
			walk_map(table, field, name, scope, visit);
		else if (field->kind == FIELD_OBJECT)
			walk_object(table, field, name, scope, visit);
		else
			visit(table, name, field, scope);
	}
}

static void add_column(struct table *table, const char *name, const struct field *field, const struct scope *scope)
{
	static const enum column_kind kinds[FIELD_KIND_COUNT] = {
		[FIELD_COUNT] = COLUMN_COUNT,	  [FIELD_IDENTITY] = COLUMN_COUNT,
		[FIELD_OFFSET] = COLUMN_COUNT,	  [FIELD_INTEGER] = COLUMN_COUNT,
		[FIELD_NUMBER] = COLUMN_NUMBER,	  [FIELD_MEASURED] = COLUMN_NUMBER,
		[FIELD_FIGURE] = COLUMN_ESTIMATE,
	};

	table__column(table, name, kinds[field->kind]);
}

static struct cell name_of(const struct field *field, const struct scope *scope, uint32_t index)
{
	const struct run *run = scope__root(scope);

	if (field->limit == run__groups)
		return cell__group(run, index);
	if (index == UINT32_MAX)
		return cell__blank();
	if (field->limit == run__exes)
		return cell__exe(run, index);
	return field->limit == run__objects ? cell__object(run, index) : cell__count(index);
}

static struct cell cell_of(const struct field *field, const struct scope *scope)
{
	union computed computed;
	const void *place = field->of ? field->of(scope, &computed) : (const char *)scope->self + field->place;

	switch (field->kind) {
	case FIELD_BOOL:
		return cell__text(*(const bool *)place ? "yes" : "no");
	case FIELD_COUNT:
	case FIELD_IDENTITY:
		return cell__count(*(const uint64_t *)place);
	case FIELD_OFFSET:
		return cell__own(text__of("%" PRId64, (int64_t)*(const uint64_t *)place));
	case FIELD_INTEGER:
		return cell__number(*(const int32_t *)place, 0);
	case FIELD_INDEX:
		return name_of(field, scope, *(const uint32_t *)place);
	case FIELD_KEY:
		return cell__text(words__word(field->words, *(const unsigned int *)place));
	case FIELD_TEXT:
		return cell__text(*(char *const *)place);
	case FIELD_NUMBER:
	case FIELD_MEASURED:
		return cell__number(*(const double *)place, DECIMALS_ALL);
	case FIELD_FIGURE:
		return cell__of_estimate(place, NULL);
	default: /* in no table */
		return cell__blank();
	}
}

static void put_cell(struct table *table, const char *name, const struct field *field, const struct scope *scope)
{
	table__put(table, is_there(field, scope) ? cell_of(field, scope) : cell__blank());
}

void saved_table__add_columns(struct table *table, const struct shape *shape)
{
	walk(table, shape, "", &(struct scope){ 0 }, add_column);
}

void saved_table__put(struct table *table, const struct shape *shape, const void *document, const void *self)
{
	const struct scope root = { NULL, document, NULL, 0 }, scope = { &root, self, NULL, 0 };

	walk(table, shape, "", &scope, put_cell);
}

static const struct field *field_of(const struct shape *shape, const char *key)
{
	const struct field *field = shape->fields;

	while (!field->key || strcmp(field->key, key) != 0)
		field++;
	return field;
}

const struct shape *saved_table__shape(const struct shape *shape, const char *key)
{
	return field_of(shape, key)->shape;
}

struct table *saved_table__of(const char *title, const void *document, const struct shape *shape,
			      const void *self, const char *key)
{
	const struct field *list = field_of(shape, key);
	const struct scope scope = { NULL, self, NULL, 0 };
	const char *first = *(const char *const *)((const char *)self + list->place);
	struct table *table = table__new(title);

	saved_table__add_columns(table, list->shape);
	for (size_t i = 0; i < field__length(list, &scope); i++) {
		table__row(table);
		saved_table__put(table, list->shape, document, first + i * list->size);
	}
	return table;
}

struct table *saved_table__of_one(const char *title, const void *document, const struct shape *shape, const void *self)
{
	struct table *table = table__new(title);

	saved_table__add_columns(table, shape);
	table__row(table);
	saved_table__put(table, shape, document, self);
	return table;
}
