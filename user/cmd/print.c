// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/print.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "format/html/html_page.h"
#include "format/pager.h"
#include "format/screen.h"
#include "format/wrap.h"
#include "model/run/call_times.h"
#include "report/anatomy/anatomy_tables.h"
#include "report/bench/bench_report.h"
#include "report/bindnow/bindnow_report.h"
#include "report/bindnow/bindnow_words.h"
#include "report/check/check_report.h"
#include "report/compare/comparison_report.h"
#include "report/doctor/doctor_report.h"
#include "report/run/run_report.h"
#include "report/shown.h"
#include "report/words.h"
#include "report/workers/workers_report.h"
#include "saved/saved.h"
#include "source/source.h"

/* The form of another tool that is wanted; EXPORT_COUNT: none. */
static enum export_form export_of(const struct report_options *options)
{
	enum export_form form = 0;

	while (form < EXPORT_COUNT && !options->exports[form])
		form++;
	return form;
}

/* Who asks for that redirects it, and stdout is the command's. */
static bool is_for_programs(const struct report_options *options)
{
	bool other = options->json || export_of(options) != EXPORT_COUNT;

	for (int i = 0; i < TABLE_STYLE_COUNT; i++)
		other |= options->formats[i] && i != TABLE_TEXT && i != TABLE_HTML;
	return other;
}

/* Nobody wants to read markup; and what else is written there would end up inside of it. */
static int check_terminal(const char *name, const struct report_options *options, FILE *stream)
{
	const enum export_form form = export_of(options);

	if (!isatty(fileno(stream)))
		return 0;
	if (stream == stderr && is_for_programs(options))
		return print_error(name, EXIT_USAGE, "the report goes to stderr, which is this terminal: give "
						  "-o FILE, or -o - for stdout");
	if (options->formats[TABLE_HTML])
		return print_error(name, EXIT_USAGE, "a page is no text for a terminal: "
						  "give -o FILE.html and open that in a browser");
	if (form != EXPORT_COUNT && export__is_binary(form))
		return print_error(name, EXIT_USAGE,
				   "that is no text for a terminal: give -o FILE");
	return 0;
}

static FILE *destination(const struct report_options *options, FILE *otherwise)
{
	return options->path && !strcmp(options->path, "-") ? stdout : otherwise;
}

