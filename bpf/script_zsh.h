/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The line of a zsh script: `lineno`, which in a function counts from where that begins in its file. Layout: zsh 5.3 to
 * 5.9, struct funcstack in zsh.h; its modules use these, so zsh exports them.
 */
#pragma once

#include "script_names.h"

struct zsh_frame {
	__u64 previous, name, file, caller;
	__u64 first_line; /* in the file */
	__u64 line; /* of the caller */
	__u32 type;
};
enum { ZSH_SOURCE, ZSH_FUNCTION, ZSH_EVAL };

/*
 * What a copy of zsh executes, for $( ) or ( ), counts its lines from about there where that was forked. So only the
 * first line of it is sure.
 */
static __noinline void weigh_zsh_copy(struct process_value *process)
{
	const struct process_value *shell = find_process(process->parent);

	if (!shell || shell->language != LANGUAGE_ZSH || shell->source != process->source ||
	    shell->function != process->function)
		return;
	if (shell->certainty != LINE_EXACT)
		process->certainty = shell->certainty;
	else if (shell->line != process->line && shell->line != process->line + 1)
		process->certainty = LINE_BELOW;
	process->line = shell->line;
}

/* Where zsh is now, into `process`. Commands of -c are of the file "zsh". */
__weak int note_zsh_line(struct process_value *process, const struct shell_value *interpreter)
{
	struct zsh_frame frame = {};
	const struct script_name *name;
	__u64 base, frames, line = 0, key;

	if (!may_probe || !process || !interpreter)
		return 0;
	base = start_code();
	frames = read_pointer(base + interpreter->zsh.frames);
	if (bpf_probe_read_user(&line, sizeof(line), (void *)(base + interpreter->zsh.line)) ||
	    (frames && bpf_probe_read_user(&frame, sizeof(frame), (void *)frames)))
		return 0;
	if (!frames || frame.type == ZSH_SOURCE)
		frame.file = read_pointer(base + interpreter->zsh.file);
	else
		line += frame.first_line - (frame.type == ZSH_EVAL);
	key = note_script_name(frame.file);
	name = key ? bpf_map_lookup_elem(&script_names, &key) : NULL;
	if (!name)
		return 0;
	process->line = line;
	process->source = key;
	if ((eight_at(name->text) & 0xffffffffull) == EIGHT('z', 's', 'h', 0, 0, 0, 0, 0))
		process->source = SCRIPT_NO_FILE;
	else
		note_file_of(key);
	if (frame.type == ZSH_FUNCTION) {
		process->function = note_script_name(frame.name);
		process->function_line = frame.first_line;
	}
	weigh_zsh_copy(process);
	if (!line || (frame.type == ZSH_EVAL && line != frame.first_line)) /* a text of several lines */
		process->certainty = LINE_UNSURE;
	if (process->certainty == LINE_UNSURE)
		process->line = 0;
	return 0;
}
