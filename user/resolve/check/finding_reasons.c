// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/finding_reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/check_names.h"
#include "analysis/check/check_result.h"
#include "analysis/check/finding_lines.h"
#include "analysis/check/page_reasons.h"
#include "analysis/lines/line_sums.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "resolve/check/image_reasons.h"

/* Why a line of a script forks more. */

static bool is_line(const struct check_names *names, const struct script_line *line, const char *name)
{
	autofree char *own = check_names__line(names, line);

	return own && !strcmp(own, name);
}

static void say_place(struct check_finding *finding, const struct line_sum *sum)
{
	autofree char *place = script_line__place(sum->line);

	const char *execute = number__plural((double)sum->children, "executes", "execute");

	if (sum->programs)
		check_finding__say(finding, "%s: %s, which %s %s%s", place,
				   quantity__count(sum->children, "fork", "forks").text, execute, sum->programs,
				   sum->program_count > PROGRAMS_NAMED ? " and others" : "");
	else
		check_finding__say(finding, "%s: %s, which never %s a program", place,
				   quantity__count(sum->children, "fork", "forks").text, execute);
}

static void say_places(struct check_finding *finding, const struct check_names *names)
{
	struct line_sums sums = line_sums__of(names->run);

	for (size_t i = 0; i < sums.count; i++)
		if (is_line(names, sums.list[i].line, finding->name))
			say_place(finding, &sums.list[i]);
	line_sums__free(&sums);
}

/* Where the line is now, what its children execute, and which others are new. `names` may be NULL. */
static void line_reasons__add(struct check_finding *finding, const struct check_result *result,
			      const struct check_names *names)
{
	if (names && names->run->lines)
		say_places(finding, names);
	if (check_finding__is_new_line(finding) && finding_lines__gone(result))
		check_finding__say(finding, "lines that are new fork %s, lines that are gone forked %s",
				   quantity__count(finding_lines__new(result), "time", "times").text,
				   quantity__count(finding_lines__gone(result), "time", "times").text);
}

enum { REASONS_MOST = 4 }; /* of one finding; a line says how many more there are */

/* Processes: the groups that have more children. */
static void explain_life(struct check_finding *finding, const struct check_result *result)
{
	const bool execs = !strcmp(finding->name, lifecycle_counters[LIFE_EXECS].key);

	if (!execs && strcmp(finding->name, lifecycle_counters[LIFE_PROCESSES].key) != 0)
		return;
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];

		if (other->kind == BASELINE_LIFE && check_finding__fails(other) &&
		    !strcmp(other->name, CHILDREN_OF_GROUP) && (!execs || strstr(other->of, ", exec of ")))
			check_finding__say(finding, "%s: %" PRIu64 ", %" PRIu64 " before", other->of, other->now_least,
					   other->then_most);
	}
}

/* The object of "getppid of ./prog". */
static const char *object_of(const struct check_finding *finding)
{
	const char *of = strstr(finding->name, " of ");

	return of ? of + strlen(" of ") : finding->name;
}

static bool bound_before(const struct check_result *result, const char *of)
{
	for (size_t i = 0; i < result->then->metric_count; i++)
		if (result->then->metrics[i].kind == BASELINE_BOUND && !strcmp(result->then->metrics[i].of, of))
			return true;
	return false;
}

/* What is new was bound before the fork by what was lost, if something was. */
static const char *lost_binding(const struct check_finding *finding, const struct check_result *result,
				const struct check_names *names)
{
	if (finding->then_most)
		return NULL;
	if (context__binds_now(result->then) && !context__binds_now(&result->now))
		return "LD_BIND_NOW";
	return image__lost_bind_now(result, object_of(finding), names) ? "-z now" : NULL;
}

static void explain_bound(struct check_finding *finding, const struct check_result *result,
			  const struct check_names *names)
{
	const struct baseline_metric *before = baseline_context__metric(
		result->then, finding->of, BASELINE_LIFE, CHILDREN_OF_GROUP);
	const char *lost = lost_binding(finding, result, names);

	if (!before)
		check_finding__say(finding, "there were no such children before");
	else if (lost)
		check_finding__say(finding, "%s was lost: it bound this before the fork, once for all "
				   "children", lost);
	else if (!bound_before(result, finding->of))
		check_finding__say(finding, "no child bound anything before: LD_BIND_NOW or -z now was "
				   "lost, the parent no longer calls this before it forks, or "
				   "children call it only now");
	else
		check_finding__say(finding, "the parent had not called it from there when it forked");
}

/* As in "LD_BIND_NOW=1": the value that the variable has in the context; NULL: it is not set there. */
static const char *setting_in(const struct baseline_context *context, const char *name)
{
	const size_t length = strcspn(name, "=");

	for (size_t i = 0; i < context->metric_count; i++)
		if (context->metrics[i].kind == BASELINE_SETTING && !strncmp(context->metrics[i].name, name, length) &&
		    context->metrics[i].name[length] == '=')
			return context->metrics[i].name;
	return NULL;
}

static void explain_setting(struct check_finding *finding, const struct check_result *result)
{
	const char *before = setting_in(result->then, finding->name);
	const char *now = setting_in(&result->now, finding->name);

	if (finding->now_most && before)
		check_finding__say(finding, "it was %s when the baseline was made", before);
	else if (finding->now_most)
		check_finding__say(finding, "it was not set when the baseline was made");
	else if (now)
		check_finding__say(finding, "it was set when the baseline was made, and is %s now", now);
	else
		check_finding__say(finding, "it was set when the baseline was made, and is not now");
}

static void explain(struct check_finding *finding, const struct check_result *result, const struct check_names *names)
{
	switch (finding->kind) {
	case BASELINE_CALLS:
	case BASELINE_FAILED:
		call_reasons__add(finding, result, names);
		break;
	case BASELINE_LINE:
		line_reasons__add(finding, result, names);
		break;
	case BASELINE_LIFE:
		explain_life(finding, result);
		break;
	case BASELINE_PAGES:
		page_reasons__add(finding, result, names);
		break;
	case BASELINE_LIBRARY:
		library_reasons__add(finding, result, names);
		break;
	case BASELINE_IMAGE:
		image_reasons__add(finding, result, names);
		break;
	case BASELINE_BOUND:
		explain_bound(finding, result, names);
		break;
	case BASELINE_SETTING:
		explain_setting(finding, result);
		break;
	default:
		break;
	}
}

/* What does not fit a page is counted. */
static void shorten(struct check_finding *finding)
{
	const size_t left = finding->reason_count - REASONS_MOST;

	if (finding->reason_count <= REASONS_MOST + 1)
		return;
	for (size_t i = REASONS_MOST; i < finding->reason_count; i++)
		free(finding->reasons[i]);
	finding->reasons[REASONS_MOST] = text__of("and %zu more", left);
	finding->reason_count = REASONS_MOST + 1;
}

/* Pages that two metrics count are reported once. */
static bool refer(struct check_finding *finding, const struct check_result *result)
{
	for (const struct check_finding *other = result->findings; other < finding; other++) {
		if (other->kind != BASELINE_PAGES || finding->kind != BASELINE_PAGES || !check_finding__fails(other) ||
		    strcmp(other->of, finding->of) != 0 || !page_reasons__are_same(finding, other, result))
			continue;
		check_finding__say(finding, "they are those of \"%s\"", other->name);
		return true;
	}
	return false;
}

void finding_reasons__add(struct check_result *result, const struct check_names *names)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];

		if (!check_finding__fails(finding) || refer(finding, result))
			continue;
		explain(finding, result, names);
		shorten(finding);
	}
}
