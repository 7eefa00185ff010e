// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_reasons.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/image_reasons.h"
#include "analysis/check/library_reasons.h"
#include "analysis/check/page_reasons.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/file_calls.h"

enum { NAMESAKES_LEAST = 2 }; /* beside the first: from then on, they are one search */
enum { REASONS_MOST = 4 }; /* of one finding; a line says how many more there are */

__attribute__((format(printf, 2, 3))) static void say(struct check_finding *finding,
						      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	check_finding__say(finding, text__of_list(format, arguments));
	va_end(arguments);
}

static const struct baseline_metric *find_metric(const struct baseline_context *context, const char *of,
						 enum baseline_kind kind, const char *name)
{
	const struct baseline_metric wanted = { .of = (char *)of, .kind = kind, .name = (char *)name };

	return context->metric_count ? bsearch(&wanted, context->metrics, context->metric_count,
					       sizeof(wanted), baseline_metric__compare)
				     : NULL;
}

/* Calls: about which files there are more. */

/* The call of "openat ENOENT", or of "open (i386)". */
static const struct file_call *call_of(const struct check_finding *finding)
{
	char *name = strndup(finding->name, strcspn(finding->name, " "));
	const struct file_call *call = file_call__find(checked(name));

	free(name);
	return call;
}

static const char *const use_words[FILE_USE_COUNT] = {
	[FILE_LOOKED_AT] = "looked at", [FILE_OPENED] = "opened", [FILE_READ] = "read",
	[FILE_WRITTEN] = "written to", [FILE_MAPPED] = "mapped", [FILE_EXECUTED] = "executed",
	[FILE_CHANGED] = "changed",
};

/* How much oftener this was done with the file; 0: it was not. */
static uint64_t more_calls(const struct baseline_file *file, const struct baseline_context *then,
			   enum file_use use)
{
	const struct baseline_file *before =
		then->file_count ? bsearch(file, then->files, then->file_count, sizeof(*file),
					   baseline_file__compare) : NULL;
	const uint64_t calls = before ? before->calls[use] : 0;

	if (before && before->sightings.vary) /* as often as who knows; of the file itself: it has none */
		return 0;
	return file->calls[use] > calls ? file->calls[use] - calls : 0;
}

/*
 * Other paths of that name before the file, and in all, which also are new: a library, or a module, is
 * looked for in one directory after the other.
 */
struct namesakes {
	size_t before, all;
};

static struct namesakes find_namesakes(const struct baseline_context *now, size_t index,
				       const struct baseline_context *then, enum file_use use)
{
	const struct baseline_file *file = &now->files[index];
	struct namesakes found = { 0 };

	for (size_t i = 0; i < now->file_count; i++) {
		const struct baseline_file *other = &now->files[i];

		if (i == index || strcmp(other->of, file->of) != 0 ||
		    strcmp(text__file_name(other->path), text__file_name(file->path)) != 0 ||
		    !more_calls(other, then, use))
			continue;
		found.all++;
		found.before += i < index;
	}
	return found;
}

static void say_file(struct check_finding *finding, const struct baseline_file *file, enum file_use use,
		     uint64_t more)
{
	const uint64_t before = file->calls[use] - more;

	if (before)
		say(finding, "%s: %s %" PRIu64 " times, %" PRIu64 " before", file->path, use_words[use],
		    file->calls[use], before);
	else if (more == 1)
		say(finding, "%s: %s once, never before", file->path, use_words[use]);
	else
		say(finding, "%s: %s %" PRIu64 " times, never before", file->path, use_words[use], more);
}

static void say_files(struct check_finding *finding, const struct check_result *result,
		      enum file_use use)
{
	const struct baseline_context *then = result->then, *now = &result->now;

	for (size_t i = 0; i < now->file_count; i++) {
		const struct baseline_file *file = &now->files[i];
		const bool is_here = !strcmp(file->of, finding->of);
		const uint64_t more = is_here ? more_calls(file, then, use) : 0;
		struct namesakes others;

		if (!more)
			continue;
		others = find_namesakes(now, i, then, use);
		if (others.all < NAMESAKES_LEAST)
			say_file(finding, file, use, more);
		else if (!others.before)
			say(finding, "%s: %s in %zu directories, %s the first of them",
			    text__file_name(file->path), use_words[use], others.all + 1, file->path);
	}
}

/* There are so many more at least. */
static uint64_t increase_of(const struct check_finding *finding)
{
	return finding->now_least - finding->then_most;
}

static bool is_worse_call(const struct check_finding *other, const struct check_finding *finding)
{
	return other->kind == BASELINE_CALLS && other != finding && check_finding__fails(other) &&
	       !strcmp(other->of, finding->of);
}

/* Of calls that fail: are there more of that name, too, of "openat" beside "openat ENOENT"? */
static const struct check_finding *find_calls(const struct check_finding *finding,
					      const struct check_result *result)
{
	const size_t length = strcspn(finding->name, " ");

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];

		if (is_worse_call(other, finding) && strlen(other->name) == length &&
		    !strncmp(other->name, finding->name, length))
			return other;
	}
	return NULL;
}

static void explain_failed(struct check_finding *finding, const struct check_finding *calls)
{
	const uint64_t more = increase_of(calls), failed = increase_of(finding);

	say(finding, "of %s there are %" PRIu64 " calls more: see above", calls->name, more);
	if (failed > more)
		say(finding, "%" PRIu64 " calls fewer succeed than before", failed - more);
}

