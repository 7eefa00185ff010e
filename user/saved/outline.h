/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A look at a large text before it is parsed: the tree of libjson-c takes 770 bytes for "{}". So what has not the
 * members of a document, in all elements of its lists, is refused before that.
 */
#ifndef FORKTAX_SAVED_OUTLINE_H
#define FORKTAX_SAVED_OUTLINE_H

#include "model/rows/fields.h"

enum outline {
	OUTLINE_GOOD,
	OUTLINE_CUT, /* good so far, but the text ends */
	OUTLINE_NO_JSON, /* what parses it finds out at the same place, or before */
	OUTLINE_WRONG, /* there is a reason */
};

/* Stores the member "schema" of the outermost object, to be freed; NULL: none, or not yet (OUTLINE_CUT). */
enum outline outline__schema(const char *text, char **schema);
/* Has the text the outline of such a document? Members that are not of the shape may be few. */
enum outline outline__check(const char *text, const struct shape *shape, char **reason);

#endif
