/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The line of a Python program: that of the innermost frame whose file is not of Python's own library, so of the
 * line that calls subprocess.run(); if all are, of the innermost frame. The thread is found by its pthread_self(),
 * so it need not hold the GIL. Layouts: CPython 3.11 to 3.13, Include/internal/pycore_frame.h and pycore_code.h.
 */
#pragma once

#include "script_names.h"

enum {
	/* In all of these versions. */
	OBJECT_TYPE = 8, /* PyObject */
	BYTES_SIZE = 16, BYTES_BEGIN = 32, /* PyBytesObject */
	TEXT_STATE = 32, /* PyASCIIObject */
	CODE_FILE = 112, CODE_NAME = 128, CODE_LINES = 136, /* PyCodeObject */
	THREAD_NEXT = 8, /* PyThreadState */

	TEXT_IS_ASCII = 0x60, /* bits compact and ascii of the state */
	FRAME_OF_C = 3, /* an owner: the frame has no code, 3.12 and newer */
	THREADS_MOST = 1 << 12,
	FRAMES_MOST = 1 << 6,
	LINES_PART = 64, /* bytes of a table of locations that are read at once */
	LINES_MOST = 1 << 12, /* such parts */
};

struct python_walk {
	const struct python_layout *layout;
	__u64 base, found; /* a thread, or a frame */
	__u64 next; /* the thread, or the frame to look at */
	__u64 file; /* key of the frame found */
	__u64 thread; /* its pthread_self() */
};

static __always_inline bool has_type(__u64 object, __u64 type)
{
	return object && read_pointer(object + OBJECT_TYPE) == type;
}

/* The characters of a str that is ASCII; 0: it is none. */
static __always_inline __u64 characters_of(const struct python_walk *walk, __u64 text)
{
	__u32 state = 0;

	if (!has_type(text, walk->base + walk->layout->text_type) ||
	    bpf_probe_read_user(&state, sizeof(state), (void *)(text + TEXT_STATE)) ||
	    (state & TEXT_IS_ASCII) != TEXT_IS_ASCII)
		return 0;
	return text + walk->layout->characters;
}

static long find_thread(__u32 i, void *context)
{
	struct python_walk *walk = context;

	if (!walk->next)
		return 1;
	if (read_pointer(walk->next + walk->layout->thread_id) == walk->thread) {
		walk->found = walk->next;
		return 1;
	}
	walk->next = read_pointer(walk->next + THREAD_NEXT);
	return 0;
}

#define PYTHON_DIRECTORY EIGHT('/', 'p', 'y', 't', 'h', 'o', 'n', '3') /* and ".11/" */
#define LIB_DIRECTORY	 (EIGHT(0, 0, 0, 0, '/', 'l', 'i', 'b') >> 32) /* before it: /lib, or /lib64 */
/* These three are below it, but not of Python itself. */
#define SITE_PACKAGES	 EIGHT('s', 'i', 't', 'e', '-', 'p', 'a', 'c')
#define DIST_PACKAGES	 EIGHT('d', 'i', 's', 't', '-', 'p', 'a', 'c')
#define ITS_TESTS	 EIGHT('t', 'e', 's', 't', '/', 0, 0, 0)

/* Does Python's own library begin at this character of the name? */
static long look_for_library(__u32 i, void *context)
{
	struct script_name *name = *(struct script_name **)context;
	const char *text;
	__u64 below;

	if (!name || i > SCRIPT_NAME_MAX - 32)
		return 1;
	text = name->text + i;
	if (!*text)
		return 1;
	if (i == 0 && eight_at(text) == EIGHT('<', 'f', 'r', 'o', 'z', 'e', 'n', ' ')) {
		name->place = SCRIPT_OF_LIBRARY;
		return 1;
	}
	if (*(const __u32 *)text != (__u32)LIB_DIRECTORY)
		return 0;
	text += text[4] == '6' ? 6 : 4;
	if (eight_at(text) != PYTHON_DIRECTORY || text[8] != '.' || text[11] != '/')
		return 0;
	below = eight_at(text + 12);
	if (below != SITE_PACKAGES && below != DIST_PACKAGES && (below & FIVE_CHARACTERS) != ITS_TESTS)
		name->place = SCRIPT_OF_LIBRARY;
	return 0;
}

