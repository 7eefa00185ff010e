// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/command_outcome.h"

bool command_outcome__part_differs(const struct command_outcome *one, const struct command_outcome *other,
				   enum outcome_part part)
{
	const struct output_sum *a, *b;

	if (part == OUTCOME_END)
		return one->status != other->status || one->signal != other->signal;
	a = &one->written[part - OUTCOME_STDOUT];
	b = &other->written[part - OUTCOME_STDOUT];
	return a->bytes != b->bytes || a->sum != b->sum;
}

bool command_outcome__part_always_differs(const struct command_outcome *one, const struct command_outcome *other,
					  enum outcome_part part)
{
	return !one->varies[part] && !other->varies[part] && command_outcome__part_differs(one, other, part);
}

bool command_outcome__differs(const struct command_outcome *one, const struct command_outcome *other)
{
	for (int part = 0; part < OUTCOME_PARTS; part++)
		if (command_outcome__part_always_differs(one, other, part))
			return true;
	return false;
}

void command_outcome__note_differences(struct command_outcome *first, const struct command_outcome *again)
{
	for (int part = 0; part < OUTCOME_PARTS; part++)
		first->varies[part] |= command_outcome__part_differs(first, again, part);
}
