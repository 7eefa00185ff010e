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

static char *read_btf(size_t *length)
{
	int fd = open(BTF_FILE, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *text = NULL;

	*length = 0;
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &status) && (text = malloc(status.st_size)))
		*length = read_all(fd, text, status.st_size);
	close(fd);
	return text;
}

struct drift drift__look(void)
{
	struct drift drift = {};
	const struct {
		const char *name;
		bool *there;
	} looks[] = {
		{ "class_srcu_fast_notrace_t", &drift.preemptible },
		{ "bpf_rdonly_cast", &drift.has_cast },
		{ "btf_trace_mmap_lock_released", &drift.tells_locks },
		{ "btf_trace_mm_filemap_map_pages", &drift.tells_extents },
	};
	size_t length;
	char *text = read_btf(&length);

	/* As strings: parsing all types takes longer. */
	for (size_t i = 0; text && i < sizeof(looks) / sizeof(looks[0]); i++)
		*looks[i].there = memmem(text, length, looks[i].name, strlen(looks[i].name) + 1);
	free(text);
	return drift;
}