/* The key of the name of a file; SCRIPT_NO_FILE: "<string>" and the like; 0: not known. */
static __noinline __u64 note_python_file(__u64 characters, __u32 *is_library)
{
	__u64 key = note_script_name(characters);
	struct script_name *name = key ? bpf_map_lookup_elem(&script_names, &key) : NULL;

	if (!name)
		return 0;
	if (name->place == SCRIPT_ANYWHERE) {
		bpf_loop(SCRIPT_NAME_MAX, look_for_library, &name, 0);
		if (name->place == SCRIPT_ANYWHERE)
			name->place = SCRIPT_OF_USER;
	}
	*is_library = name->place == SCRIPT_OF_LIBRARY;
	return name->text[0] == '<' ? SCRIPT_NO_FILE : key;
}

/* Is this the frame to show? The innermost one is kept if none is. */
static long find_frame(__u32 i, void *context)
{
	struct python_walk *walk = context;
	const struct python_layout *layout = walk->layout;
	const __u64 frame = walk->next;
	__u32 is_library = 0;
	__u64 code, characters, file;
	__u8 owner = 0;

	if (!frame || bpf_probe_read_user(&owner, sizeof(owner), (void *)(frame + layout->owner)))
		return 1;
	walk->next = read_pointer(frame + layout->previous);
	if (owner >= FRAME_OF_C)
		return 0;
	code = read_pointer(frame + layout->code);
	characters = has_type(code, walk->base + layout->code_type) ?
			     characters_of(walk, read_pointer(code + CODE_FILE)) :
			     0;
	/* Python 3.12 and newer: a frame around some calls of __init__(), without lines, in a "file" of that name. */
	if (first_eight(characters) == EIGHT('_', '_', 'i', 'n', 'i', 't', '_', '_'))
		return 0;
	file = note_python_file(characters, &is_library);
	if (!file) { /* it may be the one */
		walk->found = 0;
		return 1;
	}
	if (walk->found && is_library)
		return 0;
	walk->found = frame;
	walk->file = file;
	return !is_library;
}

/*
 * The table of locations (PEP 626, Objects/locations.md). The first byte of an entry has bit 7; it says how many
 * instructions the entry stands for, and how the line differs from that of the entry before.
 */
struct location_walk {
	__u64 bytes; /* what is left of the table begins here ... */
	__u64 rest; /* ... and has so many */
	__u64 target; /* distance of the instruction from the first, in instructions */
	__u64 end; /* of the entry */
	__s64 line;
	__u64 number; /* of the difference, as far as it has been read */
	__u32 shift; /* of its next bits; READ: all of it has been */
	__u8 has_line, is_found;
	__u8 part[LINES_PART];
};

/* By thread, while it forks. On a stack, the verifier would follow each of its values through all iterations. */
HASH_MAP(location_walks, __u64, struct location_walk, 1 << 8);

enum {
	LOCATION_ONE_LINE = 10, /* and the two after it: a difference of 0, 1, 2 */
	LOCATION_NO_COLUMNS = 13, LOCATION_LONG = 14, /* the difference follows */
	LOCATION_NONE = 15,
	READ = 64,
};

/* True: the entry before was the one. */
static __always_inline bool begin_entry(struct location_walk *walk, __u8 byte)
{
	const __u32 kind = byte >> 3 & 15;

	if (walk->end > walk->target)
		return true;
	walk->end += (byte & 7) + 1;
	walk->has_line = kind != LOCATION_NONE;
	walk->number = 0;
	walk->shift = READ;
	if (kind == LOCATION_NO_COLUMNS || kind == LOCATION_LONG)
		walk->shift = 0;
	else if (kind >= LOCATION_ONE_LINE && kind < LOCATION_NO_COLUMNS)
		walk->line += kind - LOCATION_ONE_LINE;
	return false;
}

/* Six bits for each byte, the lowest first; bit 6: more follow. The lowest bit of all is the sign. */
static __always_inline void read_difference(struct location_walk *walk, __u8 byte)
{
	if (walk->shift >= READ)
		return;
	walk->number |= (__u64)(byte & 63) << walk->shift;
	walk->shift += 6;
	if (byte & 64)
		return;
	walk->shift = READ;
	walk->line += walk->number & 1 ? -(__s64)(walk->number >> 1) : (__s64)(walk->number >> 1);
}

