// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/page_tables.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "forktax.h"
#include "forktax.skel.h"
#include "base/arch.h"

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
	return end * sysconf(_SC_PAGESIZE);
}

/* The frame behind an address of forktax; 0 if that is hidden. */
static uint64_t frame_of(const volatile char *address)
{
	int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (map < 0)
		return 0;
	if (pread(map, &entry, sizeof(entry), (uintptr_t)address / sysconf(_SC_PAGESIZE) * sizeof(entry)) !=
	    sizeof(entry))
		entry = 0;
	close(map);
	return entry & PAGEMAP_THERE ? entry & PAGEMAP_FRAME : 0;
}

/* The page that all memory has which was read and never written. */
static uint64_t find_zero_frame(void)
{
	volatile char *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t frame;

	if (page == MAP_FAILED)
		return 0;
	(void)*page;
	frame = frame_of(page);
	munmap((void *)page, sysconf(_SC_PAGESIZE));
	return frame;
}

/*
 * Where the kernel's map of all memory would begin at physical address 0: /proc/kcore says of each part of memory where
 * it is and where the kernel sees it. 0 if that cannot be read.
 */
static uint64_t find_map_offset(void)
{
	FILE *core = fopen("/proc/kcore", "re");
	uint64_t lowest = UINT64_MAX, offset = 0;
	Elf64_Phdr part;
	Elf64_Ehdr head;

	if (!core)
		return 0;
	if (fread(&head, sizeof(head), 1, core) == 1 && !fseek(core, head.e_phoff, SEEK_SET)) {
		for (int i = 0; i < head.e_phnum && fread(&part, sizeof(part), 1, core) == 1; i++) {
			if (part.p_type != PT_LOAD || part.p_paddr == UINT64_MAX || part.p_vaddr >= lowest)
				continue;
			lowest = part.p_vaddr;
			offset = part.p_vaddr - part.p_paddr;
		}
	}
	fclose(core);
	return offset;
}

/* Of a page table: entries are words, and a table fills a page. Addresses of user space have so many bits. */
static int first_shift(int page_shift, int address_bits)
{
	int shift = page_shift;

	while (shift + page_shift - 3 < address_bits)
		shift += page_shift - 3;
	return shift;
}

/* Does the kernel map a page at so high an address? It is an error to fail for another reason: then it does not. */
static bool has_address_bits(int bits)
{
	void *wanted = (void *)((1ull << bits) - (1 << 21));
	void *page = mmap(wanted, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return false;
	munmap(page, 1);
	return (uintptr_t)page >> (bits - 1);
}

static int find_address_bits(void)
{
	static const int known[] = { 52, 48, 47, 42, 39 };

	for (size_t i = 0; i + 1 < sizeof(known) / sizeof(known[0]); i++)
		if (has_address_bits(known[i]))
			return known[i];
	return 39;
}

bool page_tables__configure(struct forktax_bpf *skeleton)
{
	skeleton->rodata->memory_end = find_memory_end();
	skeleton->rodata->zero_frame = find_zero_frame();
	if (ARCH_MAY_LACK_ACCESS_FLAG) {
		const int page_shift = __builtin_ctzl(sysconf(_SC_PAGESIZE));

		skeleton->rodata->page_shift = page_shift;
		skeleton->rodata->table_shift = first_shift(page_shift, find_address_bits());
		skeleton->rodata->map_offset = find_map_offset();
	}
	return skeleton->rodata->memory_end && skeleton->rodata->zero_frame;
}

void page_tables__find(const struct forktax_bpf *skeleton)
{
	int program = bpf_program__fd(skeleton->progs.find_direct_map);
	struct own_page own = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (program < 0)
		return;
	if (ARCH_MAY_LACK_ACCESS_FLAG) {
		const size_t size = sysconf(_SC_PAGESIZE);
		uint64_t *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (page == MAP_FAILED)
			return;
		*page = own.address = (uintptr_t)page;
		opts.ctx_in = &own;
		opts.ctx_size_in = sizeof(own);
		bpf_prog_test_run_opts(program, &opts);
		munmap(page, size);
		return;
	}
	bpf_prog_test_run_opts(program, &opts);
}
