// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/loop/loop_task.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/launch.h"
#include "source/trace.h"

struct loop_task {
	struct bench_task task; /* first: it is what the engine knows */
	char **argv; /* with "-n" and room for the count at its end */
	size_t count_place; /* index of the count in argv */
	char **environment; /* NULL: ours */
	loop_count_fn *count;
};

static void set_count(struct loop_task *loop, uint64_t count)
{
	free(loop->argv[loop->count_place]);
	loop->argv[loop->count_place] = text__of("%" PRIu64, count);
}

/* The last line of its stderr, to be freed; NULL: none. */
static char *last_line(const char *errors)
{
	const char *end = errors + strlen(errors), *start;

	while (end > errors && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	for (start = end; start > errors && start[-1] != '\n'; start--)
		;
	return end > start ? checked(strndup(start, end - start)) : NULL;
}

/* How it failed, to be freed; NULL: it did not. */
static char *failure_of(const char *path, const struct child_result *result)
{
	autofree char *line = last_line(result->errors);

	if (result->signal)
		return text__of("%s was killed by signal %d (%s)", path, result->signal, strsignal(result->signal));
	if (!result->status)
		return NULL;
	return line ? checked_strdup(line) : text__of("%s exited with status %d", path, result->status);
}

static enum bench_outcome measure_loop(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
				       struct bench_sample *sample, char **reason)
{
	struct loop_task *loop = (struct loop_task *)task;
	struct child_request request = {
		.path = loop->argv[0],
		.argv = loop->argv,
		.environment = loop->environment,
	};
	struct child_result result;
	struct loop_line line;

	set_count(loop, count);
	if (child__run(&request, interrupt, &result, reason))
		return TASK_FAILED;
	if (result.interrupted) {
		child_result__free(&result);
		return TASK_INTERRUPTED;
	}
	*reason = failure_of(request.path, &result);
	if (!*reason && loop_line__parse(result.output, &line, reason) == 0) {
		sample->operations = line.operations;
		sample->elapsed_ns = line.elapsed_ns;
		memcpy(sample->values, line.values, sizeof(sample->values));
	}
	child_result__free(&result);
	return *reason ? TASK_FAILED : TASK_DONE;
}

static enum bench_outcome judge_run(const struct loop_task *loop, const struct run *run, uint64_t count,
				double per_op[PER_OP_COUNT], char **reason)
{
	if (run->status != 0) {
		*reason = text__of("the traced run failed (status %d)", run->status);
		return TASK_FAILED;
	}
	if (!run->integrity.exact) {
		*reason = text__of("the traced run lost events");
		return TASK_FAILED;
	}
	loop->count(run, count, per_op);
	return TASK_DONE;
}

struct trace_request loop_trace__request(char **argv, char **environment, const struct interrupt *interrupt)
{
	return (struct trace_request){
		.argv = argv,
		.environment = environment,
		.mask = &interrupt->mask,
		.own_command = true,
		.quiet_command = true,
		.fault_level = FAULTS_CLASSES,
		.linger_ns = 1000000000,
	};
}

static enum bench_outcome trace_loop(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
				     double per_op[PER_OP_COUNT], char **reason)
{
	struct loop_task *loop = (struct loop_task *)task;
	const struct trace_request request = loop_trace__request(loop->argv, loop->environment, interrupt);
	enum bench_outcome outcome;
	struct run *run = NULL;

	set_count(loop, count);
	if (trace__run(&request, &run, reason) != TRACE_OK)
		return TASK_FAILED;
	outcome = interrupt__ended(interrupt, run->asked_by, run->signal) ? TASK_INTERRUPTED :
						     judge_run(loop, run, count, per_op, reason);
	run__free(run);
	return outcome;
}

static void free_task(struct bench_task *task)
{
	struct loop_task *loop = (struct loop_task *)task;

	text__free_list(loop->argv);
	text__free_list(loop->environment);
	free(loop);
}

static const struct bench_task_ops ops = {
	.measure = measure_loop,
	.trace = trace_loop,
	.free = free_task,
};

struct bench_task *loop_task__new(const struct loop_program *program)
{
	struct loop_task *loop = checked_calloc(1, sizeof(*loop));
	size_t count = text__list_length(program->arguments);

	loop->task.ops = &ops;
	loop->argv = checked_calloc(count + 4, sizeof(*loop->argv));
	loop->argv[0] = checked_strdup(program->path);
	for (size_t i = 0; i < count; i++)
		loop->argv[1 + i] = checked_strdup(program->arguments[i]);
	loop->argv[1 + count] = checked_strdup("-n");
	loop->count_place = 2 + count;
	set_count(loop, 1);
	loop->environment = environment__changed(program->environment);
	loop->count = program->count ? program->count : loop_count__children;
	return &loop->task;
}

char *loop_program__command(const struct loop_program *program, uint64_t count)
{
	char *text = checked_strdup("");

	for (size_t i = 0; program->environment && program->environment[i]; i++)
		text__replace(&text, "%s%s ", text, program->environment[i]);
	text__replace(&text, "%s%s ", text, program->path);
	for (size_t i = 0; program->arguments && program->arguments[i]; i++)
		text__replace(&text, "%s%s ", text, program->arguments[i]);
	if (count)
		text__replace(&text, "%s-n %" PRIu64, text, count);
	return text;
}
