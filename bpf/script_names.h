/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Hashes of strings. And texts that interpreters keep of their scripts: names of files and of functions, each once.
 */
#pragma once

#include "maps.h"
#include "stack_hash.h"

HASH_MAP(script_names, __u64, struct script_name, 1 << 14);
HASH_MAP(script_commands, __u64, struct script_commands, 1 << 10);

/* The files that shells have opened last: scripts, and what they redirect. */
LRU_MAP(opened_files, __u64, struct opened_file);

/* Eight characters as a number: so they are compared at once. */
#define EIGHT(a, b, c, d, e, f, g, h)                                                          \
	((__u64)(a) | (__u64)(b) << 8 | (__u64)(c) << 16 | (__u64)(d) << 24 | (__u64)(e) << 32 |       \
	 (__u64)(f) << 40 | (__u64)(g) << 48 | (__u64)(h) << 56)
#define FIVE_CHARACTERS 0xffffffffffull

static __always_inline __u64 eight_at(const char *text)
{
	return *(const __u64 *)text;
}

/* The pointer at that address of the process's memory; 0: it cannot be read. */
static __always_inline __u64 read_pointer(__u64 address)
{
	__u64 pointer = 0;

	if (!address || bpf_probe_read_user(&pointer, sizeof(pointer), (void *)address))
		return 0;
	return pointer;
}

/* The first eight characters of a string of the process, with zeros behind its end; 0: it cannot be read. */
__weak __u64 first_eight(__u64 address)
{
	__u64 text[2] = {};

	return bpf_probe_read_user_str(text, 9, (void *)address) < 0 ? 0 : text[0];
}

/* What distances of a struct shell_value begin at. */
static __always_inline __u64 start_code(void)
{
	return plain(bpf_get_current_task_btf())->mm->start_code;
}

/* A string of the process, or of the kernel. */
struct text {
	__u64 address;
	__u64 hash;
	bool of_kernel;
	bool whole;
};

/* By parts of eight characters: the verifier would follow a plain loop through every part that the longest has. */
static long hash_part(__u32 i, void *context)
{
	struct text *text = context;
	const void *at = (void *)(text->address + 8 * i);
	__u64 part[2] = {}; /* eight characters and a NUL */
	long length = may_probe && text->of_kernel ? bpf_probe_read_kernel_str(part, 9, at)
						   : bpf_probe_read_user_str(part, 9, at);

	if (length < 0)
		return 1;
	text->hash = hash_step(text->hash, part[0]);
	text->whole = length < 9;
	return text->whole;
}

enum { FOR_NAMES = 1, FOR_COMMANDS = 5, FOR_RECIPES = 9 }; /* where hashes begin, so that they are keys of one map */

/* The hash of a string of the process; 0: it cannot be read, or has no room in `size` bytes. */
__weak __u64 hash_user_text(__u64 address, __u32 size, __u64 begin)
{
	struct text text = { .address = address, .hash = begin };

	bpf_loop(size / 8 - 1, hash_part, &text, 0);
	return text.whole ? text.hash | 2 : 0; /* neither 0 nor SCRIPT_NO_FILE */
}

/* The text at `address` gets that key in the map, unless a text has it. Returns it; 0: it cannot be read. */
#define NOTE_TEXT(name, map)                                                                       \
	static __noinline __u64 name(__u64 key, __u64 address)                                     \
	{                                                                                          \
		typeof((&map)->value) noted;                                                       \
                                                                                                   \
		if (!key || bpf_map_lookup_elem(&map, &key))                                       \
			return key;                                                                \
		noted = put_zero(&map, &key, BPF_NOEXIST) ? NULL : bpf_map_lookup_elem(&map, &key); \
		if (!noted || bpf_probe_read_user_str(noted->text, sizeof(noted->text), (void *)address) <= 0) \
			return 0;                                                                  \
		return key;                                                                        \
	}

NOTE_TEXT(note_text, script_names)
NOTE_TEXT(note_command_text, script_commands)

/* The key of a string of the process in map script_names; 0: it cannot be read, or is too long. */
static __noinline __u64 note_script_name(__u64 address)
{
	return note_text(hash_user_text(address, SCRIPT_NAME_MAX, FOR_NAMES), address);
}

/* The key of the string of -c in map script_commands; SCRIPT_NO_FILE: there is none, or it is too long. */
static __always_inline __u64 note_commands(__u64 address)
{
	__u64 key = address ? hash_user_text(address, SCRIPT_COMMANDS_MAX, FOR_COMMANDS) : 0;

	return note_command_text(key, address) ?: SCRIPT_NO_FILE;
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
