/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether the command waits for what a line costs.
 */
#ifndef FORKTAX_ADVICE_LINES_LINE_ON_PATH_H
#define FORKTAX_ADVICE_LINES_LINE_ON_PATH_H

#include "advice/lines/line_subject.h"

/*
 * Predicts no more time for the line than its processes have on the critical path, where that is known; the evidence
 * says how much it is.
 */
void line_on_path__weigh(const struct line_subject *subject, struct advice *advice);

#endif
