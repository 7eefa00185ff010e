// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/saved.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "saved/document.h"
#include "saved/measured.h"

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

static struct comparison *read_comparison(struct json_object *root, char **reason)
{
	struct measured measured = { 0 };

	*reason = document__read(&comparison_shape, root, NULL, &measured);
	if (!*reason)
		return comparison__new(measured.columns, measured.column_count, measured.baseline);
	if (measured.columns)
		compare_columns__free(measured.columns, measured.column_count);
	return NULL;
}

static void *read_plain(struct json_object *root, const struct shape *shape, struct pieces *pieces, char **reason)
{
	void *subject = checked_calloc(1, shape->size);

	*reason = document__read(shape, root, pieces, subject);
	if (!*reason)
		return subject;
	shape__free(shape, subject);
	return NULL;
}

static const char *schema_of(struct json_object *root)
{
	return json_object_is_type(root, json_type_object) ?
		       json_object_get_string(json_object_object_get(root, "schema")) : NULL;
}

static void read_whole(struct saved *what, const char *text, size_t length, char **reason)
{
	struct json_object *root = document__parse(text, length, reason);

	if (*reason)
		return;
	what->family = family_of(schema_of(root));
	if (what->family == SAVED_COMPARISON)
		what->comparison = read_comparison(root, reason);
	else
		*place_of(what) = read_plain(root, families[what->family].shape, NULL, reason);
	json_object_put(root);
}

/* A run of many processes. False: it is none, or something is wrong, which shows in the whole. */
static bool read_in_pieces(struct saved *what, const char *text, size_t length)
{
	struct pieces pieces = { 0 };
	autofree char *rest = pieces__cut(&pieces, text, &length), *reason = NULL;
	struct json_object *root = document__parse(rest, length, &reason);

	if (!reason && family_of(schema_of(root)) == SAVED_RUN)
		what->run = read_plain(root, &run_shape, &pieces, &reason);
	json_object_put(root);
	free(pieces.list);
	return what->run;
}

int saved__read(FILE *stream, struct saved *what, char **reason)
{
	size_t length;
	autofree char *text = document__text(stream, &length, reason);

	*what = (struct saved){ 0 };
	if (text && !(length >= PIECEMEAL_LEAST && read_in_pieces(what, text, length)))
		read_whole(what, text, length, reason);
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
	else
		shape__free(families[what->family].shape, *place_of(what));
	*what = (struct saved){ 0 };
}

int saved__write(enum saved_family family, const void *subject, FILE *stream)
{
	const struct comparison *comparison = subject;
	struct measured measured;

	if (family != SAVED_COMPARISON)
		return document__write(families[family].shape, subject, stream);
	measured = (struct measured){
		.columns = comparison->columns,
		.column_count = comparison->column_count,
		.baseline = comparison->baseline,
		.comparison = comparison,
	};
	return document__write(&comparison_shape, &measured, stream);
}

char *watch_json__line(const struct watch_sample *sample)
{
	char *line;
	size_t size;
	FILE *stream = checked(open_memstream(&line, &size));

	saved__write_watch_sample(sample, stream);
	fclose(stream);
	line[strcspn(line, "\n")] = '\0';
	return line;
}
