// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/json_write.h"

/* Classes of one actor; those it has none of are left out, and so is an actor without any. */
static struct json_object *classes_of(const uint64_t by[FAULT_COUNT])
{
	struct json_object *object = json__object();

	for (int class = 0; class < FAULT_COUNT; class++)
		if (by[class])
			json__add(object, fault_counters[class].key, json__count(by[class]));
	return object;
}

static struct json_object *faults_by_actor(const struct faults *faults)
{
	struct json_object *object = json__object();

	for (int actor = 0; actor < ACTOR_COUNT; actor++)
		if (faults__actor(faults, actor))
			json__add(object, actor_counters[actor].key,
				  classes_of(faults->by[actor]));
	return object;
}

struct json_object *json__faults(const struct faults *faults, enum fault_level level)
{
	bool classed = level == FAULTS_CLASSES;
	struct json_object *object = json__object();

	json__add(object, "total", json__count(faults->total));
	for (int class = 0; class < FAULT_COUNT; class++)
		json__add(object, fault_counters[class].key,
			  json__count(classed ? faults__class(faults, class) : ABSENT));
	json__add(object, "unattributed",
		  json__count(classed ? faults__unattributed(faults) : ABSENT));
	for (int mark = 0; mark < MARK_COUNT; mark++)
		json__add(object, mark_counters[mark].key,
			  json__count(classed || mark == MARK_MAJOR ? faults__mark(faults, mark)
								    : ABSENT));
	json__add(object, "by_actor", classed ? faults_by_actor(faults) : NULL);
	return object;
}

static struct json_object *calls_by_actor(const struct syscall_row *row, bool timed)
{
	struct json_object *object = json__object();

	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		struct json_object *counts;

		if (!row->calls[actor] && !row->errors[actor] && !row->denied[actor])
			continue;
		counts = json__object();
		json__add(counts, "calls", json__count(row->calls[actor]));
		json__add(counts, "errors", json__count(row->errors[actor]));
		json__add(counts, "denied", json__count(row->denied[actor]));
		json__add(counts, "time_ns", timed ? json__count(row->time_ns[actor]) : NULL);
		json__add(object, actor_counters[actor].key, counts);
	}
	return object;
}

struct json_object *json__call(const struct syscall_row *row, bool timed)
{
	struct json_object *object = json__object();

	json__add(object, "name", json__text(row->name));
	json__add(object, "abi", json__text(abi_keys[row->abi]));
	json__add(object, "nr", json__integer(row->nr));
	json__add(object, "calls", json__count(syscall_row__sum(row->calls)));
	json__add(object, "errors", json__count(syscall_row__sum(row->errors)));
	json__add(object, "denied", json__count(syscall_row__sum(row->denied)));
	json__add(object, "time_ns", timed ? json__count(syscall_row__sum(row->time_ns)) : NULL);
	json__add(object, "min_ns", timed ? json__count(row->min_ns) : NULL);
	json__add(object, "max_ns", timed ? json__count(row->max_ns) : NULL);
	json__add(object, "p99_ns", timed ? json__count(row->p99_ns) : NULL);
	json__add(object, "by_actor", calls_by_actor(row, timed));
	return object;
}

struct json_object *json__calls(const struct syscall_table *table, bool timed)
{
	struct json_object *array = json__array();

	for (size_t i = 0; i < table->count; i++)
		json__append(array, json__call(&table->rows[i], timed));
	return array;
}

/* Without a finished child there is no smallest one either. */
static struct json_object *distribution(const struct distribution *values, bool known)
{
	struct json_object *object = json__object();

	json__add(object, "total", json__count(values->total));
	json__add(object, "min", known ? json__count(values->min) : NULL);
	json__add(object, "median", known ? json__count(values->median) : NULL);
	json__add(object, "max", known ? json__count(values->max) : NULL);
	json__add(object, "rounded", json__bool(values->rounded));
	return object;
}

