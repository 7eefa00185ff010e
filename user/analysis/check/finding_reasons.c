// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/finding_reasons.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/page_reasons.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/facts.h"
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

/* Are there more calls of that name, too: of "openat" beside "openat ENOENT"? */
static bool calls_fail(const struct check_finding *finding, const struct check_result *result)
{
	const size_t length = strcspn(finding->name, " ");

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];

		if (other->kind == BASELINE_CALLS && check_finding__fails(other) &&
		    !strcmp(other->of, finding->of) && strlen(other->name) == length &&
		    !strncmp(other->name, finding->name, length))
			return true;
	}
	return false;
}

static void explain_calls(struct check_finding *finding, const struct check_result *result)
{
	const struct baseline_metric *now = find_metric(&result->now, finding->of, finding->kind,
							finding->name);
	const struct baseline_metric *then = find_metric(result->then, finding->of, finding->kind,
							 finding->name);
	const struct file_call *call = call_of(finding);
	const uint64_t before = then ? then->by_ldso : 0;

	if (finding->kind == BASELINE_FAILED && calls_fail(finding, result)) {
		say(finding, "they are among the calls above");
		return;
	}
	if (call && call->use != FILE_USE_COUNT)
		say_files(finding, result, call->use);
	if (now && now->by_ldso > before)
		say(finding, "ld.so made %" PRIu64 " of them, %" PRIu64 " before", now->by_ldso, before);
	else if (now && now->by_ldso)
		say(finding, "by the program: ld.so made as many as before");
}

/* Processes: of which group there are more children. */
static void explain_life(struct check_finding *finding, const struct check_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *other = &result->findings[i];

		if (other != finding && other->kind == BASELINE_LIFE && check_finding__fails(other) &&
		    !strcmp(other->name, "children"))
			say(finding, "%s: %" PRIu64 ", %" PRIu64 " before", other->of,
			    other->now_least, other->then_most);
	}
}

/* Libraries: who asks for them. */

static bool needs(const char *path, const char *library)
{
	char *reason = NULL;
	struct elf_facts *facts = elf_facts__read(path, &reason);
	bool found = false;

	for (size_t i = 0; facts && i < facts->needed_count; i++)
		found |= !strcmp(text__file_name(facts->needed[i]), library);
	elf_facts__free(facts);
	free(reason);
	return found;
}

/* Those that were executed, and the other libraries. */
static void explain_library(struct check_finding *finding, const struct check_result *result,
			    const struct run *run)
{
	const char *name = text__file_name(finding->name);
	struct name_list asking = { .most = 5 };
	const char *last = "";
	char *names;

	for (size_t i = 0; run && i < run->exe_count; i++) {
		const char *file = exe__file(&run->exes[i]);

		if (file && strcmp(file, last) != 0 && needs(file, name))
			name_list__add(&asking, exe__name(&run->exes[i]));
		last = file ? file : "";
	}
	for (size_t i = 0; i < result->now.metric_count; i++) {
		const struct baseline_metric *metric = &result->now.metrics[i];

		if (metric->kind == BASELINE_LIBRARY && !strcmp(metric->of, finding->of) &&
		    needs(metric->name, name))
			name_list__add(&asking, metric->name);
	}
	names = name_list__finish(&asking);
	if (names)
		say(finding, "asked for (DT_NEEDED) by %s", names);
	else
		say(finding, "no file asks for it (DT_NEEDED): opened with dlopen(3), or by LD_PRELOAD");
	free(names);
}

