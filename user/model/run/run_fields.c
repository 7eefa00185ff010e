// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of a run: schema forktax/1. docs/schema/schema.md says what rows cannot. */
#include <inttypes.h>

#include "base/page.h"
#include "base/text.h"
#include "model/run/run.h"
#include "model/run/run_check.h"
#include "model/run/run_fields.h"

static const struct words image_kind_words = WORDS_OF(image_kind_keys);
static const struct words life_words = WORDS_OF(lifecycle_counters);
static const struct words loss_words = WORDS_OF(loss_counters);

static const char *const origin_keys[ORIGIN_COUNT] = {
	[ORIGIN_COUNTED] = "counted",
	[ORIGIN_NOT_COUNTED] = "not counted",
	[ORIGIN_NOT_SUPPORTED] = "not supported",
};
static const struct words origin_words = WORDS_OF(origin_keys);

static const struct run *run_of(const struct scope *scope)
{
	return scope__root(scope);
}

#define SEES(name, data) \
	static bool sees_##name(const struct scope *scope) \
	{ \
		return run__has(run_of(scope), data); \
	}
SEES(faults, HAS_FAULTS)
SEES(process_faults, HAS_PROCESS_FAULTS)
SEES(classes, HAS_FAULT_CLASSES)
SEES(actors, HAS_ACTORS)
SEES(denied, HAS_DENIED)
SEES(clock, HAS_CLOCK)

static bool sees_no_actors(const struct scope *scope)
{
	return !sees_actors(scope);
}

static bool is_timed(const struct scope *scope)
{
	return run_of(scope)->timed;
}

static bool has_outcomes(const struct scope *scope)
{
	return run_of(scope)->outcomes;
}

/* How a process ended: in the struct that has it. */

static char *exit_law(int32_t status, int32_t signal)
{
	return status >= 0 && signal ? text__of("\"exit\" has both a status and a signal") : NULL;
}

#define EXIT_ROWS \
	INTEGER("status", status, 0, 255, NULLABLE, .none = -1), \
	INTEGER("signal", signal, 0, 127, NULLABLE, .none = 0)
#define EXIT_NOTE "how it ended; both null: unknown, or still running"

/* Page faults. */

static const void *faults_of_class(const struct scope *scope, union computed *computed)
{
	computed->count = faults__class(scope->self, scope->index);
	return computed;
}

static const void *faults_unattributed(const struct scope *scope, union computed *computed)
{
	computed->count = faults__unattributed(scope->self);
	return computed;
}

static const void *faults_kernel_mode(const struct scope *scope, union computed *computed)
{
	computed->count = faults__mark(scope->self, MARK_KERNEL_MODE);
	return computed;
}

static char *faults_law(const struct scope *scope)
{
	const struct faults *faults = scope->self;

	return faults->major > faults->total ? text__of("more major faults than faults") : NULL;
}

static const struct field class_sum = {
	.kind = FIELD_COUNT, .of = faults_of_class, .when = sees_classes, OLDER,
	.law = "%s faults are not the sum over the actors",
};

#define S struct faults
static const struct field faults_fields[] = {
	COUNT("total", total),
	{ .kind = FIELD_MAP, .words = &class_words, .element = &class_sum, .inlined = true },
	COMPUTED("unattributed", FIELD_COUNT, faults_unattributed, .when = sees_classes,
		 .law = "the fault classes and %s do not add up to the total"),
	COUNT("major", major),
	COMPUTED("kernel_mode", FIELD_COUNT, faults_kernel_mode, .when = sees_classes,
		 .law = "%s is not the sum of the kernel's faults"),
	COUNT("page_table_pages", page_table_pages, .when = sees_classes),
	MAP("by_actor", by, actor_words, class_counts, .closed = true, .when = sees_classes,
	    .note = "actors and classes without faults are left out"),
};
static const struct shape faults_shape = SHAPE_OF(faults, .law = faults_law,
	.note = "page faults: the classes and unattributed add up to total; major, kernel_mode and "
		"page_table_pages run across them. null where origins.fault_classes is not "
		"\"counted\"");
