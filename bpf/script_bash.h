/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The line of a bash script: that of the command which it executes, in the file BASH_SOURCE[0], in the function
 * FUNCNAME[0]. `line_number` (LINENO) says less: where a compound command forks (for, while, { }) it still is the
 * line before, and an interactive bash counts from the beginning of the function. Layouts: bash 4.4 to 5.3,
 * variables.h, hashlib.h, array.h, command.h and input.h.
 */
#pragma once

#include "script_names.h"

#define CONTEXT_TABLE	32 /* in bash's struct var_context: its HASH_TABLE */
#define TABLE_SIZE	8 /* in HASH_TABLE; the array of buckets is the first member */
#define VARIABLE_VALUE	8 /* in SHELL_VAR; its name is the first member */
#define ARRAY_HEAD	16 /* in ARRAY, since bash 5.1 ... */
#define ARRAY_HEAD_OLD	24 /* ... and before, where a type came first */
#define BUCKETS_MOST	16 /* of one hash value that are looked at */

#define VARIABLE_ATTRIBUTES 40 /* in SHELL_VAR */
#define ATTRIBUTE_IMPORTED  0x8000 /* from the environment */

#define INPUT_NAME 8 /* in BASH_INPUT: says which text is parsed ... */
#define INPUT_TEXT 16 /* ... and where its rest begins, if it is one */
#define SUBSHELL_OF_SUBSTITUTION (0x04 | 0x20) /* of subshell_environment: $( ), <( ) */

/* COMMAND. A compound one is told by the first simple command in it, which is a few levels below at most. */
struct bash_command {
	__u32 type, flags;
	__s32 line;
	__u32 not_used;
	__u64 redirects;
	__u64 value; /* a struct: its second int is the line, or its second pointer the first command below */
};
#define COMMAND_FUNCTION_LINE 8 /* in COMMAND: `line`, of the body of a function */
#define COMMAND_LEVELS	      32
enum bash_command_type {
	BASH_FOR, BASH_CASE, BASH_WHILE, BASH_IF, BASH_SIMPLE, BASH_SELECT, BASH_CONNECTION, BASH_FUNCTION, BASH_UNTIL,
	BASH_GROUP, BASH_ARITHMETIC, BASH_CONDITION, BASH_ARITHMETIC_FOR, BASH_SUBSHELL, BASH_COPROCESS,
};

/* By bash's hash_string(): FNV-1, 32 bits. */
#define HASH_BASH_SOURCE 0x929d46fdu
#define HASH_FUNCNAME	 0x2c56946au

struct bash_bucket {
	__u64 next, name, variable;
	__u32 hash, found;
};

struct bash_element { __u64 index, value, next, previous; };

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

/* Element 0 of the array variable: its value is stored. (Not inlined: on Linux 6.1 nested calls share 512 bytes.) */
static __noinline enum first_element read_first(__u64 variable, __u64 *value)
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
	if (bpf_probe_read_user(&first, sizeof(first), (void *)head.next) || first.index || first.previous != address)
		return ELEMENT_UNKNOWN;
	*value = first.value;
	return first.next == address ? ELEMENT_ONLY : ELEMENT_FIRST;
}

struct bash_state {
	__u64 base;
	__u32 line, error_line, depth, interactive;
};

static __always_inline bool read_state(struct bash_state *state, const struct bash_layout *bash)
{
	const __u64 base = state->base;

	return !bpf_probe_read_user(&state->line, 4, (void *)(base + bash->line)) &&
	       !bpf_probe_read_user(&state->error_line, 4, (void *)(base + bash->error_line)) &&
	       !bpf_probe_read_user(&state->depth, 4, (void *)(base + bash->depth)) &&
	       !bpf_probe_read_user(&state->interactive, 4, (void *)(base + bash->interactive));
}

struct command_walk {
	__u64 next;
	__u32 line; /* 0: not known */
	__u32 type; /* of the first one */
};

