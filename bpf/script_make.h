/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The line of a makefile. When make forks, nothing leads to the command yet. It does when make has waited for the
 * child: the child is in `children`, or it is that of $(shell). Until then a child that has ended is counted without a
 * line. Layouts: GNU make 4.3 and 4.4.1, job.h, filedef.h, commands.h and makeint.h.
 */
#pragma once

#include "path.h"
#include "script_names.h"

#define MAKE_NAME_MAX  (SCRIPT_NAME_MAX / 2) /* of a directory, and of a makefile in it */
#define MAKE_JOBS_MOST 4096
#define RECIPE_MOST    (1 << 16) /* characters */
#define RECIPE_LINE_MOST 1000 /* of a line: those behind tell no lines apart */

HASH_MAP(script_lines, struct script_line_key, struct script_line_value, 1 << 16);

LRU_MAP(make_children, struct make_child_key, struct make_child);

/* make's struct child, from its fifth member on. */
#define CHILD_NEXT 32
struct make_job {
	__u64 next, file, batch_file, command_lines, command;
	__u32 command_line; /* which one of the recipe runs: 1 is the first */
	__s32 pid;
};

/* make's struct commands: its first member is a floc. */
struct make_recipe {
	__u64 makefile, line, offset;
	__u64 text;
	__u64 command_lines, flags;
	__u16 count; /* of command lines */
};

/* make's struct file. */
struct make_target {
	__u64 name, hashed_name, vpath, dependencies, recipe;
	__u64 not_looked_at[12];
	__u8 states, flags;
};
/* Of `flags`, by version: it has no recipe of its own, so that of a pattern rule was looked for. */
enum { TRIED_IMPLICIT_4_3 = 1, TRIED_IMPLICIT_4_4_1 = 2 };
#define MAKE_4_3   0x332e34ull /* "4.3" */
#define MAKE_4_4_1 0x312e342e34ull /* "4.4.1" */

struct make_place {
	__u64 source, function;
	__u64 text; /* of the command, in map script_names: it tells whether it stands in that line. 0: not known */
	__u32 line; /* 0: not known */
	__u32 certainty; /* if it is */
};

/* Where children of a line are counted; NULL: there is no room. */
static __noinline struct script_line_value *line_of(const struct script_line_key *key)
{
	return find_or_create(&script_lines, key, (void)0);
}

/* The flag TRIED_IMPLICIT of the version that runs. 0: this version is not known. */
static __always_inline __u32 tried_implicit_of(const struct make_layout *make)
{
	const __u64 version = first_eight(read_pointer(start_code() + make->version));

	return version == MAKE_4_3 ? TRIED_IMPLICIT_4_3 : version == MAKE_4_4_1 ? TRIED_IMPLICIT_4_4_1 : 0;
}

static __always_inline bool is_absolute(__u64 name)
{
	char first = 0;

	return !bpf_probe_read_user(&first, 1, (void *)name) && first == '/';
}

/* The key of a makefile: two makes of one tree have different files of one name. 0: it is not known. */
static __always_inline __u64 hash_makefile(__u64 name, const struct make_layout *make)
{
	__u64 directory;

	if (!name || !make || is_absolute(name))
		return name ? hash_user_text(name, MAKE_NAME_MAX, FOR_NAMES) : 0;
	directory = hash_user_text(read_pointer(start_code() + make->directory), MAKE_NAME_MAX, FOR_NAMES);
	return directory ? hash_user_text(name, MAKE_NAME_MAX, directory) : 0;
}

/* "DIRECTORY/NAME". */
static __always_inline bool read_makefile(struct script_name *noted, __u64 name, __u64 directory)
{
	long length = 0;

	if (!is_absolute(name))
		length = bpf_probe_read_user_str(noted->text, MAKE_NAME_MAX, (void *)directory);
	if (length < 0 || length > MAKE_NAME_MAX)
		return false;
	if (length)
		noted->text[(length - 1) & (MAKE_NAME_MAX - 1)] = '/';
	return bpf_probe_read_user_str(noted->text + length, MAKE_NAME_MAX, (void *)name) > 0;
}

/* The key of a makefile in map script_names; 0: it is not known. */
static __noinline __u64 note_makefile(__u64 name, const struct make_layout *make)
{
	__u64 key = hash_makefile(name, make);
	struct script_name *noted;

	if (!key || !make)
		return 0;
	if (!bpf_map_lookup_elem(&script_names, &key)) {
		if (put_zero(&script_names, &key, BPF_NOEXIST))
			return 0;
		noted = bpf_map_lookup_elem(&script_names, &key);
		if (!noted || !read_makefile(noted, name, read_pointer(start_code() + make->directory)))
			return 0;
	}
	note_file_of(key);
	return key;
}

