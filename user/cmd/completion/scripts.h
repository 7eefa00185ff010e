/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The scripts of shells, built in: forktax.bash, _forktax and forktax.fish of this directory.
 */
#ifndef FORKTAX_CMD_COMPLETION_SCRIPTS_H
#define FORKTAX_CMD_COMPLETION_SCRIPTS_H

extern const char script_bash[], script_zsh[], script_fish[];

#endif
