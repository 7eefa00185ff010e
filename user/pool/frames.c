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
 * Frames are read in blocks, because a system call costs as much as reading a dozen numbers; larger blocks would be
 * of no use where a process has few of the neighbours. The blocks of 32 GiB are kept, in up to 20 MiB.
 */
enum { BLOCK_FRAMES = 16, BLOCKS = 1 << 19 };

struct frame_block {
	uint32_t tag; /* frame / BLOCK_FRAMES / BLOCKS */
	uint32_t age; /* of frames, when it was read; 0: never */
	uint16_t numbers[BLOCK_FRAMES]; /* the lower bits, or UINT16_MAX: more than find room */
};

/* The frame of a page of ours; 0: not shown. */
static uint64_t own_frame(const volatile char *page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (fd < 0)
		return 0;
	if (pread(fd, &entry, sizeof(entry), (uintptr_t)page / page_bytes * sizeof(entry)) != sizeof(entry))
		entry = 0;
	close(fd);
	return entry & PAGEMAP_PRESENT ? entry & PAGEMAP_FRAME : 0;
}

/* Anonymous memory that was only read is the zero page; what was written has a frame of its own. */
static void find_zero(struct frames *frames)
{
	volatile char *pages = mmap(NULL, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return;
	madvise((void *)pages, 2 * page_bytes, MADV_NOHUGEPAGE);
	(void)pages[0];
	pages[page_bytes] = 1;
	frames->seen = own_frame(pages + page_bytes);
	frames->zero = own_frame(pages);
	munmap((void *)pages, 2 * page_bytes);
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
		.counts = { .fd = open("/proc/kpagecount", O_RDONLY | O_CLOEXEC), .mask = UINT64_MAX },
		.flags = { .fd = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC), .shift = FLAG_KSM, .mask = 1 },
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
	frames__release(frames);
}

/* Numbers of frames in a row; those that cannot be read are 0. */
static void read_numbers(const struct frame_file *file, uint64_t frame, uint64_t *numbers, size_t count)
{
	ssize_t got = pread(file->fd, numbers, count * sizeof(*numbers), frame * sizeof(*numbers));

	got = got > 0 ? got : 0;
	memset((char *)numbers + got, 0, count * sizeof(*numbers) - got);
	for (size_t i = 0; i < count; i++)
		numbers[i] = numbers[i] >> file->shift & file->mask;
}

static uint64_t read_number(const struct frame_file *file, uint64_t frame)
{
	uint64_t number;

	read_numbers(file, frame, &number, 1);
	return number;
}

static void read_block(struct frame_block *block, const struct frame_file *file, uint64_t number)
{
	uint64_t numbers[BLOCK_FRAMES];

	read_numbers(file, number * BLOCK_FRAMES, numbers, BLOCK_FRAMES);
	block->tag = number / BLOCKS;
	for (size_t i = 0; i < BLOCK_FRAMES; i++)
		block->numbers[i] = numbers[i] < UINT16_MAX ? numbers[i] : UINT16_MAX;
}

static uint64_t number_of(const struct frames *frames, struct frame_file *file, uint64_t frame)
{
	const uint64_t number = frame / BLOCK_FRAMES;
	struct frame_block *block;
	uint16_t found;

	if (file->fd < 0)
		return 0;
	if (!file->blocks)
		file->blocks = checked_calloc(BLOCKS, sizeof(*file->blocks));
	block = &file->blocks[number % BLOCKS];
	if (block->age != frames->age || block->tag != number / BLOCKS)
		read_block(block, file, number);
	block->age = frames->age;
	found = block->numbers[frame % BLOCK_FRAMES];
	return found < UINT16_MAX ? found : read_number(file, frame);
}

uint64_t frames__mappings(struct frames *frames, uint64_t frame)
{
	uint64_t mappings = number_of(frames, &frames->counts, frame);

	/* A frame that was free then is somebody's now. */
	return mappings || frames->counts.fd < 0 ? mappings : read_number(&frames->counts, frame);
}

uint64_t frames__mappings_of(struct frames *frames, uint64_t entry)
{
	uint64_t mappings = frames__mappings(frames, entry & PAGEMAP_FRAME);
	bool is_alone = entry & PAGEMAP_EXCLUSIVE; /* of huge pages it may be wrong */

	return is_alone == (mappings == 1) || frames->counts.fd < 0 ?
		       mappings : read_number(&frames->counts, entry & PAGEMAP_FRAME);
}

bool frames__is_merged(struct frames *frames, uint64_t frame)
{
	return frames->merging && number_of(frames, &frames->flags, frame);
}

void frames__forget(struct frames *frames)
{
	frames->age++;
}

void frames__release(struct frames *frames)
{
	free(frames->counts.blocks);
	free(frames->flags.blocks);
	frames->counts.blocks = frames->flags.blocks = NULL;
}
