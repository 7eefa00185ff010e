// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/names/enrich.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cmd/commands.h"
#include "cmd/common.h"
#include "format/escape.h"
#include "launch/cpu_choice.h"
#include "launch/cpu_use.h"
#include "model/others.h"
#include "source/trace.h"

enum { TRIES = 3 };

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

static void show_progress(const struct rounds *rounds, const char *what, size_t round,
			  size_t of, const char *label)
{
	char *safe;

	if (!rounds->progress)
		return;
	safe = escape__text(label, true);
	fprintf(stderr, "\r%s %zu of %zu: %s\033[K", what, round, of, safe);
	free(safe);
}

static void clear_progress(const struct rounds *rounds)
{
	if (rounds->progress)
		fputs("\r\033[K", stderr);
}

static int complain_failure(const struct rounds *rounds, const struct variant *variant,
			    int status, int signal)
{
	const char *hint = rounds->show_output ? "-i goes on" : "--show-output shows why, -i goes on";

	clear_progress(rounds);
	if (signal)
		return complain(rounds->name, EXIT_FORKTAX, "%s was killed by signal %d (%s); %s",
				variant->label, signal, strsignal(signal), hint);
	return complain(rounds->name, EXIT_FORKTAX, "%s exited with status %d; %s", variant->label,
			status, hint);
}

