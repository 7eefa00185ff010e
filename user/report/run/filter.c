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
#include "model/syscall_names.h"

/* One of its members says what passes; if none does, nothing passes. */
struct item {
	char *name;
	const char *class; /* names between blanks */
	regex_t *pattern;
	int32_t nr; /* -1: not by number */
	bool all;
};

struct filter {
	bool inverted;
	struct item *items;
	size_t count;
};

struct syscall_class {
	const char *name, *calls;
};

static const struct syscall_class classes[] = {
#define CLASS(name, calls) { name, calls },
#include "report/run/syscall_classes.def"
#undef CLASS
};

enum { HIGHEST_NUMBER = 1024 };

__attribute__((format(printf, 2, 3))) static bool fail(char **reason, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	*reason = text__of_list(format, arguments);
	va_end(arguments);
	return false;
}

static bool lists(const char *names, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = names; (at = strstr(at, name)); at++)
		if ((at == names || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return length > 0;
	return false;
}

static bool exists(const char *name)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		for (int32_t nr = 0; nr < HIGHEST_NUMBER; nr++) {
			const char *known = syscall_name(abi, nr);

			if (known && !strcmp(known, name))
				return true;
		}
	}
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (lists(classes[i].calls, name))
			return true; /* of an older kernel or another architecture */
	return false;
}

static bool set_class(struct item *item, const char *name, char **reason)
{
	if (!strcmp(name, "net"))
		name = "network";
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (!strcmp(name, classes[i].name))
			item->class = classes[i].calls;
	return item->class || fail(reason, "no class of system calls is named %%%s", name);
}

/* Once classes were named without the percent sign; strace still takes these seven. */
static bool is_old_class(const char *name)
{
	return lists("file process network signal ipc desc memory", name);
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
	       fail(reason, "no system call is named %s (%%%s would be a class, ?%s may be unknown)",
		    text, text, text);
}

/* The set without "trace=", the only qualifier of strace that forktax has. */
static const char *skip_qualifier(const char *expression, char **reason)
{
	const char *equals = strchr(expression, '=');

	if (!equals || *expression == '/' || *expression == '!')
		return expression;
	if (!strncmp(expression, "trace=", 6) || !strncmp(expression, "t=", 2))
		return equals + 1;
	fail(reason, "\"%.*s\" cannot be chosen, only trace=SET", (int)(equals - expression),
	     expression);
	return NULL;
}

struct filter *filter__parse(const char *expression, char **reason)
{
	struct filter *filter;
	char *copy, *rest, *text;
	bool good = true;

	expression = skip_qualifier(expression, reason);
	if (!expression)
		return NULL;
	filter = checked_calloc(1, sizeof(*filter));
	filter->inverted = *expression == '!';
	rest = copy = checked_strdup(expression + filter->inverted);
	while (good && (text = strsep(&rest, ","))) {
		filter->items = checked_grow(filter->items, filter->count, sizeof(*filter->items));
		memset(&filter->items[filter->count], 0, sizeof(*filter->items));
		good = set_item(&filter->items[filter->count++], text, reason);
	}
	free(copy);
	if (good)
		return filter;
	filter__free(filter);
	return NULL;
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
		return lists(item->class, row->name);
	if (item->pattern)
		return regexec(item->pattern, row->name, 0, NULL, 0) == 0;
	return item->all || (item->nr >= 0 && item->nr == row->nr);
}

bool filter__passes(const struct filter *filter, const struct syscall_row *row)
{
	if (!filter)
		return true;
	for (size_t i = 0; i < filter->count; i++)
		if (item_passes(&filter->items[i], row))
			return !filter->inverted;
	return filter->inverted;
}
