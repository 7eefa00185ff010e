/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The models: who serves a connection.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef __dietlibc__ /* its manager thread crashes at the end */
#include <pthread.h>
#endif

#include "server.h"

/* A child for each connection, which then does `serve`. */
static void fork_each(const struct server *server,
		      void (*serve)(const struct server *server, int connection))
{
	server__carry(server);
	children__ready();
	for (;;) {
		int connection = request__take(server);

		if (children__fork() == 0) {
			serve(server, connection);
			_exit(0);
		}
		close(connection);
		children__reap();
	}
}

static void serve_here(const struct server *server, int connection)
{
	(void)server;
	request__answer(connection);
}

static void serve_by_exec(const struct server *server, int connection)
{
	(void)server;
	if (dup2(connection, 0) == 0)
		execl("/proc/self/exe", "server", "-a", (char *)NULL);
	_exit(127);
}

static void answer_by_shell(const struct server *server, int connection)
{
	char command[128] = "printf '";

	strcat(strcat(command, request_answer), "'");
	if (dup2(connection, 1) == 1)
		execl(server->shell, "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* As system(3) does it, which knows one shell only. */
static void serve_by_shell(const struct server *server, int connection)
{
	int status = 0;
	pid_t pid;

	if (!request__read(connection))
		return;
	pid = children__fork();
	if (pid == 0)
		answer_by_shell(server, connection);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		_exit(1);
}

static void model_fork(const struct server *server)
{
	fork_each(server, serve_here);
}

static void model_exec(const struct server *server)
{
	fork_each(server, serve_by_exec);
}

static void model_shell(const struct server *server)
{
	fork_each(server, serve_by_shell);
}

static void model_prefork(const struct server *server)
{
	sigset_t none;

	sigemptyset(&none);
	server__carry(server);
	for (long i = 0; i < server->workers; i++) {
		if (children__keep() == 0) {
			for (;;)
				request__answer(request__take(server));
		}
	}
	children__watch();
	children__ready();
	for (;;)
		sigsuspend(&none); /* as pause(2), which not every machine has */
}

#ifndef __dietlibc__
static void *serve_in_thread(void *connection)
{
	request__answer((int)(long)connection);
	return NULL;
}

static void model_threads(const struct server *server)
{
	pthread_attr_t detached;

	server__carry(server);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	children__ready();
	for (;;) {
		long connection = request__take(server);
		pthread_t thread;

		errno = pthread_create(&thread, &detached, serve_in_thread, (void *)connection);
		if (errno)
			children__fail("cannot create a thread");
	}
}
#endif

model_fn *models__find(const char *name)
{
	static const struct {
		const char *name;
		model_fn *model;
	} models[] = {
		{"fork", model_fork},
		{"exec", model_exec},
		{"prefork", model_prefork},
		{"passing", passing__workers},
		{"daemon", passing__daemon},
#ifndef __dietlibc__
		{"threads", model_threads},
#endif
		{"shell", model_shell},
	};

	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		if (strcmp(models[i].name, name) == 0)
			return models[i].model;
	}
	return NULL;
}
