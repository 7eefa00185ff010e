// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/strace_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "source/strace/log_line.h"
#include "source/strace/strace_log.h"

enum {
	PIECE = 1 << 16,
	/* So many bytes that are no log of strace: the rest will not be one either. */
	PATIENCE = 1 << 20,
	LOOK_AT = 100, /* lines that may be messages of the program */
};

static struct run *new_run(const struct strace_request *request)
{
	struct run *run = run__new();

	run->source = checked_strdup("strace");
	run->version = checked_strdup(FORKTAX_VERSION);
	run->all_processes = request->all_processes;
	return run;
}

static void read_all(struct strace_log *log, FILE *stream)
{
	static char piece[PIECE];
	size_t size, total = 0;

	while ((size = fread(piece, 1, sizeof(piece), stream))) {
		strace_log__feed(log, piece, size);
		total += size;
		if (total > PATIENCE && !strace_log__is_one(log))
			break;
	}
}

/* Ends reading: what was read, or NULL and a reason. */
static struct run *end(struct strace_log *log, struct run *run, int error, char **reason)
{
	bool good = !error && strace_log__is_one(log);

	if (error)
		error__set(reason, "%s", strerror(error));
	else if (!good)
		error__set(reason, "neither JSON nor a log of strace");
	else
		strace_log__finish(log);
	strace_log__free(log);
	if (good)
		return run;
	run__free(run);
	return NULL;
}

struct run *strace_files__read(FILE *stream, const struct strace_request *request, char **reason)
{
	struct run *run = new_run(request);
	struct strace_log *log = strace_log__new(run, request->uses);

	errno = 0;
	read_all(log, stream);
	return end(log, run, ferror(stream) ? errno ? errno : EIO : 0, reason);
}

bool strace_files__are_there(const char *path)
{
	struct untrusted_budget budget = { 0 };
	struct stat status;
	struct untrusted_lines lines = untrusted_lines__of(untrusted__open(path, 0, &status), &budget);
	struct log_line read = { 0 };
	size_t length;
	char *line;

	for (int i = 0; i < LOOK_AT && read.kind <= LINE_NOTHING; i++) {
		line = untrusted_lines__next(&lines, &length);
		if (!line)
			break;
		log_line__read(&read, line, log_line__uncolour(line, strlen(line)));
	}
	untrusted_lines__close(&lines);
	return read.kind > LINE_NOTHING;
}

struct run *strace_files__load(const char *path, const struct strace_request *request, char **reason)
{
	FILE *stream = fopen(path, "re");
	struct run *run;

	if (!stream) {
		error__set(reason, "%s", strerror(errno));
		return NULL;
	}
	run = strace_files__read(stream, request, reason);
	fclose(stream);
	return run;
}
