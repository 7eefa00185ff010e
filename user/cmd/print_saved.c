// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints each kind of saved document in every form. Each kind says its title, the forms that it
 * refuses, and whether it is exact.
 */
#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "format/html/html_page.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/bench/bench_report.h"
#include "report/check/check_report.h"
#include "report/compare/comparison_report.h"
#include "report/doctor/doctor_report.h"
#include "report/run/run_report.h"
#include "report/watch/watch_report.h"
#include "report/words.h"
#include "report/workers/workers_report.h"

/*
 * The title of a page, to be freed: the command of a run, as typed. Processes that were attached to
 * have no name.
 */
static char *title_of(enum saved_family family, const void *subject)
{
	const struct run *run = subject;

#define FAMILY(id, name, documents) #name,
	static const char *const names[] = {
#include "model/rows/families.def"
	};
#undef FAMILY
	if (family != SAVED_RUN)
		return checked_strdup(family == SAVED_WATCH	   ? "watch"
				      : family == SAVED_COMPARISON ? "compare"
								   : names[family]);
	return run->command_count ? words__command(run->command) : checked_strdup("running processes");
}

/* The title of a page; the saved document or an export, if one is asked for instead of a report. */
static bool print_form(enum saved_family family, const void *subject,
		       const struct report_options *options, const struct table_output *tables)
{
	const enum export_form form = export_of(options);
	autofree char *title = title_of(family, subject);

	html_page__title(tables->page, title);
	if (form != EXPORT_COUNT) {
		export__write(form, subject, tables->stream);
	} else if (options->json) {
		saved__write(family, subject, tables->stream); /* a failure is noted in the stream */
	} else {
		return false;
	}
	return true;
}

#define FAMILY(id, name, documents)                                                  \
	static void print_##name##_as(const void *subject,                           \
				      const struct report_options *options,          \
				      const struct table_output *tables)             \
	{                                                                            \
		if (!print_form(SAVED_##id, subject, options, tables))               \
			name##_report__print(subject, options, tables);              \
	}
#include "model/rows/families.def"
#undef FAMILY

static const struct {
	print_fn *print;
	unsigned int documents;
} families[] = {
#define FAMILY(id, name, documents) { print_##name##_as, documents },
#include "model/rows/families.def"
#undef FAMILY
};

static unsigned int documents_of(enum saved_family family, const void *subject)
{
	if (family == SAVED_RUN && report__is_explained(subject))
		return DOCUMENT_EXPLAIN;
	return families[family].documents;
}

/* These return NULL, or the reason why the document cannot be printed in this form (to be freed). */
static char *run_refuses(const struct run *run, const struct report_options *options)
{
	const enum export_form form = export_of(options);
	const char *refusal = form == EXPORT_COUNT ? NULL : export__refuses(form, run);

	if (!filter__suits(options->filter, run))
		return text__of("this run does not say which calls were successful");
	if (form != EXPORT_COUNT && options->filter)
		return text__of("an export contains all calls: leave out -e and --status");
	return refusal ? text__of("this run cannot be exported in this format: %s", refusal) : NULL;
}

static char *refusal_of(enum saved_family family, const void *subject, const struct report_options *options)
{
	if (family == SAVED_RUN)
		return run_refuses(subject, options);
	if (family == SAVED_COMPARISON && filter__has_status(options->filter))
		return text__of("a comparison cannot be shown by status");
	if (family == SAVED_BENCH && options->formats[TABLE_CSV])
		return text__of("a benchmark is not printed as CSV: --json has all its figures");
	if (export_of(options) == EXPORT_COUNT)
		return NULL;
	return text__of("only a single run can be exported in this format");
}

static bool columns_are_exact(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++)
		if (!compare_column__is_exact(&comparison->columns[i]))
			return false;
	return true;
}

static bool pool_is_exact(const struct workers *workers)
{
	return (!workers->has_state || workers__is_exact(workers)) &&
	       (!workers->flow || workers_flow__is_exact(workers->flow));
}

static bool is_exact(enum saved_family family, const void *subject)
{
	switch (family) {
	case SAVED_RUN:
		return ((const struct run *)subject)->integrity.exact;
	case SAVED_COMPARISON:
		return columns_are_exact(subject);
	case SAVED_WORKERS:
		return pool_is_exact(subject);
	case SAVED_WATCH:
		return ((const struct watch_sample *)subject)->is_exact;
	default:
		return true;
	}
}

int print_saved(const char *name, enum saved_family family, const void *subject,
		const struct report_options *options, FILE *otherwise)
{
	autofree char *refusal = refusal_of(family, subject, options);
	int status;

	if (refusal)
		return print_error(name, EXIT_USAGE, "%s", refusal);
	status = print_to(name, options, otherwise, families[family].print, subject, documents_of(family, subject));
	return status || !options->strict || is_exact(family, subject) ? status : EXIT_INEXACT;
}
