// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "launch/launch.h"
#include "measure/loop/loop_cells.h"

struct preload {
	char *directory;
	char *variable;
	uint64_t count;
};

static char *path_of(const struct preload *preload, uint64_t number)
{
	return text__of("%s/%" PRIu64 ".so", preload->directory, number);
}

static int wrong_file(char **reason, const char *what, const char *path)
{
	return error__set(reason, "cannot %s %s: %s", what, path, strerror(errno));
}

struct preload *preload__new(char **reason)
{
	struct preload *preload = checked_calloc(1, sizeof(*preload));
	const char *temporary = getenv("TMPDIR");

	preload->directory = text__of("%s/forktax-XXXXXX",
				      temporary && *temporary == '/' ? temporary : "/tmp");
	preload->variable = checked_strdup("LD_PRELOAD=");
	if (mkdtemp(preload->directory))
		return preload;
	wrong_file(reason, "make a directory", preload->directory);
	free(preload->directory);
	free(preload->variable);
	free(preload);
	return NULL;
}

/* Returns 0, or -1 with errno. */
static int copy_library(const char *library, const char *path)
{
	int from = open(library, O_RDONLY | O_CLOEXEC), to, error;
	struct stat status;
	ssize_t sent = 1;

	if (from < 0)
		return -1;
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (to < 0 || fstat(from, &status) < 0)
		sent = -1;
	for (off_t done = 0; sent > 0 && done < status.st_size;)
		sent = sendfile(to, from, &done, status.st_size - done);
	error = sent ? errno : EIO; /* shorter than it was */
	close(from);
	if (to >= 0 && close(to) < 0 && sent > 0) {
		sent = -1;
		error = errno;
	}
	errno = error;
	return sent > 0 ? 0 : -1;
}

int preload__add(struct preload *preload, const char *library, uint64_t copies, char **reason)
{
	size_t length = strlen(preload->variable);
	FILE *list;
	char *grown;
	int status = 0;

	list = checked(open_memstream(&grown, &length));
	fputs(preload->variable, list);
	for (uint64_t i = 0; i < copies && !status; i++) {
		char *path = path_of(preload, preload->count++);

		fprintf(list, "%s%s", preload->count > 1 ? ":" : "", path);
		if (copy_library(library, path) < 0)
			status = wrong_file(reason, "write", path);
		free(path);
	}
	if (fclose(list))
		err(125, "out of memory");
	free(preload->variable);
	preload->variable = grown;
	return status;
}

const char *preload__variable(const struct preload *preload)
{
	return preload->variable;
}

void preload__free(struct preload *preload)
{
	if (!preload)
		return;
	while (preload->count) {
		char *path = path_of(preload, --preload->count);

		unlink(path);
		free(path);
	}
	rmdir(preload->directory);
	free(preload->directory);
	free(preload->variable);
	free(preload);
}

static int add_preload(const struct startup_wanted *wanted, struct preload *preload, const char *name,
	       uint64_t copies, char **reason, char **remedy)
{
	char *library;
	int status;

	if (!copies)
		return 0;
	library = loops__find(wanted->loops, wanted->linkage, name, reason, remedy);
	if (!library)
		return -1;
	status = preload__add(preload, library, copies, reason);
	free(library);
	return status;
}

/* ld.so complains on stderr about what it cannot load, and goes on without it. */
static int try_preload(const char *path, const char *variable, char **reason)
{
	const char *more[] = { variable, NULL };
	char *argv[] = { (char *)path, NULL };
	char **environment = environment__changed(more);
	const struct child_request request = {
		.path = path, .argv = argv, .environment = environment,
	};
	struct child_result result;
	int status = loop_cell__ask(&request, &result, reason);

	text__free_list(environment);
	if (status)
		return -1;
	if (*result.errors) {
		result.errors[strcspn(result.errors, "\n")] = '\0';
		*reason = checked_strdup(result.errors);
		status = -1;
	}
	child_result__free(&result);
	return status;
}

struct preload *startup_preload__new(const struct startup_wanted *wanted, struct bench_cell *cell)
{
	char *reason = NULL, *remedy = NULL, *name;
	struct preload *preload;

	if (!wanted->libraries && !wanted->relocations)
		return NULL;
	if (!loop_cell__may_load(cell, wanted->linkage))
		return NULL;
	name = text__of("librelocations-%" PRIu64 ".so", wanted->relocations);
	preload = preload__new(&reason);
	if (!preload ||
	    add_preload(wanted, preload, "libextra.so", wanted->libraries, &reason, &remedy) ||
	    add_preload(wanted, preload, name, wanted->relocations > 0, &reason, &remedy) ||
	    try_preload(wanted->path, preload__variable(preload), &reason)) {
		loop_cell__refuse(cell, reason, remedy);
		preload__free(preload);
		preload = NULL;
	}
	free(name);
	return preload;
}
