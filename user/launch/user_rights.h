/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_LAUNCH_USER_RIGHTS_H
#define FORKTAX_LAUNCH_USER_RIGHTS_H

#include <stdbool.h>

/* May this process become another user? */
bool user__may_become(void);

#endif
