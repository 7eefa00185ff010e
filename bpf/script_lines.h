/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which line of which script forks (forktax run --lines). At the fork the shell's own variables are read from its
 * memory; user space says where they lie (map shells). What cannot be read as it should be is not known.
 *
 * bash: `line_number` is the line that it executes (LINENO), in the file that BASH_SOURCE[0] names, in the function
 * FUNCNAME[0]. Layouts: bash 4.4 to 5.3, variables.h, hashlib.h and array.h.
 */
#ifndef FORKTAX_SCRIPT_LINES_H
#define FORKTAX_SCRIPT_LINES_H

#include "maps.h"

HASH_MAP(shells, struct shell_key, struct shell_value, 1 << 6);
HASH_MAP(script_names, __u64, struct script_name, 1 << 12);
HASH_MAP(script_lines, struct script_line_key, struct script_line_value, 1 << 16);

#define CONTEXT_TABLE	32 /* in bash's struct var_context: its HASH_TABLE */
#define TABLE_SIZE	8 /* in HASH_TABLE; the array of buckets is the first member */
#define VARIABLE_VALUE	8 /* in SHELL_VAR; its name is the first member */
#define ARRAY_HEAD	16 /* in ARRAY, since bash 5.1 ... */
#define ARRAY_HEAD_OLD	24 /* ... and before, where a type came first */
#define BUCKETS_MOST	16 /* of one hash value that are looked at */

/* By bash's hash_string(): FNV-1, 32 bits. */
#define HASH_BASH_SOURCE 0x929d46fdu
#define HASH_FUNCNAME	 0x2c56946au

struct bash_bucket {
	__u64 next, name, variable;
	__u32 hash, found;
};

struct bash_element {
	__u64 index, value, next, previous;
};

/* The pointer at that address of the process's memory; 0: it cannot be read. */
static __always_inline __u64 read_pointer(__u64 address)
{
	__u64 pointer = 0;

	if (!address || bpf_probe_read_user(&pointer, sizeof(pointer), (void *)address))
		return 0;
	return pointer;
}

/* The SHELL_VAR of a global variable, 0: there is none. `hash` is that of its name. */
static __noinline __u64 find_variable(__u64 globals, __u32 hash)
{
	__u64 table = read_pointer(read_pointer(globals) + CONTEXT_TABLE);
	struct bash_bucket bucket = {};
	__u32 size = 0;

	if (!table || bpf_probe_read_user(&size, sizeof(size), (void *)(table + TABLE_SIZE)) || !size)
		return 0;
	bucket.next = read_pointer(read_pointer(table) + 8ull * (hash & (size - 1)));
	for (int i = 0; i < BUCKETS_MOST; i++) {
		if (!bucket.next || bpf_probe_read_user(&bucket, sizeof(bucket), (void *)bucket.next))
			return 0;
		if (bucket.hash == hash)
			return bucket.variable;
	}
	return 0;
}

/* Every ARRAY has an element before the first one, with index -1. */
static __always_inline bool read_head(struct bash_element *head, __u64 address)
{
	return address && !bpf_probe_read_user(head, sizeof(*head), (void *)address) && head->index == ~0ull;
}

enum first_element { ELEMENT_UNKNOWN, ELEMENT_NONE, ELEMENT_ONLY, ELEMENT_FIRST };

/* Element 0 of the array variable: its value is stored. */
static __always_inline enum first_element read_first(__u64 variable, __u64 *value)
{
	__u64 array = read_pointer(variable + VARIABLE_VALUE);
	struct bash_element head = {}, first = {};
	__u64 address;

	if (!array)
		return ELEMENT_UNKNOWN;
	address = read_pointer(array + ARRAY_HEAD);
	if (!read_head(&head, address)) {
		address = read_pointer(array + ARRAY_HEAD_OLD);
		if (!read_head(&head, address))
			return ELEMENT_UNKNOWN;
	}
	if (head.next == address)
		return ELEMENT_NONE;
	if (bpf_probe_read_user(&first, sizeof(first), (void *)head.next) || first.index ||
	    first.previous != address)
		return ELEMENT_UNKNOWN;
	*value = first.value;
	return first.next == address ? ELEMENT_ONLY : ELEMENT_FIRST;
}

