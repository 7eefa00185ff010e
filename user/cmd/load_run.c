// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/load_run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/html/embedded.h"
#include "report/shown.h"
#include "source/calls/call_stream.h"
#include "source/strace/strace_files.h"

enum saved_as saved_as(FILE *stream)
{
	int c, next;

	do
		c = getc(stream);
	while (isspace(c));
	next = c == '<' ? getc(stream) : EOF; /* a log may begin with "<... read resumed>" */
	if (next != EOF)
		ungetc(next, stream);
	ungetc(c, stream);
	return c == '{' ? SAVED_AS_JSON : next == '!' ? SAVED_AS_PAGE : SAVED_AS_NOTHING;
}

/* All that is left, to be freed; NULL: a reason is stored. */
static char *read_all(FILE *stream, char **reason)
{
	char *text = NULL;
	size_t size = 0;

	if (getdelim(&text, &size, '\0', stream) > 0)
		return text;
	error__set(reason, "%s", ferror(stream) ? strerror(errno) : "the file is empty");
	free(text);
	return NULL;
}

static int load_page(FILE *stream, struct saved *what, char **reason)
{
	autofree char *text = read_all(stream, reason);
	autofree char *json = text ? embedded__find(text, reason) : NULL;
	FILE *kept = json ? fmemopen(json, strlen(json), "r") : NULL;
	int status = kept ? saved__read(kept, what, reason) : -1;

	if (json && !kept)
		error__set(reason, "%s", *json ? strerror(errno) : "this page contains no saved run");
	if (kept)
		fclose(kept);
	return status;
}

static int take_run(struct run *run, struct saved *what)
{
	*what = (struct saved){ .family = SAVED_RUN, .is_log = true, .run = run };
	return run ? 0 : -1;
}

static int load_stream(FILE *stream, const char *path, const struct strace_request *request,
		       struct saved *what, char **reason)
{
	const enum saved_as form = saved_as(stream);

	if (form == SAVED_AS_JSON)
		return saved__read(stream, what, reason);
	if (form == SAVED_AS_PAGE)
		return load_page(stream, what, reason);
	if (feof(stream))
		return error__set(reason, "the file is empty");
	if (stream == stdin)
		return take_run(strace_files__read(stream, request, reason), what);
	return take_run(strace_files__load(path, request, reason), what);
}

static unsigned int uses_of(const struct report_options *options)
{
	unsigned int uses = 0;

	if (options && options->files != FILES_UNASKED)
		uses |= CALLS_FOR_FILES;
	if (options && (options->show[SHOW_PHASES] || options->show[SHOW_START_CALLS] || options->show[SHOW_OBJECTS]))
		uses |= CALLS_FOR_START;
	return uses;
}

int load_file(const char *path, const struct report_options *options, struct saved *what, char **reason)
{
	const struct strace_request request = {
		.all_processes = options && sections__need_processes(options),
		.uses = uses_of(options),
	};
	FILE *stream = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int result;

	*what = (struct saved){ 0 };
	if (!stream && errno == ENOENT)
		return take_run(strace_files__load(path, &request, reason), what);
	if (!stream)
		return error__set(reason, "%s", strerror(errno));
	result = load_stream(stream, path, &request, what, reason);
	if (stream != stdin)
		fclose(stream);
	return result;
}
