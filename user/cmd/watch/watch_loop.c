// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/watch/watch_loop.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "analysis/watch/watch_budget.h"
#include "base/autofree.h"
#include "base/clock.h"
#include "base/notify.h"
#include "calibrate/watch_trial.h"
#include "cmd/commands.h"
#include "cmd/watch/watch_pools.h"
#include "cmd/watch/watch_profiles.h"
#include "launch/interrupt.h"
#include "model/watch/watch_words.h"
#include "report/watch/watch_textfile.h"
#include "report/watch/watch_view.h"
#include "saved/watch_json.h"
#include "source/watching.h"

struct loop {
	const struct watch_loop_request *request;
	struct watching *watching;
	struct watch_view *view;
	struct watch_sample *before; /* the last one ... */
	double before_ns; /* ... and when it was taken */
	double next_pools; /* when pools are to be read again */
	struct watch_budget budget;
	struct watch_trial uncounted; /* while nothing counts */
	bool knows_costs;
	struct interrupt interrupt;
	int resized_fd; /* readable when the terminal has another size */
	double next, end; /* when the next sample is due, and the last one; CLOCK_MONOTONIC, nanoseconds */
	struct watch_profiles profiles;
	bool textfile_failed; /* the last time; it has been said */
	bool is_over;
	int status;
};

static double own_cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* A full or read-only directory may become writable again: the next sample tries it. */
static void write_textfile(struct loop *loop, const struct watch_sample *sample)
{
	autofree char *message = NULL;
	bool failed = watch_textfile__write(loop->request->textfile, sample, &message) != 0;

	if (failed && !loop->textfile_failed)
		print_error("watch", 0, "%s; forktax tries again with each sample", message);
	else if (!failed && loop->textfile_failed)
		print_error("watch", 0, "%s is up to date again", loop->request->textfile);
	loop->textfile_failed = failed;
}

static void write_line(struct loop *loop, const struct watch_sample *sample)
{
	autofree char *line = watch_json__line(sample);

	puts(line);
	if (fflush(stdout)) {
		loop->status = finish_stdout("watch");
		loop->is_over = true;
	}
}

static int fail(struct loop *loop, const char *message)
{
	loop->is_over = true;
	loop->status = print_error("watch", EXIT_FORKTAX, "%s", message);
	return -1;
}

/* Then the difference of two samples' times is not the time that passed. */
static bool clock_was_set(const struct loop *loop, const struct watch_sample *sample, double now)
{
	return loop->before && fabs(sample->time - loop->before->time - (now - loop->before_ns) / 1e9) > 0.5;
}

/* 50 ms of CPU time a minute. */
static void read_pools(struct loop *loop)
{
	const double pause = (double)loop->request->pools_ns;

	if (!loop->before || loop->is_over || clock__now_ns() < loop->next_pools)
		return;
	watch_pools__read(loop->watching, loop->before, fmax(pause * 50e6 / 60e9, 50e6));
	loop->next_pools = clock__now_ns() + pause;
}

/* A view has the screen: what it could not say is said at the end. */
static void say_doubts(struct loop *loop)
{
	autofree char *doubt = NULL;
	uint64_t count;

	if (loop->view)
		return;
	doubt = watching__take_doubt(loop->watching, &count);
	if (count > 1)
		print_error("watch", 0, "warning: %s (and %" PRIu64 " more warnings)", doubt, count - 1);
	else if (doubt)
		print_error("watch", 0, "warning: %s", doubt);
}

static void take_sample(struct loop *loop)
{
	const struct watch_loop_request *request = loop->request;
	autofree char *message = NULL;
	struct watch_sample *sample = watching__sample(loop->watching, &message);
	const double now = clock__now_ns();

	if (!sample) {
		fail(loop, message);
		return;
	}
	say_doubts(loop);
	sample->own_cpu_seconds = own_cpu_seconds();
	watch_budget__add(&loop->budget, loop->before, sample, (now - loop->before_ns) / 1e9);
	if (request->textfile)
		write_textfile(loop, sample);
	/* Not with the first sample: the first interval begins there, and what was copied before is in its profile. */
	if (request->pprof_dir && loop->before)
		watch_profiles__write(&loop->profiles, loop->watching, sample);
	if (request->as_lines)
		write_line(loop, sample);
	if (loop->view)
		watch_view__show(loop->view, clock_was_set(loop, sample, now) ? NULL : loop->before, sample);
	watch_sample__free(loop->before);
	loop->before = sample;
	loop->before_ns = now;
}

/* Without a terminal, SIGHUP asks for a sample at once, as it asks other services to read their files again. */
static void look_at_signals(struct loop *loop)
{
	int signal = interrupt__came(&loop->interrupt);

	if (!signal)
		return;
	if (signal != SIGHUP || loop->view || isatty(STDIN_FILENO)) {
		loop->is_over = true;
		return;
	}
	interrupt__forget(&loop->interrupt);
	take_sample(loop);
}

static void look_at_view(struct loop *loop, bool has_keys)
{
	struct signalfd_siginfo info;
	bool is_resized = false;

	while (loop->resized_fd >= 0 && read(loop->resized_fd, &info, sizeof(info)) == sizeof(info))
		is_resized = true;
	if (is_resized)
		watch_view__resized(loop->view);
	if (has_keys && !watch_view__read_keys(loop->view))
		loop->is_over = true;
}

