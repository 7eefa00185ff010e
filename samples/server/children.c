/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All forking, reaping and ending of the server, and its account of what children have used.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server.h"

static struct serve_page *page;
static struct serve_reaped *account; /* of this process */
static pid_t owner; /* that process: its children inherit all this */
static pid_t kept[WORKERS_MAX + 1];
static int kept_count;

static void put(const char *text)
{
	if (write(2, text, strlen(text)) < 0)
		_exit(1);
}

static void end_kept(void)
{
	for (int i = 0; i < kept_count; i++)
		kill(kept[i], SIGTERM);
}

void children__fail(const char *what)
{
	int error = errno;

	put("server: ");
	put(what);
	if (error) {
		put(": ");
		put(strerror(error));
	}
	put("\n");
	if (getpid() == owner)
		end_kept();
	_exit(1);
}

static int is_kept(pid_t pid)
{
	for (int i = 0; i < kept_count; i++) {
		if (kept[i] == pid)
			return 1;
	}
	return 0;
}

void children__reap(void)
{
	int status, error = errno;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		errno = 0;
		if (is_kept(pid))
			children__fail("a worker has ended");
		if (WIFSIGNALED(status))
			children__fail("a child was killed");
		if (WEXITSTATUS(status))
			children__fail("a child has failed");
	}
	errno = error;
}

static void on_child(int signal)
{
	(void)signal;
	children__reap();
}

static unsigned long nanoseconds(struct timeval time)
{
	return (time.tv_sec * 1000000ul + time.tv_usec) * 1000;
}

static void on_question(int signal)
{
	struct rusage usage;
	int error = errno;

	(void)signal;
	if (getpid() != owner)
		return;
	children__reap();
	getrusage(RUSAGE_CHILDREN, &usage);
	account->cpu_ns = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
	account->minor_faults = usage.ru_minflt;
	__atomic_fetch_add(&account->reported, 1, __ATOMIC_RELEASE);
	errno = error;
}

/* Requests under way are finished. */
static void on_end(int unused)
{
	(void)unused;
	if (getpid() != owner)
		_exit(0);
	signal(SIGCHLD, SIG_DFL);
	end_kept();
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	_exit(0);
}

static void handle(int signal, void (*handler)(int))
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_RESTART;
	sigaction(signal, &action, NULL);
}

static void own(int reaper)
{
	owner = getpid();
	kept_count = 0;
	account = &page->reapers[reaper];
	account->pid = owner;
}

void children__begin(struct serve_page *shared)
{
	page = shared;
	own(REAPER_SERVER);
	handle(SIGUSR1, on_question);
	handle(SIGTERM, on_end);
	handle(SIGINT, on_end);
}

void children__become_daemon(void)
{
	own(REAPER_DAEMON);
	handle(SIGTERM, on_end);
}

pid_t children__fork(void)
{
	pid_t pid = fork();

	if (pid < 0)
		children__fail("cannot fork");
	return pid;
}

/* A signal between fork and the note of it would end the server and leave the child waiting. */
pid_t children__keep(void)
{
	pid_t parent = getpid(), pid;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = children__fork();
	if (pid) {
		kept[kept_count++] = pid;
	} else {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (getppid() != parent)
			_exit(1);
		handle(SIGTERM, SIG_DFL);
		handle(SIGINT, SIG_DFL);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

void children__watch(void)
{
	handle(SIGCHLD, on_child);
	children__reap(); /* who has ended before that */
}

void children__ready(void)
{
	__atomic_store_n(&page->ready, 1, __ATOMIC_RELEASE);
}
