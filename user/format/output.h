/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a report goes: a stream, or a file that appears complete or not at all.
 */
#ifndef FORKTAX_FORMAT_OUTPUT_H
#define FORKTAX_FORMAT_OUTPUT_H

#include <stdio.h>

#include "format/table.h"

struct output;

/*
 * Tries whether `path` can be written: before a long run, so that its result has a place to go.
 * Returns 0, or -1 and stores a reason (to be freed). Leaves no trace.
 */
int output__check(const char *path, char **reason);

/*
 * Opens `path` ("-" is stdout), or takes `otherwise` if path is NULL. A regular file is written
 * under another name in the same directory until output__commit(); a device or FIFO directly.
 * Returns NULL and stores a reason (to be freed) on failure.
 */
struct output *output__open(const char *path, FILE *otherwise, char **reason);
FILE *output__stream(struct output *output);

/*
 * Completes the output: stores all that was written, and only then gives the file its name. Returns
 * 0, or -1 and a reason (disk full, stream closed), with nothing of the file left. Frees the output
 * either way.
 */
int output__commit(struct output *output, char **reason);
void output__discard(struct output *output); /* NULL is fine */

/* How the reader of this stream wants tables: colour, width and line drawing. */
enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
struct table_output table_output__for(FILE *stream, enum table_style style, enum colour_when colour);

#endif
