// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/task_list.h"

#include <stddef.h>

void task_list__add(struct task_list *list, struct task_link *link, struct live_task *task)
{
	if (link->task)
		return;
	*link = (struct task_link){ list->last, NULL, task };
	*(list->last ? &list->last->next : &list->first) = link;
	list->last = link;
}

void task_list__remove(struct task_list *list, struct task_link *link)
{
	if (!link->task)
		return;
	*(link->previous ? &link->previous->next : &list->first) = link->next;
	*(link->next ? &link->next->previous : &list->last) = link->previous;
	*link = (struct task_link){ 0 };
}

struct live_task *task_list__first(struct task_list *list, bool (*is_of_kind)(const struct live_task *task),
				   const struct live_task *except)
{
	struct task_link *next;

	for (struct task_link *link = list->first; link; link = next) {
		next = link->next;
		if (!is_of_kind(link->task))
			task_list__remove(list, link);
		else if (link->task != except)
			return link->task;
	}
	return NULL;
}
