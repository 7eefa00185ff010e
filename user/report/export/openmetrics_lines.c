// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/export/openmetrics_lines.h"

#include <inttypes.h>

#include "format/escape.h"

void metric__begin(FILE *stream, const struct metric_family *family)
{
	fprintf(stream, "# HELP forktax_%s %s\n# TYPE forktax_%s gauge\n", family->name, family->help,
		family->name);
}

static void write_label(FILE *stream, const char *separator, const char *name, const char *value)
{
	fprintf(stream, "%s%s=", separator, name);
	escape__quote(stream, value);
}

void metric__write(FILE *stream, const char *family, const char *const *labels, uint64_t value)
{
	fprintf(stream, "forktax_%s", family);
	for (size_t i = 0; labels[i]; i += 2)
		write_label(stream, i ? "," : "{", labels[i], labels[i + 1]);
	fprintf(stream, "%s %" PRIu64 "\n", labels[0] ? "}" : "", value);
}
