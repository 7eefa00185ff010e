// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/drift.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BTF_FILE "/sys/kernel/btf/vmlinux"

/* Reads as much as there is room for; sysfs may hand it out in pieces. */
static size_t read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while (length < size && (got = read(fd, text + length, size - length)) > 0)
		length += got;
	return length;
}

/* Whether the kernel's BTF has that name. Looks for the string: parsing all types takes longer. */
static bool btf_names(const char *name)
{
	int fd = open(BTF_FILE, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *text = NULL;
	size_t length = 0;
	bool found;

	if (fd >= 0 && !fstat(fd, &status) && (text = malloc(status.st_size)))
		length = read_all(fd, text, status.st_size);
	found = text && memmem(text, length, name, strlen(name) + 1);
	free(text);
	if (fd >= 0)
		close(fd);
	return found;
}

bool can_be_preempted(void)
{
	return btf_names("class_srcu_fast_notrace_t");
}
