// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "saved/check.h"
#include "saved/document.h"
#include "saved/measured.h"

static const struct shape *const shapes[SAVED_FAMILY_COUNT] = {
	[SAVED_RUN] = &run_shape,
	[SAVED_BENCH] = &bench_shape,
	[SAVED_COMPARISON] = &comparison_shape,
	[SAVED_BINDNOW] = &bindnow_shape,
	[SAVED_WORKERS] = &workers_shape,
	[SAVED_BASELINE] = &check_baseline_shape,
	[SAVED_DOCTOR] = &doctor_shape,
};

/* The family that an object claims, in any version. Without a claim: a run, which is then refused. */
static enum saved_family family_of(struct json_object *root)
{
	const char *schema = NULL;

	if (json_object_is_type(root, json_type_object))
		schema = json_object_get_string(json_object_object_get(root, "schema"));
	for (int i = 0; i < SAVED_FAMILY_COUNT && schema; i++) {
		const char *name = shapes[i]->document;

		if (!strncmp(schema, name, strchr(name, '/') + 1 - name))
			return i;
	}
	return SAVED_RUN;
}

static struct run *read_run(struct json_object *root, char **reason)
{
	struct run *run = run__new();

	*reason = document__read(&run_shape, root, run);
	if (!*reason)
		*reason = run__contradiction(run);
	if (!*reason)
		return run;
	run__free(run);
	return NULL;
}

static struct bench *read_bench(struct json_object *root, char **reason)
{
	struct bench *bench = bench__new(BENCH_FORK);

	*reason = document__read(&bench_shape, root, bench);
	if (!*reason)
		*reason = bench__contradiction(bench);
	if (!*reason)
		return bench;
	bench__free(bench);
	return NULL;
}

/* Checks the runs that the columns hold. */
static char *contradiction(const struct measured *measured)
{
	char *found = NULL;

	for (size_t i = 0; i < measured->column_count && !found; i++)
		for (size_t k = 0; k < measured->columns[i].run_count && !found; k++)
			found = run__contradiction(measured->columns[i].runs[k]);
	if (found)
		text__replace(&found, "one of its runs: %s", found);
	return found;
}

static int read_measured(struct json_object *root, const struct shape *shape,
			 struct measured *measured, char **reason)
{
	*reason = document__read(shape, root, measured);
	if (!*reason)
		*reason = contradiction(measured);
	if (!*reason)
		return 0;
	if (measured->columns)
		compare_columns__free(measured->columns, measured->column_count);
	bindnow_files__free(&measured->files);
	return -1;
}

static struct comparison *read_comparison(struct json_object *root, char **reason)
{
	struct measured measured = { 0 };

	if (read_measured(root, &comparison_shape, &measured, reason))
		return NULL;
	return comparison__new(measured.columns, measured.column_count, measured.baseline);
}

static struct bindnow *read_bindnow(struct json_object *root, char **reason)
{
	struct measured measured = { 0 };
	struct bindnow *bindnow;

	if (read_measured(root, &bindnow_shape, &measured, reason))
		return NULL;
	bindnow = bindnow__new(measured.columns, &measured.files);
	bindnow->was_set = measured.was_set;
	bindnow->is_secure = measured.is_secure;
	return bindnow;
}

static struct workers *read_workers(struct json_object *root, char **reason)
{
	struct workers *workers = checked_calloc(1, sizeof(*workers));

	*reason = document__read(&workers_shape, root, workers);
	if (!*reason)
		*reason = workers__contradiction(workers);
	if (!*reason && workers->flow)
		workers_flow__find_half_lives(workers->flow);
	if (!*reason)
		return workers;
	workers__free(workers);
	return NULL;
}

static struct baseline *read_baseline(struct json_object *root, char **reason)
{
	struct baseline *baseline = baseline__new();

	*reason = document__read(&check_baseline_shape, root, baseline);
	if (!*reason) {
		baseline__sort(baseline);
		*reason = baseline__contradiction(baseline);
	}
	if (!*reason)
		return baseline;
	baseline__free(baseline);
	return NULL;
}

static struct doctor *read_doctor(struct json_object *root, char **reason)
{
	struct doctor *doctor = checked_calloc(1, sizeof(*doctor));

	*reason = document__read(&doctor_shape, root, doctor);
	if (!*reason)
		return doctor;
	doctor__free(doctor);
	return NULL;
}

int saved__read(FILE *stream, struct saved *what, char **reason)
{
	struct json_object *root = document__parse(stream, reason);

	*what = (struct saved){ 0 };
	if (*reason)
		return -1;
	what->family = family_of(root);
	switch (what->family) {
	case SAVED_BENCH:
		what->bench = read_bench(root, reason);
		break;
	case SAVED_COMPARISON:
		what->comparison = read_comparison(root, reason);
		break;
	case SAVED_BINDNOW:
		what->bindnow = read_bindnow(root, reason);
		break;
	case SAVED_WORKERS:
		what->workers = read_workers(root, reason);
		break;
	case SAVED_BASELINE:
		what->baseline = read_baseline(root, reason);
		break;
	case SAVED_DOCTOR:
		what->doctor = read_doctor(root, reason);
		break;
	default:
		what->run = read_run(root, reason);
		break;
	}
	json_object_put(root);
	return *reason ? -1 : 0;
}

int saved__load(const char *path, struct saved *what, char **reason)
{
	FILE *stream = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int result;

	*what = (struct saved){ 0 };
	if (!stream)
		return error__set(reason, "%s", strerror(errno));
	result = saved__read(stream, what, reason);
	if (stream != stdin)
		fclose(stream);
	return result;
}

void saved__free(struct saved *what)
{
	run__free(what->run);
	bench__free(what->bench);
	comparison__free(what->comparison);
	bindnow__free(what->bindnow);
	workers__free(what->workers);
	baseline__free(what->baseline);
	doctor__free(what->doctor);
	*what = (struct saved){ 0 };
}

int saved__write_run(const struct run *run, FILE *stream)
{
	return document__write(&run_shape, run, stream);
}

int saved__write_bench(const struct bench *bench, FILE *stream)
{
	return document__write(&bench_shape, bench, stream);
}

int saved__write_comparison(const struct comparison *comparison, FILE *stream)
{
	const struct measured measured = {
		.columns = comparison->columns,
		.column_count = comparison->column_count,
		.baseline = comparison->baseline,
		.comparison = comparison,
	};

	return document__write(&comparison_shape, &measured, stream);
}

int saved__write_bindnow(const struct bindnow *bindnow, const char *verdict, FILE *stream)
{
	const struct measured measured = {
		.columns = bindnow->comparison->columns,
		.column_count = bindnow->comparison->column_count,
		.was_set = bindnow->was_set,
		.is_secure = bindnow->is_secure,
		.files = bindnow->files,
		.comparison = bindnow->comparison,
		.bindnow = bindnow,
		.verdict = verdict,
	};

	return document__write(&bindnow_shape, &measured, stream);
}

int saved__write_workers(const struct workers *workers, FILE *stream)
{
	return document__write(&workers_shape, workers, stream);
}

int saved__write_baseline(const struct baseline *baseline, FILE *stream)
{
	return document__write(&check_baseline_shape, baseline, stream);
}

int saved__write_doctor(const struct doctor *doctor, FILE *stream)
{
	return document__write(&doctor_shape, doctor, stream);
}

void saved__write_schema(enum saved_family family, FILE *stream)
{
	document__write_schema(shapes[family], stream);
}

const char *saved__schema_name(enum saved_family family)
{
	return shapes[family]->document;
}
