/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_ADVICE_RUN_R06_FORK_H
#define FORKTAX_ADVICE_RUN_R06_FORK_H

#include "advice/run/run_subject.h"
#include "model/advice/advised.h"

/* Why forks take long, and what helps. `spawns`: only if that is to start programs without them (R21), else not. */
bool r06_fork__advises(const struct run_subject *subject, bool spawns, struct advice *advice);

#endif
