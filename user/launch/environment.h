/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The environment of a program that is started: ours, with changes.
 */
#ifndef FORKTAX_LAUNCH_ENVIRONMENT_H
#define FORKTAX_LAUNCH_ENVIRONMENT_H

/*
 * A copy with changes (NULL-terminated): "NAME=value" sets a variable, "NAME" removes it. To be freed
 * by text__free_list(). NULL, which means our own, if there are no changes.
 */
char **environment__changed(const char *const *changes);

#endif
