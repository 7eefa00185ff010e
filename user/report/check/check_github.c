// SPDX-License-Identifier: GPL-2.0-or-later
/* Workflow commands of GitHub Actions: lines "::error file=FILE,title=TITLE::MESSAGE". */
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/escape.h"
#include "report/check/check_report.h"

enum { LINES_MOST = 16 };

/* As the runner decodes it; in a property, `:` and `,` would end it. */
static void write_data(FILE *stream, const char *text, bool property)
{
	autofree char *safe = escape__text(text, true);

	for (const char *at = safe; *at; at++) {
		if (*at == '%' || (property && (*at == ':' || *at == ',')))
			fprintf(stream, "%%%02X", *at);
		else
			putc(*at, stream);
	}
}

/* Lines of the message are those of an annotation. */
static void write_command(FILE *stream, const char *level, const char *file, const char *title,
			  const char *const *lines, size_t count)
{
	fprintf(stream, "::%s file=", level);
	write_data(stream, file, true);
	fputs(",title=", stream);
	write_data(stream, title, true);
	fputs("::", stream);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "%0A" : "", stream);
		write_data(stream, lines[i], false);
	}
	putc('\n', stream);
}

static void write_finding(FILE *stream, const struct check_result *result,
			  const struct check_finding *finding, const char *file, const char *title)
{
	autofree char *first = check_words__line(result, finding);
	const char *lines[LINES_MOST] = { first };
	size_t count = 1;

	for (size_t i = 0; i < finding->reason_count && count < LINES_MOST; i++)
		lines[count++] = finding->reasons[i];
	write_command(stream, "error", file, title, lines, count);
}

void check_github__write(const struct check_results *results, const char *file, FILE *stream)
{
	for (size_t i = 0; i < results->count; i++) {
		const struct check_result *result = &results->results[i];
		char *title = text__of("forktax check: %s", result->check->name);
		const char *reason = result->reason;

		if (reason)
			write_command(stream, result->outcome == CHECK_NOT_COMPARABLE ? "warning" : "error",
				      file, title, &reason, 1);
		for (size_t k = 0; k < result->finding_count && result->outcome == CHECK_REGRESSED; k++)
			if (check_finding__fails(&result->findings[k]) && !result->findings[k].part)
				write_finding(stream, result, &result->findings[k], file, title);
		free(title);
	}
}
