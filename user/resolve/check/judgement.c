// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/check/judgement.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/check/check_names.h"
#include "analysis/check/finding_groups.h"
#include "analysis/check/finding_lines.h"
#include "analysis/check/finding_makers.h"
#include "base/memory.h"
#include "base/text.h"
#include "resolve/check/finding_reasons.h"
#include "resolve/check/image_reasons.h"

/* NULL: that side has no such metric. */
static void add_finding(struct check_result *result, const struct baseline_metric *then,
			const struct baseline_metric *now)
{
	const struct baseline_metric *any = then ? then : now;
	struct check_finding *finding = &result->findings[result->finding_count++];

	*finding = (struct check_finding){ .of = any->of, .name = any->name, .kind = any->kind };
	if (then) {
		finding->then_least = then->least;
		finding->then_most = then->most;
	}
	if (now) {
		finding->now_least = now->least;
		finding->now_most = now->most;
	}
	finding->change = check_change__of(any->kind, then, now);
}

/* All metrics of both sides. */
static void add_findings(struct check_result *result)
{
	const struct baseline_context *then = result->then, *now = &result->now;

	result->findings = checked_calloc(then->metric_count + now->metric_count, sizeof(*result->findings));
	for (size_t i = 0; i < then->metric_count; i++)
		add_finding(result, &then->metrics[i], baseline_context__like(now, &then->metrics[i]));
	for (size_t i = 0; i < now->metric_count; i++)
		if (!baseline_context__like(then, &now->metrics[i]))
			add_finding(result, NULL, &now->metrics[i]);
}

static int by_kind(const void *left, const void *right)
{
	const struct check_finding *a = left, *b = right;
	int of = strcmp(a->of, b->of);

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	return of ? of : strcmp(a->name, b->name);
}

static void find(struct check_result *result, const struct check_names *names)
{
	add_findings(result);
	for (size_t i = 0; i < result->finding_count; i++) {
		struct check_finding *finding = &result->findings[i];

		if (finding->kind == BASELINE_IMAGE && finding->change == CHANGE_WORSE &&
		    image__loses_nothing(result->then, finding->name, names))
			finding->change = CHANGE_BETTER;
	}
	/* What an executable is no longer is nothing better, if what it is instead is worse. */
	for (size_t i = 0; i < result->finding_count; i++)
		if (result->findings[i].kind == BASELINE_IMAGE && !result->findings[i].now_most &&
		    image__is_linked_worse(result, result->findings[i].name))
			result->findings[i].change = CHANGE_NONE;
	finding_lines__pair(result);
	if (result->finding_count) /* qsort() wants no NULL, not even for nothing */
		qsort(result->findings, result->finding_count, sizeof(*result->findings), by_kind);
}

static bool is_alike(const struct baseline_context *a, const struct baseline_context *b, size_t part)
{
	return !strcmp(baseline_context__part(a, part), baseline_context__part(b, part));
}

/* What tells the two places apart, in words; to be freed. */
static char *difference(const struct baseline_context *then, const struct baseline_context *now)
{
	static const char *const names[CONTEXT_PARTS] = { "", "Linux ", "", "huge pages ", "counted by " };
	char *text = NULL;

	for (size_t i = 0; i < CONTEXT_PARTS; i++)
		if (!is_alike(then, now, i))
			text__replace(&text, "%s%s%s%s instead of %s", text ? text : "", text ? ", " : "", names[i],
				      baseline_context__part(now, i), baseline_context__part(then, i));
	return text;
}

static size_t alike(const struct baseline_context *a, const struct baseline_context *b)
{
	size_t count = 0;

	for (size_t i = 0; i < CONTEXT_PARTS; i++)
		count += is_alike(a, b, i);
	return count;
}

/* The context of the baseline that has most in common with this one; NULL: the baseline has no context. */
static const struct baseline_context *nearest(const struct baseline_check *check, const struct baseline_context *now)
{
	const struct baseline_context *best = NULL;

	for (size_t i = 0; i < check->context_count; i++)
		if (!best || alike(&check->contexts[i], now) > alike(best, now))
			best = &check->contexts[i];
	return best;
}

enum { SOURCE_PART = 4 };

/* strace does not count these: the one side has them, the other one cannot. */
static bool needs_ebpf(enum baseline_kind kind)
{
	return kind == BASELINE_LIBRARY || kind == BASELINE_BOUND || kind == BASELINE_LINE || kind == BASELINE_PAGES ||
	       kind == BASELINE_CACHED;
}

static bool differ_in_source_alone(const struct baseline_context *then, const struct baseline_context *now)
{
	return !is_alike(then, now, SOURCE_PART) && alike(then, now) == CONTEXT_PARTS - 1;
}

static void drop_what_needs_ebpf(struct check_result *result)
{
	size_t kept = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (!needs_ebpf(result->findings[i].kind))
			result->findings[kept++] = result->findings[i];
	result->finding_count = kept;
}

static void say_not_comparable(struct check_result *result, const struct check_names *names)
{
	const struct baseline_context *then = nearest(result->check, &result->now);
	char *differs = then ? difference(then, &result->now) : NULL;
	size_t others;

	result->then = then;
	result->outcome = CHECK_NOT_COMPARABLE;
	if (!then) {
		result->reason = text__of("no baseline for this kernel or machine");
		return;
	}
	find(result, names);
	if (differ_in_source_alone(then, &result->now))
		drop_what_needs_ebpf(result);
	others = check_result__failures(result) + check_result__improvements(result);
	if (!others && result->status == result->check->status && differ_in_source_alone(then, &result->now)) {
		result->outcome = CHECK_HELD;
		result->reason = text__of("%s: page faults, libraries and lines of scripts are not compared", differs);
		free(differs);
		return;
	}
	result->reason = others ? text__of("%s; %zu metrics differ", differs, others)
				: text__of("%s; all metrics are as there", differs);
	free(differs);
}

static void judge(struct check_result *result, const struct check_names *names)
{
	find(result, names);
	finding_groups__join(result);
	finding_makers__join(result);
	finding_reasons__add(result, names);
	if (result->status != result->check->status) {
		result->outcome = CHECK_REGRESSED;
		result->reason = text__of("it ended with status %d instead of %d", result->status,
					  result->check->status);
	} else if (check_result__failures(result)) {
		result->outcome = CHECK_REGRESSED;
	}
}

struct check_result check_result__of(const struct baseline_check *check, struct baseline_context *now,
				     const struct run *run, const char *here, int32_t status, char *inexact)
{
	struct check_result result = {
		.check = check,
		.now = *now,
		.status = status,
		.then = baseline_check__context(check, now),
	};
	struct check_names names = { 0 };

	*now = (struct baseline_context){ 0 };
	if (run)
		names = check_names__of(run, here);
	if (inexact) {
		result.outcome = CHECK_INEXACT;
		result.reason = inexact;
	} else if (!result.then) {
		say_not_comparable(&result, run ? &names : NULL);
	} else {
		judge(&result, run ? &names : NULL);
	}
	if (run)
		check_names__release(&names);
	return result;
}
