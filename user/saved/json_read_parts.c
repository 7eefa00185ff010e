// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/json_read.h"

static void read_values(struct reader *reader, struct json_object *in, const char *key,
			bool has_children, struct distribution *values)
{
	struct json_object *object = reader__object(reader, in, key);

	values->total = reader__count(reader, object, "total");
	values->rounded = reader__bool(reader, object, "rounded");
	if (!has_children)
		return;
	values->min = reader__count(reader, object, "min");
	values->median = reader__count(reader, object, "median");
	values->max = reader__count(reader, object, "max");
	if (values->min > values->median || values->median > values->max)
		reader__fail(reader, "min, median and max of \"%s\" are not in that order", key);
}

void reader__group(struct reader *reader, struct json_object *in, const struct run *run,
		   struct group *group)
{
	bool classed = run->fault_level == FAULTS_CLASSES;
	struct json_object *classes;

	group->parent_exe = reader__index(reader, in, "parent_exe", run->exe_count, NO_EXE);
	group->fate_exe = reader__index(reader, in, "fate_exe", run->exe_count, NO_EXE);
	group->birth = reader__counter(reader, in, "birth", birth_counters, BIRTH_COUNT);
	group->children = reader__count(reader, in, "children");
	group->unfinished = reader__count(reader, in, "unfinished");
	read_values(reader, in, "syscalls", group->children, &group->of[METRIC_SYSCALLS]);
	read_values(reader, in, "faults", group->children, &group->of[METRIC_FAULTS]);
	classes = classed ? reader__object(reader, in, "classes") : NULL;
	for (int class = 0; classes && class < FAULT_COUNT; class++)
		if (json_object_object_get_ex(classes, fault_counters[class].key, NULL))
			read_values(reader, classes, fault_counters[class].key, group->children,
				    &group->of[METRIC_CLASS + class]); /* else the class is a newer one */
	if (classed)
		read_values(reader, in, "unattributed", group->children,
			    &group->of[METRIC_UNATTRIBUTED]);
	reader__faults(reader, in, "inherited", run->fault_level, &group->inherited);
	reader__faults(reader, in, "execd", run->fault_level, &group->execd);
	reader__calls(reader, in, "calls", run->timed, &group->table);
}

static void read_image(struct reader *reader, struct json_object *in, const struct run *run,
		       struct image *image)
{
	if (!json_object_is_type(in, json_type_object)) {
		reader__fail(reader, "\"images\" lists something that is no object");
		return;
	}
	image->exe = reader__index(reader, in, "exe", run->exe_count, NO_EXE);
	image->kind = reader__key(reader, in, "kind", image_kind_keys, IMAGE_KIND_COUNT);
	image->syscalls = reader__count(reader, in, "syscalls");
	image->denied = reader__count(reader, in, "denied");
	reader__faults(reader, in, "faults", run->fault_level, &image->faults);
}

static void read_images(struct reader *reader, struct json_object *in, const struct run *run,
			struct process *process)
{
	struct json_object *array = reader__array(reader, in, "images");

	process->images = reader__room(array, sizeof(*process->images));
	process->image_count = array ? json_object_array_length(array) : 0;
	for (size_t i = 0; i < process->image_count && !reader->reason; i++)
		read_image(reader, json_object_array_get_idx(array, i), run, &process->images[i]);
	process->images_left_out = reader__count(reader, in, "images_left_out");
}

static void read_life(struct reader *reader, struct json_object *in, struct process *process)
{
	process->threads = reader__integer(reader, in, "threads", 0, UINT32_MAX);
	process->children = reader__integer(reader, in, "children", 0, UINT32_MAX);
	process->start_ns = reader__count(reader, in, "start_ns");
	process->end_ns = reader__count_or_absent(reader, in, "end_ns");
	process->minflt = reader__count(reader, in, "minflt");
	process->majflt = reader__count(reader, in, "majflt");
	process->wpcopy = reader__count_or_absent(reader, in, "wpcopy");
	if (process->end_ns < process->start_ns)
		reader__fail(reader, "a process ends before it starts");
}

void reader__process(struct reader *reader, struct json_object *in, const struct run *run,
		     struct process *process)
{
	process->id = reader__count(reader, in, "id");
	process->parent = reader__count(reader, in, "parent");
	/* Ids are given in order of birth: so trees of processes have no circles. */
	if (process->parent >= process->id)
		reader__fail(reader, "a process is older than its parent");
	process->pid = reader__integer(reader, in, "pid", 0, INT32_MAX);
	process->ppid = reader__integer(reader, in, "ppid", 0, INT32_MAX);
	process->ns_pid = reader__integer(reader, in, "ns_pid", 0, INT32_MAX);
	process->birth = reader__counter(reader, in, "birth", birth_counters, BIRTH_COUNT);
	process->shares_mm = reader__bool(reader, in, "shares_mm");
	process->reparented = reader__bool(reader, in, "reparented");
	process->finished = reader__bool(reader, in, "finished");
	reader__exit(reader, in, &process->status, &process->signal);
	read_life(reader, in, process);
	process->group = reader__index(reader, in, "group", run->group_count, NO_GROUP);
	read_images(reader, in, run, process);
}
