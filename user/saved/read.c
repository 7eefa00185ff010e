// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/document.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/run/run.h"
#include "saved/saved.h"

/*
 * Keeps the first failure as the reason and reads nothing after it, so that callers check once, at
 * the end.
 */
struct reader {
	char *reason; /* NULL: nothing wrong so far */
	const char *list; /* the outermost array being read, for the reason; NULL: none */
	size_t index; /* in it */
	struct pieces *pieces; /* NULL: there are none */
};

static const enum json_type types[FIELD_KIND_COUNT] = {
	[FIELD_BOOL] = json_type_boolean,   [FIELD_COUNT] = json_type_int,
	[FIELD_IDENTITY] = json_type_int,   [FIELD_OFFSET] = json_type_int,
	[FIELD_INTEGER] = json_type_int,    [FIELD_INDEX] = json_type_int,
	[FIELD_KEY] = json_type_string,	    [FIELD_BIT] = json_type_boolean,
	[FIELD_ORIGIN] = json_type_string,  [FIELD_TEXT] = json_type_string,
	[FIELD_NUMBER] = json_type_double,  [FIELD_MEASURED] = json_type_double,
	[FIELD_FIGURE] = json_type_object,  [FIELD_PERMISSIONS] = json_type_string,
	[FIELD_OBJECT] = json_type_object,  [FIELD_LIST] = json_type_array,
	[FIELD_MAP] = json_type_object,
};

__attribute__((format(printf, 2, 3))) static void reader__fail(struct reader *reader, const char *format, ...)
{
	va_list arguments;

	if (reader->reason)
		return;
	va_start(arguments, format);
	reader->reason = text__of_list(format, arguments);
	va_end(arguments);
	if (reader->list)
		text__replace(&reader->reason, "%s[%zu]: %s", reader->list, reader->index, reader->reason);
}

static bool is_of_type(struct json_object *value, enum json_type type)
{
	return json_object_is_type(value, type) ||
	       (type == json_type_double && json_object_is_type(value, json_type_int));
}

/* The value if it has that type; NULL if it is null. Fails otherwise, or if null is not allowed. */
static struct json_object *of_type(struct reader *reader, const char *key, struct json_object *value,
				   enum json_type type, bool nullable)
{
	if (is_of_type(value, type))
		return value;
	if (value || !nullable)
		reader__fail(reader, "\"%s\" is a %s where a %s is needed", key,
		     json_type_to_name(json_object_get_type(value)), json_type_to_name(type));
	return NULL;
}

/* The same for a key that must be there. */
static struct json_object *needed_member(struct reader *reader, struct json_object *in,
					 const char *key, enum json_type type, bool nullable)
{
	struct json_object *found;

	if (reader->reason)
		return NULL;
	if (json_object_object_get_ex(in, key, &found))
		return of_type(reader, key, found, type, nullable);
	reader__fail(reader, "\"%s\" is missing", key);
	return NULL;
}

static int64_t read_integer(struct reader *reader, const char *key, struct json_object *value, int64_t min, int64_t max)
{
	int64_t number = json_object_get_int64(value); /* saturates */

	if (number >= min && number <= max)
		return number;
	reader__fail(reader, "\"%s\" is %" PRId64 ", not in %" PRId64 "..%" PRId64, key, number, min, max);
	return 0;
}

static uint64_t read_identity(struct reader *reader, const char *key, struct json_object *value)
{
	if (json_object_get_int64(value) < 0)
		reader__fail(reader, "\"%s\" is negative", key);
	return json_object_get_uint64(value);
}

static double read_number(struct reader *reader, const char *key, struct json_object *value)
{
	double number = json_object_get_double(value);

	if (isfinite(number))
		return number;
	/* The parser lets NaN pass, and reads 1e999 as infinity. */
	reader__fail(reader, "\"%s\" is not a finite number", key);
	return 0;
}

static unsigned int read_word(struct reader *reader, const char *key, struct json_object *value,
			      const struct words *words)
{
	const char *text = json_object_get_string(value);

	for (unsigned int i = 0; i < words->count; i++)
		if (!strcmp(text, words__word(words, i)))
			return i;
	reader__fail(reader, "\"%s\" has a value that forktax does not know", key);
	return 0;
}

static void read_origin(struct reader *reader, const char *key, struct json_object *value, size_t size, void *place)
{
	static const char *const origins[] = { "counted", "not counted", "not supported" };
	static const struct words words = WORDS_OF(origins);
	bool counted = read_word(reader, key, value, &words) == 0;

	memset(place, 0, size);
	*(bool *)place = counted; /* the first byte of a little enum */
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "origins are enums by their first byte");

