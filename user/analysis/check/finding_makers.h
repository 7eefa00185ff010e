/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who makes processes of a new kind makes calls for it: they are part of that finding, too.
 */
#ifndef FORKTAX_ANALYSIS_CHECK_FINDING_MAKERS_H
#define FORKTAX_ANALYSIS_CHECK_FINDING_MAKERS_H

#include "analysis/check/check_result.h"

/*
 * Marks calls that create processes and wait for them as parts, no more of them than the new processes
 * take; calls that read and write pipes, if all that are more are such; and pages copied, where none was before. They
 * become reasons of the first new kind.
 */
void finding_makers__join(struct check_result *result);

#endif
