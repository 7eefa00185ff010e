/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A running samples/server: what it listens on, what it has used, and how it ends. It leads a process
 * group, dies with forktax, and leaves no process behind.
 */
#ifndef FORKTAX_MEASURE_SERVE_SERVE_SERVER_H
#define FORKTAX_MEASURE_SERVE_SERVE_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "launch/interrupt.h"
#include "serve_page.h"

/* What a server needs to start. Descriptors are closed on exec until they are shared. */
struct serve_endpoint {
	int listener, page_fd; /* -1: none */
	uint16_t port; /* that it listens on */
	struct serve_page *page; /* shared with it */
};

/* On any port that is free. Returns 0, or -1 and stores a reason (to be freed). */
int serve_endpoint__open(struct serve_endpoint *endpoint, char **reason);
/* Lets processes started from now on inherit the descriptors, or not. */
void serve_endpoint__share(const struct serve_endpoint *endpoint, bool shared);
void serve_endpoint__close(struct serve_endpoint *endpoint);

struct serve_server {
	struct serve_endpoint *endpoint;
	pid_t pid; /* and its process group */
	int pidfd, errors; /* the end of its stderr that is ours */
};

/* Starts it and waits until it serves: 0. Else nothing runs: -1 with a reason (to be freed). */
int serve_server__start(struct serve_server *server, struct serve_endpoint *endpoint, char *const *argv,
			char *const *environment, struct interrupt *interrupt, char **reason);
/* Why it has ended, to be freed; NULL: it is still running. */
char *serve_server__exit_reason(const struct serve_server *server);
void serve_server__stop(struct serve_server *server);

/* What its processes have used since they began, including those that have ended. */
struct serve_usage {
	double cpu_ns, minor_faults;
};

/* Waits until it is idle, at most a second. False: a signal came, or the server has ended. */
bool serve_server__wait_idle(const struct serve_server *server, struct interrupt *interrupt);
/* Of an idle server. False: it does not answer. */
bool serve_server__usage(const struct serve_server *server, struct serve_usage *usage);
/* Of its living processes. NAN: cannot be read here. */
void serve_server__memory(const struct serve_server *server, double *pss, double *unshared);

#endif
