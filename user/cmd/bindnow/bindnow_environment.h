/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Our environment with LD_BIND_NOW as it is wanted.
 */
#ifndef FORKTAX_CMD_BINDNOW_BINDNOW_ENVIRONMENT_H
#define FORKTAX_CMD_BINDNOW_BINDNOW_ENVIRONMENT_H

#include <stdbool.h>

/* Is it set for ld.so, which takes an empty value for none? */
bool bindnow_environment__is_set(void);
/* A copy with LD_BIND_NOW=1, or without it; to be freed by text__free_list(). */
char **bindnow_environment__new(bool set);

/*
 * Would the kernel tell ld.so to be careful (AT_SECURE), because the file gives other rights than
 * ours to who executes it?
 */
bool bindnow_environment__is_secure(const char *path);

#endif
