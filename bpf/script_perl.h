/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The line of a perl program: that of the statement that the interpreter of this thread executes (PL_curcop).
 * Layout: perl 5.36 with threads, intrpvar.h and cop.h.
 */
#ifndef FORKTAX_SCRIPT_PERL_H
#define FORKTAX_SCRIPT_PERL_H

#include "script_names.h"

/* "-e", "-" and "(eval 3)" are no files. */
static __always_inline bool is_perl_file(const struct script_name *name)
{
	return name->text[0] != '(' && (name->text[0] != '-' || (name->text[1] && name->text[1] != 'e') ||
					(name->text[1] && name->text[2]));
}

/* Where perl is now, into `process`. `thread`: the thread pointer. */
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

#endif