/* Waits for the first event, and handles it. */
static void wait_once(struct loop *loop, uint64_t watchdog_ns)
{
	struct pollfd fds[] = {
		{ .fd = loop->interrupt.fd, .events = POLLIN },
		{ .fd = watching__event_fd(loop->watching), .events = POLLIN },
		{ .fd = loop->view ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = loop->resized_fd, .events = POLLIN },
	};
	double left = fmin(loop->next, loop->end) - clock__now_ns();

	if (watchdog_ns)
		left = fmin(left, (double)watchdog_ns / 2);
	left = fmax(left, 0);
	poll(fds, sizeof(fds) / sizeof(fds[0]), left > 6e10 ? 60000 : (int)ceil(left / 1e6));
	watching__take_in(loop->watching);
	look_at_signals(loop);
	if (loop->view)
		look_at_view(loop, fds[2].revents != 0);
}

/* What the programs of a level do costs that much more than nothing, by how they meet what happens. */
static void find_costs(struct loop *loop, enum watch_level level)
{
	for (int meeting = 0; loop->knows_costs && meeting < WATCH_MEETINGS; meeting++) {
		struct watch_costs *costs = &loop->budget.costs[level][meeting];
		struct watch_trial counted;

		*costs = (struct watch_costs){ 0 };
		if (watching__set_trial(loop->watching, meeting) && watch_trial__run(&counted))
			*costs = watch_trial__added(&loop->uncounted, &counted);
		if (level > WATCH_CLASSES) /* no program looks: a difference is chance */
			costs->fault = costs->write = 0;
		if (level > WATCH_TOTALS)
			costs->call = 0;
	}
	watching__set_trial(loop->watching, WATCH_MEETINGS);
}

/* Counts less than before, or more again, if the budget wants that. */
static void follow_budget(struct loop *loop)
{
	const enum watch_level before = loop->before->level, level = watch_budget__choose(&loop->budget, before);
	autofree char *message = NULL;

	if (level == before)
		return;
	if (!loop->view && level > before)
		print_error("watch", 0,
			    "forktax needed more than %g %% of all CPUs: it counts less now, at level %s (--budget)",
			    loop->request->budget * 100, watch_level_keys[level]);
	else if (!loop->view)
		print_error("watch", 0,
			    "forktax needed less than half of %g %% of all CPUs: it counts more again, at level %s "
			    "(--step-up-after)",
			    loop->request->budget * 100, watch_level_keys[level]);
	if (watching__change_level(loop->watching, level, &message))
		fail(loop, message);
	else
		find_costs(loop, level);
}

static void watch(struct loop *loop)
{
	const uint64_t watchdog_ns = notify__watchdog_ns();
	const double every = (double)loop->request->every_ns;

	loop->next = clock__now_ns() + every;
	loop->end = loop->request->duration_ns ? clock__now_ns() + (double)loop->request->duration_ns : INFINITY;
	take_sample(loop);
	notify__say("READY=1");
	while (!loop->is_over) {
		wait_once(loop, watchdog_ns);
		if (watchdog_ns)
			notify__say("WATCHDOG=1");
		if (loop->is_over || clock__now_ns() >= loop->end || watching__is_over(loop->watching))
			break;
		if (clock__now_ns() < loop->next)
			continue;
		read_pools(loop);
		take_sample(loop);
		if (!loop->is_over)
			follow_budget(loop);
		loop->next = fmax(loop->next + every, clock__now_ns());
	}
}

/* The last sample has everything up to the end. */
static void end(struct loop *loop)
{
	autofree char *message = NULL;

	notify__say("STOPPING=1");
	watch_view__close(loop->view);
	loop->view = NULL;
	if (loop->status)
		return;
	if (watching__stop(loop->watching, &message))
		fail(loop, message);
	else
		take_sample(loop);
	if (!loop->status && loop->textfile_failed)
		loop->status = print_error("watch", EXIT_FORKTAX, "%s is not up to date", loop->request->textfile);
	if (!loop->status && loop->profiles.failed)
		loop->status = print_error("watch", EXIT_FORKTAX, "the last profile is not in %s",
					   loop->request->pprof_dir);
}

static int open_resized(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int begin(struct loop *loop)
{
	const struct watch_loop_request *request = loop->request;
	autofree char *message = NULL;

	loop->budget.share = request->budget;
	loop->budget.wanted = request->level;
	loop->budget.up_after = (double)request->up_after_ns / 1e9;
	loop->budget.cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
	loop->knows_costs = watch_trial__run(&loop->uncounted);
	loop->watching = watching__open(request->whom, request->level, &message);
	if (!loop->watching)
		return fail(loop, message);
	find_costs(loop, request->level);
	watch_profiles__begin(&loop->profiles);
	if (request->whom->on_ready)
		request->whom->on_ready(request->whom, request->whom->ready_context);
	if (!request->as_view)
		return 0;
	loop->resized_fd = open_resized();
	loop->view = watch_view__open(STDIN_FILENO, STDOUT_FILENO, &message);
	return loop->view ? 0 : fail(loop, message);
}

int watch_loop__run(const struct watch_loop_request *request)
{
	struct loop loop = {
		.request = request,
		.resized_fd = -1,
		.profiles = { .directory = request->pprof_dir, .keep = request->pprof_keep },
	};

	interrupt__begin(&loop.interrupt);
	if (!begin(&loop)) {
		watch(&loop);
		end(&loop);
	}
	if (loop.watching)
		watching__close(loop.watching);
	if (loop.resized_fd >= 0)
		close(loop.resized_fd);
	watch_profiles__release(&loop.profiles);
	watch_sample__free(loop.before);
	interrupt__end(&loop.interrupt);
	return loop.status;
}
