/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lines of OpenMetrics: all are gauges, and their names begin with forktax_.
 */
#ifndef FORKTAX_REPORT_EXPORT_OPENMETRICS_LINES_H
#define FORKTAX_REPORT_EXPORT_OPENMETRICS_LINES_H

#include <stdint.h>
#include <stdio.h>

struct metric_family {
	const char *name, *help;
};

void metric__begin(FILE *stream, const struct metric_family *family);
/* Labels: name, value, name, value, ..., NULL. */
void metric__write(FILE *stream, const char *family, const char *const *labels, uint64_t value);

#define METRIC(stream, family, value, ...) \
	metric__write(stream, family, (const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL }, value)

#endif
