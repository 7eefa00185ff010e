// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workers_every.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/autofree.h"
#include "base/clock.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "cmd/print.h"
#include "format/screen.h"
#include "launch/interrupt.h"
#include "pool/pool.h"
#include "pool/pool_members.h"
#include "report/workers/workers_report.h"

/* Where each look goes. */
enum looks {
	LOOKS_ARE_LINES,
	LOOKS_ARE_SCREENS, /* each in the place of the one before */
};

/* Reads a pool repeatedly, although its members may change. */
struct watch {
	const struct workers_every *request;
	enum looks looks;
	struct screen screen;
	struct workers *last;
	struct identity identity; /* of the pool */
	struct pool_baseline baseline; /* of the first look */
	char *reason; /* why there is nothing to see any more */
};

enum { OTHERS_MOST = 3 }; /* that may end while they are looked at */

static struct workers *look_at(struct watch *watch, pid_t pid, char **reason)
{
	const struct pool_request request = {
		.pid = pid,
		.may_be_alone = true, /* also if all workers have ended */
		.baseline = &watch->baseline,
		.every = watch->request->sample,
	};

	return pool__look_at(&request, reason);
}

/*
 * Finds the pool by another member if that one has ended, perhaps by one that was created after the
 * last reading.
 */
static struct workers *look_on(struct watch *watch)
{
	struct workers *workers = look_at(watch, watch->request->pid, &watch->reason);

	for (int i = 0; !workers && watch->identity.size && i < OTHERS_MOST; i++) {
		pid_t other = pool_members__any(&watch->identity);
		autofree char *reason = NULL;

		if (!other)
			break;
		workers = look_at(watch, other, &reason);
	}
	if (workers && !watch->identity.size)
		identity__read(&watch->identity, workers__member_pid(workers, 0));
	return workers;
}

/* Its members may have ended during the reading: the next reading finds the others. */
static bool is_over(const struct watch *watch)
{
	return !watch->identity.size || !pool_members__any(&watch->identity);
}

/* "11:36:19, every 10 s until Ctrl-C" */
static char *title_of(const struct workers *workers, uint64_t every_ns)
{
	const time_t second = workers->started / 1000000000;
	struct tm local;
	char clock[16];

	localtime_r(&second, &local);
	strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	return text__of("%s, every %g s until Ctrl-C", clock, every_ns / 1e9);
}

static int show(const struct watch *watch)
{
	struct report_options options = *watch->request->display;
	autofree char *title = NULL;
	int status;

	switch (watch->looks) {
	case LOOKS_ARE_LINES:
		workers_line__print(watch->last, stdout);
		return finish_stdout("workers");
	case LOOKS_ARE_SCREENS:
		break;
	}
	title = title_of(watch->last, watch->request->every_ns);
	options.screen_title = title;
	status = print_workers("workers", watch->last, &options, stdout);
	return status;
}

/* Takes the state. */
static int show_next(struct watch *watch, struct workers *workers)
{
	workers__free(watch->last);
	watch->last = workers;
	return show(watch);
}

/* True: it is time; false: a signal came, or the screen cannot be drawn. */
static bool wait_until(struct watch *watch, struct interrupt *interrupt, double ns, int *status)
{
	struct pollfd fds[] = {
		{ .fd = interrupt->fd, .events = POLLIN },
		{ .fd = watch->screen.resized_fd, .events = POLLIN },
	};
	double left = ns - clock__now_ns();

	while (left > 0 && !interrupt__came(interrupt) && !*status) {
		poll(fds, 2, left > 6e10 ? 60000 : (int)ceil(left / 1e6));
		if (watch->looks == LOOKS_ARE_SCREENS && screen__was_resized(&watch->screen))
			*status = show(watch);
		left = ns - clock__now_ns();
	}
	return !interrupt__came(interrupt) && !*status;
}

static int watch_pool(struct watch *watch, struct interrupt *interrupt)
{
	double next = clock__now_ns();
	int status = 0;

	if (watch->looks == LOOKS_ARE_LINES)
		workers_line__head(stdout);
	do {
		struct workers *workers = look_on(watch);

		if (!workers && is_over(watch))
			return print_error("workers", watch->last ? 0 : EXIT_FORKTAX, "%s", watch->reason);
		free(watch->reason);
		watch->reason = NULL;
		if (workers)
			status = show_next(watch, workers);
		next = fmax(next + watch->request->every_ns, clock__now_ns());
	} while (!status && wait_until(watch, interrupt, next, &status));
	/* The terminal has written ^C where the cursor was. */
	if (watch->looks == LOOKS_ARE_SCREENS && interrupt__came(interrupt))
		putchar('\n');
	return status;
}

/* Is the report for programs, which want one document? */
static bool is_document(const struct report_options *display)
{
	bool is = display->json;

	for (int i = 0; i < TABLE_STYLE_COUNT; i++)
		is |= display->formats[i] && i != TABLE_TEXT;
	return is;
}

int workers_every__check(const struct report_options *display)
{
	if (is_document(display))
		return print_error("workers", EXIT_USAGE, "--every prints repeatedly: leave out --json, --csv, --html "
						       "and the like, which save a single report");
	if (display->path)
		return print_error("workers", EXIT_USAGE, "--every prints to stdout: leave out -o");
	return 0;
}

static enum looks looks_now(void)
{
	return screen__is_one(stdout) ? LOOKS_ARE_SCREENS : LOOKS_ARE_LINES;
}

int workers_every__run(const struct workers_every *request)
{
	struct watch watch = {
		.request = request,
		.looks = looks_now(),
		.screen = { .resized_fd = -1 },
	};
	struct interrupt interrupt;
	int status;

	if (watch.looks == LOOKS_ARE_SCREENS)
		screen__begin(&watch.screen);
	interrupt__begin(&interrupt);
	status = watch_pool(&watch, &interrupt);
	interrupt__end(&interrupt);
	if (watch.looks == LOOKS_ARE_SCREENS)
		screen__end(&watch.screen);
	workers__free(watch.last);
	pool_baseline__release(&watch.baseline);
	free(watch.reason);
	return status;
}
