// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/print.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "format/html/html_page.h"
#include "format/scrolled.h"
#include "format/wrap.h"
#include "report/run/run_report.h"
#include "report/shown.h"
#include "source/source.h"

enum export_form export_of(const struct report_options *options)
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
		return print_error(name, EXIT_USAGE, "an HTML page cannot be shown on a terminal: "
						  "give -o FILE.html and open that in a browser");
	if (form != EXPORT_COUNT && export__is_binary(form))
		return print_error(name, EXIT_USAGE,
				   "this format is not text for a terminal: give -o FILE");
	return 0;
}

static FILE *destination(const struct report_options *options, FILE *otherwise)
{
	return options->path && !strcmp(options->path, "-") ? stdout : otherwise;
}

/* A closed descriptor is open for reading by now (main.c). A command may run without a report on stderr. */
static bool is_closed_stdout(FILE *stream)
{
	const int flags = fcntl(fileno(stream), F_GETFL);

	return stream == stdout && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY);
}

int check_output(const char *name, const struct report_options *options, FILE *otherwise)
{
	autofree char *reason = NULL;

	if (!options->path || !strcmp(options->path, "-")) {
		FILE *stream = destination(options, otherwise);
		int status = check_terminal(name, options, stream);

		if (status)
			return status;
		if (is_closed_stdout(stream))
			return print_error(name, EXIT_FORKTAX, "cannot write the report: standard output is closed; "
							       "-o FILE writes it to a file");
	}
	if (!options->path || output__check(options->path, &reason) == 0)
		return 0;
	return print_error(name, EXIT_FORKTAX, "%s", reason);
}

static struct table_output tables_for(FILE *stream, const struct report_options *options)
{
	enum table_style style = TABLE_TEXT;

	for (int i = 0; i < TABLE_STYLE_COUNT; i++)
		if (options->formats[i])
			style = i;
	return table_output__for(stream, style, options->colour);
}

/* A page has room for what a screen leaves out; it folds long tables. */
static struct report_options options_of_page(const struct report_options *options)
{
	struct report_options whole = *options;

	whole.files = FILES_ALL;
	whole.all_workers = true;
	return whole;
}

static void print_page(print_fn *print, const void *subject, const struct report_options *options, FILE *stream)
{
	struct html_page *page = html_page__new(stream);
	const struct table_output tables = html_page__output(page);
	const struct report_options whole = options_of_page(options);

	print(subject, &whole, &tables);
	html_page__finish(page);
}

/* A report for people; not what is saved, not an export, not data. */
static bool is_text(const struct report_options *options)
{
	return !is_for_programs(options) && !options->formats[TABLE_HTML];
}

/* What to try next is a command on a line of its own. */
static bool ends_with_command(const char *text, size_t size)
{
	static const char begin[] = "\n  forktax ";
	const char *line = size > 1 ? memrchr(text, '\n', size - 1) : NULL;

	return line && !strncmp(line, begin, strlen(begin));
}

enum { ONE_LINE_WIDTH = 67 }; /* columns of all that can be said below a report */

/* The last line of a report that leaves something out; `joined` to the one above, or after an empty line. */
static void say_how_to_see_more(const struct report_options *options, unsigned int documents, bool joined,
				const struct table_output *tables)
{
	const bool has_names = section__has_names(documents);
	const bool is_narrow = has_names && tables->width && tables->width < ONE_LINE_WIDTH;

	if (options->quiet || !report__is_brief(options))
		return;
	if (!joined)
		putc('\n', tables->stream);
	wrap__paragraph("More:", text__of("%s%s%s", is_narrow ? "-v" : "-v (everything)",
					  has_names ? ", --show=NAME,... (sections)" : "",
					  documents & DOCUMENT_BENCH ? "" : ", --top=N (rows)"),
			tables);
}

/* To be freed. Sections that were asked for may have nothing to say. */
static char *text_of(print_fn *print, const void *subject, const struct report_options *options,
		     unsigned int documents, struct table_output tables)
{
	char *text;
	size_t size;

	tables.stream = checked(open_memstream(&text, &size));
	print(subject, options, &tables);
	fflush(tables.stream);
	if (documents)
		say_how_to_see_more(options, documents, ends_with_command(text, size), &tables);
	fclose(tables.stream);
	return text;
}

static void print_text(print_fn *print, const void *subject, const struct report_options *options,
		       unsigned int documents, FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);
	autofree char *text = text_of(print, subject, options, documents, tables);

	scrolled__write(text, strlen(text), stream);
}

int print_to(const char *name, const struct report_options *options, FILE *otherwise,
	     print_fn *print, const void *subject, unsigned int documents)
{
	autofree char *reason = NULL;
	struct output *output;
	int status;

	if (!section__is_in(documents, options->show))
		return print_error(name, EXIT_USAGE, "this report has none of the sections of --show");
	output = output__open(options->path, otherwise, &reason);
	status = output ? check_terminal(name, options, output__stream(output)) : 0;

	if (status) {
		output__discard(output);
		return status;
	}
	if (output) {
		FILE *stream = output__stream(output);

		if (options->formats[TABLE_HTML]) {
			print_page(print, subject, options, stream);
		} else if (is_text(options)) {
			print_text(print, subject, options, documents, stream);
		} else {
			const struct table_output tables = tables_for(stream, options);

			print(subject, options, &tables);
		}
		if (output__commit(output, &reason) == 0)
			return 0;
	}
	return print_error(name, EXIT_FORKTAX, "%s", reason);
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
