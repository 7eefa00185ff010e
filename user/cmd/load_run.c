// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/load_run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/shown.h"
#include "source/calls/call_stream.h"
#include "source/strace/strace_files.h"

bool is_json(FILE *stream)
{
	int c;

	do
		c = getc(stream);
	while (isspace(c));
	ungetc(c, stream);
	return c == '{';
}

static int take_run(struct run *run, struct saved *what)
{
	*what = (struct saved){ .family = SAVED_RUN, .is_log = true, .run = run };
	return run ? 0 : -1;
}

static int load_stream(FILE *stream, const char *path, const struct strace_request *request,
		       struct saved *what, char **reason)
{
	if (is_json(stream))
		return saved__read(stream, what, reason);
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
	if (!stream)
		return error__set(reason, "%s", strerror(errno));
	result = load_stream(stream, path, &request, what, reason);
	if (stream != stdin)
		fclose(stream);
	return result;
}
