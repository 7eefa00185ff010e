/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_ADVICE_RUN_R27_HANDLERS_H
#define FORKTAX_ADVICE_RUN_R27_HANDLERS_H

#include "advice/run/run_subject.h"

/* What page faults of handlers around fork take of the run, of all forks of a program; 0 without call stacks. */
double r27_handlers__ns(const struct run_subject *subject, uint32_t exe);

#endif
