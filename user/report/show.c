// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/show.h"

void report__show(struct table *table, const struct table_output *output)
{
	if (!table)
		return;
	if (output->style == TABLE_TEXT)
		putc('\n', output->stream);
	table__print(table, output);
	table__free(table);
}
