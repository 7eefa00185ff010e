/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a shell may offer as the value of an option, by the kind of value that its row states
 * (option_type.completes). Every kind must be known here.
 */
#ifndef FORKTAX_CMD_COMPLETION_VALUES_H
#define FORKTAX_CMD_COMPLETION_VALUES_H

#include <stdio.h>

#include "cmd/options/row.h"

/* Answers (completion.h) for the option of a row, whose value begins at `value` of `word`. */
void values__answer(const struct option_row *row, const char *word, const char *value,
		    FILE *stream);

/* The first line of an answer; `value` points into `word`. */
void values__begin(const char *kind, const char *word, const char *value, const char *note,
		   FILE *stream);
/* Another line; `description` is made safe. NULL: none. */
void values__add(const char *value, const char *description, FILE *stream);

#endif
