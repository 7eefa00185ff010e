// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the JSON Schema (2020-12) of a saved format: gen-schema forktax-bench/1. Without one, lists them. */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/rows/fields.h"
#include "saved/measured.h"

/* Structs that were mentioned: each is defined once, after the document. */
struct definitions {
	const struct shape **shapes;
	size_t count, written;
};

static void mention(struct definitions *definitions, const struct shape *shape)
{
	for (size_t i = 0; i < definitions->count; i++)
		if (definitions->shapes[i] == shape)
			return;
	definitions->shapes =
		checked_grow(definitions->shapes, definitions->count, sizeof(*definitions->shapes));
	definitions->shapes[definitions->count++] = shape;
}

static void put_keyword(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add(object, key, checked(value));
}

static struct json_object *json_words(const char *words)
{
	return checked(json_object_new_string(words));
}

static bool may_be_null(const struct field *field)
{
	return field->nullable || field->when || field->has || field->flag;
}

static struct json_object *type_of(const char *name, bool nullable)
{
	struct json_object *types;

	if (!nullable)
		return json_words(name);
	types = checked(json_object_new_array());
	json_object_array_add(types, json_words(name));
	json_object_array_add(types, json_words("null"));
	return types;
}

static struct json_object *words_of(const struct words *words, bool nullable)
{
	struct json_object *all = checked(json_object_new_array());

	for (unsigned int i = 0; i < words->count; i++)
		json_object_array_add(all, json_words(words__word(words, i)));
	if (nullable)
		json_object_array_add(all, NULL);
	return all;
}

/* "forktax-1.schema.json" for "forktax/1": the schemas refer to each other by file name. */
static char *file_of(const char *document)
{
	const char *slash = strchr(document, '/');

	return text__of("%.*s-%s.schema.json", (int)(slash - document), document, slash + 1);
}

/* Where a struct is described: a document, in a file of its own. */
static char *path_of(const struct shape *shape, struct definitions *definitions)
{
	if (shape->document)
		return file_of(shape->document);
	mention(definitions, shape);
	return text__of("#/$defs/%s", shape->name);
}

/* {"$ref": ...}, or the choice of that and null. */
static void add_reference(struct json_object *in, const struct shape *shape, bool nullable,
			  struct definitions *definitions)
{
	struct json_object *reference = nullable ? json_object_new_object() : in;
	struct json_object *any, *null;
	autofree char *path = path_of(shape, definitions);

	put_keyword(reference, "$ref", json_words(path));
	if (!nullable)
		return;
	any = checked(json_object_new_array());
	null = checked(json_object_new_object());
	put_keyword(null, "type", json_words("null"));
	json_object_array_add(any, reference);
	json_object_array_add(any, null);
	put_keyword(in, "anyOf", any);
}

static struct json_object *schema_of(const struct field *field, struct definitions *definitions);

static void add_map(struct json_object *in, const struct field *field,
		    struct definitions *definitions)
{
	struct json_object *words = words_of(field->words, false), *names;

	if (field->closed) {
		names = checked(json_object_new_object());
		put_keyword(names, "enum", json_object_get(words));
		put_keyword(in, "propertyNames", names);
	}
	if (!field->element->omitted && !field->element->optional)
		put_keyword(in, "required", json_object_get(words));
	json_object_put(words);
	put_keyword(in, "additionalProperties", schema_of(field->element, definitions));
}

static void add_integer(struct json_object *in, const struct field *field)
{
	if (field->kind == FIELD_OFFSET)
		return;
	put_keyword(in, "minimum", json_object_new_int64(field->kind == FIELD_INTEGER ? field->min : 0));
	if (field->kind == FIELD_INTEGER)
		put_keyword(in, "maximum", json_object_new_int64(field->max));
}

static const char *const type_names[FIELD_KIND_COUNT] = {
	[FIELD_BOOL] = "boolean",   [FIELD_COUNT] = "integer",	     [FIELD_IDENTITY] = "integer",
	[FIELD_OFFSET] = "integer", [FIELD_INTEGER] = "integer",     [FIELD_INDEX] = "integer",
	[FIELD_BIT] = "boolean",    [FIELD_TEXT] = "string",	     [FIELD_NUMBER] = "number",
	[FIELD_MEASURED] = "number", [FIELD_PERMISSIONS] = "string", [FIELD_LIST] = "array",
	[FIELD_MAP] = "object",
};

static void add_details(struct json_object *in, const struct field *field,
			struct definitions *definitions)
{
	static const char *const origins[] = { "counted", "not counted", "not supported" };
	static const struct words origin_words = WORDS_OF(origins);
	const struct field element = field->kind == FIELD_LIST ? field__element(field) : *field;

	if (field->kind == FIELD_KEY)
		put_keyword(in, "enum", words_of(field->words, may_be_null(field)));
	else if (field->kind == FIELD_ORIGIN)
		put_keyword(in, "enum", words_of(&origin_words, false));
	else if (field->kind == FIELD_PERMISSIONS)
		put_keyword(in, "pattern", json_words("^[r-][w-][x-][sp]$"));
	else if (field->kind == FIELD_FIGURE)
		add_reference(in, &estimate_shape, may_be_null(field), definitions);
	else if (field->kind == FIELD_OBJECT)
		add_reference(in, field->shape, may_be_null(field), definitions);
	else if (field->kind == FIELD_MAP)
		add_map(in, field, definitions);
	else if (field->kind == FIELD_LIST)
		put_keyword(in, "items", schema_of(&element, definitions));
	else if (!strcmp(type_names[field->kind], "integer"))
		add_integer(in, field);
}