static long read_location_byte(__u32 i, void *context)
{
	struct location_walk *walk = *(struct location_walk **)context;
	__u8 byte;

	if (!walk || i >= LINES_PART || i >= walk->rest)
		return 1;
	byte = walk->part[i];
	if (!(byte & 128))
		read_difference(walk, byte);
	else if (begin_entry(walk, byte))
		walk->is_found = 1;
	return walk->is_found ? 1 : 0;
}

static long read_location_part(__u32 i, void *context)
{
	struct location_walk *walk = *(struct location_walk **)context;
	__u64 size;

	if (!walk || !walk->rest)
		return 1;
	size = walk->rest;
	if (size > LINES_PART)
		size = LINES_PART;
	if (bpf_probe_read_user(walk->part, size, (void *)walk->bytes)) {
		walk->end = 0;
		return 1;
	}
	bpf_loop(LINES_PART, read_location_byte, context, 0);
	if (walk->is_found)
		return 1;
	walk->bytes += size;
	walk->rest -= size;
	return 0;
}

/* The line of an instruction of that code; 0: not known. */
static __noinline __u32 find_line(const struct python_walk *walk, __u64 code)
{
	const struct python_layout *layout = walk->layout;
	const __u64 table = read_pointer(code + CODE_LINES);
	const __u64 first = code + layout->instructions;
	const __u64 instruction = read_pointer(walk->found + layout->instruction);
	__u64 thread = bpf_get_current_pid_tgid();
	struct location_walk *locations;
	__u32 line = 0;

	if (!has_type(table, walk->base + layout->bytes_type) || instruction < first ||
	    bpf_probe_read_user(&line, sizeof(line), (void *)(code + layout->first_line)))
		return 0;
	locations = find_or_zero(&location_walks, &thread);
	if (!locations)
		return 0;
	locations->bytes = table + BYTES_BEGIN;
	locations->rest = read_pointer(table + BYTES_SIZE);
	locations->target = (instruction - first) / 2;
	locations->line = line;
	bpf_loop(LINES_MOST, read_location_part, &locations, 0);
	line = locations->end > locations->target && locations->has_line ? locations->line : 0;
	bpf_map_delete_elem(&location_walks, &thread);
	return line;
}

/* Py_Version is not read: a forked child has that page of the file only once it has used it. */
static __always_inline __u64 python_base(const struct python_layout *layout)
{
	const __u64 start = start_code();

	return layout->word ? read_pointer(start + layout->word) - layout->function : start;
}

/* The innermost frame of the current thread; 0: not known. With several interpreters a thread has several states. */
static __noinline __u64 innermost_frame(struct python_walk *walk)
{
	const struct python_layout *layout = walk->layout;
	const __u64 interpreter = read_pointer(walk->base + layout->runtime + layout->interpreters);
	__u64 frames;

	if (!interpreter || read_pointer(interpreter + layout->next_interpreter))
		return 0;
	walk->next = read_pointer(interpreter + layout->threads);
	bpf_loop(THREADS_MOST, find_thread, walk, 0);
	if (!walk->found)
		return 0;
	frames = read_pointer(walk->found + layout->thread_frames);
	walk->found = 0;
	if (layout->current_frame == PYTHON_NO_CFRAME || !frames)
		return frames;
	return read_pointer(frames + layout->current_frame);
}

__weak int note_python_line(struct process_value *process, const struct shell_value *interpreter)
{
	struct python_walk walk = {};
	__u64 code, name;

	if (!may_probe || !process || !interpreter)
		return 0;
	walk.layout = &interpreter->python;
	walk.base = python_base(walk.layout);
	walk.thread = pthread_self_of(bpf_get_current_task_btf());
	walk.next = innermost_frame(&walk);
	bpf_loop(FRAMES_MOST, find_frame, &walk, 0);
	if (!walk.found)
		return 0;
	code = read_pointer(walk.found + walk.layout->code);
	process->line = find_line(&walk, code);
	if (!process->line)
		return 0;
	process->source = walk.file;
	name = characters_of(&walk, read_pointer(code + CODE_NAME));
	if (first_eight(name) != EIGHT('<', 'm', 'o', 'd', 'u', 'l', 'e', '>'))
		process->function = note_script_name(name);
	if (walk.file != SCRIPT_NO_FILE)
		note_file_of(walk.file);
	return 0;
}
