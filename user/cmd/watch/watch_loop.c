// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/watch/watch_loop.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analysis/watch/watch_cost.h"
#include "base/autofree.h"
#include "base/clock.h"
#include "base/notify.h"
#include "base/text.h"
#include "calibrate/watch_trial.h"
#include "cmd/commands.h"
#include "cmd/watch/textfile_lock.h"
#include "cmd/watch/watch_pools.h"
#include "launch/interrupt.h"
#include "model/watch/watch.h"
#include "report/watch/watch_textfile.h"
#include "saved/saved.h"
#include "source/watching.h"

struct loop {
	const struct watch_loop_request *request;
	struct watching *watching;
	struct watch_sample *before; /* the last one */
	double next_pools; /* when pools are to be read again */
	size_t next_unit; /* the first whose pool is read then */
	struct watch_costs costs[WATCH_MEETINGS]; /* of the kernel half; 0: not known */
	double program_seconds; /* that it took so far */
	struct interrupt interrupt;
	double next, end; /* when the next sample is due, and the last one; CLOCK_MONOTONIC, nanoseconds */
	struct textfile_lock lock; /* of the text file */
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

static int fail(struct loop *loop, const char *message)
{
	loop->is_over = true;
	loop->status = print_error("watch", EXIT_FORKTAX, "%s", message);
	return -1;
}

static int refuse_textfile(struct loop *loop)
{
	autofree char *message = text__of("another forktax watch writes %s: end that one, or write another file",
					  loop->request->textfile);

	return fail(loop, message);
}

/* A full or read-only directory may become writable again: the next sample tries it. */
static void write_textfile(struct loop *loop, const struct watch_sample *sample)
{
	const char *path = loop->request->textfile;
	const enum textfile_lock_state state = textfile_lock__take(&loop->lock);
	autofree char *message = NULL;
	bool failed = true;

	if (state == LOCK_OF_ANOTHER) {
		refuse_textfile(loop);
		return;
	}
	if (state == LOCK_FAILED)
		message = text__of("cannot write %s: cannot lock %s: %s", path, loop->lock.path, strerror(errno));
	else
		failed = watch_textfile__write(path, sample, &message) != 0;

	if (failed && !loop->textfile_failed)
		print_error("watch", 0, "%s; forktax tries again with each sample", message);
	else if (!failed && loop->textfile_failed)
		print_error("watch", 0, "%s is up to date again", path);
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

/* Reading takes a 1200th of the time at most: a pool is read as a whole, and what takes longer is made up for. */
static const double POOLS_EVERY_NS = 300e9, POOLS_CPU_NS = 250e6;

static void read_pools(struct loop *loop)
{
	double taken;

	if (clock__now_ns() < loop->next_pools)
		return;
	taken = watch_pools__read(loop->watching, loop->before, POOLS_CPU_NS, &loop->next_unit);
	loop->next_pools = clock__now_ns() + POOLS_EVERY_NS * fmax(1, taken / POOLS_CPU_NS);
}

static void say_doubts(struct loop *loop)
{
	uint64_t count;
	autofree char *doubt = watching__take_doubt(loop->watching, &count);
	char *loss;

	if (count > 1)
		print_error("watch", 0, "warning: %s (and %" PRIu64 " more warnings)", doubt, count - 1);
	else if (doubt)
		print_error("watch", 0, "warning: %s", doubt);
	for (; (loss = watching__take_loss(loop->watching)); free(loss))
		print_error("watch", 0, "warning: not exact: %s", loss);
}

static void take_sample(struct loop *loop)
{
	autofree char *message = NULL;
	struct watch_sample *sample = watching__sample(loop->watching, &message);

	if (!sample) {
		fail(loop, message);
		return;
	}
	say_doubts(loop);
	sample->own_cpu_seconds = own_cpu_seconds();
	loop->program_seconds += watch_cost__seconds(loop->costs, loop->before, sample);
	sample->program_seconds = loop->program_seconds;
	if (loop->request->textfile)
		write_textfile(loop, sample);
	else
		write_line(loop, sample);
	watch_sample__free(loop->before);
	loop->before = sample;
}

/* Without a terminal, SIGHUP asks for pools and a sample, as it asks other services to read their files again. */
static void look_at_signals(struct loop *loop)
{
	int signal = interrupt__came(&loop->interrupt);

	if (!signal)
		return;
	if (signal != SIGHUP || isatty(STDIN_FILENO)) {
		loop->is_over = true;
		return;
	}
	interrupt__forget(&loop->interrupt);
	loop->next_pools = loop->next_unit = 0;
	read_pools(loop);
	take_sample(loop);
}

/* Waits for the first event, and handles it. */
static void wait_once(struct loop *loop, uint64_t watchdog_ns)
{
	struct pollfd fds[] = {
		{ .fd = loop->interrupt.fd, .events = POLLIN },
		{ .fd = watching__event_fd(loop->watching), .events = POLLIN },
	};
	double left = fmin(loop->next, loop->end) - clock__now_ns();

	if (watchdog_ns)
		left = fmin(left, (double)watchdog_ns / 2);
	left = fmax(left, 0);
	poll(fds, sizeof(fds) / sizeof(fds[0]), left > 6e10 ? 60000 : (int)ceil(left / 1e6));
	watching__take_in(loop->watching);
	look_at_signals(loop);
}

/* What the programs do costs that much more than nothing, by how they meet what happens. */
static void find_costs(struct loop *loop, const struct watch_trial *uncounted)
{
	for (int meeting = 0; meeting < WATCH_MEETINGS; meeting++) {
		struct watch_costs *costs = &loop->costs[meeting];
		struct watch_trial counted;

		if (watching__set_trial(loop->watching, meeting) && watch_trial__run(&counted))
			*costs = watch_trial__added(uncounted, &counted);
		if (loop->request->level != WATCH_CLASSES) /* no program looks: a difference is chance */
			costs->fault = costs->write = 0;
	}
	watching__set_trial(loop->watching, WATCH_MEETINGS);
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
		if (loop->is_over || clock__now_ns() >= loop->end)
			break;
		if (clock__now_ns() < loop->next)
			continue;
		read_pools(loop);
		take_sample(loop);
		loop->next = fmax(loop->next + every, clock__now_ns());
	}
}

/* The last sample has everything up to the end. */
static void end(struct loop *loop)
{
	autofree char *message = NULL;

	notify__say("STOPPING=1");
	if (loop->status)
		return;
	if (watching__stop(loop->watching, &message))
		fail(loop, message);
	else
		take_sample(loop);
	if (!loop->status && loop->textfile_failed)
		loop->status = print_error("watch", EXIT_FORKTAX, "%s is not up to date", loop->request->textfile);
}

static int begin(struct loop *loop)
{
	const struct watch_loop_request *request = loop->request;
	autofree char *message = NULL;
	struct watch_trial uncounted; /* while nothing counts */
	bool knows_costs;

	if (request->textfile) {
		loop->lock = textfile_lock__of(request->textfile);
		if (textfile_lock__take(&loop->lock) == LOCK_OF_ANOTHER)
			return refuse_textfile(loop);
	}
	knows_costs = watch_trial__run(&uncounted);
	loop->watching = watching__open(request->whom, request->level, &message);
	if (!loop->watching)
		return fail(loop, message);
	if (knows_costs)
		find_costs(loop, &uncounted);
	if (request->whom->on_ready)
		request->whom->on_ready(request->whom, request->whom->ready_context);
	return 0;
}

int watch_loop__run(const struct watch_loop_request *request)
{
	struct loop loop = { .request = request };

	interrupt__begin(&loop.interrupt);
	if (!begin(&loop)) {
		watch(&loop);
		end(&loop);
	}
	if (loop.watching)
		watching__close(loop.watching);
	watch_sample__free(loop.before);
	if (request->textfile)
		textfile_lock__release(&loop.lock);
	interrupt__end(&loop.interrupt);
	return loop.status;
}
