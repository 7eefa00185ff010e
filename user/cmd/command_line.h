/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From what was typed to the words and the executable of a command. These return 0, or the exit
 * status after a complaint in the name of `name`.
 */
#ifndef FORKTAX_CMD_COMMAND_LINE_H
#define FORKTAX_CMD_COMMAND_LINE_H

/*
 * Splits a command line given as one argument into words: at least one, to be freed by
 * text__free_list(). Quotes, variables and patterns mean what they mean to a shell, but no shell runs;
 * `remedy` is what to do about a line that needs one.
 */
int split_command(const char *name, const char *line, const char *remedy, char ***words);

/* The path of a command's executable, to be freed. */
int find_command(const char *name, const char *word, char **path);

#endif
