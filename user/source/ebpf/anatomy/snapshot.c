// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/anatomy/snapshot.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/maps.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/procfs.h"
#include "forktax.h"
#include "model/run/run.h"

enum { VMAS_MOST = 1 << 16 };
enum { PAGES_MOST = 4096 }; /* of one mapping: larger ones have no page map, but counts */
enum { BYTES_MOST = 8 << 20, ALL_BYTES_MOST = 32 << 20 };

/* Bits of /proc/PID/pagemap (Documentation/admin-guide/mm/pagemap.rst). */
#define PM_PRESENT (1ull << 63)
#define PM_FILE	   (1ull << 61)

static bool is_object(const struct layout_vma *vma)
{
	return vma->kind == PLACE_FILE && vma->object != NO_OBJECT;
}

/* Decides as bpf/places.h does: places of faults and of mappings have the same names. */
static void set_kind(struct layout_vma *vma, const struct layout_vma *before, const char *path, uint64_t ino)
{
	vma->object = NO_OBJECT;
	vma->kind = PLACE_ANON;
	if (ino)
		vma->kind = PLACE_FILE;
	else if (!strncmp(path, "[heap]", 6))
		vma->kind = PLACE_HEAP;
	else if (!strncmp(path, "[stack", 6))
		vma->kind = PLACE_STACK;
	else if (!strncmp(path, "[v", 2))
		vma->kind = PLACE_VDSO;
	else if (before && is_object(before) && before->write && !before->shared && vma->write &&
		 before->end == vma->start) {
		vma->kind = PLACE_BSS;
		vma->object = before->object;
		vma->offset = before->offset + (before->end - before->start);
	}
}

static struct layout_vma vma_of(const struct mapping *mapping, const struct layout_vma *before,
				object_number *number, void *context)
{
	struct layout_vma vma = {
		.start = mapping->start,
		.end = mapping->end,
		.offset = mapping->offset,
		.read = mapping->read,
		.write = mapping->write,
		.exec = mapping->exec,
		.shared = mapping->shared,
		.present = ABSENT,
		.own = ABSENT,
		.huge = ABSENT,
	};

	set_kind(&vma, before, mapping->name, mapping->ino);
	if (mapping->ino)
		vma.object = number(context, mapping->dev, mapping->ino, *mapping->name == '/' ? mapping->name : NULL);
	return vma;
}

static void read_maps(struct layout *layout, int32_t pid, object_number *number, void *context)
{
	struct maps maps = { .file = procfs__open(pid, "maps") };
	struct mapping mapping;

	while (layout->vma_count < VMAS_MOST && maps__next(&maps, &mapping)) {
		size_t count = layout->vma_count++;

		layout->vmas = checked_grow(layout->vmas, count, sizeof(*layout->vmas));
		layout->vmas[count] = vma_of(&mapping, count ? &layout->vmas[count - 1] : NULL, number, context);
	}
	maps__close(&maps);
}

static void read_pages(struct layout_vma *vma, int pagemap)
{
	size_t count = (vma->end - vma->start) / page_bytes;
	uint64_t *entries;

	if (count > PAGES_MOST || vma->kind == PLACE_VDSO)
		return;
	entries = malloc(count * sizeof(*entries));
	if (entries && pread(pagemap, entries, count * sizeof(*entries), vma->start / page_bytes * sizeof(*entries)) ==
			       (ssize_t)(count * sizeof(*entries)))
		vma->pages = malloc(count + 1);
	for (size_t i = 0; vma->pages && i < count; i++)
		vma->pages[i] = !(entries[i] & PM_PRESENT) ? '.' : entries[i] & PM_FILE ? 'f' : 'a';
	if (vma->pages)
		vma->pages[count] = '\0';
	free(entries);
}

/* Reads only mappings that have been written to: all their pages that matter are present. */
static void read_bytes(struct layout_vma *vma, int memory, size_t *left)
{
	size_t size = vma->end - vma->start;

	if (!is_object(vma) || vma->shared || vma->exec || !vma->read || !vma->pages ||
	    !strchr(vma->pages, 'a') || size > BYTES_MOST || size > *left)
		return;
	vma->bytes = checked_calloc(1, size);
	for (size_t i = 0; i < size / page_bytes; i++) {
		if (vma->pages[i] != 'a')
			continue;
		if (pread(memory, vma->bytes + i * page_bytes, page_bytes, vma->start + i * page_bytes) == page_bytes)
			continue;
		free(vma->bytes);
		vma->bytes = NULL;
		return;
	}
	*left -= size;
}

static void read_contents(struct layout *layout, int32_t pid)
{
	int pagemap = procfs__open_fd(pid, "pagemap", O_RDONLY);
	int memory = procfs__open_fd(pid, "mem", O_RDONLY);
	size_t left = ALL_BYTES_MOST;

	for (size_t i = 0; i < layout->vma_count; i++) {
		if (pagemap >= 0)
			read_pages(&layout->vmas[i], pagemap);
		if (memory >= 0)
			read_bytes(&layout->vmas[i], memory, &left);
	}
	if (pagemap >= 0)
		close(pagemap);
	if (memory >= 0)
		close(memory);
}

