// SPDX-License-Identifier: GPL-2.0-or-later
/* What tools that draw a line through many commits read: numbers by name, less is better. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/escape.h"
#include "report/check/check_report.h"

enum { NAME_MOST = 1000 }; /* bytes; Bencher reads 1024 */

/* A metric of a command that was measured, and its name; to be freed. */
static char *series_name(const struct check_result *result, const struct check_finding *finding)
{
	autofree char *metric = check_words__metric(finding);
	char *name = text__of("%s: %s: %s", result->check->name, finding->of, metric);

	return name;
}

/* Bencher takes no longer ones. Cuts before the begin of a character of UTF-8. */
static void shorten(char *name)
{
	size_t length = NAME_MOST;

	if (strlen(name) <= NAME_MOST)
		return;
	while (length && (name[length] & 0xc0) == 0x80)
		length--;
	name[length] = '\0';
}

/* Texts that are 1 or 0 are no series. */
static bool is_number(const struct check_finding *finding)
{
	return baseline_kinds[finding->kind].gates && finding->kind != BASELINE_IMAGE &&
	       finding->kind != BASELINE_SETTING;
}

typedef void write_fn(FILE *stream, const struct check_result *result,
		      const struct check_finding *finding, const char *name);

/* What is not exact is nobody's number. */
static void write_all(const struct check_results *results, FILE *stream, const char *ends,
		      write_fn *write)
{
	const char *before = "\n";

	putc(ends[0], stream);
	for (size_t i = 0; i < results->count; i++) {
		const struct check_result *result = &results->results[i];

		for (size_t k = 0; k < result->finding_count && result->outcome != CHECK_INEXACT; k++) {
			char *name;

			if (!is_number(&result->findings[k]))
				continue;
			name = series_name(result, &result->findings[k]);
			shorten(name);
			fputs(before, stream);
			write(stream, result, &result->findings[k], name);
			before = ",\n";
			free(name);
		}
	}
	fprintf(stream, "\n%c\n", ends[1]);
}

/* The most of all runs, as it is held against the baseline. */
static void write_benchmark(FILE *stream, const struct check_result *result,
			    const struct check_finding *finding, const char *name)
{
	autofree char *reasons = check_words__reasons(finding);

	fputs("{\"name\":", stream);
	escape__quote(stream, name);
	fprintf(stream, ",\"unit\":\"%s\",\"value\":%" PRIu64, baseline_kinds[finding->kind].unit,
		finding->now_most);
	if (finding->now_least != finding->now_most)
		fprintf(stream, ",\"range\":\"%" PRIu64 "..%" PRIu64 "\"", finding->now_least,
			finding->now_most);
	if (*reasons) {
		fputs(",\"extra\":", stream);
		escape__quote(stream, reasons);
	}
	putc('}', stream);
}

static void write_bencher(FILE *stream, const struct check_result *result,
			  const struct check_finding *finding, const char *name)
{
	escape__quote(stream, name);
	fprintf(stream,
		":{\"%s\":{\"value\":%" PRIu64 ",\"lower_value\":%" PRIu64 ",\"upper_value\":%" PRIu64 "}}",
		baseline_kinds[finding->kind].unit, finding->now_most, finding->now_least,
		finding->now_most);
}

void check_benchmark__write(const struct check_results *results, FILE *stream)
{
	write_all(results, stream, "[]", write_benchmark);
}

void check_bencher__write(const struct check_results *results, FILE *stream)
{
	write_all(results, stream, "{}", write_bencher);
}
