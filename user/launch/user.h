/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Users, by name. A program that is linked statically has user.static.c in the place of user.c: it reads
 * /etc/passwd and /etc/group and nothing else, because the name services of the machine it runs on
 * are libraries for another C library than its own.
 */
#ifndef FORKTAX_LAUNCH_USER_H
#define FORKTAX_LAUNCH_USER_H

#include <stdbool.h>

bool user__exists(const char *name);
/* Takes over the user's groups and ids. 0 or an errno. */
int user__become(const char *name);

#endif
