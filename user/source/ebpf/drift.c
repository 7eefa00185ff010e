// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/drift.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BTF_FILE "/sys/kernel/btf/vmlinux"

/* Reads as much as there is room for; sysfs may hand it out in pieces. */
static size_t read_all(int fd, char *text, size_t size, off_t offset)
{
	size_t length = 0;
	ssize_t got;

	while (length < size && (got = pread(fd, text + length, size - length, offset + length)) > 0)
		length += got;
	return length;
}

/* The names in the kernel's BTF, each with its end: the smaller part of the file. */
static char *read_names(size_t *length)
{
	int fd = open(BTF_FILE, O_RDONLY | O_CLOEXEC);
	struct btf_header header;
	char *text = NULL;

	*length = 0;
	if (fd < 0)
		return NULL;
	if (read_all(fd, (char *)&header, sizeof(header), 0) == sizeof(header) &&
	    header.magic == BTF_MAGIC && (text = malloc(header.str_len)))
		*length = read_all(fd, text, header.str_len, header.hdr_len + header.str_off);
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
	char *text = read_names(&length);

	for (size_t i = 0; text && i < sizeof(looks) / sizeof(looks[0]); i++)
		*looks[i].there = memmem(text, length, looks[i].name, strlen(looks[i].name) + 1);
	free(text);
	return drift;
}
