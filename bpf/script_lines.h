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
HASH_MAP(script_commands, __u64, struct script_commands, 1 << 10);
HASH_MAP(script_lines, struct script_line_key, struct script_line_value, 1 << 16);

/* The files that shells have opened last: scripts, and what they redirect. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* user space asks for OPENED_FILES if lines are wanted */
	__type(key, __u64);
	__type(value, struct opened_file);
} opened_files SEC(".maps");

#define CALL_OPEN	2 /* of x86-64; int 0x80 is not looked at */
#define CALL_OPENAT	257

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

struct user_text {
	__u64 address;
	__u64 hash;
	bool whole;
};

static long hash_user_part(__u32 i, void *context)
{
	struct user_text *text = context;
	__u64 part[2] = {}; /* eight characters and a NUL */
	long length = bpf_probe_read_user_str(part, 9, (void *)(text->address + 8 * i));

	if (length < 0)
		return 1;
	text->hash = (text->hash ^ part[0]) * 0x9e3779b97f4a7c15ull;
	text->hash ^= text->hash >> 29;
	text->whole = length < 9;
	return text->whole;
}

enum { FOR_NAMES = 1, FOR_COMMANDS = 5 }; /* where hashes begin, so that they are keys of one map */

/* The hash of a string of the process; 0: it cannot be read, or has no room in `size` bytes. */
static __noinline __u64 hash_user_text(__u64 address, __u32 size, __u64 begin)
{
	struct user_text text = { .address = address, .hash = begin };

	bpf_loop(size / 8 - 1, hash_user_part, &text, 0);
	return text.whole ? text.hash | 2 : 0; /* neither 0 nor SCRIPT_NO_FILE */
}

/* The key of a string of the process in map script_names; 0: it cannot be read, or is too long. */
static __noinline __u64 note_script_name(__u64 address)
{
	static const struct script_name none;
	__u64 key = hash_user_text(address, SCRIPT_NAME_MAX, FOR_NAMES);
	struct script_name *noted;

	if (!key || bpf_map_lookup_elem(&script_names, &key))
		return key;
	if (bpf_map_update_elem(&script_names, &key, &none, BPF_NOEXIST))
		return 0;
	noted = bpf_map_lookup_elem(&script_names, &key);
	if (!noted || bpf_probe_read_user_str(noted->text, sizeof(noted->text), (void *)address) <= 0)
		return 0;
	return key;
}

/* The key of the string of -c in map script_commands; SCRIPT_NO_FILE: there is none, or it is too long. */
static __noinline __u64 note_commands(__u64 address)
{
	static const struct script_commands none;
	__u64 key = address ? hash_user_text(address, SCRIPT_COMMANDS_MAX, FOR_COMMANDS) : 0;
	struct script_commands *noted;

	if (!key)
		return SCRIPT_NO_FILE;
	if (bpf_map_lookup_elem(&script_commands, &key))
		return key;
	if (bpf_map_update_elem(&script_commands, &key, &none, BPF_NOEXIST))
		return SCRIPT_NO_FILE;
	noted = bpf_map_lookup_elem(&script_commands, &key);
	if (!noted || bpf_probe_read_user_str(noted->text, sizeof(noted->text), (void *)address) <= 0)
		return SCRIPT_NO_FILE;
	return key;
}

static __always_inline bool is_same_file(const struct opened_file *one, const struct opened_file *other)
{
	return one->ino == other->ino && one->dev == other->dev;
}

/* Which file the name with this key leads to, as far as its opening was seen. */
static __noinline void note_file_of(__u64 key)
{
	struct opened_file *opened = bpf_map_lookup_elem(&opened_files, &key);
	struct script_name *name = bpf_map_lookup_elem(&script_names, &key);

	if (!opened || !name)
		return;
	if (!name->file.ino)
		name->file = *opened;
	else if (opened->others || !is_same_file(opened, &name->file))
		name->file.others = 1;
}

/* The regular file of a descriptor of the current process. */
static __always_inline bool read_opened(struct task_struct *task, __u64 descriptor, struct opened_file *opened)
{
	struct files_struct *files = plain(task)->files;
	struct super_block *super;
	struct inode *inode;
	struct file *file;
	__u64 table;

	if (!files)
		return false;
	table = (__u64)files->fdt->fd;
	if (bpf_probe_read_kernel(&file, sizeof(file), (void *)(table + 8 * descriptor)) || !file ||
	    bpf_core_read(&inode, sizeof(inode), &file->f_inode) || !inode)
		return false;
	super = BPF_CORE_READ(inode, i_sb);
	opened->ino = BPF_CORE_READ(inode, i_ino);
	opened->size = BPF_CORE_READ(inode, i_size);
	opened->dev = BPF_CORE_READ(super, s_dev);
	opened->ns = bpf_ktime_get_ns();
	return (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFREG;
}

static __noinline const struct shell_value *find_shell(struct task_struct *task)
{
	struct inode *inode = executed_file(task);
	struct shell_key key = {};

	if (!inode)
		return NULL;
	key.ino = inode->i_ino;
	key.dev = inode->i_sb->s_dev;
	return bpf_map_lookup_elem(&shells, &key);
}

/*
 * A shell has opened the file of that name. Only shells that are counted: others may open another file by it. Global to
 * be verified once.
 */
__weak int note_opened(__u64 name, __u64 descriptor)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct opened_file opened = {}, *noted;
	__u64 key;

	if (!may_probe || !find_task(task) || !find_shell(task) || !read_opened(task, descriptor, &opened))
		return 0;
	key = hash_user_text(name, SCRIPT_NAME_MAX, FOR_NAMES);
	noted = bpf_map_lookup_elem(&opened_files, &key);
	if (!noted)
		bpf_map_update_elem(&opened_files, &key, &opened, BPF_ANY);
	else if (!is_same_file(noted, &opened))
		noted->others = 1;
	return 0;
}

/* The end of a call that succeeded: does it open a file to be read? */
static __always_inline void look_for_opened(struct pt_regs *regs, long descriptor)
{
	const bool at = regs->orig_ax == CALL_OPENAT;
	const __u64 second = regs->general[13], third = regs->general[12];
	const __u64 first = regs->general[14];

	if (!may_probe || descriptor < 0 || (!at && regs->orig_ax != CALL_OPEN) ||
	    (at ? third : second) & O_ACCMODE)
		return;
	note_opened(at ? second : first, descriptor);
}

/* Where the current process, a shell, is now: into `process`, which it has just created. Global to be verified once. */
__weak int note_script_line(struct process_value *process)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct shell_value *shell = find_shell(task);
	__u64 base, source = 0, function = 0;
	enum first_element sourced;
	__u32 line = 0, trap = 0;

	if (!may_probe || !process || !shell) /* global: it is verified where it is not called, too */
		return 0;
	base = plain(task)->mm->start_code;
	if (bpf_probe_read_user(&line, sizeof(line), (void *)(base + shell->line)) ||
	    bpf_probe_read_user(&trap, sizeof(trap), (void *)(base + shell->trap)))
		return 0;
	sourced = read_first(find_variable(base + shell->variables, HASH_BASH_SOURCE), &source);
	if (sourced == ELEMENT_UNKNOWN)
		return 0;
	if (sourced == ELEMENT_NONE)
		process->source = note_commands(shell->commands ? read_pointer(base + shell->commands) : 0);
	else
		process->source = note_script_name(source);
	if (!process->source)
		return 0;
	if (sourced != ELEMENT_NONE)
		note_file_of(process->source);
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
