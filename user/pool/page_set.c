// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/page_set.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/procfs.h"
#include "pool/page_scan.h"

/* What reading one process takes. */
struct reading {
	struct page_set *set;
	struct frames *frames;
	struct window_runs runs; /* of one mapping */
	int pagemap;
	bool can_scan;
	size_t most;
	uint64_t counted; /* of Pss_Anon, in bytes / 4096 */
};

/* By the page map, which has one answer for a whole huge page. */
static bool is_alone(const struct reading *reading, uint64_t entry)
{
	return entry & PAGEMAP_EXCLUSIVE && reading->can_scan && !reading->runs.huge;
}

/* As the entry of the page map has it. */
static bool add(struct reading *reading, uint64_t page, uint64_t entry)
{
	struct page_set *set = reading->set;
	uint64_t mappings = is_alone(reading, entry) ? 1 : frames__mappings_of(reading->frames, entry);
	bool shared = mappings != 1;

	if (set->count == reading->most)
		return false;
	set->list = checked_grow(set->list, set->count, sizeof(*set->list));
	set->list[set->count++] = page << PAGE_ENTRY_SHIFT | (shared ? PAGE_ENTRY_SHARED : 0) |
				  (entry & PAGEMAP_FRAME & (PAGE_ENTRY_SHARED - 1));
	set->shared += shared;
	reading->counted += mappings ? ((uint64_t)page_bytes << 12) / mappings : 0;
	return true;
}

static bool is_anonymous(uint64_t entry)
{
	return entry & PAGEMAP_PRESENT && !(entry & PAGEMAP_FILE);
}

/* Pages of one mapping, `first` to before `last`. False: there is no room for them, or the memory is gone. */
static bool read_pages(struct reading *reading, uint64_t first, uint64_t last)
{
	uint64_t entries[WINDOW_PAGES];

	while (first < last) {
		size_t count = last - first < WINDOW_PAGES ? last - first : WINDOW_PAGES;
		ssize_t got = pread(reading->pagemap, entries, count * sizeof(entries[0]), first * sizeof(entries[0]));

		if (got <= 0)
			return false; /* it has ended, or executes something else */
		count = got / sizeof(entries[0]);
		for (size_t i = 0; i < count; i++) {
			uint64_t frame = entries[i] & PAGEMAP_FRAME;

			if (is_anonymous(entries[i]) && frame != reading->frames->zero &&
			    !add(reading, first + i, entries[i]))
				return false;
		}
		first += count;
	}
	return true;
}

static bool read_mapping(struct reading *reading, const struct pool_vma *vma)
{
	const struct pool_maps one = { .list = (struct pool_vma *)vma, .count = 1 };
	const uint64_t begin = vma->start / page_bytes, end = vma->end / page_bytes;

	reading->runs.count = 0;
	reading->runs.huge = false;
	page_scan__find(reading->pagemap, reading->can_scan, &one, &reading->runs);
	for (size_t i = 0; i < reading->runs.count; i++) {
		uint64_t first = reading->runs.list[i].first * WINDOW_PAGES;
		uint64_t last = (reading->runs.list[i].last + 1) * WINDOW_PAGES;

		if (!read_pages(reading, first > begin ? first : begin, last < end ? last : end))
			return false;
	}
	return true;
}

/* Is the memory still that of a process, whose maps were read after the page map was opened? */
static bool is_there(const struct reading *reading, const struct pool_maps *maps)
{
	uint64_t entry;

	return maps->count && pread(reading->pagemap, &entry, sizeof(entry),
				    maps->list[0].start / page_bytes * sizeof(entry)) == sizeof(entry);
}

static bool read_all(struct reading *reading, const struct pool_maps *maps)
{
	reading->can_scan = page_scan__is_there(reading->pagemap);
	for (size_t i = 0; i < maps->count; i++)
		if (!read_mapping(reading, &maps->list[i]))
			return false;
	return true;
}

bool page_set__read(struct page_set *set, pid_t pid, struct frames *frames, size_t most)
{
	struct reading reading = {
		.set = set,
		.frames = frames,
		.pagemap = procfs__open_fd(pid, "pagemap", O_RDONLY),
		.most = most,
	};
	struct texts names = { 0 };
	struct pool_maps maps = { 0 };
	bool read = false;

	*set = (struct page_set){ .begin_ns = clock__now_ns() };
	if (frames->seen && reading.pagemap >= 0 && pool_maps__read(&maps, pid, &names))
		read = read_all(&reading, &maps) && is_there(&reading, &maps);
	set->pss_anon = reading.counted >> 12;
	set->end_ns = clock__now_ns();
	if (reading.pagemap >= 0)
		close(reading.pagemap);
	free(reading.runs.list);
	free(maps.list);
	texts__release(&names);
	if (!read)
		page_set__release(set);
	return read;
}

void page_set__release(struct page_set *set)
{
	free(set->list);
	*set = (struct page_set){ .pss_anon = ABSENT };
}

static bool is_below(const void *list, size_t index, const void *page)
{
	return page_entry__page(((const page_entry *)list)[index]) < *(const uint64_t *)page;
}

page_entry page_set__find(const struct page_set *set, uint64_t page)
{
	size_t first = bisect(set->list, set->count, is_below, &page);

	return first < set->count && page_entry__page(set->list[first]) == page ? set->list[first] : 0;
}

page_entry page_set__seek(const struct page_set *set, uint64_t page, size_t *at)
{
	while (*at < set->count && page_entry__page(set->list[*at]) < page)
		++*at;
	return *at < set->count && page_entry__page(set->list[*at]) == page ? set->list[*at] : 0;
}
