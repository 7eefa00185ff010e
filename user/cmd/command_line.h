/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands that are to be run: from what was typed to words and an executable. These return 0, or
 * the exit status after a complaint in the name of `name`.
 */
#ifndef FORKTAX_CMD_COMMAND_LINE_H
#define FORKTAX_CMD_COMMAND_LINE_H

/*
 * A command line in one argument, as words (NULL-terminated, at least one, to be freed each and the
 * array). Quotes, variables and patterns mean what they mean to a shell, but no shell runs; `remedy`
 * is what to do where it needs one.
 */
int split_command(const char *name, const char *line, const char *remedy, char ***words);

/* The path of a command's executable, to be freed. */
int find_command(const char *name, const char *word, char **path);

#endif
