// SPDX-License-Identifier: GPL-2.0-or-later
/* R21: fork copies much of the parent for children that execute another program, whose exec frees the copies. */
#include "advice/run/rules_run.h"

bool rule__r21_spawn(const struct run_subject *subject, struct advice *advice)
{
	return r06_fork__advises(subject, true, advice);
}
