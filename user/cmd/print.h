/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prints what was measured or loaded, as the options ask: to options->path or to stdout, whole or not
 * at all. All return 0, or EXIT_FORKTAX after a complaint in the name of `name`; those of runs and
 * workers return EXIT_INEXACT if options->strict is set and one is not exact.
 */
#ifndef FORKTAX_CMD_PRINT_H
#define FORKTAX_CMD_PRINT_H

#include <stdio.h>

#include "format/output.h"
#include "report/options.h"

struct baseline;
struct bench;
struct bindnow;
struct comparison;
struct doctor;
struct run;
struct workers;

/* These two to `otherwise` if there is no options->path. */
int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise);
int print_comparison(const char *name, const struct comparison *comparison,
		     const struct report_options *options, FILE *otherwise);
int print_bindnow(const char *name, const struct bindnow *bindnow,
		  const struct report_options *options);
int print_bench(const char *name, const struct bench *bench, const struct report_options *options);
int print_workers(const char *name, const struct workers *workers,
		  const struct report_options *options);
int print_baseline(const char *name, const struct baseline *baseline,
		   const struct report_options *options);
int print_doctor(const char *name, const struct doctor *doctor, const struct report_options *options);
/* The dictionary of counters. */
int print_counters(const char *name, const struct report_options *options);

/*
 * Can the file of -o be written, and may a page go where it would? Ask before a long run. `otherwise`
 * as of print_run().
 */
int check_output(const char *name, const struct report_options *options, FILE *otherwise);

/* Says on one line of stderr if a run was not counted by the best source: by which, why, the cost. */
void warn_fallback(const char *name, const struct run *run);

/*
 * Prints `subject` by `print` to the stream of `tables`. Failed writes are found here: `print` need
 * not look for them. With options->json it prints what is saved, which a page holds, too. `documents`
 * (enum document, report/section_names.h) is what it is, whose sections --show may name; 0: it has none.
 */
typedef void print_fn(const void *subject, const struct report_options *options,
		      const struct table_output *tables);
int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject, unsigned int documents);
/* The same to stdout, of what is not saved. */
int print_unsaved(const char *name, const struct report_options *options, print_fn *print,
		  const void *subject);

#endif