_Static_assert(MARK_COUNT == 3, "the marks have a row each");
#undef S

/* System calls. */

#define SUM_OF_CALLS(member) \
	static const void *sum_of_##member(const struct scope *scope, union computed *computed) \
	{ \
		const struct syscall_row *row = scope->self; \
 \
		computed->count = syscall_row__sum(row->member); \
		return computed; \
	}
SUM_OF_CALLS(calls)
SUM_OF_CALLS(errors)
SUM_OF_CALLS(denied)
SUM_OF_CALLS(time_ns)
SUM_OF_CALLS(unfinished)

static char *call_law(const struct scope *scope)
{
	const struct syscall_row *row = scope->self;

	for (int actor = 0; actor < ACTOR_COUNT; actor++) {
		if (row->errors[actor] > row->calls[actor])
			return text__of("%s has more errors than calls", row->name);
		if (row->unfinished[actor] > row->calls[actor] - row->errors[actor])
			return text__of("%s has more calls that never returned than calls", row->name);
	}
	if (row->max_ns != ABSENT && (row->min_ns > row->max_ns || row->p99_ns > row->max_ns))
		return text__of("a shortest or 99th-percentile call exceeds the longest one");
	return NULL;
}

#define CALLS_LAW .law = "%s of a system call are not the sum over the actors"

static const void *sum_of_error(const struct scope *scope, union computed *computed)
{
	const struct call_errno *error = scope->self;

	computed->count = syscall_row__sum(error->calls);
	return computed;
}

static const struct field error_count = { .kind = FIELD_COUNT, .omitted = true };

#define S struct call_errno
static const struct field any_error_fields[] = { COUNT("calls", calls[ACTOR_UNKNOWN]) };
static const struct shape any_error_shape = SHAPE_OF(any_error);

static const struct field error_fields[] = {
	TEXT("name", name, .note = "\"ENOENT\"; \"errno 600\" if the number has no name"),
	COMPUTED("calls", FIELD_COUNT, sum_of_error, CALLS_LAW),
	MAP("by_actor", calls, actor_words, error_count, .closed = true, .when = sees_actors),
	SECTION("by_any", any_error_shape, .omitted = true, .when = sees_no_actors),
};
static const struct shape error_shape = SHAPE_OF(error, .note = "calls that failed with one errno");
#undef S

#define S struct syscall_row
/* Of the first actor; those of the others stand one element further in each array. */
static const struct field actor_calls_fields[] = {
	COUNT("calls", calls[0]),
	COUNT("errors", errors[0]),
	COUNT("denied", denied[0], .when = sees_denied),
	COUNT("time_ns", time_ns[0], .when = is_timed),
	COUNT("unfinished", unfinished[0], OLDER, .when = has_outcomes),
};
static const struct shape actor_calls_shape = SHAPE_OF(actor_calls);
static const struct field actor_calls_element = {
	.kind = FIELD_OBJECT, .shape = &actor_calls_shape, .omitted = true,
};

static const struct field any_calls_fields[] = {
	COUNT("calls", calls[ACTOR_UNKNOWN]),
	COUNT("errors", errors[ACTOR_UNKNOWN]),
	COUNT("time_ns", time_ns[ACTOR_UNKNOWN], .when = is_timed),
	COUNT("unfinished", unfinished[ACTOR_UNKNOWN], OLDER, .when = has_outcomes),
};
static const struct shape any_calls_shape = SHAPE_OF(any_calls);

