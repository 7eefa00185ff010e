// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/run/filter.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/words/syscall_names.h"
#include "report/run/syscall_classes.h"

/* One of its members says what passes; if none does, nothing passes. */
struct item {
	char *name;
	const struct syscall_class *class;
	regex_t *pattern;
	int32_t nr; /* -1: not by number */
	bool all;
};

struct filter {
	bool by_call; /* trace= was given: the items say which calls pass */
	bool inverted;
	struct item *items;
	size_t count;
	bool by_status; /* status= was given */
	const char *calls_option, *status_option; /* by which options */
	bool statuses[CALL_STATUS_COUNT];
};

__attribute__((format(printf, 2, 3))) static bool fail(char **reason, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*reason = text__of_list(format, arguments);
	va_end(arguments);
	return false;
}

static bool exists(const char *name)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		if (syscall_number(abi, name) >= 0)
			return true;
	return syscall_classes__know(name); /* of an older kernel or another architecture */
}

static bool set_class(struct item *item, const char *name, char **reason)
{
	item->class = syscall_class__find(strcmp(name, "net") != 0 ? name : "network");
	return item->class || fail(reason, "no class of system calls is named %%%s", name);
}

/* Once classes were named without the percent sign; strace still takes these seven. */
static bool is_old_class(const char *name)
{
	static const char *const old[] = { "file", "process", "network", "signal", "ipc", "desc", "memory", NULL };

	for (size_t i = 0; old[i]; i++)
		if (!strcmp(old[i], name))
			return true;
	return false;
}

static bool set_pattern(struct item *item, const char *expression, char **reason)
{
	char text[128];
	int error;

	item->pattern = checked_calloc(1, sizeof(*item->pattern));
	error = regcomp(item->pattern, expression, REG_EXTENDED | REG_NOSUB);
	if (!error)
		return true;
	regerror(error, item->pattern, text, sizeof(text));
	free(item->pattern);
	item->pattern = NULL;
	return fail(reason, "\"%s\" is no regular expression: %s", expression, text);
}

static bool set_number(struct item *item, const char *text, char **reason)
{
	uint64_t nr;

	if (!number__whole(text, 0, INT32_MAX, &nr))
		return fail(reason, "\"%s\" is no number of a system call", text);
	item->nr = nr;
	return true;
}

static bool set_item(struct item *item, const char *text, char **reason)
{
	bool lenient = *text == '?';

	if (lenient)
		text++;
	item->nr = -1;
	if (!*text)
		return fail(reason, "a name is empty");
	if (*text == '/')
		return set_pattern(item, text + 1, reason);
	if (isdigit((unsigned char)*text))
		return set_number(item, text, reason);
	if (!strcmp(text, "all"))
		return item->all = true;
	if (!strcmp(text, "none"))
		return true;
	if (*text == '%') {
		if (set_class(item, text + 1, reason) || !lenient)
			return item->class;
		free(*reason); /* unknown, and allowed to be */
		*reason = NULL;
		return true;
	}
	if (is_old_class(text))
		return set_class(item, text, reason);
	item->name = checked_strdup(text);
	return lenient || exists(text) ||
	       fail(reason, "no system call is named %s (%%%s would be a class, ?%s may be unknown)", text, text, text);
}

static bool set_calls(struct filter *filter, char *list, char **reason)
{
	char *text;

	filter->by_call = true;
	while ((text = strsep(&list, ","))) {
		filter->items = checked_grow(filter->items, filter->count, sizeof(*filter->items));
		memset(&filter->items[filter->count], 0, sizeof(*filter->items));
		if (!set_item(&filter->items[filter->count++], text, reason))
			return false;
	}
	return true;
}

static bool set_status(struct filter *filter, const char *name, char **reason)
{
	bool all = !strcmp(name, "all");

	for (int status = 0; status < CALL_STATUS_COUNT; status++) {
		if (!all && strcmp(name, call_status_keys[status]) != 0)
			continue;
		filter->statuses[status] = true;
		if (!all)
			return true;
	}
	/* Results come with the call: none was ever unavailable. */
	if (all || !strcmp(name, "none") || !strcmp(name, "unavailable"))
		return true;
	if (!strcmp(name, "detached"))
		return fail(reason, "calls under way when counting stops cannot be distinguished from others, so "
				    "\"detached\" cannot be chosen");
	return fail(reason, "no status is named \"%s\"; there are successful, failed and unfinished", name);
}

static bool set_statuses(struct filter *filter, char *list, char **reason)
{
	char *text;

	filter->by_status = true;
	while ((text = strsep(&list, ",")))
		if (!set_status(filter, text, reason))
			return false;
	for (int status = 0; filter->inverted && status < CALL_STATUS_COUNT; status++)
		filter->statuses[status] = !filter->statuses[status];
	filter->inverted = false;
	return true;
}

