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

/*
 * How a stream begins, after white space: with a brace (JSON) or with `<` (a page, format/html/). Of what
 * else forktax reads, no line begins with either.
 */
enum saved_as { SAVED_AS_NOTHING, SAVED_AS_JSON, SAVED_AS_PAGE };
enum saved_as saved_as(FILE *stream);

/*
 * Loads a file; "-" is stdin. Of logs that `strace -ff -o NAME` wrote, one file or NAME loads all.
 * `options` (NULL: none) say what a log is to be asked for. Returns 0, or -1 and a one-line reason (to
 * be freed).
 */
int load_file(const char *path, const struct report_options *options, struct saved *what, char **reason);


#endif
