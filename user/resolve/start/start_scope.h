/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which objects of a start ask for which others: by DT_NEEDED, and by the symbols that ld.so looks up
 * for them, in the order of the objects.
 */
#ifndef FORKTAX_RESOLVE_START_START_SCOPE_H
#define FORKTAX_RESOLVE_START_START_SCOPE_H

#include "model/start/start.h"

/*
 * Sets needed_by, through and bound_to of all objects; none of them if one file cannot be read, as
 * it might have asked for any.
 */
void start_scope__find(struct start *start);

#endif