int check_output(const char *name, const struct report_options *options, FILE *otherwise)
{
	char *reason;

	if (!options->path || !strcmp(options->path, "-")) {
		int status = check_terminal(name, options, destination(options, otherwise));

		if (status)
			return status;
	}
	if (!options->path || output__check(options->path, &reason) == 0)
		return 0;
	print_error(name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

static struct table_output tables_for(FILE *stream, const struct report_options *options)
{
	enum table_style style = TABLE_TEXT;

	for (int i = 0; i < TABLE_STYLE_COUNT; i++)
		if (options->formats[i])
			style = i;
	return table_output__for(stream, style, options->colour);
}

/* The same as JSON, to be freed. */
static char *saved_by(print_fn *print, const void *subject, const struct report_options *options)
{
	struct report_options json = *options;
	struct table_output kept = { 0 };
	char *text;
	size_t size;

	json.json = true;
	kept.stream = checked(open_memstream(&text, &size));
	print(subject, &json, &kept);
	fclose(kept.stream);
	return text;
}

/* A page has room for what a screen leaves out; it folds long tables. */
static struct report_options options_of_page(const struct report_options *options)
{
	struct report_options whole = *options;

	whole.files = FILES_ALL;
	whole.all_groups = whole.all_workers = true;
	return whole;
}

static void print_page(print_fn *print, const void *subject, const struct report_options *options,
		       bool has_json, FILE *stream)
{
	struct html_page *page = html_page__new(stream);
	const struct table_output tables = html_page__output(page);
	const struct report_options whole = options_of_page(options);
	autofree char *saved = has_json ? saved_by(print, subject, options) : NULL;

	print(subject, &whole, &tables);
	html_page__finish(page, saved);
}

/* A report for people; not what is saved, not an export, not data. */
static bool is_text(const struct report_options *options)
{
	return !is_for_programs(options) && !options->formats[TABLE_HTML];
}

/* The last line of a report that leaves something out; `joined` to the one above, or after an empty line. */
static void say_how_to_see_more(const struct report_options *options, unsigned int documents, bool joined,
				const struct table_output *tables)
{
	if (options->quiet || !report__is_brief(options, tables))
		return;
	if (!joined)
		putc('\n', tables->stream);
	wrap__paragraph("More:", text__of("-v (everything)%s, --top=N (rows)",
					  section__has_names(documents) ? ", --show=NAME,... (sections)" : ""),
			tables);
}

static print_fn print_report, print_pool;

/* To be freed. Sections that were asked for may have nothing to say. */
static char *text_of(print_fn *print, const void *subject, const struct report_options *options,
		     unsigned int documents, struct table_output tables)
{
	char *text;
	size_t size;
	bool has_next;

	tables.stream = checked(open_memstream(&text, &size));
	print(subject, options, &tables);
	has_next = print == print_report && report__print_next(subject, options, &tables);
	if (documents)
		say_how_to_see_more(options, documents, has_next, &tables);
	fclose(tables.stream);
	return text;
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

/* The answer is one screen, if it needs only a few rows fewer in its tables for that. */
static char *text_that_fits(print_fn *print, const void *subject, const struct report_options *options,
			    unsigned int documents, const struct table_output *tables)
{
	enum { LINES_OF_SCREEN = 40, MOST_FEWER = 2 };
	struct report_options fitted = *options;
	char *text = text_of(print, subject, options, documents, *tables);

	while (report__is_brief(options, tables) && lines_of(text) > LINES_OF_SCREEN &&
	       fitted.rows_fewer++ < MOST_FEWER) {
		free(text);
		text = text_of(print, subject, &fitted, documents, *tables);
	}
	return text;
}

/* On a terminal it may take a pager. */
static void print_text(print_fn *print, const void *subject, const struct report_options *options,
		       unsigned int documents, FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);
	const bool may_page = !options->no_pager && !options->path;
	autofree char *text = text_that_fits(print, subject, options, documents, &tables);

	if (options->screen_title)
		screen__draw(options->screen_title, text, strlen(text), stream);
	else
		pager__write(text, strlen(text), stream, may_page);
}

/* Is there such a form of what `print` prints? */
static bool is_exported(print_fn *print, enum export_form form)
{
	return form == EXPORT_COUNT || print == print_report ||
	       (print == print_pool && form == EXPORT_OPENMETRICS);
}

static int print_as(const char *name, const struct report_options *options, FILE *otherwise,
		    print_fn *print, const void *subject, unsigned int documents, bool has_json)
{
	char *reason;
	struct output *output;
	int status;

	if (!section__is_in(documents, options->show))
		return print_error(name, EXIT_USAGE,
				   "this report has none of the sections of --show");
	if (!is_exported(print, export_of(options)))
		return print_error(name, EXIT_USAGE, "only a single run can be exported so");
	output = output__open(options->path, otherwise, &reason);
	status = output ? check_terminal(name, options, output__stream(output)) : 0;

	if (status) {
		output__discard(output);
		return status;
	}
	if (output) {
		FILE *stream = output__stream(output);

		if (options->formats[TABLE_HTML]) {
			print_page(print, subject, options, has_json, stream);
		} else if (is_text(options)) {
			print_text(print, subject, options, documents, stream);
		} else {
			const struct table_output tables = tables_for(stream, options);

			table_output__begin(&tables);
			print(subject, options, &tables);
		}
		if (output__commit(output, &reason) == 0)
			return 0;
	}
	print_error(name, 0, "%s", reason);
	free(reason);
	return EXIT_FORKTAX;
}

int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject, unsigned int documents)
{
	return print_as(name, options, otherwise, print, subject, documents, true);
}

int print_unsaved(const char *name, const struct report_options *options, print_fn *print,
		  const void *subject)
{
	return print_as(name, options, stdout, print, subject, 0, false);
}

static const struct source *source_of(const struct run *run)
{
	size_t i = 0;

	while (sources[i + 1] && strcmp(sources[i]->name, run->source) != 0)
		i++;
	return sources[i];
}

void warn_fallback(const char *name, const struct run *run)
{
	const struct source *source;

	if (!run->fallback_reason)
		return;
	source = source_of(run);
	print_error(name, 0, "counted by %s: %s; %s (forktax doctor)", source->title, source->cost,
		    run->fallback_reason);
}

static void print_dictionary(const void *nothing, const struct report_options *options,
			     const struct table_output *tables)
{
	html_page__title(tables->page, "counters");
	report__counters(tables);
}

int print_counters(const char *name, const struct report_options *options)
{
	return print_unsaved(name, options, print_dictionary, NULL);
}

/* As typed; what it was attached to has no name of its own. */
static void title_run(const struct run *run, struct html_page *page)
{
	autofree char *command = run->command_count ? words__command(run->command) : NULL;

	html_page__title(page, command ? command : "running processes");
}

static void print_report(const void *subject, const struct report_options *options,
			 const struct table_output *tables)
{
	const enum export_form form = export_of(options);
	const struct run *run = subject;

	if (form != EXPORT_COUNT) {
		export__write(form, run, tables->stream);
		return;
	}
	if (options->json) {
		saved__write_run(run, tables->stream); /* a failure is noted in the stream */
		return;
	}
	title_run(run, tables->page);
	report__run(run, options, tables);
}

int print_run(const char *name, const struct run *run, const struct report_options *options,
	      FILE *otherwise)
{
	const enum export_form form = export_of(options);
	const char *refusal = form == EXPORT_COUNT ? NULL : export__refuses(form, run);
	int status;

	if (!filter__suits(options->filter, run))
		return print_error(name, EXIT_USAGE, "which calls were successful is not known of this run");
	if (form != EXPORT_COUNT && options->filter)
		return print_error(name, EXIT_USAGE, "an export holds all calls: leave out -e, --status, -z and -Z");
	if ((options->histogram || options->main_histogram) && !syscall_table__has_times(&run->table))
		return print_error(name, EXIT_USAGE, "this run has no histograms: its calls were not timed (-T), or an "
						  "older forktax saved it");
	if (refusal)
		return print_error(name, EXIT_USAGE, "this run cannot be exported so: %s", refusal);
	status = print_to(name, options, otherwise, print_report, run,
			  report__is_explained(run) ? DOCUMENT_EXPLAIN : DOCUMENT_RUN);
	if (status)
		return status;
	return options->strict && !run->integrity.exact ? EXIT_INEXACT : 0;
}

static void print_columns(const void *subject, const struct report_options *options,
			  const struct table_output *tables)
{
	const struct comparison *comparison = subject;
	const struct compare_column *column = &comparison->columns[0];

	if (comparison__is_repeated(comparison))
		title_run(column->runs[0], tables->page);
	else
		html_page__title(tables->page, "compare");
	if (options->json)
		saved__write_comparison(comparison, tables->stream);
	else
		compare__print(comparison, options, tables);
}

/* The exit status if printing succeeded. */
static int judge_columns(const struct report_options *options,
			 const struct compare_column *columns, size_t count)
{
	for (size_t i = 0; i < count && options->strict; i++) {
		if (!compare_column__is_exact(&columns[i]))
			return EXIT_INEXACT;
	}
	return 0;
}

int print_comparison(const char *name, const struct comparison *comparison,
		     const struct report_options *options, FILE *otherwise)
{
	const bool is_repeated = comparison__is_repeated(comparison);
	int status;

	if (filter__has_status(options->filter))
		return print_error(name, EXIT_USAGE, "%s cannot be shown by status",
				   is_repeated ? "several runs" : "a comparison");
	if (options->histogram || options->main_histogram)
		return print_error(name, EXIT_USAGE, "%s no histogram: it is of a single run",
				   is_repeated ? "several runs have" : "a comparison has");
	status = print_to(name, options, otherwise, print_columns, comparison,
			  is_repeated ? DOCUMENT_REPEATED : DOCUMENT_COMPARE);
	return status ? status
		      : judge_columns(options, comparison->columns, comparison->column_count);
}

static void save_bindnow(const struct bindnow *bindnow, FILE *stream)
{
	autofree char *verdict = bindnow_words__verdict(bindnow);

	saved__write_bindnow(bindnow, verdict, stream);
}

static void print_sides(const void *subject, const struct report_options *options,
			const struct table_output *tables)
{
	const struct bindnow *bindnow = subject;

	html_page__title(tables->page, "bindnow");
	if (options->json)
		save_bindnow(bindnow, tables->stream);
	else
		bindnow__print(bindnow, options, tables);
}

int print_bindnow(const char *name, const struct bindnow *bindnow,
		  const struct report_options *options)
{
	int status = print_to(name, options, stdout, print_sides, bindnow, DOCUMENT_BINDNOW);

	return status ? status : judge_columns(options, bindnow->comparison->columns, SIDE_COUNT);
}

static void print_cells(const void *subject, const struct report_options *options,
			const struct table_output *tables)
{
	html_page__title(tables->page, "bench");
	if (options->json)
		saved__write_bench(subject, tables->stream);
	else
		bench_report__print(subject, options, tables);
}

int print_bench(const char *name, const struct bench *bench, const struct report_options *options)
{
	return print_to(name, options, stdout, print_cells, bench, DOCUMENT_BENCH);
}

static void print_pool(const void *subject, const struct report_options *options,
		       const struct table_output *tables)
{
	const struct workers *workers = subject;

	html_page__title(tables->page, "workers");
	if (options->exports[EXPORT_OPENMETRICS])
		workers__write_openmetrics(workers, options, tables->stream);
	else if (options->json)
		saved__write_workers(workers, tables->stream);
	else
		workers_report__print(workers, options, tables);
}

static bool is_exact(const struct workers *workers)
{
	return (!workers->has_state || workers__is_exact(workers)) &&
	       (!workers->flow || workers_flow__is_exact(workers->flow));
}

int print_workers(const char *name, const struct workers *workers,
		  const struct report_options *options)
{
	int status;

	if (options->exports[EXPORT_OPENMETRICS] && !workers->has_state)
		return print_error(name, EXIT_USAGE, "the pool had ended before its memory was read: there is "
						  "nothing to export");
	status = print_to(name, options, stdout, print_pool, workers, DOCUMENT_WORKERS);
	if (status)
		return status;
	return options->strict && !is_exact(workers) ? EXIT_INEXACT : 0;
}

static void print_kept(const void *subject, const struct report_options *options,
		       const struct table_output *tables)
{
	html_page__title(tables->page, "baseline");
	if (options->json)
		saved__write_baseline(subject, tables->stream);
	else
		baseline_report__print(subject, tables);
}

int print_baseline(const char *name, const struct baseline *baseline,
		   const struct report_options *options)
{
	return print_to(name, options, stdout, print_kept, baseline, DOCUMENT_CHECK);
}

static void print_capabilities(const void *subject, const struct report_options *options,
			       const struct table_output *tables)
{
	html_page__title(tables->page, "doctor");
	if (options->json)
		saved__write_doctor(subject, tables->stream);
	else
		doctor_report__print(subject, options, tables);
}

int print_doctor(const char *name, const struct doctor *doctor, const struct report_options *options)
{
	return print_to(name, options, stdout, print_capabilities, doctor, 0);
}