/* Executables: "./prog (dynamic)" where "./prog (dynamic-now)" was. */
static void explain_image(struct check_finding *finding, const struct check_result *result)
{
	const char *linkage = strrchr(finding->name, '(');
	const size_t length = linkage ? (size_t)(linkage - finding->name) : strlen(finding->name);

	for (size_t i = 0; i < result->then->metric_count; i++) {
		const struct baseline_metric *before = &result->then->metrics[i];

		if (before->kind != BASELINE_IMAGE || strncmp(before->name, finding->name, length) != 0 ||
		    before->name[length] != '(')
			continue;
		if (!strcmp(before->name + length, "(dynamic-now)"))
			say(finding, "it was linked with -z now, and no longer is: calls are bound "
				     "lazily, by every child again");
		else
			say(finding, "it was linked otherwise: %s", before->name + length);
		return;
	}
	say(finding, "it was not executed before");
}

/* "LD_BIND_NOW=1" */
static bool lost_setting(const struct check_result *result, const char *begin)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (finding->kind == BASELINE_SETTING && !finding->now_most &&
		    !strncmp(finding->name, begin, strlen(begin)))
			return true;
	}
	return false;
}

/* An executable that was linked with -z now, and is no longer executed so. */
static bool lost_linkage(const struct check_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct check_finding *finding = &result->findings[i];

		if (finding->kind == BASELINE_IMAGE && !finding->now_most &&
		    strstr(finding->name, "(dynamic-now)"))
			return true;
	}
	return false;
}

static bool bound_before(const struct check_result *result, const char *of)
{
	for (size_t i = 0; i < result->then->metric_count; i++)
		if (result->then->metrics[i].kind == BASELINE_BOUND &&
		    !strcmp(result->then->metrics[i].of, of))
			return true;
	return false;
}

static void explain_bound(struct check_finding *finding, const struct check_result *result)
{
	if (lost_setting(result, "LD_BIND_NOW="))
		say(finding, "LD_BIND_NOW was lost: it bound this before the fork, once for all children");
	else if (lost_linkage(result))
		say(finding, "-z now was lost: it bound this before the fork, once for all children");
	else if (!bound_before(result, finding->of))
		say(finding, "no child bound anything before: LD_BIND_NOW or -z now was lost, or the "
			     "parent no longer calls this before it forks");
	else
		say(finding, "%" PRIu64 " children bind it; the parent never called it before it forked",
		    finding->now_least);
}

static void explain_setting(struct check_finding *finding)
{
	if (finding->now_most)
		say(finding, "it was not set when the baseline was made");
	else
		say(finding, "it was set when the baseline was made, and now is not, or otherwise");
}

static void explain(struct check_finding *finding, const struct check_result *result,
		    const struct run *run, const char *here)
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
		page_reasons__add(finding, result, run, here);
		break;
	case BASELINE_LIBRARY:
		explain_library(finding, result, run);
		break;
	case BASELINE_IMAGE:
		explain_image(finding, result);
		break;
	case BASELINE_BOUND:
		explain_bound(finding, result);
		break;
	case BASELINE_SETTING:
		explain_setting(finding);
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

static bool same_reasons(const struct check_finding *finding, const struct check_finding *other)
{
	bool same = finding->reason_count == other->reason_count && finding->kind == other->kind &&
		    !strcmp(finding->of, other->of);

	for (size_t i = 0; same && i < finding->reason_count; i++)
		same = !strcmp(finding->reasons[i], other->reasons[i]);
	return same;
}

/* A page that ld.so dirties after a fork is counted twice; it need not be told twice. */
static void refer(struct check_finding *finding, const struct check_finding *first)
{
	for (const struct check_finding *other = first; other < finding && finding->reason_count; other++) {
		if (!check_finding__fails(other) || !same_reasons(finding, other))
			continue;
		while (finding->reason_count)
			free(finding->reasons[--finding->reason_count]);
		say(finding, "they are those of \"%s\"", other->name);
		return;
	}
}

void finding_reasons__add(struct check_result *result, const struct run *run, const char *here)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		if (!check_finding__fails(&result->findings[i]))
			continue;
		explain(&result->findings[i], result, run, here);
		shorten(&result->findings[i]);
		refer(&result->findings[i], result->findings);
	}
}
