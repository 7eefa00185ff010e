/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From what was typed to the words and the executable of a command. These return 0, or the exit
 * status after a complaint in the name of `name`.
 */
#ifndef FORKTAX_CMD_COMMAND_LINE_H
#define FORKTAX_CMD_COMMAND_LINE_H

#include <stddef.h>

/*
 * Splits a command line given as one argument into words: at least one, to be freed by
 * text__free_list(). Quotes, variables and patterns mean what they mean to a shell, but no shell runs;
 * `remedy` is what to do about a line that needs one.
 */
int split_command(const char *name, const char *line, const char *remedy, char ***words);

/*
 * The settings of the environment that the line begins with, as a shell would read them: NAME=VALUE, with the quotes
 * and variables of VALUE resolved, from our own environment. Moves the line to what follows them. NULL: there are
 * none; else to be freed by text__free_list().
 */
int take_settings(const char *name, const char **line, const char *remedy, char ***settings);
/* How long they are, as they stand there, with the blanks behind them. */
size_t settings__length(const char *line);

/* The path of a command's executable, to be freed. */
int find_command(const char *name, const char *word, char **path);
/* Says so if it gains rights when it is executed, so that --no-aslr has no effect on it. */
void warn_of_layout(const char *name, const char *word);
/* Complains that it was not found, for this error number of gate__find(). */
int complain_missing(const char *name, const char *word, int why);

#endif
