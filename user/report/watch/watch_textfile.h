/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A sample of a watch for Prometheus: the text format, in a file that node_exporter's textfile collector reads.
 * The metrics are the rows of watch_metrics.def. What the level of the sample does not count is not there.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_TEXTFILE_H
#define FORKTAX_REPORT_WATCH_WATCH_TEXTFILE_H

#include <stdio.h>

#include "model/watch/watch.h"

/* Units with a name of their own; the rest is in "other". */
enum { WATCH_UNITS_MOST = 200 };

/* The versions are those of forktax and of the running kernel. */
void watch_textfile__print(const struct watch_sample *sample, const char *version, const char *kernel, FILE *stream);

/*
 * Puts the sample in the place of the file at `path`: whole, or the file stays as it is. Returns 0, or -1 and a
 * message (to be freed): what failed, and why.
 */
int watch_textfile__write(const char *path, const struct watch_sample *sample, char **message);

#endif