struct user_name {
	__u64 address;
	__u64 hash;
	bool whole;
};

static long hash_user_part(__u32 i, void *context)
{
	struct user_name *name = context;
	__u64 part[2] = {}; /* eight characters and a NUL */
	long length = bpf_probe_read_user_str(part, 9, (void *)(name->address + 8 * i));

	if (length < 0)
		return 1;
	name->hash = (name->hash ^ part[0]) * 0x9e3779b97f4a7c15ull;
	name->hash ^= name->hash >> 29;
	name->whole = length < 9;
	return name->whole;
}

/* The key of a string of the process in map script_names; 0: it cannot be read, or is too long. */
static __noinline __u64 note_script_name(__u64 address)
{
	static const struct script_name none;
	struct user_name name = { .address = address, .hash = 1 };
	struct script_name *noted;

	bpf_loop(SCRIPT_NAME_MAX / 8 - 1, hash_user_part, &name, 0);
	if (!name.whole)
		return 0;
	name.hash |= 2; /* neither 0 nor SCRIPT_NO_FILE */
	noted = bpf_map_lookup_elem(&script_names, &name.hash);
	if (noted)
		return name.hash;
	if (bpf_map_update_elem(&script_names, &name.hash, &none, BPF_NOEXIST))
		return 0;
	noted = bpf_map_lookup_elem(&script_names, &name.hash);
	if (!noted || bpf_probe_read_user_str(noted->text, sizeof(noted->text), (void *)address) <= 0)
		return 0;
	return name.hash;
}

static __noinline const struct shell_value *find_shell(struct task_struct *task)
{
	struct mm_struct *mm = plain(task)->mm;
	struct shell_key key = {};
	struct inode *inode;

	if (!mm || !mm->exe_file)
		return NULL;
	inode = mm->exe_file->f_inode;
	key.ino = inode->i_ino;
	key.dev = inode->i_sb->s_dev;
	return bpf_map_lookup_elem(&shells, &key);
}

/* Where the current process, a shell, is now: into `process`, which it has just created. Global to be verified once. */
__weak int note_script_line(struct process_value *process)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct shell_value *shell = find_shell(task);
	__u64 base, source = 0, function = 0;
	enum first_element sourced;
	__u32 line = 0, trap = 0;

	if (!process || !shell)
		return 0;
	base = plain(task)->mm->start_code;
	if (bpf_probe_read_user(&line, sizeof(line), (void *)(base + shell->line)) ||
	    bpf_probe_read_user(&trap, sizeof(trap), (void *)(base + shell->trap)))
		return 0;
	sourced = read_first(find_variable(base + shell->variables, HASH_BASH_SOURCE), &source);
	if (sourced == ELEMENT_UNKNOWN)
		return 0;
	process->source = sourced == ELEMENT_NONE ? SCRIPT_NO_FILE : note_script_name(source);
	if (!process->source)
		return 0;
	process->line = trap ? 0 : line;
	if (read_first(find_variable(base + shell->variables, HASH_FUNCNAME), &function) == ELEMENT_FIRST)
		process->function = note_script_name(function);
	return 0;
}

/* A child that has ended, or been counted so far. Global to be verified once. */
__weak int count_script_line(const struct process_value *process)
{
	static const struct script_line_value none;
	struct script_line_key key = {};
	struct script_line_value *line;

	if (!process || process->birth == BIRTH_ROOT || process->birth == BIRTH_ATTACHED)
		return 0;
	key.source = process->source;
	key.function = process->function;
	key.line = process->line;
	key.parent_exe = process->parent_exe;
	key.exec_target = process->exec_target;
	key.birth = process->birth;
	line = bpf_map_lookup_elem(&script_lines, &key);
	if (!line) {
		bpf_map_update_elem(&script_lines, &key, &none, BPF_NOEXIST);
		line = bpf_map_lookup_elem(&script_lines, &key);
	}
	if (!line) {
		__sync_fetch_and_add(&lines_left_out, 1);
		return 0;
	}
	__sync_fetch_and_add(&line->children, 1);
	if (process->cut)
		__sync_fetch_and_add(&line->unfinished, 1);
	else
		__sync_fetch_and_add(&line->ns, process->end_ns - process->start_ns);
	return 0;
}

#endif