static struct json_object *schema_of(const struct field *field, struct definitions *definitions)
{
	struct json_object *schema = checked(json_object_new_object());
	const char *type = type_names[field->kind];

	if (type)
		put_keyword(schema, "type", type_of(type, may_be_null(field)));
	add_details(schema, field, definitions);
	if (field->kind == FIELD_LIST && field->max)
		put_keyword(schema, "maxItems", json_object_new_int64(field->max));
	if (field->note)
		put_keyword(schema, "description", json_words(field->note));
	return schema;
}

static const char *json_of(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED |
							     JSON_C_TO_STRING_NOSLASHESCAPE);
}

/* Writes a member on a line of its own, and adds its key to `required`, a list of all so far. */
static void write_member(FILE *stream, const struct field *field, const char *key,
			 struct json_object *required, struct definitions *definitions)
{
	struct json_object *schema = schema_of(field, definitions);

	fprintf(stream, "%s\n   \"%s\": %s", json_object_array_length(required) ? "," : "", key,
		json_of(schema));
	json_object_array_add(required, json_words(key));
	json_object_put(schema);
}

/* Writes the members of the struct and of structs inlined in it. Adds all keys to `keys`. */
static void write_members(FILE *stream, const struct shape *shape, struct json_object *keys,
			  struct definitions *definitions)
{
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];

		if (field->kind == FIELD_MEMORY)
			continue;
		if (!field->inlined)
			write_member(stream, field, field->key, keys, definitions);
		else if (field->kind == FIELD_OBJECT)
			write_members(stream, field->shape, keys, definitions);
		else
			for (unsigned int k = 0; k < field->words->count; k++)
				write_member(stream, field->element,
					     words__word(field->words, k), keys, definitions);
	}
}

/* The keys of the struct's own members that may not be missing. */
static struct json_object *required_keys(const struct shape *shape)
{
	struct json_object *keys = checked(json_object_new_array());

	if (shape->document)
		json_object_array_add(keys, json_words("schema"));
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];

		if (field->kind != FIELD_MEMORY && !field->inlined && !field->optional &&
		    !field->omitted)
			json_object_array_add(keys, json_words(field->key));
	}
	return keys;
}

static void write_requirements(FILE *stream, const struct shape *shape)
{
	struct json_object *keys = required_keys(shape);

	fprintf(stream, "  \"required\": %s", json_of(keys));
	json_object_put(keys);
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];

		if (!field->inlined || field->kind != FIELD_OBJECT)
			continue;
		keys = required_keys(field->shape);
		fprintf(stream, ",\n  \"dependentRequired\": {\"%s\": %s}", field->key,
			json_of(keys));
		json_object_put(keys);
	}
}

static void write_struct(FILE *stream, const struct shape *shape, struct definitions *definitions)
{
	struct json_object *keys = checked(json_object_new_array());
	struct json_object *note = shape->note ? json_words(shape->note) : NULL;

	fputs("  \"type\": \"object\",\n", stream);
	if (note)
		fprintf(stream, "  \"description\": %s,\n", json_of(note));
	write_requirements(stream, shape);
	fputs(",\n  \"properties\": {", stream);
	if (shape->document) {
		fprintf(stream, "\n   \"schema\": {\"const\": \"%s\"}", shape->document);
		json_object_array_add(keys, json_words("schema"));
	}
	write_members(stream, shape, keys, definitions);
	fputs("\n  }", stream);
	json_object_put(keys);
	json_object_put(note);
}

static void write_definition(FILE *stream, struct definitions *definitions)
{
	const struct shape *shape = definitions->shapes[definitions->written++];

	fprintf(stream, "%s\n \"%s\": {\n", definitions->written > 1 ? "," : "", shape->name);
	write_struct(stream, shape, definitions);
	fputs("\n }", stream);
}

/* One line per member. It accepts what the reader accepts, sums aside. */
static void write_schema(const struct shape *shape, FILE *stream)
{
	struct definitions definitions = { 0 };
	autofree char *file = file_of(shape->document);

	fputs("{\n  \"$comment\": \"SPDX-License-Identifier: GPL-2.0-or-later. Made by "
	      "docs/tools/gen-schema.c from the rows of user/: change those, not this file\",\n"
	      "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n", stream);
	fprintf(stream, "  \"$id\": \"%s\",\n", file);
	write_struct(stream, shape, &definitions);
	fputs(",\n \"$defs\": {", stream);
	while (definitions.written < definitions.count)
		write_definition(stream, &definitions);
	fputs("\n }\n}\n", stream);
	free(definitions.shapes);
}

static const struct shape *const documents[] = {
#define FAMILY(id, name, documents) &name##_shape,
#include "model/rows/families.def"
#undef FAMILY
};

int main(int argc, char **argv)
{
	bool found = argc == 1;

	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
		if (argc == 1) {
			puts(documents[i]->document);
		} else if (!strcmp(argv[1], documents[i]->document)) {
			write_schema(documents[i], stdout);
			found = true;
		}
	}
	return !found || ferror(stdout) || fflush(stdout) ? 1 : 0;
}
