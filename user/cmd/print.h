/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Prints what was measured or loaded, as the options ask: to options->path or to stdout, whole or not
 * at all. All return 0, or EXIT_FORKTAX after a complaint in the name of `name`; what can be saved
 * returns EXIT_INEXACT if options->strict is set and a run or a pool is not exact.
 */
#ifndef FORKTAX_CMD_PRINT_H
#define FORKTAX_CMD_PRINT_H

#include <stdio.h>

#include "format/output.h"
#include "report/options.h"
#include "saved/saved.h"

/* What can be saved: to `otherwise` if there is no options->path. */
int print_saved(const char *name, enum saved_family family, const void *subject,
		const struct report_options *options, FILE *otherwise);
/* The same for each family, as print_run("report", run, options, stdout). */
#define FAMILY(id, family, documents)                                                         \
	static inline int print_##family(const char *name, const struct family *subject,      \
					 const struct report_options *options, FILE *otherwise) \
	{                                                                                     \
		return print_saved(name, SAVED_##id, subject, options, otherwise);            \
	}
#include "model/rows/families.def"
#undef FAMILY

/*
 * Can the file of -o be written, and may a page go where it would? Ask before a long run. `otherwise`
 * as of print_saved().
 */
int check_output(const char *name, const struct report_options *options, FILE *otherwise);

/* Says on one line of stderr if a run was not counted by the best source: by which, why, the cost. */
void warn_fallback(const char *name, const struct run *run);

/* The form of another tool that is wanted; EXPORT_COUNT: none. */
enum export_form export_of(const struct report_options *options);

/*
 * Prints `subject` by `print` to the stream of `tables`. Failed writes are found here: `print` need
 * not look for them. With options->json it prints what is saved. `documents` (enum document,
 * report/section_names.h) is what it is, whose sections --show may name; 0: it has none.
 */
typedef void print_fn(const void *subject, const struct report_options *options, const struct table_output *tables);
int print_to(const char *name, const struct report_options *options, FILE *otherwise, print_fn *print,
	     const void *subject, unsigned int documents);

#endif