static long find_first_command(__u32 i, void *context)
{
	struct command_walk *walk = context;
	struct bash_command command;

	if (!walk->next || bpf_probe_read_user(&command, sizeof(command), (void *)walk->next))
		return 1;
	if (!i)
		walk->type = command.type;
	switch (command.type) {
	case BASH_WHILE:
	case BASH_UNTIL:
	case BASH_IF:
	case BASH_GROUP:
	case BASH_CONNECTION:
		walk->next = read_pointer(command.value + 8);
		return 0;
	case BASH_COPROCESS:
		walk->next = read_pointer(command.value + 16);
		return 0;
	default:
		if (command.type < BASH_COPROCESS)
			bpf_probe_read_user(&walk->line, sizeof(walk->line), (void *)(command.value + 4));
		return 1;
	}
}

/* While one of these is executed, bash's own numbers are its line. */
static __always_inline bool sets_line(__u32 type)
{
	return type == BASH_SIMPLE || type == BASH_ARITHMETIC || type == BASH_CONDITION || type == BASH_SUBSHELL;
}

/* The line of the command that is executed; 0: it may be another one. */
static __noinline __u32 find_bash_line(const struct bash_state *state, const struct bash_layout *bash)
{
	const bool is_relative = state->depth && state->interactive;
	struct command_walk walk = {};

	if (!bash->command)
		return !is_relative && state->line == state->error_line ? state->line : 0;
	walk.next = read_pointer(state->base + bash->command);
	bpf_loop(COMMAND_LEVELS, find_first_command, &walk, 0);
	if (!sets_line(walk.type) || walk.line == state->line || (is_relative && walk.line == state->error_line))
		return walk.line;
	return 0;
}

struct text_walk {
	__u64 end;
	bool begins; /* before that, without another line between */
};

static long look_for_begin(__u32 i, void *context)
{
	struct text_walk *walk = context;
	char c;

	if (bpf_probe_read_user(&c, 1, (void *)(walk->end - 1 - i)) || (c == '\n' && i))
		return 1;
	walk->begins = !c;
	return walk->begins;
}

#define EVALUATED_MOST 512 /* characters */

/* Has bash parsed all of this text, which has one line? The byte before it is 0: of malloc()'s size, say. */
static __always_inline bool is_one_line(__u64 rest)
{
	struct text_walk walk = { .end = rest };
	__u8 c = 1;

	if (!rest || bpf_probe_read_user(&c, 1, (void *)rest) || c)
		return false;
	bpf_loop(EVALUATED_MOST, look_for_begin, &walk, 0);
	return walk.begins;
}

enum bash_input { INPUT_FILE, INPUT_SUBSTITUTION, INPUT_EVALUATED };

static __always_inline enum bash_input input_of(const struct bash_layout *bash, __u64 base)
{
	const __u64 name = read_pointer(base + bash->input + INPUT_NAME);
	__u64 text[2] = {};
	__u32 subshell = 0;

	if (bpf_probe_read_user_str(text, 9, (void *)name) < 0)
		return INPUT_FILE;
	if ((text[0] & FIVE_CHARACTERS) == EIGHT('e', 'v', 'a', 'l', 0, 0, 0, 0) ||
	    text[0] == EIGHT('n', 'o', 'f', 'o', 'r', 'k', ' ', 'c'))
		return INPUT_EVALUATED;
	if (text[0] == EIGHT('c', 'o', 'm', 'm', 'a', 'n', 'd', ' ') ||
	    text[0] == EIGHT('p', 'r', 'o', 'c', 'e', 's', 's', ' '))
		return INPUT_SUBSTITUTION;
	bpf_probe_read_user(&subshell, sizeof(subshell), (void *)(base + bash->subshell));
	return subshell & SUBSHELL_OF_SUBSTITUTION ? INPUT_SUBSTITUTION : INPUT_FILE;
}

/*
 * Lines of a text that is evaluated count on from that of the command, which need not be where the text stands. So only
 * the first line of it is sure: of $( ), that which created the shell which now evaluates it.
 */
static __noinline void weigh_input(struct process_value *process, const struct bash_layout *bash, __u64 base)
{
	const enum bash_input input = input_of(bash, base);
	const struct process_value *shell;

	if (input == INPUT_EVALUATED && !is_one_line(read_pointer(base + bash->input + INPUT_TEXT)))
		process->certainty = LINE_UNSURE;
	if (input != INPUT_SUBSTITUTION)
		return;
	shell = find_process(process->parent);
	if (!shell || shell->source != process->source || shell->function != process->function ||
	    shell->function_line != process->function_line)
		return; /* a function or file that the text has called: its lines are its own */
	if (shell->certainty != LINE_EXACT)
		process->certainty = shell->certainty;
	else if (shell->line != process->line)
		process->certainty = LINE_BELOW;
	process->line = shell->line;
}

