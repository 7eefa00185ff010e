// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/path/path_reader.h"

#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>

#include "forktax.skel.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/rows/fields.h"
#include "source/calls/path_fold.h"
#include "source/ebpf/counts/exe_paths.h"

enum { PATH_RING = 16 << 20 };

/* Where a script was: as in struct script_line_key; or a process of make, whose line comes later. */
struct line_key {
	uint64_t source, function; /* or the process */
	uint32_t line;
	uint32_t language; /* or LINE_COMES */
};
#define LINE_COMES LANGUAGE_COUNT

struct path_reader {
	struct forktax_bpf *skeleton;
	struct path_fold *fold;
	struct hash numbers; /* of lines */
	struct line_key **keys; /* of these; the keys of `numbers` */
	size_t key_count;
	struct hash files; /* sources that are files: 1, or 0 */
};

void path_reader__configure(struct forktax_bpf *skeleton)
{
	skeleton->rodata->path_wanted = true;
	skeleton->rodata->path_wakeup = PATH_RING / 4;
	bpf_map__set_max_entries(skeleton->maps.path_events, PATH_RING);
}

struct path_reader *path_reader__open(struct forktax_bpf *skeleton)
{
	struct path_reader *reader = checked_calloc(1, sizeof(*reader));

	reader->skeleton = skeleton;
	reader->fold = path_fold__new();
	return reader;
}

void path_reader__close(struct path_reader *reader)
{
	if (!reader)
		return;
	path_fold__free(reader->fold);
	hash__release(&reader->numbers);
	hash__release(&reader->files);
	for (size_t i = 0; i < reader->key_count; i++)
		free(reader->keys[i]);
	free(reader->keys);
	free(reader);
}

static bool find_name(const struct path_reader *reader, uint64_t key, struct script_name *name)
{
	return key && !bpf_map__lookup_elem(reader->skeleton->maps.script_names, &key, sizeof(key), name,
					    sizeof(*name), 0);
}

static bool is_file(struct path_reader *reader, uint64_t source)
{
	union hash_value *known = hash__find(&reader->files, &source, sizeof(source));
	struct script_name name;

	if (!known) {
		known = hash__get(&reader->files, &source, sizeof(source));
		known->number = find_name(reader, source, &name);
	}
	return known->number;
}

static uint32_t number_of(struct path_reader *reader, struct line_key wanted)
{
	struct line_key *key = checked_calloc(1, sizeof(*key));
	uint32_t number;

	*key = wanted;
	number = hash__number(&reader->numbers, key, sizeof(*key));
	if (number < reader->key_count) {
		free(key);
		return number;
	}
	reader->keys = checked_grow(reader->keys, reader->key_count, sizeof(struct line_key *));
	reader->keys[reader->key_count++] = key;
	return number;
}

static uint32_t coming_line(struct path_reader *reader, uint64_t process)
{
	return number_of(reader, (struct line_key){ .source = process, .language = LINE_COMES });
}

static struct path_fold_line line_of(struct path_reader *reader, const struct path_birth *birth)
{
	const struct line_key key = { birth->source, birth->function, birth->line, birth->language };

	if (birth->event.kind == PATH_CREATES && birth->language == LANGUAGE_MAKE)
		return (struct path_fold_line){ coming_line(reader, birth->process), true, true };
	if (!birth->source)
		return (struct path_fold_line){ .number = UINT32_MAX };
	return (struct path_fold_line){ number_of(reader, key), is_file(reader, birth->source), false };
}

int path_reader__take(void *context, void *data, size_t size)
{
	struct path_reader *reader = context;
	const struct path_event *event = data;
	const struct path_birth *birth = data;

	if (size < sizeof(*event))
		return 0;
	if (event->kind != PATH_BEGINS && event->kind != PATH_CREATES && event->kind != PATH_PLACES)
		path_fold__take(reader->fold, event);
	else if (size < sizeof(*birth))
		return 0;
	else if (event->kind == PATH_PLACES)
		path_fold__take_place(reader->fold, coming_line(reader, birth->process), line_of(reader, birth));
	else
		path_fold__take_birth(reader->fold, birth, line_of(reader, birth));
	return 0;
}

static char *name_of(const struct path_reader *reader, uint64_t key)
{
	struct script_name name;

	return find_name(reader, key, &name) ? checked(strndup(name.text, sizeof(name.text))) : NULL;
}

static void name_lines(const struct path_reader *reader, struct critical_path *path)
{
	path->lines = checked_calloc(reader->key_count, sizeof(*path->lines));
	path->line_count = reader->key_count;
	for (size_t i = 0; i < reader->key_count; i++) {
		const struct line_key *key = reader->keys[i];
		char *function;

		if (key->language == LINE_COMES)
			continue;
		function = name_of(reader, key->function);
		if (function && !strcmp(function, "source")) { /* what FUNCNAME calls a file that is sourced */
			free(function);
			function = NULL;
		}
		path->lines[i].file = name_of(reader, key->source);
		path->lines[i].function = function;
		path->lines[i].line = key->line;
		path->lines[i].language = key->language;
	}
}

static const char *unknown_because(const struct path_reader *reader)
{
	if (!reader->skeleton->rodata->interrupt_bits)
		return "this kernel does not say when it is in an interrupt";
	return reader->skeleton->bss->path_lost ? "records of threads found no room" : NULL;
}

void path_reader__finish(struct path_reader *reader, struct run *run)
{
	struct critical_path *path = checked_calloc(1, sizeof(*path));
	const char *why = unknown_because(reader);

	name_lines(reader, path);
	if (!why)
		why = path_fold__finish(reader->fold, path);
	if (why) {
		run__note(run, "the critical path is not known: %s", why);
		shape__free(&critical_path_shape, path);
		return;
	}
	for (size_t i = 0; i < path->program_count; i++)
		path->programs[i].exe = exe_position(path->programs[i].exe);
	for (size_t i = 0; i < path->step_count; i++)
		path->steps[i].exe = exe_position(path->steps[i].exe);
	run->critical_path = path;
	if (run->bill)
		bill__divide_waits(run->bill, path_fold__idle(reader->fold));
}
