/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines of OpenMetrics: their names begin with forktax_.
 */
#ifndef FORKTAX_REPORT_EXPORT_OPENMETRICS_LINES_H
#define FORKTAX_REPORT_EXPORT_OPENMETRICS_LINES_H

#include <stdint.h>
#include <stdio.h>

struct metric_family {
	const char *name, *help;
};

void metric__begin_as(FILE *stream, const struct metric_family *family, const char *type);
/* Labels: name, value, name, value, ..., NULL. */
void metric__write(FILE *stream, const char *family, const char *const *labels, uint64_t value);
/* The same of a number: in as few digits as give it again. */
void metric__write_number(FILE *stream, const char *family, const char *const *labels, double value);

#define METRIC(stream, family, value, ...) \
	metric__write(stream, family, (const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL }, value)

#endif