static char *read_text(struct reader *reader, struct json_object *value)
{
	const char *text = json_object_get_string(value);

	if (strlen(text) == (size_t)json_object_get_string_len(value))
		return checked_strdup(text);
	reader__fail(reader, "a string contains U+0000");
	return NULL;
}

static double figure_number(struct reader *reader, struct json_object *in, const char *key)
{
	struct json_object *value = needed_member(reader, in, key, json_type_double, false);

	return value ? read_number(reader, key, value) : 0;
}

static void read_figure(struct reader *reader, const char *key, struct json_object *in, struct estimate *figure)
{
	figure->known = true;
	figure->value = figure->low = figure->high = figure_number(reader, in, "value");
	figure->bounded = needed_member(reader, in, "low", json_type_double, true) ||
			  json_object_object_get(in, "high");
	needed_member(reader, in, "high", json_type_double, true);
	if (!figure->bounded || reader->reason)
		return;
	figure->low = figure_number(reader, in, "low");
	figure->high = figure_number(reader, in, "high");
	if (!(figure->low <= figure->value && figure->value <= figure->high))
		reader__fail(reader, "the value of \"%s\" lies outside its interval", key);
}

static void read_permissions(struct reader *reader, const char *key, struct json_object *value, bool *may)
{
	static const char set[] = "rwxs", unset[] = "---p";
	const char *text = json_object_get_string(value);
	bool good = json_object_get_string_len(value) == 4;

	for (int i = 0; i < 4 && good; i++) {
		may[i] = text[i] == set[i];
		good = may[i] || text[i] == unset[i];
	}
	if (!good)
		reader__fail(reader, "\"%s\" is not like rwxp or r--s", key);
}

/* One less than what too large numbers saturate to; for offsets, at both ends. */
#define COUNT_MAX  (INT64_MAX - 1)
#define OFFSET_MIN (INT64_MIN + 1)

static void read_int(struct reader *reader, const struct field *field, const char *key,
		     struct json_object *value, const struct scope *scope, void *place)
{
	if (field->kind == FIELD_COUNT)
		*(uint64_t *)place = read_integer(reader, key, value, 0, COUNT_MAX);
	else if (field->kind == FIELD_IDENTITY)
		*(uint64_t *)place = read_identity(reader, key, value);
	else if (field->kind == FIELD_OFFSET)
		*(int64_t *)place = read_integer(reader, key, value, OFFSET_MIN, COUNT_MAX);
	else if (field->kind == FIELD_INTEGER)
		*(uint32_t *)place = read_integer(reader, key, value, field->min, field->max);
	else
		*(uint32_t *)place = read_integer(reader, key, value, 0, (int64_t)field->limit(scope) - 1);
}

static void read_string(struct reader *reader, const struct field *field, const char *key,
			struct json_object *value, void *place)
{
	if (field->kind == FIELD_TEXT)
		*(char **)place = read_text(reader, value);
	else if (field->kind == FIELD_KEY)
		*(unsigned int *)place = read_word(reader, key, value, field->words);
	else if (field->kind == FIELD_ORIGIN)
		read_origin(reader, key, value, field->size, place);
	else
		read_permissions(reader, key, value, place);
}

static void store_none(const struct field *field, const struct scope *scope, void *place)
{
	if (field->kind == FIELD_COUNT)
		*(uint64_t *)place = field->nullable ? ABSENT : 0;
	else if (field->kind == FIELD_INTEGER)
		*(uint32_t *)place = field->none;
	else if (field->kind == FIELD_INDEX)
		*(uint32_t *)place = UINT32_MAX;
	else if ((field->kind == FIELD_NUMBER || field->kind == FIELD_MEASURED) && field->nullable)
		*(double *)place = NAN;
	/* The rest is zeroed. */
}

static void read_value(struct reader *reader, const struct field *field, const char *key,
		       struct json_object *value, const struct scope *scope, void *place);
static void read_member(struct reader *reader, const struct field *field, const char *key,
			struct json_object *in, const struct scope *scope, void *place);
static void read_object(struct reader *reader, const struct field *field, const char *key,
			struct json_object *in, const struct scope *outer, void *place);

static bool is_word(const struct words *words, const char *word)
{
	for (unsigned int i = 0; i < words->count; i++)
		if (!strcmp(word, words__word(words, i)))
			return true;
	return false;
}

