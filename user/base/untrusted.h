/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files at paths that a traced program, or another user, has chosen: a FIFO or a device may lie there instead, and
 * what is a file may be endless. Whatever opens such a path does it here (tests/architecture/openings).
 */
#ifndef FORKTAX_BASE_UNTRUSTED_H
#define FORKTAX_BASE_UNTRUSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Opens a regular file for reading; no other kind of file is opened at all, and nothing is waited for. `flags`:
 * O_NOFOLLOW, or 0. Fills `status`. -1 with errno: EINVAL if it is none, or one that the kernel makes up as it is read.
 */
int untrusted__open(const char *path, int flags, struct stat *status);
/* The first `size` bytes of such a file, or fewer. 0: it cannot be read, or is empty. */
size_t untrusted__head(const char *path, char *bytes, size_t size);
/* The interpreter of a script, "/bin/sh" of "#! /bin/sh -e": to be freed. NULL: the file is none. */
char *untrusted__interpreter(const char *path);

/* So much is read of one line, of one file, and of all files that share a budget. */
enum {
	UNTRUSTED_LINE_MOST = 64 << 10,
	UNTRUSTED_FILE_MOST = 16 << 20,
	UNTRUSTED_ALL_MOST = 64 << 20,
};

/* All zero: nothing has been read. */
struct untrusted_budget {
	size_t used; /* bytes */
	bool cut; /* more would have been read */
};

/* Takes so many bytes. False: they are not there any more. */
bool untrusted_budget__take(struct untrusted_budget *budget, size_t bytes);

/* A text, line by line. */
struct untrusted_lines {
	int fd;
	struct untrusted_budget *budget;
	char *bytes; /* what was read and not yet passed on: from `begin` to `end` */
	size_t begin, end;
	size_t read; /* bytes of the file */
	bool at_end, failed;
	bool skips; /* the rest of a long line */
};

/* Takes the descriptor over, of anything that can be read. */
struct untrusted_lines untrusted_lines__of(int fd, struct untrusted_budget *budget);
/* Without its newline; the beginning of one that is too long. NULL: there is none, or no more may be read. */
char *untrusted_lines__next(struct untrusted_lines *lines, size_t *length);
void untrusted_lines__close(struct untrusted_lines *lines);

#endif
