// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/page_tables.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "forktax.skel.h"

#define PAGE	      4096
#define PAGEMAP_THERE (1ull << 63) /* Documentation/admin-guide/mm/pagemap.rst */
#define PAGEMAP_FRAME ((1ull << 55) - 1)

/* The end of the last zone, in bytes (proc_zoneinfo(5)); 0 if it cannot be read. */
static uint64_t find_memory_end(void)
{
	FILE *zones = fopen("/proc/zoneinfo", "re");
	uint64_t spanned = 0, start, end = 0;
	char line[256];

	if (!zones)
		return 0;
	while (fgets(line, sizeof(line), zones)) {
		sscanf(line, " spanned %" SCNu64, &spanned);
		if (sscanf(line, " start_pfn: %" SCNu64, &start) == 1 && start + spanned > end)
			end = start + spanned;
	}
	fclose(zones);
	return end * PAGE;
}

/* The frame behind an address of forktax; 0 if that is hidden. */
static uint64_t frame_of(const volatile char *address)
{
	int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (map < 0)
		return 0;
	if (pread(map, &entry, sizeof(entry), (uintptr_t)address / PAGE * sizeof(entry)) !=
	    sizeof(entry))
		entry = 0;
	close(map);
	return entry & PAGEMAP_THERE ? entry & PAGEMAP_FRAME : 0;
}

/* The page that all memory has which was read and never written. */
static uint64_t find_zero_frame(void)
{
	volatile char *page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t frame;

	if (page == MAP_FAILED)
		return 0;
	(void)*page;
	frame = frame_of(page);
	munmap((void *)page, PAGE);
	return frame;
}

bool page_tables__configure(struct forktax_bpf *skeleton)
{
	skeleton->rodata->memory_end = find_memory_end();
	skeleton->rodata->zero_frame = find_zero_frame();
	return skeleton->rodata->memory_end && skeleton->rodata->zero_frame;
}

void page_tables__find(const struct forktax_bpf *skeleton)
{
	int program = bpf_program__fd(skeleton->progs.find_direct_map);
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (program >= 0)
		bpf_prog_test_run_opts(program, &opts);
}
