/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Documents: structs as JSON, written, read and described by their rows (model/rows/fields.h). Nothing
 * that is read is trusted.
 */
#ifndef FORKTAX_SAVED_DOCUMENT_H
#define FORKTAX_SAVED_DOCUMENT_H

#include <json-c/json.h>
#include <stdio.h>

#include "model/rows/fields.h"

/*
 * Writes the document and a newline. Returns 0, or -1 with errno set if anything could not be
 * written (the caller then discards the file).
 */
int document__write(const struct shape *shape, const void *self, FILE *stream);

/*
 * Reads the whole stream, to be freed. On failure stores a one-line reason (to be freed) and returns NULL: unreadable,
 * empty, too large.
 */
char *document__text(FILE *stream, size_t *length, char **reason);
/*
 * The objects in lists that are members of a document. A tree of them all would take fifteen times the memory of the
 * text: each is parsed when it is read.
 */
#define PIECEMEAL_LEAST (1 << 20) /* bytes of a text where that counts */

struct pieces {
	const char *text; /* the caller's */
	struct piece {
		size_t begin, length; /* no length: it has been taken */
	} *list;
	size_t count, taken;
};
/* The document without its pieces: a number stands for each. To be freed, as pieces->list is. */
char *pieces__cut(struct pieces *pieces, const char *text, size_t *length);
/* To be freed with json_object_put(); NULL: there is no such piece (any more), or something is wrong with it. */
struct json_object *pieces__take(struct pieces *pieces, int64_t number);

/* NULL, with a reason: no JSON, cut off, nested too deeply, would take too much memory, or a key twice in an object. */
struct json_object *document__parse(const char *text, size_t length, char **reason);
/*
 * Fills a zeroed struct. Returns NULL, or a one-line reason (to be freed): what was filled until
 * then is for shape__release(). `pieces`: that the document lacks; NULL: it is whole.
 */
char *document__read(const struct shape *shape, struct json_object *root, struct pieces *pieces, void *self);

#endif