static struct json_object *class_distributions(const struct group *group)
{
	struct json_object *object = json__object();

	for (int class = 0; class < FAULT_COUNT; class++)
		json__add(object, fault_counters[class].key,
			  distribution(&group->of[METRIC_CLASS + class], group->children));
	return object;
}

static struct json_object *exe_path(const struct run *run, uint32_t exe)
{
	return exe < run->exe_count ? json__text(run->exes[exe].path) : NULL;
}

struct json_object *json__group(const struct run *run, const struct group *group)
{
	bool classed = run->fault_level == FAULTS_CLASSES;
	struct json_object *object = json__object();

	json__add(object, "parent", exe_path(run, group->parent_exe));
	json__add(object, "parent_exe", json__index(group->parent_exe));
	json__add(object, "birth", json__text(birth_counters[group->birth].key));
	json__add(object, "fate", exe_path(run, group->fate_exe));
	json__add(object, "fate_exe", json__index(group->fate_exe));
	json__add(object, "children", json__count(group->children));
	json__add(object, "unfinished", json__count(group->unfinished));
	json__add(object, "syscalls",
		  distribution(&group->of[METRIC_SYSCALLS], group->children));
	json__add(object, "faults", distribution(&group->of[METRIC_FAULTS], group->children));
	json__add(object, "classes", classed ? class_distributions(group) : NULL);
	json__add(object, "unattributed",
		  classed ? distribution(&group->of[METRIC_UNATTRIBUTED], group->children)
			  : NULL);
	json__add(object, "inherited", json__faults(&group->inherited, run->fault_level));
	json__add(object, "execd", json__faults(&group->execd, run->fault_level));
	json__add(object, "calls", json__calls(&group->table, run->timed));
	return object;
}

static struct json_object *image(const struct run *run, const struct image *image)
{
	const char *linkage = image->exe < run->exe_count ? run->exes[image->exe].linkage : NULL;
	struct json_object *object = json__object();

	json__add(object, "exe", json__index(image->exe));
	json__add(object, "path", exe_path(run, image->exe));
	json__add(object, "linkage", json__text(linkage));
	json__add(object, "kind", json__text(image_kind_keys[image->kind]));
	json__add(object, "syscalls", json__count(image->syscalls));
	json__add(object, "denied", json__count(image->denied));
	json__add(object, "faults", json__faults(&image->faults, run->fault_level));
	return object;
}

static void add_life(struct json_object *object, const struct process *process)
{
	json__add(object, "threads", json__count(process->threads));
	json__add(object, "children", json__count(process->children));
	json__add(object, "start_ns", json__count(process->start_ns));
	json__add(object, "end_ns", json__count(process->end_ns));
	json__add(object, "minflt", json__count(process->minflt));
	json__add(object, "majflt", json__count(process->majflt));
	json__add(object, "wpcopy", json__count(process->wpcopy));
}

struct json_object *json__process(const struct run *run, const struct process *process)
{
	struct json_object *object = json__object();
	struct json_object *images = json__array();

	json__add(object, "id", json__count(process->id));
	json__add(object, "parent", json__count(process->parent));
	json__add(object, "pid", json__integer(process->pid));
	json__add(object, "ppid", json__integer(process->ppid));
	json__add(object, "ns_pid", json__integer(process->ns_pid));
	json__add(object, "birth", json__text(birth_counters[process->birth].key));
	json__add(object, "shares_mm", json__bool(process->shares_mm));
	json__add(object, "reparented", json__bool(process->reparented));
	json__add(object, "finished", json__bool(process->finished));
	json__add(object, "exit", json__exit(process->status, process->signal));
	add_life(object, process);
	json__add(object, "group", json__index(process->group));
	for (size_t i = 0; i < process->image_count; i++)
		json__append(images, image(run, &process->images[i]));
	json__add(object, "images", images);
	json__add(object, "images_left_out", json__count(process->images_left_out));
	return object;
}
