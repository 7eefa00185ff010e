/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a command cannot be executed, in words, with what would help.
 */
#ifndef FORKTAX_LAUNCH_REFUSAL_H
#define FORKTAX_LAUNCH_REFUSAL_H

/* "NAME: command not found ..."; `why` is the errno of gate__find() or of execve. To be freed. */
char *refusal__text(const char *name, int why);

#endif
