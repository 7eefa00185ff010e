/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The request server of `forktax bench serve`: one program, one model per -m. No stdio, so that its
 * processes are as small as each libc allows.
 */
#ifndef SERVER_H
#define SERVER_H

#include <sys/types.h>

#include "serve_page.h"

enum { WORKERS_MAX = 1024 };

struct server {
	int socket; /* listening */
	long workers;
	const char *shell; /* of the model "shell" */
	unsigned long resident; /* bytes that the serving process has written */
	struct serve_page *page; /* never NULL */
};

/* children.c: everything that is forked, reaped and ended. */
void children__begin(struct serve_page *page);
/* fork(), or the server ends and says why. */
pid_t children__fork(void);
/*
 * A process that stays as long as the server; in it the function returns 0. It dies with its
 * parent. If it ends before, the server says so and ends.
 */
pid_t children__keep(void);
void children__reap(void); /* those that have ended; does not wait */
void children__watch(void); /* from now on ends of children are noticed by SIGCHLD */
/* This process forks and reaps for the server from now on. */
void children__become_daemon(void);
void children__ready(void);
/* Says what has failed, ends kept processes and this one. errno says why unless it is 0. */
void children__fail(const char *what) __attribute__((noreturn));

/* request.c */
int request__take(const struct server *server); /* a new connection */
int request__read(int connection); /* false: there is no whole request */
void request__answer(int connection); /* reads, answers, closes */
extern const char request_answer[];

/* models.c: NULL if there is none of that name. It does not return. */
typedef void model_fn(const struct server *server);
model_fn *models__find(const char *name);

/* passing.c: models that hand connections over a Unix socket. */
model_fn passing__workers, passing__daemon;
/* resident.c */
void server__carry(const struct server *server); /* writes the resident memory */

#endif
