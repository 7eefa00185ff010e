/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One cell of `forktax bench serve`: for each round the server is started anew, warmed up, put
 * under load, looked at, and ended.
 */
#ifndef FORKTAX_MEASURE_SERVE_SERVE_TASK_H
#define FORKTAX_MEASURE_SERVE_SERVE_TASK_H

#include "measure/serve/serve_server.h"
#include "measure/task.h"

struct serve_program {
	const char *path; /* of the server */
	const char *model, *shell; /* -m and -s; shell NULL: none */
	const char *environment; /* "NAME=value" to be added to ours; NULL: nothing */
	uint32_t workers, concurrency;
	uint64_t resident;
	uint16_t port; /* 0: any */
};

/* All is copied; to be freed by ops->free. */
struct bench_task *serve_task__new(const struct serve_program *program);
/* How to run it by hand, to be freed. */
char *serve_program__command(const struct serve_program *program);

/* The words of a command line that serves there, to be freed by text__free_list(). */
char **serve_argv__new(const struct serve_program *program, const struct serve_endpoint *endpoint);
/* Our environment with one more variable, to be freed likewise; NULL: ours as it is. */
char **serve_environment__new(const struct serve_program *program);

/* For ops->trace: the same server under tracing, with a process beside it that makes the load. */
enum bench_outcome serve_trace__run(const struct serve_program *program, uint64_t count,
				    struct interrupt *interrupt, double per_op[PER_OP_COUNT],
				    char **reason);

#endif
