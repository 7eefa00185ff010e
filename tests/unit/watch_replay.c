// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The live view and the textfile without a watch, for tests. watch-replay MILLISECONDS FILE... shows one saved sample
 * after another, and stays with the last one until a key or a signal ends it. watch-replay --textfile PROM FILE
 * writes a textfile.
 */
#include <err.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "model/watch/watch_words.h"
#include "report/watch/watch_textfile.h"
#include "report/watch/watch_view.h"
#include "saved/saved.h"

static struct watch_sample *load(const char *path)
{
	struct saved saved;
	char *reason;

	if (saved__load(path, &saved, &reason) < 0 || !saved.watch_sample)
		errx(2, "cannot read %s", path);
	return saved.watch_sample;
}

static int open_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGWINCH);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	return signalfd(-1, &signals, SFD_CLOEXEC);
}

/* False: end. */
static bool heed_signal(struct watch_view *view, int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info) || info.ssi_signo != SIGWINCH)
		return false;
	watch_view__resized(view);
	return true;
}

static int write_textfile(const char *path, const struct watch_sample *sample)
{
	char *message;

	if (watch_textfile__write(path, sample, &message) < 0)
		errx(1, "%s", message);
	return 0;
}

static int show_all(int argc, char **argv)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = open_signals(), .events = POLLIN } };
	struct watch_sample *before = NULL, *now;
	struct watch_view *view;
	char *reason;
	int next = 2, ready;
	bool goes_on = true;

	view = watch_view__open(STDIN_FILENO, STDOUT_FILENO, &reason);
	if (!view)
		errx(1, "%s", reason);
	while (goes_on) {
		if (next < argc) {
			now = load(argv[next++]);
			watch_view__show(view, before, now);
			watch_sample__free(before);
			before = now;
		}
		ready = poll(fds, 2, next < argc ? atoi(argv[1]) : -1);
		if (ready > 0 && fds[1].revents)
			goes_on = heed_signal(view, fds[1].fd);
		if (ready > 0 && fds[0].revents && goes_on)
			goes_on = watch_view__read_keys(view);
	}
	watch_view__close(view);
	return 0;
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	if (argc < 3)
		errx(2, "usage: watch-replay MILLISECONDS FILE... | --textfile PROM FILE");
	return strcmp(argv[1], "--textfile") ? show_all(argc, argv) : write_textfile(argv[2], load(argv[3]));
}
