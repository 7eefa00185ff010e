/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Which line of which script forks (forktax run --lines). At the fork the interpreter's own variables are read from its
 * memory; user space says where they lie (map shells). What cannot be read as it should be is not known. Of bash,
 * Python, make and zsh there are headers of their own.
 */
#pragma once

#include "script_bash.h"
#include "script_make.h"
#include "script_names.h"
#include "script_python.h"
#include "script_zsh.h"

HASH_MAP(shells, struct shell_key, struct shell_value, 1 << 6);

/* The regular file of a descriptor of the current process. */
static __always_inline bool read_opened(struct task_struct *task, __u64 descriptor, struct opened_file *opened)
{
	struct file *file = opened_file_of(task, descriptor);
	struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;
	struct super_block *super;

	if (!inode)
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

/* That of the current thread, if it is counted. */
static __always_inline const struct shell_value *counted_shell(struct task_struct *task)
{
	return may_probe && find_task(task) ? find_shell(task) : NULL;
}

static __always_inline void note_named_file(__u64 key, const struct opened_file *file)
{
	struct opened_file *noted = bpf_map_lookup_elem(&opened_files, &key);

	if (!key)
		return;
	if (!noted)
		bpf_map_update_elem(&opened_files, &key, file, BPF_ANY);
	else if (!is_same_file(noted, file))
		noted->others = 1;
}

/* A shell has opened the file of that name. Only shells that are counted: others may open another file by it. */
__weak int note_opened(__u64 name, __u64 descriptor)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct shell_value *shell = counted_shell(task);
	struct opened_file opened = {};

	if (!shell || !read_opened(task, descriptor, &opened))
		return 0;
	if (shell->language == LANGUAGE_MAKE)
		note_named_file(hash_makefile(name, &shell->make), &opened);
	else
		note_named_file(hash_user_text(name, SCRIPT_NAME_MAX, FOR_NAMES), &opened);
	return 0;
}

/* What stat(2) has just said of a regular file, in struct stat at `address`. */
static __always_inline bool read_stat(__u64 address, struct opened_file *file)
{
	struct {
		__u64 dev, ino, by_machine[4], size;
	} stat;
	__u32 mode;

	if (bpf_probe_read_user(&stat, sizeof(stat), (void *)address) ||
	    bpf_probe_read_user(&mode, sizeof(mode), (void *)(address + STAT_MODE)))
		return false;
	file->ino = stat.ino;
	file->size = stat.size;
	file->dev = (stat.dev >> 8 & 0xfff) << 20 | (stat.dev & 0xff) | (stat.dev >> 12 & 0xfff00);
	file->ns = bpf_ktime_get_ns();
	return (mode & S_IFMT) == S_IFREG;
}

/* Python asks for the times of a module, and opens what it has compiled before. */
__weak int note_stat(__u64 name, __u64 address)
{
	const struct shell_value *shell = counted_shell(bpf_get_current_task_btf());
	struct opened_file file = {};

	if (shell && shell->language == LANGUAGE_PYTHON && read_stat(address, &file))
		note_named_file(hash_user_text(name, SCRIPT_NAME_MAX, FOR_NAMES), &file);
	return 0;
}

/* make has waited for that child, so it is known what it was. */
__weak int note_waited(__u64 pid)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct shell_value *shell;
	struct task_value *value;

	if (!may_probe)
		return 0;
	value = find_task(task);
	shell = value ? find_shell(task) : NULL;
	if (shell && shell->language == LANGUAGE_MAKE)
		settle_make_child(value->process, pid, &shell->make);
	return 0;
}

/* The end of a call that succeeded: does it open a file to be read, is it about one, or about a child? */
static __always_inline void look_at_call(struct pt_regs *regs, long result)
{
	const __u64 first = argument_of(regs, false, 0), second = argument_of(regs, false, 1);
	const __u64 third = argument_of(regs, false, 2);
	const long call = call_of(regs); /* int 0x80 is not looked at */

	if (!may_probe || result < 0)
		return;
	if (call == NR_newfstatat)
		note_stat(second, third);
	else if (call == NR_openat && !(third & O_ACCMODE))
		note_opened(second, result);
	else if (call == NR_open && !(second & O_ACCMODE))
		note_opened(first, result);
	else if (call == NR_wait4 && result)
		note_waited(result);
}

/* "-e", "-" and "(eval 3)" are no files. */
static __always_inline bool is_perl_file(const struct script_name *name)
{
	return name->text[0] != '(' && (name->text[0] != '-' || (name->text[1] && name->text[1] != 'e') ||
					(name->text[1] && name->text[2]));
}

/*
 * Where perl is now, into `process`: at the statement that the interpreter of this thread executes (PL_curcop). Layout:
 * perl 5.36 with threads, intrpvar.h and cop.h. `thread`: the thread pointer.
 */
__weak int note_perl_line(struct process_value *process, const struct shell_value *interpreter, __u64 thread)
{
	const struct script_name *name;
	__u64 context, statement, key;
	__u32 line = 0;

	if (!may_probe || !process || !interpreter)
		return 0;
	context = read_pointer(thread + interpreter->perl.context);
	statement = context ? read_pointer(context + interpreter->perl.statement) : 0;
	if (!statement ||
	    bpf_probe_read_user(&line, sizeof(line), (void *)(statement + interpreter->perl.line)) || !line)
		return 0;
	key = note_script_name(read_pointer(statement + interpreter->perl.file));
	name = key ? bpf_map_lookup_elem(&script_names, &key) : NULL;
	if (!name)
		return 0;
	process->line = line;
	if (!is_perl_file(name)) {
		process->source = SCRIPT_NO_FILE;
		return 0;
	}
	process->source = key;
	note_file_of(key);
	return 0;
}

/*
 * Where the current process, a shell, is now: into `process`, which it has just created, with thread `child`. That has
 * the thread pointer of its parent, which the kernel may not have saved for the parent itself yet.
 */
static __always_inline void note_script_line(struct process_value *process, struct task_struct *child)
{
	const struct shell_value *shell = find_shell(bpf_get_current_task_btf());

	if (!shell)
		return;
	process->language = shell->language;
	if (shell->language == LANGUAGE_BASH)
		note_bash_line(process, shell);
	else if (shell->language == LANGUAGE_PYTHON)
		note_python_line(process, shell);
	else if (shell->language == LANGUAGE_PERL)
		note_perl_line(process, shell, thread_pointer_of(child));
	else if (shell->language == LANGUAGE_MAKE)
		note_make_child(process, &shell->make);
	else if (shell->language == LANGUAGE_ZSH)
		note_zsh_line(process, shell);
}

/* A child that has ended, or been counted so far. */
__weak int count_script_line(const struct process_value *process)
{
	struct script_line_key key = {};
	struct script_line_value *line;
	__u64 ns;

	if (!process || is_root(process))
		return 0;
	key.source = process->source;
	key.function = process->function;
	key.line = process->line;
	key.function_line = process->function_line;
	key.certainty = process->certainty;
	key.language = process->language;
	key.parent_exe = process->parent_exe;
	key.exec_target = process->exec_target;
	key.birth = process->birth;
	line = line_of(&key);
	if (!line) {
		__sync_fetch_and_add(&lines_left_out, 1);
		return 0;
	}
	__sync_fetch_and_add(&line->children, 1);
	if (process->cut) {
		__sync_fetch_and_add(&line->unfinished, 1);
		return 0;
	}
	ns = process->end_ns - process->start_ns;
	__sync_fetch_and_add(&line->ns, ns);
	if (process->language == LANGUAGE_MAKE)
		note_make_end(process, &key, ns);
	return 0;
}
