/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The same children in different runs.
 */
#ifndef FORKTAX_ADVICE_GROUPS_H
#define FORKTAX_ADVICE_GROUPS_H

#include "model/run.h"

/*
 * The group of `other` that is like a group of `run`: same executables and way of birth. NO_GROUP if
 * there is none. Where another executable was started, parents differ: then the way of birth and the
 * fate have to do, and of several such groups it is the one with most children.
 */
uint32_t groups__same(const struct run *run, uint32_t group, const struct run *other,
		      bool same_parent);

/* The group whose forks took most time in all, of those recorded; NO_GROUP. */
uint32_t groups__dearest(const struct run *run);

#endif
