/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_ADVICE_RUN_R20_CACHE_H
#define FORKTAX_ADVICE_RUN_R20_CACHE_H

#include "advice/run/run_subject.h"

/* Does rule R20 say why these files are opened? NULL: no. */
bool r20_cache__says(const struct run_subject *subject, const struct start_files *files);

#endif
