/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that may be of one kind: looking for one costs nothing for those that are none any more.
 */
#ifndef FORKTAX_SOURCE_STRACE_TASK_LIST_H
#define FORKTAX_SOURCE_STRACE_TASK_LIST_H

#include <stdbool.h>

struct live_task;

/* The place of a thread in a list. All zero: it is in none. */
struct task_link {
	struct task_link *previous, *next;
	struct live_task *task;
};

/* In the order in which they were added. All zero: none. */
struct task_list {
	struct task_link *first, *last;
};

/* One that is in the list already stays where it is. */
void task_list__add(struct task_list *list, struct task_link *link, struct live_task *task);
void task_list__remove(struct task_list *list, struct task_link *link);
/* The first one of the kind, other than `except`; NULL: none. Those before it, of another kind, leave the list. */
struct live_task *task_list__first(struct task_list *list, bool (*is_of_kind)(const struct live_task *task),
				   const struct live_task *except);

#endif