static const struct field call_fields[] = {
	TEXT("name", name),
	KEY("abi", abi, abi_words),
	INTEGER("nr", nr, INT32_MIN, INT32_MAX),
	COMPUTED("calls", FIELD_COUNT, sum_of_calls, CALLS_LAW),
	COMPUTED("errors", FIELD_COUNT, sum_of_errors, CALLS_LAW),
	COMPUTED("denied", FIELD_COUNT, sum_of_denied, CALLS_LAW, .when = sees_denied),
	COMPUTED("time_ns", FIELD_COUNT, sum_of_time_ns, CALLS_LAW, .when = is_timed),
	COUNT("min_ns", min_ns, NULLABLE, .when = is_timed),
	COUNT("max_ns", max_ns, NULLABLE, .when = is_timed),
	COUNT("p99_ns", p99_ns, NULLABLE, .when = is_timed),
	COMPUTED("unfinished", FIELD_COUNT, sum_of_unfinished, CALLS_LAW, OLDER,
		 .when = has_outcomes, .note = "calls that never returned"),
	LIST("errnos", errnos, errno_count, error_shape, OLDER, .when = has_outcomes,
	     .note = "add up to errors; most calls first"),
	{ .key = "by_actor", .kind = FIELD_MAP, .size = sizeof(uint64_t), .words = &actor_words,
	  .element = &actor_calls_element, .closed = true, .when = sees_actors,
	  .note = "actors without calls are left out" },
	SECTION("by_any", any_calls_shape, .omitted = true, .when = sees_no_actors,
		.note = "instead of by_actor, where origins.actors is not \"counted\""),
};
static const struct shape call_shape = SHAPE_OF(call, .law = call_law,
	.note = "one system call; its counts are the sums over by_actor, or those of by_any");
#undef S

/* Executables. */

static bool is_identified(const struct scope *scope)
{
	return ((const struct exe *)scope->self)->ino != 0;
}

#define S struct exe
static const struct field exe_fields[] = {
	TEXT("path", path, NULLABLE, .note = "as executed; may be relative; null: unknown, see nameless"),
	TEXT("resolved", resolved, NULLABLE, OLDER,
	     .note = "of the file, with links resolved; null: the same, or unknown"),
	TEXT("linkage", linkage, NULLABLE),
	IDENTITY("dev", dev, NULLABLE, .has = is_identified, .note = "null: not known"),
	IDENTITY("ino", ino, NULLABLE, .has = is_identified),
	BOOL("has_interp", has_interp, NULLABLE, .has = is_identified, .note = "it has a dynamic linker"),
};
static const struct shape exe_shape = SHAPE_OF(exe);
#undef S

/* Groups. */

static bool has_children(const struct scope *scope)
{
	const struct group *group = scope->outer->self;

	return group->children;
}

static char *distribution_law(const struct scope *scope)
{
	const struct distribution *values = scope->self;

	if (values->min > values->median || values->median > values->max)
		return text__of("min, median and max of \"%s\" are not in that order", scope->key);
	return NULL;
}

#define S struct distribution
static const struct field distribution_fields[] = {
	COUNT("total", total),
	COUNT("min", min, .when = has_children),
	COUNT("median", median, .when = has_children),
	COUNT("max", max, .when = has_children),
	BOOL("rounded", rounded),
};
static const struct shape distribution_shape = SHAPE_OF(distribution, .law = distribution_law,
	.note = "one value per finished child; null if no child finished. rounded: values above "
		"4095 are rounded down by less than 0.05 %");
#undef S

static const struct field class_distribution = {
	.kind = FIELD_OBJECT, .shape = &distribution_shape, OLDER,
};

static const void *parent_path(const struct scope *scope, union computed *computed)
{
	return run__exe_path(run_of(scope), ((const struct group *)scope->self)->parent_exe, computed);
}

static const void *exec_target_path(const struct scope *scope, union computed *computed)
{
	return run__exe_path(run_of(scope), ((const struct group *)scope->self)->exec_target, computed);
}

