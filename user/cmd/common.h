/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the subcommands share: complaining, and printing a run the way its options ask for.
 */
#ifndef FORKTAX_CMD_COMMON_H
#define FORKTAX_CMD_COMMON_H

#include <stdio.h>

#include "report/run/run_report.h"

/*
 * Says on one line of stderr what failed ("forktax NAME: ..."), made safe for a terminal: names
 * and the contents of files are not trusted. NULL: forktax itself. Returns `status`.
 */
int complain(const char *name, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Our own death tells our parent what ended the command, or us. Returns if that does not kill. */
int die_like(int signal);

/* Stores the path of a command's executable, to be freed. Returns 0, or the status after a complaint. */
int find_command(const char *name, const char *word, char **path);

/* Everything written to stdout has arrived: 0, else EXIT_FORKTAX after a complaint. */
int finish_stdout(const char *name);

/* Could the file of -o be written? To be asked before a long run. 0, or the status after a complaint. */
int check_output(const char *name, const struct report_options *options);

/*
 * Prints `subject` by `print` to options->path, or to `otherwise`: whole or not at all. Returns 0,
 * or EXIT_FORKTAX after a complaint. A failed write is found by us: `print` need not care.
 */
typedef void print_fn(const void *subject, const struct report_options *options, FILE *stream);
int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject);
/* How tables of the stream are to look. */
struct table_output tables_for(FILE *stream, const struct report_options *options);

/*
 * Prints the run to options->path, or to `otherwise`. Returns 0, EXIT_INEXACT if options->strict
 * finds fault, or EXIT_FORKTAX after a complaint.
 */
int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise);
/* Prints the dictionary of counters to options->path or stdout. Returns 0, or the same. */
int print_counters(const char *name, const struct report_options *options);

#endif