typedef bool set_fn(struct filter *filter, char *list, char **reason);

/* Which of strace's qualifiers it is, without it. Only these two are known; NULL: it is neither. */
static const char *skip_qualifier(const char *expression, set_fn **set, char **reason)
{
	const char *equals = strchr(expression, '=');

	*set = set_calls;
	if (!equals || *expression == '/' || *expression == '!')
		return expression;
	if (!strncmp(expression, "trace=", 6) || !strncmp(expression, "t=", 2))
		return equals + 1;
	*set = set_statuses;
	if (!strncmp(expression, "status=", 7))
		return equals + 1;
	fail(reason, "\"%.*s\" cannot be chosen, only trace=SET and status=SET",
	     (int)(equals - expression), expression);
	return NULL;
}

struct filter *filter__parse(const char *expression, char **reason)
{
	struct filter *filter;
	set_fn *set;
	char *copy;
	bool good;

	expression = skip_qualifier(expression, &set, reason);
	if (!expression)
		return NULL;
	filter = checked_calloc(1, sizeof(*filter));
	filter->inverted = *expression == '!';
	copy = checked_strdup(expression + filter->inverted);
	good = set(filter, copy, reason);
	free(copy);
	if (good)
		return filter;
	filter__free(filter);
	return NULL;
}

void filter__name(struct filter *filter, const char *option)
{
	*(filter->by_call ? &filter->calls_option : &filter->status_option) = option;
}

char *filter__given(const struct filter *filter)
{
	const char *calls = filter->calls_option, *status = filter->status_option;

	if (calls && status && strcmp(calls, status) != 0)
		return text__of("%s and %s", calls, status);
	return text__of("%s", calls ? calls : status ? status : "-e");
}

struct filter *filter__join(struct filter *old, struct filter *more)
{
	struct filter swapped;

	if (!old)
		return more;
	swapped = *old;
	if (more->by_call) {
		old->by_call = true;
		old->calls_option = more->calls_option;
		old->inverted = more->inverted;
		old->items = more->items;
		old->count = more->count;
		more->items = swapped.items;
		more->count = swapped.count;
	} else {
		old->by_status = true;
		old->status_option = more->status_option;
		memcpy(old->statuses, more->statuses, sizeof(old->statuses));
	}
	filter__free(more);
	return old;
}

void filter__free(struct filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->count; i++) {
		free(filter->items[i].name);
		if (filter->items[i].pattern)
			regfree(filter->items[i].pattern);
		free(filter->items[i].pattern);
	}
	free(filter->items);
	free(filter);
}

static bool item_passes(const struct item *item, const struct syscall_row *row)
{
	if (item->name)
		return !strcmp(item->name, row->name);
	if (item->class)
		return syscall_class__has(item->class, row->name);
	if (item->pattern)
		return regexec(item->pattern, row->name, 0, NULL, 0) == 0;
	return item->all || (item->nr >= 0 && item->nr == row->nr);
}

bool filter__passes(const struct filter *filter, const struct syscall_row *row)
{
	if (!filter || !filter->by_call)
		return true;
	for (size_t i = 0; i < filter->count; i++)
		if (item_passes(&filter->items[i], row))
			return !filter->inverted;
	return filter->inverted;
}

bool filter__has_status(const struct filter *filter)
{
	return filter && filter->by_status;
}

bool filter__suits(const struct filter *filter, const struct run *run)
{
	return !filter__has_status(filter) || run->outcomes ||
	       !(filter->statuses[STATUS_SUCCESSFUL] || filter->statuses[STATUS_UNFINISHED]);
}

struct syscall_row filter__reduce(const struct filter *filter, const struct syscall_row *row)
{
	struct syscall_row reduced = *row;

	if (!filter__has_status(filter))
		return reduced;
	memset(reduced.calls, 0, sizeof(reduced.calls));
	memset(reduced.time_ns, 0, sizeof(reduced.time_ns));
	reduced.min_ns = reduced.max_ns = reduced.p99_ns = ABSENT;
	for (int status = 0; status < CALL_STATUS_COUNT; status++)
		for (int actor = 0; actor < ACTOR_COUNT && filter->statuses[status]; actor++)
			reduced.calls[actor] += syscall_row__ended(row, actor, status);
	if (filter->statuses[STATUS_FAILED])
		return reduced;
	memset(reduced.errors, 0, sizeof(reduced.errors));
	memset(reduced.denied, 0, sizeof(reduced.denied));
	reduced.errnos = NULL;
	reduced.errno_count = 0;
	return reduced;
}