static int start(const struct rounds *rounds, const struct variant *variant, pid_t *pid)
{
	char **environment = variant->environment ? variant->environment : environ;
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	if (!rounds->show_output)
		error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	for (int fd = 1; !error && !rounds->show_output && fd < 3; fd++)
		error = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
	if (!error)
		error = posix_spawn(pid, variant->path, &actions, NULL, variant->argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

struct timed {
	double wall_ns, cpu_ns, others;
};

static int time_once(const struct rounds *rounds, const struct variant *variant,
		     struct timed *timed)
{
	const struct cpu_use before = cpu_use__now(CPU_ANY);
	double begin = clock__now_ns();
	struct cpu_use after;
	struct rusage usage = { 0 };
	pid_t pid;
	int status = 0, error = start(rounds, variant, &pid);

	if (error) {
		clear_progress(rounds);
		return complain(rounds->name, EXIT_REFUSED, "%s cannot be executed: %s",
				variant->path, strerror(error));
	}
	while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	timed->wall_ns = clock__now_ns() - begin;
	timed->cpu_ns = cpu_use__of(&usage);
	after = cpu_use__now(CPU_ANY);
	timed->others = cpu_use__others(&before, &after);
	if (rounds->ignore_failure || status == 0)
		return 0;
	return complain_failure(rounds, variant, WEXITSTATUS(status),
				WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static void keep(struct variant *variant, const struct timed *timed)
{
	variant->samples_ns[variant->sample_count] = timed->wall_ns;
	variant->cpu_ns[variant->sample_count] = timed->cpu_ns;
	variant->others[variant->sample_count] = timed->others;
	variant->sample_count++;
}

/* Keeps the quietest of a few tries, while there are repeats left. */
static int time_quietly(const struct rounds *rounds, struct variant *variant, size_t *repeats)
{
	const double limit = others__limit(variant->others, variant->sample_count);
	struct timed timed, again;
	int status = time_once(rounds, variant, &timed);

	for (int try = 1; !status && try < TRIES && *repeats && timed.others > limit; try++) {
		--*repeats;
		status = time_once(rounds, variant, &again);
		if (!status && !(again.others >= timed.others))
			timed = again; /* quieter, or not known to be disturbed */
	}
	if (!status)
		keep(variant, &timed);
	return status;
}

/* Every other round backwards: no variant profits from whom it follows. */
static struct variant *turn(const struct rounds *rounds, size_t round, size_t index)
{
	return &rounds->variants[round % 2 ? rounds->count - 1 - index : index];
}

static int time_all(struct rounds *rounds)
{
	struct timed warm_up;
	size_t repeats;

	for (size_t i = 0; i < rounds->count; i++) {
		rounds->variants[i].samples_ns = checked_calloc(rounds->timed, sizeof(double));
		rounds->variants[i].cpu_ns = checked_calloc(rounds->timed, sizeof(double));
		rounds->variants[i].others = checked_calloc(rounds->timed, sizeof(double));
	}
	repeats = rounds->timed * rounds->count / 2;
	for (size_t round = 0; round <= rounds->timed; round++) { /* round 0 is the warm-up */
		for (size_t i = 0; i < rounds->count; i++) {
			struct variant *variant = turn(rounds, round, i);
			int status;

			show_progress(rounds, "timing", round, rounds->timed, variant->label);
			status = round ? time_quietly(rounds, variant, &repeats)
				       : time_once(rounds, variant, &warm_up);
			if (status)
				return status;
		}
	}
	return 0;
}

static int complain_trace(const struct rounds *rounds, enum trace_result result, char *message)
{
	static const int statuses[] = {
		[TRACE_COMMAND_MISSING] = EXIT_MISSING,
		[TRACE_COMMAND_REFUSED] = EXIT_REFUSED,
		[TRACE_FAILED] = EXIT_FORKTAX,
	};

	clear_progress(rounds);
	complain(rounds->name, 0, "%s", message);
	free(message);
	return statuses[result];
}

static int trace_once(const struct rounds *rounds, struct variant *variant)
{
	const struct trace_request request = {
		.argv = variant->argv,
		.environment = variant->environment,
		.no_aslr = rounds->no_aslr,
		.quiet_command = !rounds->show_output,
		.fault_level = FAULTS_CLASSES,
		.anatomy = rounds->anatomy,
		.linger_ns =
			1000000000, /* children that outlive the command by little belong to it */
	};
	struct run *run = NULL;
	char *message = NULL;
	enum trace_result result = trace__run(&request, &run, &message);

	if (result != TRACE_OK)
		return complain_trace(rounds, result, message);
	variant->runs[variant->run_count++] = run;
	if (run->asked_by) {
		clear_progress(rounds);
		return die_like(run->asked_by);
	}
	enrich__run(run);
	if (rounds->ignore_failure || (run->status == 0 && run->signal == 0))
		return 0;
	return complain_failure(rounds, variant, run->status, run->signal);
}

static int trace_all(struct rounds *rounds)
{
	for (size_t i = 0; i < rounds->count; i++)
		rounds->variants[i].runs = checked_calloc(rounds->traced, sizeof(struct run *));
	for (size_t round = 0; round < rounds->traced; round++) {
		for (size_t i = 0; i < rounds->count; i++) {
			struct variant *variant = turn(rounds, round, i);
			int status;

			show_progress(rounds, "tracing", round + 1, rounds->traced, variant->label);
			status = trace_once(rounds, variant);
			if (status)
				return status;
		}
	}
	return 0;
}

/* Better now than after the timed rounds. */
static int check_capabilities(const struct rounds *rounds)
{
	const char *missing = trace__missing_privileges();

	if (!rounds->traced || !missing)
		return 0;
	return complain(rounds->name, EXIT_FORKTAX,
			"tracing needs %s: run it as root, or do without it by --traced-runs 0",
			missing);
}

int rounds__measure(struct rounds *rounds)
{
	int status;

	if (!rounds->count)
		return 0;
	status = check_capabilities(rounds);
	if (status)
		return status;
	/* It has no effect on ourselves, only on what we execute from now on. */
	if (rounds->no_aslr && rounds->timed && personality(ADDR_NO_RANDOMIZE) < 0)
		return complain(rounds->name, EXIT_FORKTAX, "--no-aslr: %s", strerror(errno));
	if (rounds->timed)
		status = time_all(rounds);
	if (!status && rounds->traced)
		status = trace_all(rounds);
	clear_progress(rounds);
	return status;
}
