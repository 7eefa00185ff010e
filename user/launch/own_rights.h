/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_LAUNCH_OWN_RIGHTS_H
#define FORKTAX_LAUNCH_OWN_RIGHTS_H

#include <stdbool.h>

/* May this process become another user? */
bool user__may_become(void);

/*
 * From now on nothing that this process executes gets the capabilities that forktax traces with, unless its user id or
 * its file gives them: they are not inheritable, and so not ambient. We keep them; others are passed on as they are.
 */
void own_rights__keep(void);
/* In a child, before its execve: without these capabilities from now on. So who has less may trace it. */
void own_rights__drop(void);

#endif