/* "environment" and "main" are no files, but where functions come from. */
static __noinline void find_origin(struct process_value *process, const struct bash_layout *bash, __u64 base)
{
	const __u64 source = process->source; /* Linux 6.1 takes no key from the argument of a global function */
	const struct script_name *name = bpf_map_lookup_elem(&script_names, &source);
	__u64 function;
	__u32 attributes = 0;

	if (!process->function || !name || name->file.ino)
		return;
	if ((eight_at(name->text) & FIVE_CHARACTERS) == EIGHT('m', 'a', 'i', 'n', 0, 0, 0, 0))
		process->source = SCRIPT_NO_FILE;
	if (eight_at(name->text) != EIGHT('e', 'n', 'v', 'i', 'r', 'o', 'n', 'm') ||
	    *(const __u32 *)(name->text + 8) != EIGHT('e', 'n', 't', 0, 0, 0, 0, 0))
		return;
	function = read_pointer(base + bash->function);
	process->source = note_commands(bash->commands ? read_pointer(base + bash->commands) : 0);
	if (!bpf_probe_read_user(&attributes, sizeof(attributes), (void *)(function + VARIABLE_ATTRIBUTES)) &&
	    !(attributes & ATTRIBUTE_IMPORTED))
		return;
	process->source = SCRIPT_NO_FILE;
	process->certainty = LINE_OF_ENVIRONMENT;
	process->line = 0;
}

/* The function FUNCNAME[0]. The last element of a script is "main", that of -c is a function. */
static __noinline void find_function(struct process_value *process, const struct bash_layout *bash,
				     const struct bash_state *state)
{
	__u64 name = 0, function;
	enum first_element named = read_first(find_variable(state->base + bash->variables, HASH_FUNCNAME), &name);

	if (named != ELEMENT_FIRST && !(named == ELEMENT_ONLY && state->depth))
		return;
	process->function = note_script_name(name);
	if (!state->depth)
		return;
	function = read_pointer(state->base + bash->function);
	bpf_probe_read_user(&process->function_line, sizeof(process->function_line),
			    (void *)(read_pointer(function + VARIABLE_VALUE) + COMMAND_FUNCTION_LINE));
}

static __always_inline void find_bash_source(struct process_value *process, const struct bash_layout *bash, __u64 base)
{
	__u64 source = 0;
	enum first_element sourced = read_first(find_variable(base + bash->variables, HASH_BASH_SOURCE), &source);

	if (sourced == ELEMENT_UNKNOWN)
		return;
	if (sourced == ELEMENT_NONE)
		process->source = note_commands(bash->commands ? read_pointer(base + bash->commands) : 0);
	else
		process->source = note_script_name(source);
	if (process->source && sourced != ELEMENT_NONE)
		note_file_of(process->source);
}

__weak int note_bash_line(struct process_value *process, const struct shell_value *interpreter)
{
	struct bash_state state = {};
	const struct bash_layout *bash;
	__u32 trap = 0;

	if (!may_probe || !process || !interpreter)
		return 0;
	bash = &interpreter->bash;
	state.base = start_code();
	if (!read_state(&state, bash) || bpf_probe_read_user(&trap, sizeof(trap), (void *)(state.base + bash->trap)))
		return 0;
	find_bash_source(process, bash, state.base);
	if (!process->source)
		return 0;
	process->line = find_bash_line(&state, bash);
	if (!process->line)
		process->certainty = LINE_UNSURE;
	find_function(process, bash, &state);
	find_origin(process, bash, state.base);
	if (process->certainty != LINE_OF_ENVIRONMENT)
		weigh_input(process, bash, state.base);
	if (trap)
		process->certainty = LINE_IN_TRAP;
	if (process->certainty != LINE_EXACT && process->certainty != LINE_BELOW)
		process->line = 0;
	return 0;
}
