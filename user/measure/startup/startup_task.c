// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/startup/startup_task.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "launch/launch.h"
#include "measure/startup/startup_parts.h"

struct startup_task {
	struct bench_task task; /* first: it is what the engine knows */
	struct bench_task *loop;
	struct startup_command command; /* its texts are owned */
	struct preload *preload;
};

static const enum per_op part_figures[START_PART_COUNT] = {
	[START_PART_KERNEL] = PER_OP_KERNEL_EXEC, [START_PART_LDSO] = PER_OP_LD_SO_TIME,
	[START_PART_LIBC] = PER_OP_LIBC_START,    [START_PART_MAIN] = PER_OP_MAIN_TIME,
	[START_PART_END] = PER_OP_END_TIME,
};

static enum bench_outcome measure_startup(struct bench_task *task, uint64_t count,
				  struct interrupt *interrupt, struct bench_sample *sample,
				  char **reason)
{
	struct startup_task *startup = (struct startup_task *)task;

	return startup->loop->ops->measure(startup->loop, count, interrupt, sample, reason);
}

/* Did startloop create these? They borrowed its memory until they executed the command. */
static bool is_command(const struct run *run, const struct group *group)
{
	const struct process *root = run->processes;

	return root && root->image_count && group->birth == BIRTH_VFORK &&
	       group->parent_exe == root->images[root->image_count - 1].exe;
}

/* Counts from the execve on, with all that the command created, but without startloop's part. */
static void count_command(const struct run *run, uint64_t operations, double per_op[PER_OP_COUNT])
{
	uint64_t calls = 0;
	struct faults all = { 0 };

	for (size_t i = 0; i < run->group_count; i++) {
		const struct group *group = &run->groups[i];

		calls += syscall_table__calls(&group->table);
		if (is_command(run, group))
			calls -= group->children; /* each has read the clock once */
		else
			faults__add(&all, &group->inherited);
		faults__add(&all, &group->execd);
	}
	per_op[PER_OP_SYSCALLS] = (double)calls / operations;
	if (run__has(run, HAS_PROCESS_FAULTS))
		per_op[PER_OP_MINOR_FAULTS] = (double)(all.total - all.major) / operations;
	if (run__has(run, HAS_FAULT_CLASSES))
		per_op[PER_OP_LD_SO_FAULTS] =
			(double)faults__actor(&all, ACTOR_LDSO) / operations;
}

static int take_apart(const struct startup_command *command, struct interrupt *interrupt,
		      double per_op[PER_OP_COUNT], char **reason)
{
	double ns[START_PART_COUNT];
	struct startup_marks marks;

	if (startup_marks__learn(command, interrupt, &marks, reason) ||
	    startup_parts__time(command, &marks, interrupt, ns, reason))
		return -1;
	for (int part = 0; part < START_PART_COUNT; part++)
		per_op[part_figures[part]] = ns[part];
	return 0;
}

static enum bench_outcome trace_startup(struct bench_task *task, uint64_t count,
				struct interrupt *interrupt, double per_op[PER_OP_COUNT],
				char **reason)
{
	struct startup_task *startup = (struct startup_task *)task;
	enum bench_outcome outcome =
		startup->loop->ops->trace(startup->loop, count, interrupt, per_op, reason);
	char *why = NULL;

	/* Without its parts a start is still counted; if none are available, the plan has said so. */
	if (outcome == TASK_DONE && take_apart(&startup->command, interrupt, per_op, &why))
		free(why);
	return outcome;
}

static void free_task(struct bench_task *task)
{
	struct startup_task *startup = (struct startup_task *)task;

	startup->loop->ops->free(startup->loop);
	free((char *)startup->command.path);
	text__free_list(startup->command.argv);
	text__free_list(startup->command.environment);
	preload__free(startup->preload);
	free(startup);
}

static const struct bench_task_ops ops = {
	.measure = measure_startup,
	.trace = trace_startup,
	.free = free_task,
};

/* startloop [-i] PATH ARGUMENT...: its argv[0] is the path, as that of most programs is. */
static struct bench_task *loop_of(const struct startup_program *program)
{
	size_t count = text__list_length(program->argv), given = 0;
	char **arguments = checked_calloc(count + 2, sizeof(*arguments));
	struct bench_task *loop;

	if (program->may_fail)
		arguments[given++] = "-i";
	arguments[given++] = (char *)program->path;
	for (size_t i = 1; i < count; i++)
		arguments[given++] = program->argv[i];
	loop = loop_task__new(&(struct loop_program){
		.path = program->loop,
		.arguments = arguments,
		.environment = program->environment,
		.count = count_command,
	});
	free(arguments);
	return loop;
}

struct bench_task *startup_task__new(const struct startup_program *program,
				     struct preload *preload)
{
	struct startup_task *startup = checked_calloc(1, sizeof(*startup));
	char **argv = text__copy_list(program->argv);

	free(argv[0]);
	argv[0] = checked_strdup(program->path);
	startup->task.ops = &ops;
	startup->loop = loop_of(program);
	startup->command = (struct startup_command){
		.path = checked_strdup(program->path),
		.argv = argv,
		.environment = environment__changed(program->environment),
		.may_fail = program->may_fail,
	};
	startup->preload = preload;
	return &startup->task;
}
