// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/watch/watch_textfile.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/escape.h"
#include "format/output.h"
#include "model/watch/watch.h"
#include "model/words/dictionary.h"

/* Lines of OpenMetrics: their names begin with forktax_. */

struct metric_family {
	const char *name, *help;
};

#define METRIC(stream, family, value, ...) \
	metric__write(stream, family, (const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL }, value)

static void metric__begin_as(FILE *stream, const struct metric_family *family, const char *type)
{
	fprintf(stream, "# HELP forktax_%s %s\n# TYPE forktax_%s %s\n", family->name, family->help, family->name, type);
}

static void write_label(FILE *stream, const char *separator, const char *name, const char *value)
{
	fprintf(stream, "%s%s=", separator, name);
	escape__quote(stream, value);
}

static void write_series(FILE *stream, const char *family, const char *const *labels)
{
	fprintf(stream, "forktax_%s", family);
	for (size_t i = 0; labels[i]; i += 2)
		write_label(stream, i ? "," : "{", labels[i], labels[i + 1]);
	fputs(labels[0] ? "} " : " ", stream);
}

/* Labels: name, value, name, value, ..., NULL. */
static void metric__write(FILE *stream, const char *family, const char *const *labels, uint64_t value)
{
	write_series(stream, family, labels);
	fprintf(stream, "%" PRIu64 "\n", value);
}

/* The same of a number: in as few digits as give it again. */
static void metric__write_number(FILE *stream, const char *family, const char *const *labels, double value)
{
	char digits[32];
	int precision = 15;

	do
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
	while (precision++ < 17 && strtod(digits, NULL) != value);
	write_series(stream, family, labels);
	fprintf(stream, "%s\n", digits);
}

/* What is written. */
struct textfile {
	const struct watch_sample *sample;
	const char *version, *kernel;
	FILE *stream;
};

struct watch_metric {
	struct metric_family family;
	const char *type;
	enum watch_level level; /* and those that count more */
	void (*write)(const struct textfile *file, const struct watch_metric *metric);
	size_t place; /* of what is written */
};

static uint64_t count_at(const void *self, size_t place)
{
	return *(const uint64_t *)((const char *)self + place);
}

static void of_units(const struct textfile *file, const struct watch_metric *metric)
{
	for (size_t i = 0; i < file->sample->unit_count; i++) {
		const struct watch_unit *unit = &file->sample->units[i];

		METRIC(file->stream, metric->family.name, count_at(unit, metric->place), "unit", unit->name);
	}
}

static void of_host(const struct textfile *file, const struct watch_metric *metric)
{
	METRIC(file->stream, metric->family.name, count_at(&file->sample->host, metric->place));
}

static void of_pools(const struct textfile *file, const struct watch_metric *metric)
{
	for (size_t i = 0; i < file->sample->unit_count; i++) {
		const struct watch_unit *unit = &file->sample->units[i];

		if (unit->pool.read_at > 0)
			METRIC(file->stream, metric->family.name, count_at(&unit->pool, metric->place), "unit",
			       unit->name);
	}
}

static void write_groups(const struct textfile *file, const struct watch_metric *metric, const struct watch_unit *unit)
{
	for (size_t i = 0; i < unit->group_count; i++) {
		const struct watch_group *group = &unit->groups[i];

		METRIC(file->stream, metric->family.name, group->children, "unit", unit->name, "parent", group->parent,
		       "birth", birth_counters[group->birth].key, "fate", watch_fate_keys[group->fate]);
	}
}

static void of_groups(const struct textfile *file, const struct watch_metric *metric)
{
	for (size_t i = 0; i < file->sample->unit_count; i++)
		write_groups(file, metric, &file->sample->units[i]);
}

/* Of all births and classes there would be 55 series of a unit, and most never count anything. */
static void write_classes(const struct textfile *file, const struct watch_metric *metric, const struct watch_unit *unit)
{
	for (int birth = 0; birth < BIRTH_COUNT; birth++)
		for (int class = 0; class < FAULT_COUNT; class++)
			if (unit->by_birth[birth][class])
				METRIC(file->stream, metric->family.name, unit->by_birth[birth][class], "unit",
				       unit->name, "birth", birth_counters[birth].key, "class",
				       fault_counters[class].key);
}

