/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `forktax bench serve`: a small request server (samples/server) in several models and linkages,
 * under a load of our own. One operation is one connection: connect, request, answer, close.
 */
#ifndef FORKTAX_MEASURE_SERVE_SERVE_H
#define FORKTAX_MEASURE_SERVE_SERVE_H

#include "measure/engine.h"
#include "measure/loop/loops.h"

enum serve_model {
	SERVE_FORK,
	SERVE_EXEC,
	SERVE_PREFORK,
	SERVE_PASSING,
	SERVE_DAEMON,
	SERVE_THREADS,
	SERVE_DASH,
	SERVE_BASH,
	SERVE_MODEL_COUNT,
};

struct serve_model_facts {
	const char *key; /* in --models, unique */
	const char *name; /* of its row */
	const char *option; /* -m of samples/server */
	const char *shell; /* NULL: none is needed */
	const char *what; /* one phrase for people */
};

extern const struct serve_model_facts serve_models[SERVE_MODEL_COUNT];

enum {
	SERVE_WORKERS = 8, /* default, as many as connections at once */
	SERVE_WORKERS_MAX = 1024,
	SERVE_CONCURRENCY_MAX = 4096, /* what the kernel lets wait for accept(2) */
	SERVE_ROUNDS = 10,
};
#define SERVE_MIN_TIME_NS   300000000u
#define SERVE_REQUESTS_MAX  10000000u /* in a round: each keeps its duration in memory */
#define SERVE_RESIDENT_MAX  (1ull << 44)

struct serve_settings {
	bool models[SERVE_MODEL_COUNT], linkages[LOOP_COUNT]; /* those wanted */
	uint32_t workers, concurrency; /* > 0 */
	uint64_t resident; /* bytes that the serving process has written in advance */
	const char *loops; /* directory of programs; NULL: the usual places */
};

struct serve_settings serve_settings__default(void);

/* Cells of the plan that cannot be measured here say why. */
struct bench_plan *bench_serve__plan(const struct serve_settings *settings);

#endif
