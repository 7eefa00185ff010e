/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a run does not tell of where it ran, looked up on this machine.
 */
#ifndef FORKTAX_RESOLVE_CHECK_CHECK_MACHINE_H
#define FORKTAX_RESOLVE_CHECK_CHECK_MACHINE_H

#include "analysis/check/measured_context.h"

/* Of this machine, now. */
void check_machine__look(struct check_machine *machine);
void check_machine__release(struct check_machine *machine);

#endif