/* Files are counted by what was done with them, whatever the call: other calls that did it more often, too. */
static char *others_of_use(const struct check_finding *finding, const struct check_result *result,
			   enum file_use use)
{
	struct name_list list = { .most = 3 };

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];
		const struct file_call *call = call_of(other);

		if (is_worse_call(other, finding) && call && call->use == use)
			name_list__add(&list, other->name);
	}
	return name_list__finish(&list);
}

/* How much oftener this was done with any file. */
static uint64_t more_of_use(const struct check_finding *finding, const struct check_result *result,
			    enum file_use use)
{
	uint64_t more = 0;

	for (size_t i = 0; i < result->now.file_count; i++)
		if (!strcmp(result->now.files[i].of, finding->of))
			more += more_calls(&result->now.files[i], result->then, use);
	return more;
}

static void explain_files(struct check_finding *finding, const struct check_result *result,
			  enum file_use use)
{
	char *others = others_of_use(finding, result, use);

	if (others && more_of_use(finding, result, use) > increase_of(finding))
		say(finding, "with which files, is told of these calls together with those of %s", others);
	free(others);
	say_files(finding, result, use);
}

static void explain_calls(struct check_finding *finding, const struct check_result *result)
{
	const struct baseline_metric *now = find_metric(&result->now, finding->of, finding->kind,
							finding->name);
	const struct baseline_metric *then = find_metric(result->then, finding->of, finding->kind,
							 finding->name);
	const struct check_finding *calls =
		finding->kind == BASELINE_FAILED ? find_calls(finding, result) : NULL;
	const struct file_call *call = call_of(finding);
	const uint64_t before = then ? then->by_ldso : 0;

	if (calls) {
		explain_failed(finding, calls);
		return;
	}
	if (call && call->use != FILE_USE_COUNT)
		explain_files(finding, result, call->use);
	if (now && now->by_ldso && now->by_ldso == before)
		say(finding, "by the program: ld.so made as many as before");
	else if (now && (now->by_ldso || before))
		say(finding, "ld.so made %" PRIu64 " of them, %" PRIu64 " before", now->by_ldso, before);
}

/* Processes: of which group there are more children. */
static void explain_life(struct check_finding *finding, const struct check_result *result)
{
	const bool execs = !strcmp(finding->name, lifecycle_counters[LIFE_EXECS].key);

	if (!execs && strcmp(finding->name, lifecycle_counters[LIFE_PROCESSES].key) != 0)
		return;
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];

		if (other->kind == BASELINE_LIFE && check_finding__fails(other) &&
		    !strcmp(other->name, CHILDREN_OF_GROUP) &&
		    (!execs || strstr(other->of, ", exec of ")))
			say(finding, "%s: %" PRIu64 ", %" PRIu64 " before", other->of,
			    other->now_least, other->then_most);
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
		if (result->then->metrics[i].kind == BASELINE_BOUND &&
		    !strcmp(result->then->metrics[i].of, of))
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
	const struct baseline_metric *before = find_metric(result->then, finding->of, BASELINE_LIFE,
							   CHILDREN_OF_GROUP);
	const char *lost = lost_binding(finding, result, names);

	if (!before)
		say(finding, "there were no such children before");
	else if (lost)
		say(finding, "%s was lost: it bound this before the fork, once for all children", lost);
	else if (!bound_before(result, finding->of))
		say(finding, "no child bound anything before: LD_BIND_NOW or -z now was lost, the parent no "
			     "longer calls this before it forks, or children call it only now");
	else
		say(finding, "the parent had not called it from there when it forked");
}

/* As in "LD_BIND_NOW=1": the value that the variable has in the context; NULL: it is not set there. */
static const char *setting_in(const struct baseline_context *context, const char *name)
{
	const size_t length = strcspn(name, "=");

	for (size_t i = 0; i < context->metric_count; i++)
		if (context->metrics[i].kind == BASELINE_SETTING &&
		    !strncmp(context->metrics[i].name, name, length) &&
		    context->metrics[i].name[length] == '=')
			return context->metrics[i].name;
	return NULL;
}

static void explain_setting(struct check_finding *finding, const struct check_result *result)
{
	const char *before = setting_in(result->then, finding->name);
	const char *now = setting_in(&result->now, finding->name);

	if (finding->now_most && before)
		say(finding, "it was %s when the baseline was made", before);
	else if (finding->now_most)
		say(finding, "it was not set when the baseline was made");
	else if (now)
		say(finding, "it was set when the baseline was made, and is %s now", now);
	else
		say(finding, "it was set when the baseline was made, and is not now");
}

static void explain(struct check_finding *finding, const struct check_result *result,
		    const struct check_names *names)
{
	switch (finding->kind) {
	case BASELINE_CALLS:
	case BASELINE_FAILED:
		explain_calls(finding, result);
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

/* Pages that two metrics count need not be told twice. */
static bool refer(struct check_finding *finding, const struct check_result *result)
{
	for (const struct check_finding *other = result->findings; other < finding; other++) {
		if (other->kind != BASELINE_PAGES || finding->kind != BASELINE_PAGES ||
		    !check_finding__fails(other) || strcmp(other->of, finding->of) != 0 ||
		    !page_reasons__are_same(finding, other, result))
			continue;
		say(finding, "they are those of \"%s\"", other->name);
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
