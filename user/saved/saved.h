/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What forktax saves as JSON, and reads again: runs (docs/schema.md), measurements of forktax bench
 * (docs/schema-bench.md), comparisons (docs/schema-compare.md), measurements of forktax bindnow
 * (docs/schema-bindnow.md), pools of workers (docs/schema-workers.md), what forktax check holds
 * commands to (docs/schema-check.md), and what forktax doctor has found.
 */
#ifndef FORKTAX_SAVED_SAVED_H
#define FORKTAX_SAVED_SAVED_H

#include <stdio.h>

#include "analysis/bindnow/bindnow.h"
#include "model/baseline/baseline.h"
#include "model/bench/bench.h"
#include "model/doctor/doctor.h"
#include "model/run/run.h"
#include "model/workers/workers.h"

/* The message for a file that forktax has not saved. */
#define NO_SAVED_RUN "JSON, but not a saved run of forktax"

enum saved_family {
	SAVED_RUN,
	SAVED_BENCH,
	SAVED_COMPARISON,
	SAVED_BINDNOW,
	SAVED_WORKERS,
	SAVED_BASELINE,
	SAVED_DOCTOR,
	SAVED_FAMILY_COUNT
};

/* The pointer of the family is set, the others are NULL. */
struct saved {
	enum saved_family family;
	struct run *run;
	struct bench *bench;
	struct comparison *comparison;
	struct bindnow *bindnow;
	struct workers *workers;
	struct baseline *baseline;
	struct doctor *doctor;
};

/*
 * Loads a file; "-" is stdin. Returns 0, or -1 and stores a one-line reason (to be freed): the file
 * cannot be read, is not JSON, is cut off, was not saved by forktax, has a newer schema, or
 * contradicts itself. On failure `what` still has the family, if that much was there.
 */
int saved__load(const char *path, struct saved *what, char **reason);
int saved__read(FILE *stream, struct saved *what, char **reason);
void saved__free(struct saved *what); /* what it holds, if anything */

/*
 * These write one JSON object and a newline. Bytes that are not UTF-8 are replaced. They return 0,
 * or -1 with errno if the stream failed: the caller then discards the file.
 */
int saved__write_run(const struct run *run, FILE *stream);
int saved__write_bench(const struct bench *bench, FILE *stream);
int saved__write_comparison(const struct comparison *comparison, FILE *stream);
/* With the verdict in words. */
int saved__write_bindnow(const struct bindnow *bindnow, const char *verdict, FILE *stream);
int saved__write_workers(const struct workers *workers, FILE *stream);
int saved__write_baseline(const struct baseline *baseline, FILE *stream);
int saved__write_doctor(const struct doctor *doctor, FILE *stream);

/* The JSON schema (2020-12) of a family. */
void saved__write_schema(enum saved_family family, FILE *stream);
/* "forktax/1", ... */
const char *saved__schema_name(enum saved_family family);

#endif
