// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/watch/textfile_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

struct textfile_lock textfile_lock__of(const char *textfile)
{
	const char *slash = strrchr(textfile, '/');
	const int directory = slash ? (int)(slash + 1 - textfile) : 0;

	return (struct textfile_lock){
		.path = text__of("%.*s.%s.lock", directory, textfile, textfile + directory),
		.fd = -1,
	};
}

/* Else another watch has removed the file since it was opened, or the directory is another one. */
static bool is_at_path(const struct textfile_lock *lock)
{
	struct stat opened, there;

	return lock->fd >= 0 && !fstat(lock->fd, &opened) && !stat(lock->path, &there) &&
	       opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

static void give_back(struct textfile_lock *lock)
{
	if (lock->fd >= 0)
		close(lock->fd);
	lock->fd = -1;
}

enum textfile_lock_state textfile_lock__take(struct textfile_lock *lock)
{
	while (!is_at_path(lock)) {
		give_back(lock);
		lock->fd = open(lock->path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
		if (lock->fd < 0)
			return LOCK_FAILED;
		if (flock(lock->fd, LOCK_EX | LOCK_NB)) {
			const int error = errno;

			give_back(lock);
			errno = error;
			return error == EWOULDBLOCK ? LOCK_OF_ANOTHER : LOCK_FAILED;
		}
	}
	return LOCK_HELD;
}

void textfile_lock__release(struct textfile_lock *lock)
{
	if (is_at_path(lock))
		unlink(lock->path);
	give_back(lock);
	free(lock->path);
	lock->path = NULL;
}
