/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The line of a bash script: `line_number` is the one that it executes (LINENO), in the file that BASH_SOURCE[0]
 * names, in the function FUNCNAME[0]. Layouts: bash 4.4 to 5.3, variables.h, hashlib.h and array.h.
 */
#ifndef FORKTAX_SCRIPT_BASH_H
#define FORKTAX_SCRIPT_BASH_H

#include "script_names.h"

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

/* Where bash is now, into `process`. Global to be verified once. */
__weak int note_bash_line(struct process_value *process, const struct shell_value *interpreter)
{
	__u64 base, source = 0, function = 0;
	enum first_element sourced;
	const struct bash_layout *bash;
	__u32 line = 0, trap = 0;

	if (!process || !interpreter)
		return 0;
	bash = &interpreter->bash;
	base = start_code();
	if (bpf_probe_read_user(&line, sizeof(line), (void *)(base + bash->line)) ||
	    bpf_probe_read_user(&trap, sizeof(trap), (void *)(base + bash->trap)))
		return 0;
	sourced = read_first(find_variable(base + bash->variables, HASH_BASH_SOURCE), &source);
	if (sourced == ELEMENT_UNKNOWN)
		return 0;
	if (sourced == ELEMENT_NONE)
		process->source = note_commands(bash->commands ? read_pointer(base + bash->commands) : 0);
	else
		process->source = note_script_name(source);
	if (!process->source)
		return 0;
	if (sourced != ELEMENT_NONE)
		note_file_of(process->source);
	process->line = trap ? 0 : line;
	if (read_first(find_variable(base + bash->variables, HASH_FUNCNAME), &function) == ELEMENT_FIRST)
		process->function = note_script_name(function);
	return 0;
}

#endif
