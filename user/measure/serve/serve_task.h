/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One cell of `forktax bench serve`: each round starts the server again, warms it up, puts it under
 * load, examines it, and ends it.
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
};

/* Copies the program; to be freed by ops->free. */
struct bench_task *serve_task__new(const struct serve_program *program);
/* The command line to run it by hand, to be freed. */
char *serve_program__command(const struct serve_program *program);

/* Its command line to serve on that endpoint, to be freed by text__free_list(). */
char **serve_argv__new(const struct serve_program *program, const struct serve_endpoint *endpoint);
/* Our environment with its variable, to be freed by text__free_list(); NULL: ours unchanged. */
char **serve_environment__new(const struct serve_program *program);

/* For ops->trace: traces the same server while another process makes the load. */
enum bench_outcome serve_trace__run(const struct serve_program *program, uint64_t count, struct interrupt *interrupt,
				    double per_op[PER_OP_COUNT], char **reason);

#endif
