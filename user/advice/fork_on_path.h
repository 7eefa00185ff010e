/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the critical path says about advice for forks: a command gets no shorter by what nobody waits for.
 */
#ifndef FORKTAX_ADVICE_FORK_ON_PATH_H
#define FORKTAX_ADVICE_FORK_ON_PATH_H

#include "advice/subject.h"
#include "model/advice/advised.h"

/*
 * Lowers the predicted time of a fork to what fewer forks can save of the critical path, and says so. Nothing
 * changes where the path is not known, or where it has more than is predicted.
 */
void fork_on_path__weigh(const struct subject *subject, struct advice *advice);

#endif
