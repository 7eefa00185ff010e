// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/frames.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pool/page_scan.h"

enum { FLAG_KSM = 21 }; /* KPF_KSM, linux/kernel-page-flags.h */

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
	};
	find_zero(frames);
}

void frames__close(struct frames *frames)
{
	if (frames->counts.fd >= 0)
		close(frames->counts.fd);
	if (frames->flags.fd >= 0)
		close(frames->flags.fd);
}

static void read_ahead(struct frame_file *file, uint64_t frame)
{
	uint64_t wanted = frame == file->last + 1 ? FRAMES_AHEAD : 1;
	ssize_t got = pread(file->fd, file->numbers, wanted * sizeof(file->numbers[0]),
			    frame * sizeof(file->numbers[0]));

	file->first = frame;
	file->count = got > 0 ? got / sizeof(file->numbers[0]) : 0;
}

static uint64_t number_of(struct frame_file *file, uint64_t frame)
{
	if (file->fd < 0)
		return 0;
	if (frame - file->first >= file->count)
		read_ahead(file, frame);
	file->last = frame;
	return file->count ? file->numbers[frame - file->first] : 0;
}

uint64_t frames__mappings(struct frames *frames, uint64_t frame)
{
	return number_of(&frames->counts, frame);
}

bool frames__is_merged(struct frames *frames, uint64_t frame)
{
	return frames->merging && number_of(&frames->flags, frame) >> FLAG_KSM & 1;
}

void frames__forget(struct frames *frames)
{
	frames->counts.count = frames->flags.count = 0;
}
