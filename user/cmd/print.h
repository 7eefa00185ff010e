/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Printing what was measured just now, or loaded, the way its options ask for: to options->path or
 * to stdout, whole or not at all. All return 0, or EXIT_FORKTAX after a complaint in the name of
 * `name`; those that can tell return EXIT_INEXACT if options->strict finds fault.
 */
#ifndef FORKTAX_CMD_PRINT_H
#define FORKTAX_CMD_PRINT_H

#include <stdio.h>

#include "format/output.h"
#include "report/options.h"

struct bench;
struct bindnow;
struct comparison;
struct run;

/* Without options->path to `otherwise`. */
int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise);
int print_comparison(const char *name, const struct comparison *comparison,
		     const struct report_options *options);
int print_bindnow(const char *name, const struct bindnow *bindnow,
		  const struct report_options *options);
int print_bench(const char *name, const struct bench *bench, const struct report_options *options);
/* The dictionary of counters. */
int print_counters(const char *name, const struct report_options *options);

/* Could the file of -o be written? To be asked before a long run. */
int check_output(const char *name, const struct report_options *options);

/* `subject` by `print`, which need not care for failed writes: they are found here. */
typedef void print_fn(const void *subject, const struct report_options *options, FILE *stream);
int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject);
/* How tables of the stream are to look. */
struct table_output tables_for(FILE *stream, const struct report_options *options);

#endif
