// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/export/openmetrics_lines.h"

#include <inttypes.h>
#include <stdlib.h>

#include "format/escape.h"

void metric__begin_as(FILE *stream, const struct metric_family *family, const char *type)
{
	fprintf(stream, "# HELP forktax_%s %s\n# TYPE forktax_%s %s\n", family->name, family->help,
		family->name, type);
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

void metric__write(FILE *stream, const char *family, const char *const *labels, uint64_t value)
{
	write_series(stream, family, labels);
	fprintf(stream, "%" PRIu64 "\n", value);
}

void metric__write_number(FILE *stream, const char *family, const char *const *labels, double value)
{
	char digits[32];
	int precision = 15;

	do
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
	while (precision++ < 17 && strtod(digits, NULL) != value);
	write_series(stream, family, labels);
	fprintf(stream, "%s\n", digits);
}