struct recipe_walk {
	__u64 text, found; /* where it begins, and the command line that is looked for */
	__u32 left; /* command lines before the one that is looked for */
	__u32 lines; /* of the file before it */
	bool escaped; /* by an odd number of backslashes */
};

/* One character at a time: the verifier would follow every path through several. */
static long step_in_recipe(__u32 i, void *context)
{
	struct recipe_walk *walk = context;
	char c = 0;

	if (bpf_probe_read_user(&c, 1, (void *)(walk->text + i)) || !c)
		return 1;
	if (c == '\n') {
		walk->lines++;
		walk->left -= !walk->escaped;
	}
	walk->escaped = c == '\\' && !walk->escaped;
	walk->found = walk->text + i + 1;
	return !walk->left;
}

static long hash_recipe_character(__u32 i, void *context)
{
	struct text *text = context;
	char c = 0;

	if (bpf_probe_read_user(&c, 1, (void *)(text->address + i)))
		return 1;
	text->whole = !c || c == '\n' || i == RECIPE_LINE_MOST;
	text->hash = hash_step(text->hash, (__u8)c);
	return text->whole;
}

/* The key of a line in map script_names, which may have the lines behind it, too. 0: it cannot be read. */
static __noinline __u64 note_recipe_line(__u64 address)
{
	struct text text = { .address = address, .hash = FOR_RECIPES };

	bpf_loop(RECIPE_LINE_MOST + 1, hash_recipe_character, &text, 0);
	return text.whole ? note_text(text.hash | 2, address) : 0;
}

/* The line of command line `index` of a recipe, as make counts: one that a backslash continues has several lines. */
static __noinline void find_recipe_line(struct make_place *place, const struct make_recipe *recipe, __u32 index)
{
	struct recipe_walk walk = { .text = recipe->text, .found = recipe->text, .left = index };

	if (index >= recipe->count)
		return;
	if (index)
		bpf_loop(RECIPE_MOST, step_in_recipe, &walk, 0);
	if (walk.left)
		return;
	place->line = recipe->line + walk.lines;
	place->text = note_recipe_line(walk.found);
}

static long find_job(__u32 i, void *context)
{
	struct make_job *job = context;
	__s32 wanted = job->pid;

	if (!job->next || bpf_probe_read_user(job, sizeof(*job), (void *)(job->next + CHILD_NEXT))) {
		job->file = 0;
		return 1;
	}
	if (job->pid == wanted)
		return 1;
	job->file = 0;
	job->pid = wanted;
	return 0;
}

/* The command of a recipe that ran in process `pid`. */
static __noinline void find_make_job(struct make_place *place, __s32 pid, const struct make_layout *make,
				     __u32 tried_implicit)
{
	struct make_job job = { .pid = pid };
	struct make_recipe recipe = {};
	__u8 flags = 0;

	job.next = read_pointer(start_code() + make->children);
	bpf_loop(MAKE_JOBS_MOST, find_job, &job, 0);
	/* Not the whole target: on Linux 6.1 all nested calls share 512 bytes of stack. */
	if (!job.file || !job.command_line ||
	    bpf_probe_read_user(&flags, 1, (void *)(job.file + __builtin_offsetof(struct make_target, flags))) ||
	    bpf_probe_read_user(&recipe, sizeof(recipe),
				(void *)read_pointer(job.file + __builtin_offsetof(struct make_target, recipe))))
		return;
	find_recipe_line(place, &recipe, job.command_line - 1);
	place->source = note_makefile(recipe.makefile, make);
	if (!(flags & tried_implicit)) /* the targets of a pattern rule may be thousands */
		place->function = note_script_name(read_pointer(job.file));
}

/* make's struct ebuffer, a text that it reads. */
struct make_buffer {
	__u64 line, next, begin, size; /* the line that is read begins at `line` */
	__u64 file; /* NULL: $(eval) made the text */
};
#define STACK_MOST  (1ull << 32) /* bytes; below it are mappings, and far below these the heap */

/*
 * On the stack is the floc of a text that make reads, behind its buffer. The lines of one that is evaluated count on
 * from the line of the eval. (Not inlined: on Linux 6.1 all nested calls share 512 bytes of stack.)
 */
