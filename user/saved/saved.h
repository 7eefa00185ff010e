/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forktax saves as JSON, and reads again: the families of model/rows/families.def. What stands in
 * them say docs/schema*.md.
 */
#ifndef FORKTAX_SAVED_SAVED_H
#define FORKTAX_SAVED_SAVED_H

#include <stdbool.h>
#include <stdio.h>

#include "model/watch/watch.h"

/* The message for a file that forktax has not saved. */
#define NO_SAVED_RUN "JSON, but not a saved run of forktax"

enum saved_family {
#define FAMILY(id, name, documents) SAVED_##id,
#include "model/rows/families.def"
#undef FAMILY
	SAVED_FAMILY_COUNT
};

/* The pointer of the family is set, the others are NULL. */
struct saved {
	enum saved_family family;
	bool is_log; /* of a run that was loaded: from a log, so that nothing was concluded from it yet */
#define FAMILY(id, name, documents) struct name *name;
#include "model/rows/families.def"
#undef FAMILY
};

/*
 * Loads a file; "-" is stdin. Returns 0, or -1 and stores a one-line reason (to be freed): the file
 * cannot be read, is not JSON, is cut off, was not saved by forktax, has a newer schema, or
 * contradicts itself. On failure `what` still has the family, if that much was there.
 */
int saved__load(const char *path, struct saved *what, char **reason);
int saved__read(FILE *stream, struct saved *what, char **reason);
void saved__free(struct saved *what); /* what it holds, if anything */
const void *saved__subject(const struct saved *what); /* the pointer that is set */

/*
 * Writes one JSON object and a newline. Bytes that are not UTF-8 are replaced. Returns 0, or -1 with
 * errno if the stream failed: the caller then discards the file.
 */
int saved__write(enum saved_family family, const void *subject, FILE *stream);

/* The same for each family, as saved__write_run(run, stream). */
#define FAMILY(id, name, documents)                                                    \
	static inline int saved__write_##name(const struct name *subject, FILE *stream) \
	{                                                                               \
		return saved__write(SAVED_##id, subject, stream);                       \
	}
#include "model/rows/families.def"
#undef FAMILY

/* A sample of a watch as a line of JSON (docs/schema/schema-watch.md). */
/* One JSON object without a newline; to be freed. `forktax report` reads it again. */
char *watch_json__line(const struct watch_sample *sample);

#endif
