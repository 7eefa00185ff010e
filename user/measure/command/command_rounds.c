// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/command/command_rounds.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/cpu_choice.h"
#include "measure/command/command_prepare.h"
#include "measure/startup/startup_watch.h"
#include "source/trace.h"

/* A command of the user's as a task: an operation is one run of it. Traced runs are kept whole. */
struct command_task {
	struct bench_task task; /* first: it is what the engine knows */
	struct variant *variant;
	const struct rounds *rounds;
	struct rounds_end *end;
};

/* Copies the reason, because the engine takes it over. */
static enum bench_outcome fail_as(const struct command_task *command, enum rounds_failure failure, const char *reason)
{
	command->end->failure = failure;
	free(command->end->reason);
	command->end->reason = checked_strdup(reason);
	return TASK_FAILED;
}

/* Judges how it ended, unless failures are ignored. */
static enum bench_outcome judge_end(const struct command_task *command, int status, int signal, char **reason)
{
	const char *label = command->variant->label;
	const char *hint = command->rounds->show_output ? "-i goes on" : "--show-output shows why, -i goes on";

	if (command->rounds->ignore_failure || (!status && !signal))
		return TASK_DONE;
	if (signal)
		*reason = text__of("%s was killed by signal %d (%s); %s", label, signal, strsignal(signal), hint);
	else
		*reason = text__of("%s exited with status %d; %s", label, status, hint);
	return fail_as(command, ROUNDS_FAILED, *reason);
}

/* What goes before a run. */
static enum bench_outcome prepare(const struct command_task *command, struct interrupt *interrupt, char **reason)
{
	enum bench_outcome outcome = command_prepare__run(command->rounds->prepare, command->rounds->show_output,
							  interrupt, reason);

	return outcome == TASK_FAILED ? fail_as(command, ROUNDS_FAILED, *reason) : outcome;
}

static enum bench_outcome time_command(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
				       struct bench_sample *sample, char **reason)
{
	struct command_task *command = (struct command_task *)task;
	const struct variant *variant = command->variant;
	const struct child_request request = {
		.path = variant->path,
		.argv = variant->argv,
		.environment = variant->environment,
		.stdio = command->rounds->show_output ? CHILD_SHOWN : CHILD_QUIET,
		.no_aslr = command->rounds->no_aslr,
	};
	enum bench_outcome prepared = prepare(command, interrupt, reason);
	struct child_result result;
	int error;

	if (prepared != TASK_DONE)
		return prepared;
	error = child__run(&request, interrupt, &result, reason);
	if (error) {
		text__replace(reason, "%s cannot be executed: %s", variant->path, strerror(error));
		return fail_as(command, ROUNDS_REFUSED, *reason);
	}
	if (result.interrupted)
		return TASK_INTERRUPTED;
	sample->operations = 1;
	sample->elapsed_ns = result.wall_ns;
	sample->values[BENCH_METRIC_CPU] = result.cpu_ns;
	return judge_end(command, result.status, result.signal, reason);
}

static enum rounds_failure failure_of(enum trace_result result)
{
	switch (result) {
	case TRACE_COMMAND_MISSING:
		return ROUNDS_MISSING;
	case TRACE_COMMAND_REFUSED:
		return ROUNDS_REFUSED;
	default:
		return ROUNDS_FAILED;
	}
}

/* A start that is not untraced in all its parts is still explained. */
static void time_parts(const struct startup_command *command, const struct startup_marks *marks,
		       struct interrupt *interrupt, struct start *start)
{
	char *reason = NULL;

	if (startup_parts__time(command, marks, interrupt, start->untraced, &reason))
		free(reason);
}

/* As trace__run(), with the marks of the start if it is asked for. */
static enum trace_result trace_marked(const struct command_task *command, struct trace_request *request,
				      struct interrupt *interrupt, struct run **run, char **reason)
{
	const struct startup_command startup = {
		.path = command->variant->path,
		.argv = command->variant->argv,
		.environment = command->variant->environment,
		.may_fail = true,
	};
	struct startup_marks marks;
	struct startup_watch watch;
	enum trace_result result;

	if (!command->rounds->start)
		return trace__run(request, run, reason);
	startup_watch__learn(&watch, &startup, interrupt);
	marks = watch.marks;
	request->start = true;
	request->on_gate = startup_watch__open;
	request->gate_context = &watch;
	result = trace__run(request, run, reason);
	if (result == TRACE_OK && (*run)->start)
		startup_watch__take(&watch, (*run)->start);
	startup_watch__release(&watch);
	if (result == TRACE_OK && (*run)->start && command->rounds->start_untraced)
		time_parts(&startup, &marks, interrupt, (*run)->start);
	return result;
}

