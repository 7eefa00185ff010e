// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/strace/strace_files.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "source/strace/strace_log.h"

enum {
	PIECE = 1 << 16,
	/* So many bytes without an event of strace: the rest will not have one either. */
	PATIENCE = 1 << 20,
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
		if (total > PATIENCE && !strace_log__events(log))
			break;
	}
}

struct run *strace_files__read(FILE *stream, const struct strace_request *request, char **reason)
{
	struct run *run = new_run(request);
	struct strace_log *log = strace_log__new(run, request->uses);
	bool good;

	errno = 0;
	read_all(log, stream);
	good = !ferror(stream);
	if (!good)
		text__wrong(reason, "%s", strerror(errno ? errno : EIO));
	else if (!(good = strace_log__events(log)))
		text__wrong(reason, "neither JSON nor a log of strace");
	else
		strace_log__finish(log);
	strace_log__free(log);
	if (good)
		return run;
	run__free(run);
	return NULL;
}
