// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/loop/preload.h"

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
	return text__wrong(reason, "cannot %s %s: %s", what, path, strerror(errno));
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

/* Whole or not at all, with errno. */
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
