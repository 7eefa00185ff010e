/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forktax has saved, or a log of strace: the content of the file decides.
 */
#ifndef FORKTAX_CMD_LOAD_RUN_H
#define FORKTAX_CMD_LOAD_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "report/options.h"
#include "saved/saved.h"

/* Does the stream begin with a brace, after white space? Of what else forktax reads, no line does. */
bool is_json(FILE *stream);

/*
 * Loads a file; "-" is stdin. `options` (NULL: none) say what a log is to be asked for. Returns 0, or -1 and a
 * one-line reason (to be freed).
 */
int load_file(const char *path, const struct report_options *options, struct saved *what, char **reason);

#endif
