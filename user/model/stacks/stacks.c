// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/stacks/stacks.h"

double stack_share__ns(const struct stack_share *share, const struct anatomy_row *row)
{
	if (share->timed)
		return (double)share->ns / share->timed * share->faults;
	return row->faults ? anatomy_row__all_ns(row) / row->faults * share->faults : 0;
}
