/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names in a sentence: "a", "a, b", ..., at most some, then "and 12 more".
 */
#ifndef FORKTAX_ADVICE_NAME_LIST_H
#define FORKTAX_ADVICE_NAME_LIST_H

#include <stddef.h>

struct name_list {
	char *text; /* NULL: none yet; owned, until it is finished */
	size_t count;
};
void name_list__add(struct name_list *list, const char *name);
/* The list as text, "none" without names; to be freed. */
char *name_list__finish(struct name_list *list);

#endif