static void of_classes(const struct textfile *file, const struct watch_metric *metric)
{
	for (size_t i = 0; i < file->sample->unit_count; i++)
		write_classes(file, metric, &file->sample->units[i]);
}

/* Prometheus wants each bucket to contain those below it. */
static void write_fork_calls(const struct textfile *file, const char *family, const struct watch_unit *unit)
{
	autofree char *bucket = text__of("%s_bucket", family), *sum = text__of("%s_sum", family);
	autofree char *count = text__of("%s_count", family);
	const char *labels[] = { "le", NULL, unit->name ? "unit" : NULL, unit->name, NULL };
	uint64_t calls = 0;

	for (int i = 0; i <= WATCH_FORK_BUCKETS; i++) {
		calls += unit->fork_calls[i];
		labels[1] = watch_fork_bound_keys[i];
		metric__write(file->stream, bucket, labels, calls);
	}
	metric__write_number(file->stream, sum, labels + 2, (double)unit->fork_ns / 1e9);
	metric__write(file->stream, count, labels + 2, calls);
}

static void of_fork_calls(const struct textfile *file, const struct watch_metric *metric)
{
	for (size_t i = 0; i < file->sample->unit_count; i++)
		write_fork_calls(file, metric->family.name, &file->sample->units[i]);
}

static void of_host_fork_calls(const struct textfile *file, const struct watch_metric *metric)
{
	write_fork_calls(file, metric->family.name, &file->sample->host);
}

static void of_sample(const struct textfile *file, const struct watch_metric *metric)
{
	METRIC(file->stream, metric->family.name, count_at(file->sample, metric->place));
}

static void of_seconds(const struct textfile *file, const struct watch_metric *metric)
{
	const double *seconds = (const double *)((const char *)file->sample + metric->place);

	metric__write_number(file->stream, metric->family.name, (const char *const[]){ NULL }, *seconds);
}

static void of_exactness(const struct textfile *file, const struct watch_metric *metric)
{
	METRIC(file->stream, metric->family.name, file->sample->is_exact);
}

static void of_levels(const struct textfile *file, const struct watch_metric *metric)
{
	for (int level = 0; level < WATCH_LEVELS; level++)
		METRIC(file->stream, metric->family.name, file->sample->level == (enum watch_level)level, "level",
		       watch_level_keys[level]);
}

static void of_cost(const struct textfile *file, const struct watch_metric *metric)
{
	metric__write_number(file->stream, metric->family.name, (const char *const[]){ "part", "process", NULL },
			     file->sample->own_cpu_seconds);
	metric__write_number(file->stream, metric->family.name, (const char *const[]){ "part", "kernel", NULL },
			     file->sample->program_seconds);
}

static void of_build(const struct textfile *file, const struct watch_metric *metric)
{
	METRIC(file->stream, metric->family.name, 1, "version", file->version, "kernel", file->kernel);
}

/* The offset of a member, which has the type that the row's function reads. */
#define PLACE(type, member, of) \
	offsetof(type, member) + \
		0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((type *)0)->member), of) ? 1 : -1])
#define UNIT(member) PLACE(struct watch_unit, member, uint64_t)
#define POOL(member) PLACE(struct watch_pool, member, uint64_t)
#define SAMPLE(member) PLACE(struct watch_sample, member, uint64_t)
#define SECONDS(member) PLACE(struct watch_sample, member, double)
#define NOTHING 0
static const struct watch_metric metrics[] = {
#define WATCH_METRIC(name, type, labels, level, write, place, help) \
	{ { name, help }, #type, WATCH_##level, write, place },
#include "report/watch/watch_metrics.def"
#undef WATCH_METRIC
};

void watch_textfile__print(const struct watch_sample *sample, const char *version, const char *kernel, FILE *stream)
{
	const struct textfile file = { sample, version, kernel, stream };

	assert(sample->unit_count <= WATCH_UNITS_MOST + 1);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		if (sample->level > metrics[i].level)
			continue;
		metric__begin_as(stream, &metrics[i].family, metrics[i].type);
		metrics[i].write(&file, &metrics[i]);
	}
}

int watch_textfile__write(const char *path, const struct watch_sample *sample, char **message)
{
	struct output *output = output__open(path, NULL, message);
	struct utsname system;

	if (!output)
		return -1;
	uname(&system);
	watch_textfile__print(sample, FORKTAX_VERSION, system.release, output__stream(output));
	return output__commit(output, message);
}
