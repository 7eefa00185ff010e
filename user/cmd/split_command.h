/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORKTAX_CMD_SPLIT_COMMAND_H
#define FORKTAX_CMD_SPLIT_COMMAND_H

/*
 * A command line in one argument, as words (NULL-terminated, at least one, to be freed each and the
 * array). Quotes, variables and patterns mean what they mean to a shell, but no shell runs. Returns
 * 0, or the exit status after a complaint in the name of `name`; `remedy` is what to do where it
 * needs a shell.
 */
int split_command(const char *name, const char *line, const char *remedy, char ***words);

#endif
