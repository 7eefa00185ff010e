// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/run_report.h"

#include "base/memory.h"

struct call_list call_list__of(const struct syscall_table *calls, bool timed,
			       const struct report_options *options)
{
	struct call_list list = { .rows = checked_calloc(calls->count, sizeof(*list.rows)) };

	for (size_t i = 0; i < calls->count; i++)
		if (filter__passes(options->filter, &calls->rows[i]))
			list.rows[list.count++] = &calls->rows[i];
	sort__rows(list.rows, list.count, options->sort, timed);
	return list;
}

void call_list__free(struct call_list *list)
{
	free(list->rows);
}
