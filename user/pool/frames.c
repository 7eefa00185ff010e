// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/frames.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "pool/page_scan.h"

enum { FLAG_KSM = 21 }; /* KPF_KSM, linux/kernel-page-flags.h */

/*
 * A system call costs as much as some dozens of numbers. With these the frames of 8 GiB find room at once, in 17 MiB,
 * of which only what is used is there.
 */
enum { BLOCK_FRAMES = 64, BLOCKS = 1 << 15 };

struct frame_block {
	uint64_t number; /* frame / BLOCK_FRAMES */
	uint64_t age; /* of frames, when it was read; 0: never */
	uint64_t numbers[BLOCK_FRAMES];
};

/* The frame of a page of ours; 0: not shown. */
static uint64_t own_frame(const volatile char *page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (fd < 0)
		return 0;
	if (pread(fd, &entry, sizeof(entry), (uintptr_t)page / PAGE_BYTES * sizeof(entry)) !=
	    sizeof(entry))
		entry = 0;
	close(fd);
	return entry & PAGEMAP_PRESENT ? entry & PAGEMAP_FRAME : 0;
}

/* Anonymous memory that was only read is the zero page; what was written has a frame of its own. */
static void find_zero(struct frames *frames)
{
	volatile char *pages = mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return;
	madvise((void *)pages, 2 * PAGE_BYTES, MADV_NOHUGEPAGE);
	(void)pages[0];
	pages[PAGE_BYTES] = 1;
	frames->seen = own_frame(pages + PAGE_BYTES);
	frames->zero = own_frame(pages);
	munmap((void *)pages, 2 * PAGE_BYTES);
}

static bool is_merging(void)
{
	FILE *file = fopen("/sys/kernel/mm/ksm/pages_shared", "re");
	unsigned long shared = 0;
	bool known = file && fscanf(file, "%lu", &shared) == 1;

	if (file)
		fclose(file);
	return !known || shared;
}

void frames__open(struct frames *frames)
{
	*frames = (struct frames){
		.counts.fd = open("/proc/kpagecount", O_RDONLY | O_CLOEXEC),
		.flags.fd = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC),
		.merging = is_merging(),
		.age = 1,
	};
	find_zero(frames);
}

void frames__close(struct frames *frames)
{
	if (frames->counts.fd >= 0)
		close(frames->counts.fd);
	if (frames->flags.fd >= 0)
		close(frames->flags.fd);
	free(frames->counts.blocks);
	free(frames->flags.blocks);
}

static void read_block(const struct frames *frames, const struct frame_file *file,
		       struct frame_block *block, uint64_t number)
{
	ssize_t got = pread(file->fd, block->numbers, sizeof(block->numbers),
			    number * sizeof(block->numbers));

	got = got > 0 ? got : 0;
	memset((char *)block->numbers + got, 0, sizeof(block->numbers) - got);
	block->number = number;
	block->age = frames->age;
}

static uint64_t number_of(const struct frames *frames, struct frame_file *file, uint64_t frame)
{
	const uint64_t number = frame / BLOCK_FRAMES;
	struct frame_block *block;

	if (file->fd < 0)
		return 0;
	if (!file->blocks)
		file->blocks = checked_calloc(BLOCKS, sizeof(*file->blocks));
	block = &file->blocks[number % BLOCKS];
	/* What was free then is somebody's now. */
	if (block->age != frames->age || block->number != number || !block->numbers[frame % BLOCK_FRAMES])
		read_block(frames, file, block, number);
	return block->numbers[frame % BLOCK_FRAMES];
}

uint64_t frames__mappings(struct frames *frames, uint64_t frame)
{
	return number_of(frames, &frames->counts, frame);
}

bool frames__is_merged(struct frames *frames, uint64_t frame)
{
	return frames->merging && number_of(frames, &frames->flags, frame) >> FLAG_KSM & 1;
}

void frames__forget(struct frames *frames)
{
	frames->age++;
}