static __noinline __u32 certainty_of(__u64 floc)
{
	const __u64 stack = plain(bpf_get_current_task_btf())->mm->start_stack;
	struct make_buffer buffer;

	if (floc >= stack || stack - floc > STACK_MOST)
		return LINE_EXACT;
	if (bpf_probe_read_user(&buffer, sizeof(buffer), (void *)(floc - sizeof(buffer))))
		return LINE_UNSURE;
	if (buffer.file)
		return LINE_EXACT;
	return buffer.line == buffer.begin ? LINE_BELOW : LINE_UNSURE;
}

/* The line of what a recipe expands now. 0: not known. (Not inlined, as above.) */
static __noinline __u32 line_of_recipe(__u64 address)
{
	struct make_recipe recipe = {};
	struct make_place place = {};

	if (!bpf_probe_read_user(&recipe, sizeof(recipe), (void *)address))
		find_recipe_line(&place, &recipe, recipe.offset);
	return place.line;
}

/* make's floc: what a struct commands begins with. */
struct make_floc { __u64 makefile, line, offset; };

/* What make reads or expands now. Only commands of a recipe have an offset, which counts command lines. */
static __always_inline void note_reading(struct make_child *child, const struct make_layout *make)
{
	const __u64 reading = read_pointer(start_code() + make->reading_file);
	struct make_floc floc = {};

	if (!reading || bpf_probe_read_user(&floc, sizeof(floc), (void *)reading))
		return;
	child->source = note_makefile(floc.makefile, make);
	child->certainty = floc.offset ? LINE_EXACT : certainty_of(reading);
	if (floc.offset)
		child->line = line_of_recipe(reading);
	else if (child->certainty != LINE_UNSURE)
		child->line = floc.line;
}

static __always_inline struct make_child_key make_child_key(__u64 process, __u32 pid)
{
	return (struct make_child_key){ process, pid };
}

__weak int note_make_child(const struct process_value *process, const struct make_layout *make)
{
	struct make_child_key key;
	struct make_child *child;
	__u32 tried_implicit;

	if (!may_probe || !process || !make)
		return 0;
	tried_implicit = tried_implicit_of(make);
	key = make_child_key(process->parent, process->ns_pid);
	if (!tried_implicit || put_zero(&make_children, &key, BPF_ANY))
		return 0;
	child = bpf_map_lookup_elem(&make_children, &key);
	if (!child)
		return 0;
	child->tried_implicit = tried_implicit;
	child->id = process->id;
	note_reading(child, make);
	return 0;
}

/* The child has ended and is counted without a line. */
static __always_inline void note_make_end(const struct process_value *process, const struct script_line_key *counted,
					  __u64 ns)
{
	struct make_child_key key = make_child_key(process->parent, process->ns_pid);
	struct make_child *child = bpf_map_lookup_elem(&make_children, &key);

	if (!child)
		return;
	child->counted = *counted;
	child->ns = ns;
	child->has_ended = 1;
}

static __noinline void count_make_child(const struct make_child *child, const struct make_place *place)
{
	struct script_line_key key = child->counted;
	struct script_line_value *without = line_of(&key), *line;

	key.source = place->source;
	key.function = place->function;
	key.line = place->line;
	key.text = place->text;
	key.certainty = place->line ? place->certainty : LINE_UNSURE;
	line = line_of(&key);
	if (!without || !line)
		return;
	__sync_fetch_and_add(&without->children, -1);
	__sync_fetch_and_add(&without->ns, -child->ns);
	__sync_fetch_and_add(&line->children, 1);
	__sync_fetch_and_add(&line->ns, child->ns);
}

/* make, whose process that is, has waited for the child with that pid. */
__weak int settle_make_child(__u64 process, __u32 pid, const struct make_layout *make)
{
	struct make_child_key key = make_child_key(process, pid);
	struct make_child *child = bpf_map_lookup_elem(&make_children, &key);
	struct make_place place = {};
	__u32 shell = 0;

	if (!may_probe || !child || !make)
		return 0;
	if (!bpf_probe_read_user(&shell, sizeof(shell), (void *)(start_code() + make->shell_pid)) && shell == pid)
		place = (struct make_place){
			.source = child->source, .line = child->line, .certainty = child->certainty
		};
	else
		find_make_job(&place, pid, make, child->tried_implicit);
	if (child->has_ended && place.source) {
		count_make_child(child, &place);
		if (path_wanted && place.line)
			send_path_place(child->id, place.source, place.function, place.line);
	}
	bpf_map_delete_elem(&make_children, &key);
	return 0;
}