#define S struct group
static const struct field group_fields[] = {
	COMPUTED("parent", FIELD_TEXT, parent_path, NULLABLE, PATH_NOTE),
	INDEX("parent_exe", parent_exe, run__exes, NULLABLE, .note = "index into exes"),
	KEY("birth", birth, birth_words),
	COMPUTED("fate", FIELD_TEXT, exec_target_path, NULLABLE, PATH_NOTE),
	INDEX("fate_exe", exec_target, run__exes, NULLABLE,
	      .note = "index into exes: the first program that the child executed; null: none"),
	COUNT("children", children),
	COUNT("unfinished", unfinished),
	OBJECT("syscalls", of[METRIC_SYSCALLS], distribution_shape),
	OBJECT("faults", of[METRIC_FAULTS], distribution_shape, .when = sees_process_faults),
	{ .key = "classes", .kind = FIELD_MAP, .place = offsetof(S, of[METRIC_CLASS]),
	  .size = sizeof(struct distribution), .words = &class_words,
	  .element = &class_distribution, .when = sees_classes },
	OBJECT("unattributed", of[METRIC_UNATTRIBUTED], distribution_shape, .when = sees_classes),
	OBJECT("inherited", inherited, faults_shape, .when = sees_process_faults, .note = "before the first exec"),
	OBJECT("execd", execd, faults_shape, .when = sees_process_faults, .note = "after it"),
	LIST("calls", table.rows, table.count, call_shape),
};
static const struct shape group_shape = SHAPE_OF(group,
	.note = "children with the same parent, birth and first executed program");
#undef S

/* Processes. */

static const void *image_path(const struct scope *scope, union computed *computed)
{
	return run__exe_path(run_of(scope), ((const struct image *)scope->self)->exe, computed);
}

static const void *image_linkage(const struct scope *scope, union computed *computed)
{
	const struct image *image = scope->self;
	const struct run *run = run_of(scope);

	computed->text = image->exe < run->exe_count ? run->exes[image->exe].linkage : NULL;
	return &computed->text;
}

