/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_ADVICE_RUN_R10_REPLACED_H
#define FORKTAX_ADVICE_RUN_R10_REPLACED_H

#include "advice/run/run_subject.h"

/* Does rule R10 say what a shell has instead of most of these children of that line? */
bool r10_replaced__says(const struct run_subject *subject, const struct path_line *line, uint64_t children);

#endif