static void mark(struct layout *layout, const struct vma_record *record)
{
	for (size_t i = 0; i < layout->vma_count; i++) {
		if (layout->vmas[i].start != record->start)
			continue;
		layout->vmas[i].anon_known = true;
		layout->vmas[i].anon = record->has_anon;
	}
}

/* What smaps says of one mapping. */
struct smaps_entry {
	uint64_t start, end;
	uint64_t present, own, huge; /* bytes */
	bool kept_out;
};

static void add_line(struct smaps_entry *entry, const char *line)
{
	procfs__bytes(line, "Rss:", &entry->present);
	procfs__bytes(line, "Anonymous:", &entry->own);
	procfs__bytes(line, "AnonHugePages:", &entry->huge);
	if (!strncmp(line, "VmFlags:", 8))
		entry->kept_out = strstr(line, " dc") || strstr(line, " wf");
}

/*
 * Notes the counts of a mapping if it has not changed since it was listed. Both lists are in order.
 */
static size_t note_counts(struct layout *layout, size_t index, const struct smaps_entry *entry)
{
	while (index < layout->vma_count && layout->vmas[index].start < entry->start)
		index++;
	if (index < layout->vma_count && layout->vmas[index].start == entry->start &&
	    layout->vmas[index].end == entry->end) {
		layout->vmas[index].present = entry->present / page_bytes;
		layout->vmas[index].own = entry->own / page_bytes;
		layout->vmas[index].huge = entry->huge / page_bytes;
		layout->vmas[index].kept_out = entry->kept_out;
	}
	return index;
}

/*
 * All that is read of large mappings: the kernel counts the pages, in any amount of memory, and
 * knows which of them are huge.
 */
static void read_counts(struct layout *layout, int32_t pid)
{
	FILE *smaps = procfs__open(pid, "smaps");
	struct smaps_entry entry = { 0 };
	struct mapping mapping;
	char *line = NULL;
	size_t size = 0, index = 0;

	while (smaps && getline(&line, &size, smaps) > 0) {
		if (!mapping__parse(&mapping, line)) {
			add_line(&entry, line);
			continue;
		}
		index = note_counts(layout, index, &entry);
		entry = (struct smaps_entry){ .start = mapping.start, .end = mapping.end };
	}
	note_counts(layout, index, &entry);
	free(line);
	if (smaps)
		fclose(smaps);
}

static int open_lister(const struct bpf_program *lister, int32_t pid, struct bpf_link **link)
{
	union bpf_iter_link_info info = { .task.pid = pid };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info, .link_info_len = sizeof(info));

	*link = bpf_program__attach_iter(lister, &options);
	return *link ? bpf_iter_create(bpf_link__fd(*link)) : -1;
}

static void read_anon(struct snapshot *snapshot, int32_t pid, const struct bpf_program *lister)
{
	struct vma_record records[64];
	struct bpf_link *link;
	int fd = open_lister(lister, pid, &link);
	uint64_t count = 0;
	ssize_t got = -1;

	/* The iterator fills whole records only. */
	while (fd >= 0 && (got = read(fd, records, sizeof(records))) > 0) {
		for (size_t i = 0; i < got / sizeof(records[0]); i++) {
			mark(&snapshot->layout, &records[i]);
			count += records[i].has_anon;
		}
	}
	if (fd >= 0 && !got)
		snapshot->vmas_anon = count;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
}

static uint64_t read_rss(int32_t pid)
{
	FILE *statm = procfs__open(pid, "statm");
	uint64_t size, resident;
	bool known = statm && fscanf(statm, "%" SCNu64 " %" SCNu64, &size, &resident) == 2;

	if (statm)
		fclose(statm);
	return known ? resident * page_bytes : ABSENT;
}

/* Whether the process still runs the image that has forked: fields 26 and 28 of stat (proc(5)). */
static bool runs_image(const struct first_fork_record *record)
{
	char text[1024], *rest = procfs__stat(record->head.pid, text, sizeof(text));
	uint64_t start_code = 0, start_stack = 0;

	for (int field = 3; rest && field < 26; field++)
		rest = strchr(rest + 1, ' ');
	return rest && sscanf(rest, "%" SCNu64 " %*u %" SCNu64, &start_code, &start_stack) == 2 &&
	       start_code == record->start_code && start_stack == record->start_stack;
}

static void discard(struct layout *layout)
{
	for (size_t i = 0; i < layout->vma_count; i++) {
		free(layout->vmas[i].pages);
		free(layout->vmas[i].bytes);
	}
	free(layout->vmas);
	*layout = (struct layout){ 0 };
}

void snapshot__take(struct snapshot *snapshot, const struct first_fork_record *record,
		    const struct bpf_program *lister, object_number *number, void *context)
{
	int32_t pid = record->head.pid;

	*snapshot = (struct snapshot){ .rss_bytes = read_rss(pid), .vmas_anon = ABSENT };
	read_maps(&snapshot->layout, pid, number, context);
	if (!snapshot->layout.vma_count)
		return;
	read_anon(snapshot, pid, lister);
	read_contents(&snapshot->layout, pid);
	if (!runs_image(record)) {
		discard(&snapshot->layout);
		return;
	}
	/*
	 * Last, because it takes longest; a process that ends or executes something else meanwhile
	 * has other mappings.
	 */
	read_counts(&snapshot->layout, pid);
}
