// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/run_json.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "saved/json_read.h"
#include "saved/json_text.h"
#include "saved/run_check.h"

static char **read_strings(struct reader *reader, struct json_object *in, const char *key,
			   size_t *count)
{
	struct json_object *array = reader__array(reader, in, key);
	char **strings = reader__room(array, sizeof(*strings));

	*count = array ? json_object_array_length(array) : 0;
	for (size_t i = 0; i < *count; i++)
		strings[i] = reader__element_text(reader, array, i);
	return strings;
}

static void read_attached(struct reader *reader, struct json_object *in, struct run *run)
{
	struct json_object *array = reader__array(reader, in, "attached");

	run->attached = reader__room(array, sizeof(*run->attached));
	run->attached_count = array ? json_object_array_length(array) : 0;
	for (size_t i = 0; i < run->attached_count; i++) {
		struct json_object *pid = json_object_array_get_idx(array, i);

		run->attached[i] = json_object_get_int(pid);
		if (!json_object_is_type(pid, json_type_int) || run->attached[i] <= 0)
			reader__fail(reader, "\"attached\" lists something that is no process id");
	}
}

static void read_head(struct reader *reader, struct json_object *in, struct run *run)
{
	struct json_object *origins = reader__object(reader, in, "origins");

	run->version = reader__text(reader, in, "version");
	run->command = read_strings(reader, in, "command", &run->command_count);
	read_attached(reader, in, run);
	run->source = reader__text(reader, in, "source");
	run->kernel = reader__text(reader, in, "kernel");
	run->arch = reader__text(reader, in, "arch");
	run->started = reader__count(reader, in, "started");
	run->wall_ns = reader__count(reader, in, "wall_ns");
	reader__exit(reader, in, &run->status, &run->signal);
	run->fault_level = reader__origin(reader, origins, "fault_classes") ? FAULTS_CLASSES
									    : FAULTS_TOTALS;
	run->timed = reader__origin(reader, origins, "syscall_times");
	run->all_processes = reader__bool(reader, in, "all_processes");
}

static void read_integrity(struct reader *reader, struct json_object *in,
			   struct integrity *integrity)
{
	struct json_object *object = reader__object(reader, in, "integrity");

	integrity->exact = reader__bool(reader, object, "exact");
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		integrity->losses[loss] =
			reader__dictionary_count(reader, object, loss_counters[loss].key);
	integrity->notes = read_strings(reader, object, "notes", &integrity->note_count);
}

static void read_totals(struct reader *reader, struct json_object *in, struct run *run)
{
	struct json_object *totals = reader__object(reader, in, "totals");
	struct json_object *roots = reader__object(reader, in, "roots");

	for (int life = 0; life < LIFE_COUNT; life++)
		run->totals[life] =
			reader__dictionary_count(reader, totals, lifecycle_counters[life].key);
	reader__faults(reader, totals, "faults", run->fault_level, &run->faults);
	reader__faults(reader, roots, "faults", run->fault_level, &run->root_faults);
	reader__calls(reader, roots, "calls", run->timed, &run->root_table);
	reader__calls(reader, in, "syscalls", run->timed, &run->table);
	if (reader__count(reader, totals, "syscalls") != syscall_table__calls(&run->table))
		reader__fail(reader, "the calls of \"syscalls\" do not add up to the total");
}

static void read_exe(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	struct exe *exe = &run->exes[index];

	exe->path = reader__text(reader, in, "path");
	if (json_object_object_get_ex(in, "resolved", NULL)) /* not in runs saved by older versions */
		exe->resolved = reader__text(reader, in, "resolved");
	exe->linkage = reader__text(reader, in, "linkage");
	exe->dev = reader__identity(reader, in, "dev");
	exe->ino = reader__identity(reader, in, "ino");
	exe->has_interp = reader__bool(reader, in, "has_interp");
}

static void read_group(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	reader__group(reader, in, run, &run->groups[index]);
}

static void read_process(struct reader *reader, struct json_object *in, struct run *run,
			 size_t index)
{
	reader__process(reader, in, run, &run->processes[index]);
}

static void read_lists(struct reader *reader, struct json_object *in, struct run *run)
{
	run->exes = reader__list(reader, in, "exes", sizeof(*run->exes), &run->exe_count);
	run->groups = reader__list(reader, in, "groups", sizeof(*run->groups), &run->group_count);
	run->processes = reader__list(reader, in, "processes", sizeof(*run->processes),
				   &run->process_count);
	reader__elements(reader, in, "exes", run, read_exe);
	reader__elements(reader, in, "groups", run, read_group);
	reader__elements(reader, in, "processes", run, read_process);
}

static void check_schema(struct reader *reader, struct json_object *root)
{
	static const char family[] = "forktax/";
	struct json_object *schema;
	const char *text;

	if (!json_object_is_type(root, json_type_object) ||
	    !json_object_object_get_ex(root, "schema", &schema) ||
	    !json_object_is_type(schema, json_type_string) ||
	    strncmp(json_object_get_string(schema), family, strlen(family)) != 0) {
		reader__fail(reader, "JSON, but not a saved run of forktax");
		return;
	}
	text = json_object_get_string(schema);
	if (strcmp(text, RUN_SCHEMA) != 0)
		reader__fail(reader, "saved by another version of forktax (its schema is not " RUN_SCHEMA
				     "); read it with that version");
}

static struct run *read_run(struct reader *reader, struct json_object *root)
{
	struct run *run = run__new();

	check_schema(reader, root);
	if (!reader->reason)
		read_head(reader, root, run);
	if (!reader->reason)
		read_integrity(reader, root, &run->integrity);
	if (!reader->reason)
		read_totals(reader, root, run);
	if (!reader->reason)
		read_lists(reader, root, run);
	if (!reader->reason)
		reader__anatomy(reader, root, run);
	if (!reader->reason)
		reader->reason = run__contradiction(run);
	return run;
}

struct run *run_json__from(struct json_object *root, char **reason)
{
	struct reader reader = { 0 };
	struct run *run = read_run(&reader, root);

	*reason = reader.reason;
	if (!reader.reason)
		return run;
	run__free(run);
	return NULL;
}

struct run *run_json__read(FILE *stream, char **reason)
{
	struct json_object *root = json_text__parse(stream, reason);
	struct run *run = *reason ? NULL : run_json__from(root, reason);

	json_object_put(root);
	return run;
}
