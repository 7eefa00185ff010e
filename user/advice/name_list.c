// SPDX-License-Identifier: GPL-2.0-or-later
#include "advice/name_list.h"

#include "base/text.h"

enum { NAMES_MOST = 4 };

void name_list__add(struct name_list *list, const char *name)
{
	if (list->count++ >= NAMES_MOST)
		return;
	text__replace(&list->text, "%s%s%s", list->text ? list->text : "", list->text ? ", " : "",
		      name);
}

char *name_list__finish(struct name_list *list)
{
	if (!list->text)
		return text__of("none");
	if (list->count > NAMES_MOST)
		text__replace(&list->text, "%s and %zu more", list->text, list->count - NAMES_MOST);
	return list->text;
}
