/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One watch writes a text file at a time. A file beside it (".NAME.lock") is locked by flock(2): the kernel gives the
 * lock back if the watch ends in whatever way.
 */
#ifndef FORKTAX_CMD_WATCH_TEXTFILE_LOCK_H
#define FORKTAX_CMD_WATCH_TEXTFILE_LOCK_H

enum textfile_lock_state {
	LOCK_HELD,
	LOCK_OF_ANOTHER,
	LOCK_FAILED, /* errno says why */
};

struct textfile_lock {
	char *path;
	int fd; /* -1: it is not held */
};

struct textfile_lock textfile_lock__of(const char *textfile);
/* Takes it, or makes sure that it is still held: the directory may be another one since. */
enum textfile_lock_state textfile_lock__take(struct textfile_lock *lock);
/* Gives it back, and removes the file. */
void textfile_lock__release(struct textfile_lock *lock);

#endif
