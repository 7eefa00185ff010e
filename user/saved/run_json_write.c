// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The saved run, written piece by piece: a run may list a million processes, and as one tree of
 * objects they would need a hundred times the memory that they take in the model.
 */
#include "saved/run_json.h"

#include <err.h>
#include <errno.h>

#include "saved/json_write.h"

static void put(FILE *stream, struct json_object *value)
{
	const int style = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = json_object_to_json_string_ext(value, style);

	if (!text)
		err(125, "cannot save a run");
	fputs(text, stream);
	json_object_put(value);
}

static void put_key(FILE *stream, const char *key)
{
	fprintf(stream, ",\n\"%s\":", key);
}

static void put_member(FILE *stream, const char *key, struct json_object *value)
{
	put_key(stream, key);
	put(stream, value);
}

static struct json_object *attached(const struct run *run)
{
	struct json_object *array = json__array();

	for (size_t i = 0; i < run->attached_count; i++)
		json__append(array, json__integer(run->attached[i]));
	return array;
}

static const char *origin(bool counted)
{
	return counted ? "counted" : "not counted";
}

static bool has_wpcopy(const struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (run->processes[i].wpcopy != ABSENT)
			return true;
	return false;
}

static struct json_object *origins(const struct run *run)
{
	struct json_object *object = json__object();

	json__add(object, "fault_classes",
		  json__text(origin(run->fault_level == FAULTS_CLASSES)));
	json__add(object, "syscall_times", json__text(origin(run->timed)));
	json__add(object, "wpcopy", json__text(origin(has_wpcopy(run))));
	return object;
}

static struct json_object *integrity(const struct integrity *integrity)
{
	struct json_object *object = json__object();

	json__add(object, "exact", json__bool(integrity->exact));
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		json__add(object, loss_counters[loss].key, json__count(integrity->losses[loss]));
	json__add(object, "notes", json__texts(integrity->notes, integrity->note_count));
	return object;
}

static struct json_object *totals(const struct run *run)
{
	struct json_object *object = json__object();

	for (int life = 0; life < LIFE_COUNT; life++)
		json__add(object, lifecycle_counters[life].key, json__count(run->totals[life]));
	json__add(object, "syscalls", json__count(syscall_table__calls(&run->table)));
	json__add(object, "faults", json__faults(&run->faults, run->fault_level));
	return object;
}

static struct json_object *roots(const struct run *run)
{
	struct json_object *object = json__object();

	json__add(object, "faults", json__faults(&run->root_faults, run->fault_level));
	json__add(object, "calls", json__calls(&run->root_table, run->timed));
	return object;
}

static void put_head(const struct run *run, FILE *stream)
{
	fputs("{\n\"schema\":", stream);
	put(stream, json__text(RUN_SCHEMA));
	put_member(stream, "version", json__text(run->version));
	put_member(stream, "command", json__texts(run->command, run->command_count));
	put_member(stream, "attached", attached(run));
	put_member(stream, "source", json__text(run->source));
	put_member(stream, "kernel", json__text(run->kernel));
	put_member(stream, "arch", json__text(run->arch));
	put_member(stream, "started", json__count(run->started));
	put_member(stream, "wall_ns", json__count(run->wall_ns));
	put_member(stream, "exit", json__exit(run->status, run->signal));
	put_member(stream, "origins", origins(run));
	put_member(stream, "integrity", integrity(&run->integrity));
	put_member(stream, "totals", totals(run));
	put_member(stream, "roots", roots(run));
}

static struct json_object *exe(const struct run *run, size_t index)
{
	const struct exe *exe = &run->exes[index];
	struct json_object *object = json__object();

	json__add(object, "path", json__text(exe->path));
	json__add(object, "resolved", json__text(exe->resolved));
	json__add(object, "linkage", json__text(exe->linkage));
	/* Identities, not counts: all 64 bits may be in use. */
	json__add(object, "dev", json_object_new_uint64(exe->dev));
	json__add(object, "ino", json_object_new_uint64(exe->ino));
	json__add(object, "has_interp", json__bool(exe->has_interp));
	return object;
}

static struct json_object *call(const struct run *run, size_t index)
{
	return json__call(&run->table.rows[index], run->timed);
}

static struct json_object *group(const struct run *run, size_t index)
{
	return json__group(run, &run->groups[index]);
}

static struct json_object *process(const struct run *run, size_t index)
{
	return json__process(run, &run->processes[index]);
}

static void put_array(const struct run *run, FILE *stream, const char *key, size_t count,
		      struct json_object *(*element)(const struct run *, size_t))
{
	put_key(stream, key);
	putc('[', stream);
	for (size_t i = 0; i < count && !ferror(stream); i++) {
		fputs(i ? ",\n" : "\n", stream);
		put(stream, element(run, i));
	}
	putc(']', stream);
}

/* Nothing of it in a run without: older readers and `jq 'has("anatomy")'` see that. */
static void put_anatomy(const struct run *run, FILE *stream)
{
	const struct anatomy *anatomy = run->anatomy;

	if (!anatomy)
		return;
	put_member(stream, "sampling", json__sampling(anatomy));
	put_array(run, stream, "objects", anatomy->object_count, json__anatomy_object);
	put_array(run, stream, "anatomy", anatomy->row_count, json__anatomy_row);
	put_array(run, stream, "fork_cost", anatomy->fork_count, json__fork_cost);
	put_array(run, stream, "layouts", anatomy->layout_count, json__layout);
	put_array(run, stream, "bindings", anatomy->binding_count, json__binding);
	put_array(run, stream, "symbols", anatomy->symbol_count, json__binding_symbol);
	put_member(stream, "costs", json__costs(anatomy));
	put_array(run, stream, "advice", anatomy->advice_count, json__advice);
	if (anatomy->against)
		put_member(stream, "against", json__against(anatomy));
	put_member(stream, "verdict", json__text(anatomy->verdict));
}

int run_json__write(const struct run *run, FILE *stream)
{
	put_head(run, stream);
	put_array(run, stream, "syscalls", run->table.count, call);
	put_array(run, stream, "exes", run->exe_count, exe);
	put_array(run, stream, "groups", run->group_count, group);
	put_member(stream, "all_processes", json__bool(run->all_processes));
	put_array(run, stream, "processes", run->process_count, process);
	put_anatomy(run, stream);
	fputs("\n}\n", stream);
	if (fflush(stream) == 0 && !ferror(stream))
		return 0;
	if (!errno)
		errno = EIO;
	return -1;
}
