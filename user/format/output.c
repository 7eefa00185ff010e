// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/output.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"

struct output {
	FILE *stream;
	bool is_ours; /* opened here, to be closed here */
	char *path; /* as the reader knows it, NULL: a stream of the caller */
	char *target; /* the file behind symbolic links, NULL: written directly */
	char *temporary;
	sigset_t mask; /* of signals, as it was before there was a temporary file */
};

/* While there is a temporary file: what ends us would leave it behind. */
static void hold_signals(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGHUP);
	sigaddset(&held, SIGQUIT);
	sigprocmask(SIG_BLOCK, &held, before);
}

/*
 * Our own descriptor that `path` names (/dev/fd/N); -1: none. If it is a file, it must not be
 * opened again or replaced: the traced command has written there.
 */
static int own_descriptor(const char *path)
{
	int fd = -1, end = 0;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	if (sscanf(path, "/dev/fd/%d%n", &fd, &end) < 1)
		sscanf(path, "/proc/self/fd/%d%n", &fd, &end);
	return end && !path[end] ? fd : -1;
}

/* The regular file that `path` leads to or could become; NULL: to be opened as it is. */
static char *regular_target(const char *path)
{
	struct stat status;

	if (own_descriptor(path) >= 0)
		return NULL;
	if (stat(path, &status) == 0)
		return S_ISREG(status.st_mode) ? realpath(path, NULL) : NULL;
	if (errno != ENOENT || lstat(path, &status) == 0)
		return NULL;
	return checked_strdup(path);
}

/*
 * Another user's file, FIFO or link in a directory for all (/tmp), which they may have made because we were expected:
 * to learn what is written, to change it later, or to make us write elsewhere. The kernel refuses them, too, where
 * fs.protected_regular, protected_fifos and protected_symlinks are set.
 */
static bool is_planted(const char *path)
{
	autofree char *copy = checked_strdup(path);
	struct stat file, directory;

	if (own_descriptor(path) >= 0 || lstat(path, &file) || stat(dirname(copy), &directory))
		return false;
	return directory.st_mode & S_ISVTX && directory.st_mode & (S_IWGRP | S_IWOTH) &&
	       file.st_uid != geteuid() && file.st_uid != directory.st_uid;
}

static bool refuses_planted(const char *path, const char *target, char **reason)
{
	if (!is_planted(path) && !(target && is_planted(target)))
		return false;
	error__set(reason, "cannot write %s: it belongs to another user, in a directory where everybody may "
			   "create files; remove it, or choose another name", path);
	return true;
}

/*
 * mkostemp() makes private files; ours shall have the mode that open(2) would have given, or that of a file of ours.
 * That of another user's may let others change what is ours now.
 */
static void set_mode(int fd, const char *target)
{
	struct stat status;
	mode_t mask = umask(0);
	bool is_ours = lstat(target, &status) == 0 && status.st_uid == geteuid();

	umask(mask);
	if (fchmod(fd, is_ours ? status.st_mode & 0777 : 0666 & ~mask) < 0)
		warn("cannot set the mode of %s", target);
}

static int open_temporary(const char *path, const char *target, char **temporary, char **reason)
{
	char *copy = checked_strdup(target);
	int fd = -1;

	*temporary = text__of("%s/.forktax.XXXXXX", dirname(copy));
	free(copy);
	if (access(target, F_OK) == 0 && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) < 0)
		error__set(reason, "cannot write %s: %m", path);
	else if ((fd = mkostemp(*temporary, O_CLOEXEC)) < 0)
		error__set(reason, "cannot write %s: cannot create a file beside it: %m", path);
	if (fd < 0) {
		free(*temporary);
		*temporary = NULL;
		return -1;
	}
	set_mode(fd, target);
	return fd;
}

/* What messages call it. */
static const char *name_of(const char *path)
{
	return !strcmp(path, "-") ? "stdout" : *path ? path : "\"\"";
}

/* Can a path that is no regular file be written? Returns 0, or an errno. */
static int check_special(const char *path)
{
	int own = own_descriptor(path);
	int flags = own >= 0 ? fcntl(own, F_GETFL) : 0;
	struct stat status;

	if (flags < 0 || (own >= 0 && (flags & O_ACCMODE) == O_RDONLY))
		return EBADF;
	if (own < 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return EISDIR;
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 && errno != ENOENT && own < 0)
		return errno;
	return 0;
}

int output__check(const char *path, char **reason)
{
	autofree char *target = regular_target(path), *temporary = NULL;
	sigset_t before;
	int fd;

	if (refuses_planted(path, target, reason))
		return -1;
	if (!target || !*path) {
		errno = *path ? check_special(path) : ENOENT;
		if (!errno)
			return 0;
		error__set(reason, "cannot write %s: %m", name_of(path));
		return -1;
	}
	hold_signals(&before);
	fd = open_temporary(path, target, &temporary, reason);
	if (fd >= 0) {
		close(fd);
		unlink(temporary);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd < 0 ? -1 : 0;
}

static int open_special(const char *path)
{
	int own = own_descriptor(path);

	if (own >= 0)
		return fcntl(own, F_DUPFD_CLOEXEC, 3);
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

struct output *output__open(const char *path, FILE *otherwise, char **reason)
{
	struct output *output = checked_calloc(1, sizeof(*output));
	bool failed; /* and stored why */
	int fd = -1;

	output->stream = otherwise;
	if (!path)
		return output;
	output->is_ours = true;
	output->path = checked_strdup(name_of(path));
	output->target = regular_target(path);
	if (output->target)
		hold_signals(&output->mask);
	failed = refuses_planted(path, output->target, reason);
	if (!failed && output->target) {
		fd = open_temporary(path, output->target, &output->temporary, reason);
		failed = fd < 0;
	} else if (!failed) {
		fd = open_special(path);
	}
	output->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (output->stream)
		return output;
	if (!failed)
		error__set(reason, "cannot write %s: %m", name_of(path));
	if (fd >= 0)
		close(fd);
	output__discard(output);
	return NULL;
}

FILE *output__stream(struct output *output)
{
	return output->stream;
}

static void free_output(struct output *output)
{
	if (output->target)
		sigprocmask(SIG_SETMASK, &output->mask, NULL);
	free(output->path);
	free(output->target);
	free(output->temporary);
	free(output);
}

void output__discard(struct output *output)
{
	if (!output)
		return;
	if (output->is_ours && output->stream)
		fclose(output->stream);
	if (output->temporary)
		unlink(output->temporary);
	free_output(output);
}

static int flush(struct output *output)
{
	FILE *stream = output->stream;
	bool failed;

	errno = 0;
	failed = fflush(stream) != 0 || ferror(stream);
	/* Else the name could outlive a crash of the machine, and the contents not. */
	failed = failed || (output->temporary && fsync(fileno(stream)) < 0);
	if (!failed && output->is_ours) {
		output->stream = NULL;
		failed = fclose(stream) != 0;
	}
	/* stdio keeps no errno of a write that failed earlier: the next one fails the same way. */
	if (failed && !errno && write(fileno(stream), "\n", 1) == 1)
		errno = EIO;
	return failed ? -1 : 0;
}

int output__commit(struct output *output, char **reason)
{
	const char *name = output->path ? output->path : "the report";

	if (flush(output) < 0) {
		error__set(reason, "cannot write %s: %m", name);
	} else if (output->temporary && rename(output->temporary, output->target) < 0) {
		error__set(reason, "cannot rename %s to %s: %m", output->temporary, output->target);
	} else {
		free_output(output);
		return 0;
	}
	output__discard(output);
	return -1;
}