#define S struct image
static const struct field image_fields[] = {
	INDEX("exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	COMPUTED("path", FIELD_TEXT, image_path, NULLABLE, PATH_NOTE),
	COMPUTED("linkage", FIELD_TEXT, image_linkage, NULLABLE),
	KEY("kind", kind, image_kind_words),
	COUNT("syscalls", syscalls),
	COUNT("denied", denied, .when = sees_denied),
	OBJECT("faults", faults, faults_shape, .when = sees_process_faults),
};
static const struct shape image_shape = SHAPE_OF(image, .note = "one address space of a process");
#undef S

static char *process_law(const struct scope *scope)
{
	const struct process *process = scope->self;

	/* Ids are given in order of birth: so trees of processes have no circles. */
	if (process->parent >= process->id)
		return text__of("a process is older than its parent");
	if (process->end_ns < process->start_ns)
		return text__of("a process ends before it starts");
	return exit_law(process->status, process->signal);
}

#define S struct process
static const struct field process_exit_fields[] = { EXIT_ROWS };
static const struct shape process_exit_shape = SHAPE_OF(process_exit, .note = EXIT_NOTE);

static const struct field process_fields[] = {
	COUNT("id", id, .note = "unique in the run, in order of birth"),
	COUNT("parent", parent, .note = "id of its creator, 0: none in this run"),
	INTEGER("pid", pid, 0, INT32_MAX),
	INTEGER("ppid", ppid, 0, INT32_MAX, .note = "0: not known"),
	INTEGER("ns_pid", ns_pid, 0, INT32_MAX, .note = "in its innermost pid namespace"),
	KEY("birth", birth, birth_words),
	BOOL("shares_mm", shares_mm),
	BOOL("reparented", reparented),
	BOOL("finished", finished),
	SECTION("exit", process_exit_shape),
	INTEGER("threads", threads, 0, UINT32_MAX),
	INTEGER("children", children, 0, UINT32_MAX),
	COUNT("start_ns", start_ns, .when = sees_clock),
	COUNT("end_ns", end_ns, NULLABLE, .when = sees_clock),
	COUNT("minflt", minflt, .when = sees_process_faults),
	COUNT("majflt", majflt, .when = sees_process_faults),
	COUNT("wpcopy", wpcopy, NULLABLE),
	INDEX("group", group, run__groups, NULLABLE, .note = "index into groups; null: a root"),
	LIST("images", images, image_count, image_shape),
	COUNT("images_left_out", images_left_out,
	      .note = "images that followed: the last one listed has their counts, too"),
};
static const struct shape process_shape = SHAPE_OF(process, .law = process_law);
#undef S

/* The run. */

static const struct field life_count = { .kind = FIELD_COUNT, OLDER };
static const struct field loss_count = { .kind = FIELD_COUNT, OLDER };
static const struct field pid_element = { .kind = FIELD_INTEGER, .min = 1, .max = INT32_MAX };

#define S struct integrity
static const struct field integrity_fields[] = {
	BOOL("exact", exact),
	INLINE_MAP(losses, loss_words, loss_count),
	VALUES("notes", notes, note_count, text_element),
};
static const struct shape integrity_shape = SHAPE_OF(integrity);
#undef S

static const void *total_syscalls(const struct scope *scope, union computed *computed)
{
	computed->count = syscall_table__calls(&run_of(scope)->table);
	return computed;
}

static const void *has_wpcopy(const struct scope *scope, union computed *computed)
{
	const struct run *run = run_of(scope);

	computed->flag = false;
	for (size_t i = 0; i < run->process_count && !computed->flag; i++)
		computed->flag = run->processes[i].wpcopy != ABSENT;
	return computed;
}

/* By no source one is seen without the other. */
static char *origins_law(const struct scope *scope)
{
	static const struct {
		enum run_data part, whole;
	} needs[] = {
		{ HAS_PROCESS_FAULTS, HAS_FAULTS },
		{ HAS_FAULT_CLASSES, HAS_PROCESS_FAULTS },
		{ HAS_DENIED, HAS_ACTORS },
	};
	const struct run *run = run_of(scope);
	bool is_torn = false;

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		is_torn |= run__has(run, needs[i].part) && !run__has(run, needs[i].whole);
	return is_torn ? text__of("\"origins\" say that a part was counted, but not the whole") : NULL;
}

static char *run_law(const struct scope *scope)
{
	char *wrong = exit_law(run_of(scope)->status, run_of(scope)->signal);

	if (!wrong)
		wrong = machine__contradiction(&run_of(scope)->machine);
	return wrong ? wrong : run__contradiction(run_of(scope));
}

#define S struct run
static const struct field run_exit_fields[] = { EXIT_ROWS };
static const struct shape run_exit_shape = SHAPE_OF(run_exit, .note = EXIT_NOTE);

#define ORIGIN(k, m, ...) \
	{ .key = k, .kind = FIELD_ORIGIN, .place = offsetof(S, m), .size = sizeof(((S *)0)->m), \
	  __VA_ARGS__ }
static const struct field origins_fields[] = {
	KEY("fault_classes", origins[HAS_FAULT_CLASSES], origin_words),
	ORIGIN("syscall_times", timed),
	ORIGIN("outcomes", outcomes, OLDER),
	COMPUTED("wpcopy", FIELD_ORIGIN, has_wpcopy, .size = sizeof(bool)),
	KEY("faults", origins[HAS_FAULTS], origin_words, OLDER,
	    .note = "of the whole run; in older files without it, this and all below are counted"),
	KEY("process_faults", origins[HAS_PROCESS_FAULTS], origin_words, OLDER, .note = "of roots, groups and images"),
	KEY("actors", origins[HAS_ACTORS], origin_words, OLDER, .note = "which code made a call"),
	KEY("denied", origins[HAS_DENIED], origin_words, OLDER),
	KEY("clock", origins[HAS_CLOCK], origin_words, OLDER, .note = "when processes began and ended"),
};
static const struct shape origins_shape = SHAPE_OF(origins, .law = origins_law);

static const struct field totals_fields[] = {
	INLINE_MAP(totals, life_words, life_count),
	COMPUTED("syscalls", FIELD_COUNT, total_syscalls, .law = "the calls of \"%s\" do not add up to the total"),
	OBJECT("faults", faults, faults_shape, .when = sees_faults),
};
static const struct shape totals_shape = SHAPE_OF(totals);

static const struct field roots_fields[] = {
	OBJECT("faults", root_faults, faults_shape, .when = sees_process_faults),
	LIST("calls", root_table.rows, root_table.count, call_shape),
};
static const struct shape roots_shape = SHAPE_OF(roots,
	.note = "counts of the command itself, or of the processes attached to");

#undef S

#define S struct run
static const struct field run_fields[] = {
	TEXT("version", version, NULLABLE, .note = "of forktax"),
	VALUES("command", command, command_count, text_element, .note = "argv; empty when attached"),
	VALUES("attached", attached, attached_count, pid_element, .note = "process ids given with -p"),
	VALUES("cgroups", cgroups, cgroup_count, text_element, .omitted = true,
	       .note = "paths of the cgroups given with --cgroup, below the root of the hierarchy"),
	COUNT("unnamed_cgroups", unnamed_cgroups, .omitted = true,
	      .note = "watched, too: those after the first 256 paths, each time that one was created"),
	BOOL("whole_machine", whole_machine, .omitted = true, .note = "-a"),
	TEXT("source", source, NULLABLE),
	TEXT("kernel", kernel, NULLABLE),
	TEXT("arch", machine.arch, NULLABLE, .note = "the machine, as uname -m has it"),
	COUNT("page_bytes", machine.page_bytes, NULLABLE, .note = "bytes of a page of that machine; null: not known"),
	COUNT("started", started, NULLABLE, .note = "nanoseconds since the epoch"),
	COUNT("wall_ns", wall_ns, NULLABLE, .has = sees_clock), /* read before the origins */
	SECTION("exit", run_exit_shape),
	SECTION("origins", origins_shape),
	OBJECT("integrity", integrity, integrity_shape),
	SECTION("totals", totals_shape),
	SECTION("roots", roots_shape),
	LIST("syscalls", table.rows, table.count, call_shape, .lines = true),
	LIST("exes", exes, exe_count, exe_shape, .lines = true),
	LIST("groups", groups, group_count, group_shape, .lines = true),
	BOOL("all_processes", all_processes,
	     .note = "false: processes lists only the roots and the first process of each group"),
	LIST("processes", processes, process_count, process_shape, .lines = true),
	/* Without an anatomy nothing of it: older readers and `jq 'has("anatomy")'` see that. */
	{ .kind = FIELD_MEMORY, .place = offsetof(S, fallback_reason) },
	OBJECT("anatomy", anatomy, anatomy_shape, .pointer = true, .inlined = true, .omitted = true),
	OBJECT("files", files, files_shape, .pointer = true, .omitted = true),
	OBJECT("lines", lines, script_lines_shape, .pointer = true, .omitted = true),
	OBJECT("tree_times", tree_times, tree_times_shape, .pointer = true, .omitted = true),
	OBJECT("bill", bill, bill_shape, .pointer = true, .omitted = true),
	OBJECT("executions", executions, executions_shape, .pointer = true, .omitted = true),
	OBJECT("critical_path", critical_path, critical_path_shape, .pointer = true, .omitted = true),
	OBJECT("start", start, start_shape, .pointer = true, .omitted = true),
	LIST("run_advice", advice, advice_count, advice_shape, .lines = true, .omitted = true,
	     .note = "on the run as a whole; absent: there is none, or it was not asked for"),
};
const struct shape run_shape = SHAPE_OF(run, .law = run_law, .document = RUN_SCHEMA,
	.note = "A saved run of forktax, schema forktax/1 (explained in schema.md)");
#undef S

void run__free(struct run *run)
{
	if (run && run->start)
		start__forget_files(run->start);
	shape__free(&run_shape, run);
}