static void read_map(struct reader *reader, const struct field *field, const char *key,
		     struct json_object *in, const struct scope *scope, char *place)
{
	for (unsigned int i = 0; i < field->words->count; i++) {
		const struct scope at = { scope->outer, scope->self, scope->key, i };

		read_member(reader, field->element, words__word(field->words, i), in, &at, place + i * field->size);
	}
	if (!field->closed)
		return;
	json_object_object_foreach(in, word, unused) {
		(void)unused;
		if (!is_word(field->words, word))
			reader__fail(reader, "\"%s\" names something that forktax does not know", key);
	}
}

static void read_element(struct reader *reader, const struct field *element, const char *key,
			 struct json_object *value, const struct scope *scope, void *place)
{
	const bool is_outermost = reader->list == key && scope->index == reader->index;
	const enum json_type type = types[element->kind];
	const char *needed = type == json_type_double ? "number" : json_type_to_name(type);

	if (is_of_type(value, type))
		read_value(reader, element, key, value, scope, place);
	else if (!value && element->nullable)
		store_none(element, scope, place);
	else if (is_outermost)
		reader__fail(reader, "is not of type %s", needed);
	else
		reader__fail(reader, "\"%s\" lists something that is not of type %s", key, needed);
}

static void read_elements(struct reader *reader, const struct field *field, const char *key,
			  struct json_object *array, const struct scope *scope, char *first)
{
	const struct field element = field__element(field);
	const bool is_outermost = !reader->list;

	for (size_t i = 0; i < json_object_array_length(array) && !reader->reason; i++) {
		const struct scope at = field__scope(field, scope, first, i);
		struct json_object *value, *piece = NULL;

		value = json_object_array_get_idx(array, i);
		if (is_outermost) {
			reader->list = key;
			reader->index = i;
		}
		if (is_outermost && reader->pieces && json_object_is_type(value, json_type_int))
			value = piece = pieces__take(reader->pieces, json_object_get_int64(value));
		read_element(reader, &element, key, value, &at, first + i * field->size + element.place);
		json_object_put(piece);
	}
	if (is_outermost)
		reader->list = NULL;
}

static void read_list(struct reader *reader, const struct field *field, const char *key,
		      struct json_object *array, const struct scope *scope, char **place)
{
	size_t count = json_object_array_length(array);

	if (field->length && field->law && count != field->length(scope))
		reader__fail(reader, field->law, key);
	else if (count >= UINT32_MAX || (field->max && count > (size_t)field->max))
		reader__fail(reader, "\"%s\" is too long", key);
	if (reader->reason)
		return;
	if (!field->borrowed)
		*place = checked_calloc(count + 1, field->size); /* lists of texts end with NULL */
	if (field->count)
		*(size_t *)((char *)scope->self + field->count) = count;
	read_elements(reader, field, key, array, scope, *place);
}

static void read_value(struct reader *reader, const struct field *field, const char *key,
		       struct json_object *value, const struct scope *scope, void *place)
{
	switch (field->kind) {
	case FIELD_BOOL:
		*(bool *)place = json_object_get_boolean(value);
		break;
	case FIELD_BIT:
		*(unsigned int *)place |= json_object_get_boolean(value) ? field->min : 0;
		break;
	case FIELD_NUMBER:
	case FIELD_MEASURED:
		*(double *)place = read_number(reader, key, value);
		break;
	case FIELD_FIGURE:
		read_figure(reader, key, value, place);
		break;
	case FIELD_OBJECT:
		read_object(reader, field, key, value, scope, place);
		break;
	case FIELD_LIST:
		read_list(reader, field, key, value, scope, place);
		break;
	case FIELD_MAP:
		read_map(reader, field, key, value, scope, place);
		break;
	default:
		if (types[field->kind] == json_type_int)
			read_int(reader, field, key, value, scope, place);
		else
			read_string(reader, field, key, value, place);
		break;
	}
}

static void read_member(struct reader *reader, const struct field *field, const char *key,
			struct json_object *in, const struct scope *scope, void *place)
{
	struct json_object *value;

	if (reader->reason || field->of)
		return;
	store_none(field, scope, place);
	if (field->when && !field->when(scope))
		return;
	if (!json_object_object_get_ex(in, key, &value)) {
		if (!field->optional && !field->omitted)
			reader__fail(reader, "\"%s\" is missing", key);
		return;
	}
	value = of_type(reader, key, value, types[field->kind], field->nullable);
	if (value && field->flag)
		*((bool *)scope->self + field->flag) = true;
	if (value)
		read_value(reader, field, key, value, scope, place);
}