static enum bench_outcome trace_command(struct bench_task *task, uint64_t count, struct interrupt *interrupt,
					double per_op[PER_OP_COUNT], char **reason)
{
	struct command_task *command = (struct command_task *)task;
	const struct rounds *rounds = command->rounds;
	struct variant *variant = command->variant;
	struct trace_request request = {
		.argv = variant->argv,
		.environment = variant->environment,
		.mask = &interrupt->mask,
		.no_aslr = rounds->no_aslr || rounds->fixed_traced,
		.clean = rounds->clean,
		.quiet_command = !rounds->show_output,
		.source = rounds->source,
		.fault_level = FAULTS_SEEN,
		.anatomy = rounds->anatomy,
		.stacks = rounds->stacks,
		.files = rounds->files,
		.waits = rounds->waits,
		.calls_later = rounds->calls_later,
		.tree = rounds->tree_times,
		.path = rounds->tree_times,
		.find_shell = rounds->find_shell,
		.lines_if_seen = true,
		.patience_ns = 1000000000, /* to clear up; then the engine ends it */
		/* Children that outlive the command by little belong to it. */
		.linger_ns = 1000000000,
	};
	enum bench_outcome prepared = prepare(command, interrupt, reason);
	struct run *run = NULL;
	enum trace_result result;

	if (prepared != TASK_DONE)
		return prepared;
	result = trace_marked(command, &request, interrupt, &run, reason);
	if (result != TRACE_OK)
		return fail_as(command, failure_of(result), *reason);
	variant->runs[variant->run_count++] = run;
	/* A signal that came only to the command, or from itself, is just how it ended. */
	if (interrupt__ended(interrupt, run->asked_by, 0))
		return TASK_INTERRUPTED;
	return judge_end(command, run->status, run->signal, reason);
}

static void free_task(struct bench_task *task)
{
	free(task);
}

static const struct bench_task_ops ops = {
	.measure = time_command,
	.trace = trace_command,
	.free = free_task,
};
static const struct bench_task_ops untraced_ops = {
	.measure = time_command,
	.free = free_task,
};

static struct bench_task *new_task(struct variant *variant, const struct rounds *rounds, struct rounds_end *end)
{
	struct command_task *command = checked_calloc(1, sizeof(*command));

	command->task.ops = variant->is_untraced ? &untraced_ops : &ops;
	command->variant = variant;
	command->rounds = rounds;
	command->end = end;
	return &command->task;
}

void variant__release(struct variant *variant)
{
	for (size_t i = 0; i < variant->run_count; i++)
		run__free(variant->runs[i]);
	free(variant->runs);
	free(variant->samples_ns);
	free(variant->cpu_ns);
	free(variant->others);
	variant->runs = NULL;
	variant->samples_ns = variant->cpu_ns = variant->others = NULL;
	variant->run_count = variant->sample_count = 0;
}

/* One row for each; labels may be equal. */
static struct bench_plan *make_plan(const struct rounds *rounds, struct variant *variants,
				    size_t count, struct rounds_end *end)
{
	struct bench *bench = bench__new(BENCH_COMMANDS);
	struct bench_plan *plan;

	for (size_t i = 0; i < count; i++)
		bench__add_row(bench, variants[i].label, NULL);
	bench__make_cells(bench);
	plan = bench_plan__new(bench);
	for (size_t i = 0; i < count; i++) {
		variants[i].runs = checked_calloc(rounds->traced, sizeof(struct run *));
		bench_plan__set_task(plan, i, 0, new_task(&variants[i], rounds, end));
	}
	return plan;
}

static double *take_values(struct bench_cell *cell, enum bench_metric metric, size_t rounds)
{
	double *values = bench_cell__room(cell, metric, rounds);

	cell->values[metric] = NULL;
	return values;
}

static void take_results(struct variant *variant, struct bench_cell *cell, size_t rounds, const struct rounds_end *end)
{
	if (rounds) {
		variant->samples_ns = take_values(cell, BENCH_METRIC_TIME, rounds);
		variant->cpu_ns = take_values(cell, BENCH_METRIC_CPU, rounds);
		variant->others = take_values(cell, BENCH_METRIC_OTHERS, rounds);
	}
	variant->sample_count = end->timed;
	variant->busy = end->busy;
	variant->seed = end->seed;
	while (variant->run_count > end->traced)
		run__free(variant->runs[--variant->run_count]);
}

struct rounds_end rounds__measure(const struct rounds *rounds, struct variant *variants,
				  size_t count, bench_progress_fn *progress)
{
	const struct bench_request request = {
		.rounds = rounds->timed,
		.count = 1,
		.more_warm_ups = rounds->more_warm_ups,
		.traced = rounds->traced,
		.tracing = { .source = rounds->source, .fault_level = FAULTS_SEEN,
			     .anatomy = rounds->anatomy,
			     .stacks = rounds->stacks },
		.first_failure_ends = true,
		.cpu = CPU_ANY,
		.progress = progress,
	};
	struct rounds_end end = { .failure = ROUNDS_GOOD };
	struct bench_plan *plan = make_plan(rounds, variants, count, &end);
	struct bench *bench;

	end.signal = bench_engine__run(plan, &request);
	end.traced = plan->traced_rounds;
	end.busy = plan->busy;
	end.seed = plan->seed;
	bench = bench_plan__take(plan);
	end.timed = bench->rounds;
	if (end.signal) { /* a command killed by it looks like a failure */
		free(end.reason);
		end.failure = ROUNDS_GOOD;
		end.reason = NULL;
	}
	for (size_t i = 0; i < count; i++)
		take_results(&variants[i], &bench->cells[i], rounds->timed, &end);
	bench__free(bench);
	return end;
}
