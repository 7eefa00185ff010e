/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Where an address of the current task lies, in terms of places.def.
 */
#pragma once

#include "recorder.h"

#define TLS_BYTES 8192 /* on either side of the thread pointer: pages that they lie on may be its thread's */

struct mapping_answer {
	struct mapping mapping;
	struct space space;
	__u32 flags; /* the first 32 */
	__u32 has_file;
};

static long read_mapping(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct mapping_answer *answer = context;
	struct mm_struct *mm = plain(vma)->vm_mm;
	struct file *file = plain(vma)->vm_file;

	answer->mapping.start = vma->vm_start;
	answer->mapping.end = vma->vm_end;
	answer->flags = vma->vm_flags;
	answer->mapping.exec = vma->vm_flags & VM_EXEC ? 1 : 0;
	answer->space = (struct space){ mm->start_brk, mm->brk, mm->start_stack, (__u64)mm->context.vdso };
	answer->has_file = file != NULL;
	if (file) {
		struct inode *inode = file->f_inode;

		answer->mapping.ino = inode->i_ino;
		answer->mapping.dev = inode->i_sb->s_dev;
		answer->mapping.offset = vma->vm_pgoff * PAGE_SIZE;
	}
	return 0;
}

/*
 * An anonymous mapping right behind the writable one of an object is taken for its .bss; how much of it really is .bss,
 * the file decides (user/analysis/names/bss.h). If the writable mapping may not be looked up now, the place stays
 * unknown, and the next fault tries again.
 */
__weak int tell_bss(struct recorder *recorder, __u32 slot)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mapping_answer before = {};
	struct mapping *mapping;
	long err;

	if (!recorder || slot >= MAPPINGS)
		return 0;
	mapping = &recorder->known[slot];
	err = bpf_find_vma(task, mapping->start - 1, read_mapping, &before, 0);
	mapping->kind = err == -EBUSY ? PLACE_UNKNOWN : PLACE_ANON;
	if (err || !before.has_file || !(before.flags & VM_WRITE) || before.flags & VM_SHARED)
		return 0;
	mapping->kind = PLACE_BSS;
	mapping->ino = before.mapping.ino;
	mapping->dev = before.mapping.dev;
	mapping->offset = before.mapping.offset + (before.mapping.end - before.mapping.start);
	return 0;
}

static __always_inline bool is_known(const struct mapping *mapping, __u64 address)
{
	return address >= mapping->start && address < mapping->end;
}

static __always_inline bool is_nowhere(const struct recorder *recorder, __u64 address)
{
	bool found = false;

	for (int i = 0; i < NOWHERE; i++)
		if (recorder->nowhere[i] == (address & -PAGE_SIZE))
			found = true;
	return found && address >= PAGE_SIZE;
}

/* A word that is not an address: another look-up would use up the one that a fault may have. */
static __always_inline void note_nowhere(struct recorder *recorder, __u64 address)
{
	__u32 i = recorder->next_nowhere % NOWHERE;

	recorder->nowhere[i] = address & -PAGE_SIZE;
	recorder->next_nowhere = i + 1;
}

/* Looks a mapping up and remembers it. Returns its slot or -errno. */
__weak int learn_mapping(struct recorder *recorder, __u64 address)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mapping_answer answer = {};
	struct mapping *mapping;
	__u32 slot;
	long err;

	if (!recorder)
		return -1;
	err = bpf_find_vma(task, address, read_mapping, &answer, 0);
	if (err)
		return err;
	slot = recorder->next;
	recorder->next = (slot + 1) % MAPPINGS;
	if (slot >= MAPPINGS)
		return -1;
	recorder->space = answer.space;
	mapping = &recorder->known[slot];
	*mapping = answer.mapping;
	mapping->kind = PLACE_ANON;
	if (answer.has_file)
		mapping->kind = PLACE_FILE;
	else if (answer.flags & VM_GROWSDOWN)
		mapping->kind = PLACE_STACK;
	else if (answer.flags & (VM_PFNMAP | VM_MIXEDMAP) || answer.mapping.start == answer.space.vdso)
		mapping->kind = PLACE_VDSO;
	else if (answer.flags & VM_WRITE)
		mapping->kind = PLACE_UNKNOWN; /* perhaps a .bss */
	return slot;
}

/* The known mappings are forgotten when the address space has changed. */
__weak int refresh(struct recorder *recorder)
{
	struct mm_struct *mm = plain(bpf_get_current_task_btf())->mm;
	__u32 version = 0;

	if (!recorder || !mm)
		return 0;
	if (mappings_version(mm, &version) && recorder->mm == (__u64)mm && recorder->version == version)
		return 0;
	recorder->mm = (__u64)mm;
	recorder->version = version;
	for (int i = 0; i < MAPPINGS; i++)
		recorder->known[i].end = 0;
	for (int i = 0; i < NOWHERE; i++)
		recorder->nowhere[i] = 0;
	return 0;
}

__weak __u64 thread_pointer(void)
{
	return thread_pointer_of(bpf_get_current_task_btf());
}

/* Decides, in terms of places.def, what does not follow from the mapping alone. */
static __always_inline void refine(const struct recorder *recorder, __u64 address, struct place_record *place)
{
	const struct space *space = &recorder->space;
	__u64 thread = thread_pointer(), page = address & -PAGE_SIZE;
	bool anonymous = place->kind == PLACE_ANON || place->kind == PLACE_BSS;

	if (place->kind == PLACE_STACK) {
		place->offset = (space->stack_top | (PAGE_SIZE - 1)) + 1 - address;
		return;
	}
	if (place->kind == PLACE_VDSO) {
		place->offset = address - space->vdso;
		return;
	}
	if (!anonymous)
		return;
	if (thread && page + PAGE_SIZE + TLS_BYTES > thread && page <= thread + TLS_BYTES &&
	    place->kind == PLACE_ANON) {
		place->kind = PLACE_TLS;
		place->offset = address - (thread & -PAGE_SIZE);
	} else if (address >= space->heap_start && address < ((space->heap_end + PAGE_SIZE - 1) & -PAGE_SIZE)) {
		place->kind = PLACE_HEAP;
		place->offset = address - space->heap_start;
		place->ino = place->dev = 0;
	}
}

/*
 * Finds the place of an address of the current task. Returns whether code may run there; -EBUSY if it may not be looked
 * up now.
 */
__weak int locate(struct recorder *recorder, __u64 address, struct place_record *place)
{
	int slot = -1;

	if (!recorder || !place)
		return 0;
	place->kind = PLACE_UNKNOWN;
	place->ino = place->offset = place->dev = 0;
	for (int i = 0; i < MAPPINGS; i++)
		if (is_known(&recorder->known[i], address))
			slot = i;
	if (slot < 0 && is_nowhere(recorder, address))
		return 0;
	if (slot < 0)
		slot = learn_mapping(recorder, address);
	if (slot == -ENOENT)
		note_nowhere(recorder, address);
	if (slot < 0 || slot >= MAPPINGS)
		return slot == -EBUSY ? -EBUSY : 0;
	if (recorder->known[slot].kind == PLACE_UNKNOWN)
		tell_bss(recorder, slot);
	if (recorder->known[slot].kind == PLACE_UNKNOWN)
		return recorder->known[slot].exec;
	place->kind = recorder->known[slot].kind;
	place->ino = recorder->known[slot].ino;
	place->dev = recorder->known[slot].dev;
	place->offset = recorder->known[slot].offset + (address - recorder->known[slot].start);
	refine(recorder, address, place);
	return recorder->known[slot].exec;
}
