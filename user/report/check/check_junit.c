// SPDX-License-Identifier: GPL-2.0-or-later
/* JUnit XML as GitLab, Jenkins and others read it: what is worse failed, what is not comparable was skipped. */
#include <stdlib.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/html/html_page.h"
#include "report/check/check_report.h"

static void write_attribute(FILE *stream, const char *name, const char *value)
{
	fprintf(stream, " %s=\"", name);
	html__text(stream, value);
	putc('"', stream);
}

static void begin_case(FILE *stream, const struct check_result *result, const char *name)
{
	fputs("    <testcase", stream);
	write_attribute(stream, "classname", result->check->name);
	write_attribute(stream, "name", name);
	fputs(">", stream);
}

/* `element` is failure, error or skipped. Some readers show the attribute, others the text. */
static void write_end(FILE *stream, const char *element, const char *message)
{
	fprintf(stream, "<%s", element);
	write_attribute(stream, "message", message);
	fputs(">", stream);
	html__text(stream, message);
	fprintf(stream, "</%s>", element);
}

static void write_failure(FILE *stream, const struct check_finding *finding)
{
	autofree char *change = check_words__change(finding);

	fputs("<failure", stream);
	write_attribute(stream, "message", change);
	fputs(" type=\"regression\">", stream);
	html__text(stream, change);
	for (size_t i = 0; i < finding->reason_count; i++) {
		putc('\n', stream);
		html__text(stream, finding->reasons[i]);
	}
	fputs("</failure>", stream);
}

static void write_finding(FILE *stream, const struct check_result *result, const struct check_finding *finding)
{
	autofree char *name = check_words__title(result, finding);

	begin_case(stream, result, name);
	if (check_finding__fails(finding))
		write_failure(stream, finding);
	fputs("</testcase>\n", stream);
}

/* What is said of the command as a whole is a test case, too. */
static void write_whole(FILE *stream, const struct check_result *result)
{
	static const char *const elements[CHECK_OUTCOME_COUNT] = {
		[CHECK_NOT_COMPARABLE] = "skipped",
		[CHECK_INEXACT] = "error",
		[CHECK_REGRESSED] = "failure",
	};

	begin_case(stream, result, "the command");
	if (result->reason)
		write_end(stream, elements[result->outcome], result->reason);
	fputs("</testcase>\n", stream);
}

static bool is_judged(const struct check_result *result)
{
	return result->outcome == CHECK_HELD || result->outcome == CHECK_REGRESSED;
}

static void write_suite(FILE *stream, const struct check_result *result)
{
	const bool judged = is_judged(result);
	const size_t tests = 1 + (judged ? check_result__cases(result) : 0);
	const bool failed = result->outcome == CHECK_REGRESSED && result->reason;

	fputs("  <testsuite", stream);
	write_attribute(stream, "name", result->check->name);
	fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%d\">\n", tests,
		(judged ? check_result__failed_causes(result) : 0) + failed,
		result->outcome == CHECK_INEXACT, result->outcome == CHECK_NOT_COMPARABLE);
	write_whole(stream, result);
	for (size_t i = 0; judged && i < result->finding_count; i++)
		if (baseline_kinds[result->findings[i].kind].gates && !result->findings[i].part)
			write_finding(stream, result, &result->findings[i]);
	fputs("  </testsuite>\n", stream);
}

void check_junit__write(const struct check_results *results, FILE *stream)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"forktax check\">\n", stream);
	for (size_t i = 0; i < results->count; i++)
		write_suite(stream, &results->results[i]);
	fputs("</testsuites>\n", stream);
}
