/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Programs that were executed, summed up by their arguments (docs/use/bill.md): so memory does not grow with the
 * number of processes, only with the number of different arguments. The kernel has just written the arguments to the
 * new image, so they are in memory; they are read as memory of the process, which no lockdown refuses.
 */
#pragma once

#include "maps.h"
#include "stack_hash.h"

HASH_MAP(executions, __u64, struct execution_value, 1 << 14); /* by a hash of what tells them apart */

/* What a thread has done for the program that it belongs to. */
struct execution_work {
	__u64 row; /* key into map executions; 0: none */
	__u64 output; /* a hash of what it wrote to standard output; 0: nothing */
	__u64 written, input; /* bytes there, and read from standard input */
	__u64 born_by, given; /* shares of the clock: the fork that made it, and those that it made */
	__u8 captured; /* a pipe takes its output, and it is not that of the command */
};

struct bytes_walk {
	__u64 address, size, hash;
	__u64 failed;
};

#define BYTES_PIECE 64

/* Where it reads follows from `i`, which has no known value for the verifier: it checks two steps, and not all. */
static long hash_piece(__u32 i, void *context)
{
	struct bytes_walk *walk = context;
	const __u64 at = (__u64)i * BYTES_PIECE, left = walk->size - at;
	__u64 words[BYTES_PIECE / 8] = {};

	if (at >= walk->size)
		return 1;
	if (left >= BYTES_PIECE)
		walk->failed = bpf_probe_read_user(words, BYTES_PIECE, (void *)(walk->address + at)) != 0;
	else
		walk->failed = bpf_probe_read_user(words, left & (BYTES_PIECE - 1), (void *)(walk->address + at)) != 0;
#pragma unroll
	for (int word = 0; word < BYTES_PIECE / 8; word++)
		walk->hash = hash_step(walk->hash, words[word]);
	return walk->failed;
}

/* Of the length of memory of the current process, and its first EXECUTION_HASHED bytes; 0: it cannot be read. */
static __noinline __u64 hash_user_bytes(__u64 address, __u64 size)
{
	struct bytes_walk walk = { .address = address, .hash = hash_step(STACK_HASH_BEGIN, size) };

	walk.size = size < EXECUTION_HASHED ? size : EXECUTION_HASHED;
	bpf_loop(EXECUTION_HASHED / BYTES_PIECE, hash_piece, &walk, 0);
	return walk.failed ? 0 : hash_end(walk.hash);
}

static __always_inline void read_arguments_of(struct execution_value *row, __u64 begin)
{
	if (row->length >= EXECUTION_TEXT)
		bpf_probe_read_user(row->text, EXECUTION_TEXT, (void *)begin);
	else
		bpf_probe_read_user(row->text, row->length & (EXECUTION_TEXT - 1), (void *)begin);
}

/* In which directory a program begins: what it does may depend on that. */
static __always_inline __u64 directory_of(struct task_struct *task)
{
	return may_probe ? BPF_CORE_READ(task, fs, pwd.dentry, d_inode, i_ino) : 0;
}

/* The current process has executed program `exe`: the key of its entry; 0: it found no room. */
static __noinline __u64 note_execution(struct process_value *process, __u32 exe)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = plain(task)->mm;
	const bool has_line = process->certainty <= LINE_BELOW && process->line;
	struct execution_value *row = NULL;
	__u64 begin, length, hash, key;

	if (!mm)
		return 0;
	begin = mm->arg_start;
	length = mm->arg_end - begin;
	hash = hash_user_bytes(begin, length);
	key = hash_step(hash, (__u64)exe << 32 | process->parent_exe);
	key = hash_step(key, directory_of(task));
	if (has_line)
		key = hash_step(hash_step(key, process->source), process->line);
	key = hash_end(key);
	if (hash)
		row = find_or_create(&executions, &key, );
	if (!row) {
		__sync_fetch_and_add(&executions_left_out, 1);
		return 0;
	}
	if (!row->hash) {
		row->exe = exe;
		row->parent_exe = process->parent_exe;
		row->source = has_line ? process->source : 0;
		row->line = has_line ? process->line : 0;
		row->length = length;
		read_arguments_of(row, begin);
		row->hash = hash;
	}
	add(&row->count, 1);
	return key;
}

/* Where the current process writes its standard output; `captured`: is it a pipe, or a pair of sockets? */
static __always_inline __u64 output_of(struct task_struct *task, bool *captured)
{
	struct file *file = may_probe ? opened_file_of(task, 1) : NULL;
	struct inode *inode;
	__u16 kind;

	if (!file)
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	kind = BPF_CORE_READ(inode, i_mode) & S_IFMT;
	*captured = kind == S_IFIFO || kind == S_IFSOCK;
	return (__u64)file;
}

static __always_inline void begin_execution(struct execution_work *work, __u64 row, bool is_command)
{
	bool captured = false;
	__u64 output = output_of(bpf_get_current_task_btf(), &captured);

	__builtin_memset(work, 0, sizeof(*work));
	work->row = row;
	if (is_command)
		command_output = output;
	work->captured = captured && output != command_output;
}

/* A process that a fork has made, by a call that has had so much of the clock. */
static __always_inline void fork_execution(struct execution_work *maker, struct execution_work *child, __u64 share)
{
	child->row = maker->row;
	child->born_by = share;
	maker->given += share;
}

/* Is output that can be compared that of a whole process? Else there is output that nobody has compared. */
static __always_inline void fold_output(struct execution_value *row, const struct execution_work *work, bool is_whole)
{
	if (is_whole && work->captured)
		add(&row->captured, 1);
	if (!work->output)
		return;
	if (!is_whole || !work->captured) {
		row->mixed = 1;
		return;
	}
	__sync_val_compare_and_swap(&row->output, 0, work->output);
	if (row->output == work->output)
		add(&row->same, 1);
}

static __always_inline void fold_input(struct execution_value *row, const struct execution_work *work)
{
	if (!work->input)
		return;
	add(&row->fed, 1);
	if (row->input_most < work->input)
		row->input_most = work->input;
}