/* A struct whose members stand in this object: it is there if the key of its field is. */
static void read_inlined(struct reader *reader, const struct field *field, struct json_object *in,
			 const struct scope *scope, void *place)
{
	if (json_object_object_get(in, field->key))
		read_object(reader, field, scope->key, in, scope, place);
}

static void read_members(struct reader *reader, const struct shape *shape, struct json_object *in,
			 const struct scope *scope)
{
	for (size_t i = 0; i < shape->field_count && !reader->reason; i++) {
		const struct field *field = &shape->fields[i];
		char *place = (char *)scope->self + field->place;

		if (field->kind == FIELD_MEMORY)
			continue;
		if (!field->inlined)
			read_member(reader, field, field->key, in, scope, place);
		else if (field->kind == FIELD_MAP)
			read_map(reader, field, scope->key, in, scope, place);
		else
			read_inlined(reader, field, in, scope, place);
	}
}

static void check_computed(struct reader *reader, const struct field *field, const char *key,
			   struct json_object *in, const struct scope *scope)
{
	struct json_object *value;
	union computed computed = { 0 };
	uint64_t count;

	if (!field->of || !field->law || reader->reason || (field->when && !field->when(scope)))
		return;
	count = *(const uint64_t *)field->of(scope, &computed);
	if (field->optional && !json_object_object_get_ex(in, key, NULL)) {
		if (count)
			reader__fail(reader, field->law, key);
		return;
	}
	value = needed_member(reader, in, key, json_type_int, false);
	if (value && (uint64_t)read_integer(reader, key, value, 0, COUNT_MAX) != count)
		reader__fail(reader, field->law, key);
}

/* When all members are there: compares computed members with what they are computed from. */
static void check_sums(struct reader *reader, const struct shape *shape, struct json_object *in,
		       const struct scope *scope)
{
	for (size_t i = 0; i < shape->field_count && !reader->reason; i++) {
		const struct field *field = &shape->fields[i];
		struct json_object *section;

		check_computed(reader, field, field->key, in, scope);
		if (field->kind == FIELD_MAP && field->inlined) {
			for (unsigned int k = 0; k < field->words->count; k++)
				check_computed(reader, field->element, words__word(field->words, k), in,
					       &(struct scope){ scope->outer, scope->self, scope->key, k });
		}
		if (field->section && json_object_object_get_ex(in, field->key, &section) && section)
			check_sums(reader, field->shape, section, scope);
	}
}

static void finish(struct reader *reader, const struct shape *shape, void *self, const struct scope *scope)
{
	autofree char *wrong = NULL;

	if (!reader->reason && shape->complete)
		shape->complete(self);
	wrong = !reader->reason && shape->law ? shape->law(scope) : NULL;
	if (wrong)
		reader__fail(reader, "%s", wrong);
}

static void check_schema(struct reader *reader, const char *schema, struct json_object *in)
{
	const char *found = json_object_get_string(json_object_object_get(in, "schema"));
	const size_t family = strchr(schema, '/') + 1 - schema;

	if (!found || strncmp(found, schema, family) != 0)
		reader__fail(reader, NO_SAVED_RUN);
	else if (strcmp(found, schema) != 0)
		reader__fail(reader, "saved by another version of forktax (its schema is not %s); "
				     "read it with that version", schema);
}

static void read_object(struct reader *reader, const struct field *field, const char *key,
			struct json_object *in, const struct scope *outer, void *place)
{
	const struct shape *shape = field->shape;
	struct scope scope = { shape->document ? NULL : outer, place, key, outer ? outer->index : 0 };

	if (field->pointer)
		scope.self = place = *(void **)place = checked_calloc(1, shape->size);
	if (shape->document)
		check_schema(reader, shape->document, in);
	read_members(reader, shape, in, &scope);
	if (!field->section)
		check_sums(reader, shape, in, &scope);
	finish(reader, shape, place, &scope);
}

char *document__read(const struct shape *shape, struct json_object *root, struct pieces *pieces, void *self)
{
	const struct field document = { .kind = FIELD_OBJECT, .shape = shape };
	struct reader reader = { .pieces = pieces };

	if (json_object_is_type(root, json_type_object))
		read_object(&reader, &document, NULL, root, NULL, self);
	else
		reader__fail(&reader, NO_SAVED_RUN);
	if (pieces && pieces->taken != pieces->count)
		reader__fail(&reader, "has lists that nobody reads");
	return reader.reason;
}
