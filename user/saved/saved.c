// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/saved.h"

#include <errno.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "saved/document.h"
#include "saved/measured.h"
#include "saved/outline.h"

static const struct family {
	const struct shape *shape;
	size_t place; /* in struct saved */
} families[] = {
#define FAMILY(id, name, documents) { &name##_shape, offsetof(struct saved, name) },
#include "model/rows/families.def"
#undef FAMILY
};

/* The family that a schema is of, in any version. Of none, or NULL: a run, which is then refused. */
static enum saved_family family_of(const char *schema)
{
	for (int i = 0; i < SAVED_FAMILY_COUNT && schema; i++) {
		const char *name = families[i].shape->document;

		if (!strncmp(schema, name, strchr(name, '/') + 1 - name))
			return i;
	}
	return SAVED_RUN;
}

static void **place_of(struct saved *what)
{
	return (void **)((char *)what + families[what->family].place);
}

const void *saved__subject(const struct saved *what)
{
	return *place_of((struct saved *)what);
}

static int read_measured(struct json_object *root, const struct shape *shape,
			 struct measured *measured, char **reason)
{
	*reason = document__read(shape, root, measured);
	if (!*reason)
		return 0;
	if (measured->columns)
		compare_columns__free(measured->columns, measured->column_count);
	bindnow_files__free(&measured->files);
	free(measured->machine.arch);
	return -1;
}

static struct comparison *read_comparison(struct json_object *root, char **reason)
{
	struct measured measured = { 0 };

	if (read_measured(root, &comparison_shape, &measured, reason))
		return NULL;
	return comparison__new(measured.columns, measured.column_count, measured.baseline);
}

static struct bindnow *read_bindnow(struct json_object *root, char **reason)
{
	struct measured measured = { 0 };
	struct bindnow *bindnow;

	if (read_measured(root, &bindnow_shape, &measured, reason))
		return NULL;
	bindnow = bindnow__new(measured.columns, &measured.files);
	bindnow->was_set = measured.was_set;
	bindnow->is_secure = measured.is_secure;
	bindnow->machine = measured.machine;
	return bindnow;
}

static void *read_plain(struct json_object *root, const struct shape *shape, char **reason)
{
	void *subject = checked_calloc(1, shape->size);

	*reason = document__read(shape, root, subject);
	if (!*reason)
		return subject;
	shape__free(shape, subject);
	return NULL;
}

/* Texts that are not larger are parsed at once: their trees take less than 100 MiB, whatever they are. */
enum { LARGE = 1 << 18 };

/* Does reading on, and parsing, such a text make sense? */
static bool has_outline(const char *text, bool is_whole, char **reason)
{
	const struct shape *shape;
	autofree char *schema = NULL;
	enum outline outline;

	if (strnlen(text, LARGE) < LARGE)
		return true;
	outline = outline__schema(text, &schema);
	if (!schema && outline == OUTLINE_CUT && !is_whole)
		return true; /* it may stand behind the rest */
	if (!schema && outline == OUTLINE_NO_JSON)
		return false;
	shape = families[family_of(schema)].shape;
	*reason = document__wrong_schema(schema, shape->document);
	if (*reason)
		return false;
	outline = outline__check(text, shape, reason);
	return outline == OUTLINE_GOOD || outline == OUTLINE_CUT;
}

static const char *schema_of(struct json_object *root)
{
	return json_object_is_type(root, json_type_object) ?
		       json_object_get_string(json_object_object_get(root, "schema")) : NULL;
}

int saved__read(FILE *stream, struct saved *what, char **reason)
{
	size_t length;
	autofree char *text = document__text(stream, has_outline, &length, reason);
	struct json_object *root = text ? document__parse(text, length, reason) : NULL;

	*what = (struct saved){ 0 };
	if (*reason)
		return -1;
	what->family = family_of(schema_of(root));
	if (what->family == SAVED_COMPARISON)
		what->comparison = read_comparison(root, reason);
	else if (what->family == SAVED_BINDNOW)
		what->bindnow = read_bindnow(root, reason);
	else
		*place_of(what) = read_plain(root, families[what->family].shape, reason);
	json_object_put(root);
	return *reason ? -1 : 0;
}

int saved__load(const char *path, struct saved *what, char **reason)
{
	FILE *stream = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int result;

	*what = (struct saved){ 0 };
	if (!stream)
		return error__set(reason, "%s", strerror(errno));
	result = saved__read(stream, what, reason);
	if (stream != stdin)
		fclose(stream);
	return result;
}

void saved__free(struct saved *what)
{
	if (what->family == SAVED_COMPARISON)
		comparison__free(what->comparison);
	else if (what->family == SAVED_BINDNOW)
		bindnow__free(what->bindnow);
	else
		shape__free(families[what->family].shape, *place_of(what));
	*what = (struct saved){ 0 };
}

static struct measured measured_of(const struct comparison *comparison)
{
	return (struct measured){
		.columns = comparison->columns,
		.column_count = comparison->column_count,
		.baseline = comparison->baseline,
		.comparison = comparison,
	};
}

static int write_bindnow(const struct bindnow *bindnow, const char *verdict, FILE *stream)
{
	struct measured measured = measured_of(bindnow->comparison);

	measured.was_set = bindnow->was_set;
	measured.is_secure = bindnow->is_secure;
	measured.machine = bindnow->machine;
	measured.files = bindnow->files;
	measured.bindnow = bindnow;
	measured.verdict = verdict;
	return document__write(&bindnow_shape, &measured, stream);
}

int saved__write(enum saved_family family, const void *subject, const char *verdict, FILE *stream)
{
	struct measured measured;

	if (family == SAVED_BINDNOW)
		return write_bindnow(subject, verdict, stream);
	if (family != SAVED_COMPARISON)
		return document__write(families[family].shape, subject, stream);
	measured = measured_of(subject);
	return document__write(&comparison_shape, &measured, stream);
}

void saved__write_schema(enum saved_family family, FILE *stream)
{
	document__write_schema(families[family].shape, stream);
}

const char *saved__schema_name(enum saved_family family)
{
	return families[family].shape->document;
}
