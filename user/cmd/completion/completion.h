/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Completion of command lines. A shell has a short script (forktax.bash, _forktax, forktax.fish),
 * which asks the program that is being typed: so what is offered is what this program takes, by the
 * rows of its options. What a shell knows better (files, users, the traced command) it does itself.
 */
#ifndef FORKTAX_CMD_COMPLETION_COMPLETION_H
#define FORKTAX_CMD_COMPLETION_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

struct command;

/*
 * forktax --complete WORD...: the words behind "forktax", the last of which is being typed. Prints
 *
 *	KIND \t START \t NOTE		what is to be completed, and the part of the last word before it
 *	VALUE \t DESCRIPTION		each that there is, also those that do not begin like it
 *
 * KIND is "words" (the values below), "list" (the same, and more may follow), "file", "directory",
 * "saved" (a file, rather one that forktax has saved), "program", "user", "line" (a program or a file),
 * "command" (NOTE is the index of the word where it begins), "nothing" (of use: NOTE says what is wanted),
 * or "unknown": an option that no shell can complete, which is a bug.
 */
void completion__answer(const struct command *const *commands, int count, char **words,
			FILE *stream);

/* forktax --completion SHELL: prints the script. Returns false if there is none for that shell. */
bool completion__script(const char *shell, FILE *stream);

#endif
