// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pool/pool_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

enum { KEPT = 4 << 20, LAST = 4096 };

/* Appended to by all that have it, so that it can be emptied under them. */
int pool_log__open(void)
{
	int memory = memfd_create("forktax-log", MFD_CLOEXEC), appended;
	char path[32];

	if (memory < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	appended = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
	close(memory);
	return appended;
}

void pool_log__trim(int fd)
{
	struct stat status;

	if (!fstat(fd, &status) && status.st_size > KEPT && ftruncate(fd, 0))
		return; /* it grows on */
}

char *pool_log__last_line(int fd)
{
	char words[LAST + 1];
	struct stat status;
	off_t from;
	ssize_t got;

	if (fstat(fd, &status))
		return checked_strdup("");
	from = status.st_size > LAST ? status.st_size - LAST : 0;
	got = pread(fd, words, LAST, from);
	if (got < 0)
		got = 0;
	while (got && strchr(" \t\r\n", words[got - 1]))
		got--;
	words[got] = '\0';
	return checked_strdup(strrchr(words, '\n') ? strrchr(words, '\n') + 1 : words);
}
