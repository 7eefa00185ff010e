// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/completion/values.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/procfs.h"
#include "base/text.h"
#include "cmd/options/types.h"
#include "format/escape.h"
#include "model/run/call_errors.h"
#include "model/words/syscall_names.h"
#include "report/run/syscall_classes.h"

/* A word that is being typed, and the row that it is for. */
struct typing {
	const struct option_row *row;
	const char *word, *value; /* `value` points into `word` */
	FILE *stream;
};

void values__begin(const char *kind, const char *word, const char *value, const char *note,
		   FILE *stream)
{
	fprintf(stream, "%s\t%.*s\t%s\n", kind, (int)(value - word), word, note ? note : "");
}

void values__add(const char *value, const char *description, FILE *stream)
{
	autofree char *safe = escape__text(description, true);

	fprintf(stream, "%s\t%s\n", value, safe);
}

static void begin(const struct typing *typing, const char *kind)
{
	values__begin(kind, typing->word, typing->value, NULL, typing->stream);
}

/* The shell knows them. */
static void answer_kind(struct typing *typing)
{
	begin(typing, typing->row->type->completes);
}

/* Anything may be right. */
static void answer_nothing(struct typing *typing)
{
	const struct option_row *row = typing->row;
	autofree char *note = text__of("%s: %s", row->argument, row->help ? row->help : "");

	values__begin("nothing", typing->word, typing->value, note, typing->stream);
}

static void answer_words(struct typing *typing)
{
	const char *word;

	begin(typing, "words");
	for (size_t i = 0; (word = option_row__word(typing->row, i)); i++)
		values__add(word, NULL, typing->stream);
}

/* AXIS=...: the rest is numbers. */
static void answer_axis(struct typing *typing)
{
	const char *word;

	if (strchr(typing->value, '=')) {
		answer_nothing(typing);
		return;
	}
	begin(typing, "words");
	for (size_t i = 0; (word = option_row__word(typing->row, i)); i++)
		fprintf(typing->stream, "%s=\t\n", word);
}

/* The item of a list that is being typed begins behind the last comma. */
static const char *last_item(const char *list)
{
	const char *comma = strrchr(list, ',');

	return comma ? comma + 1 : list;
}

/* Is it one of the items before the last one? */
static bool is_listed(const char *list, const char *last, const char *word)
{
	size_t length = strlen(word);

	while (list < last) {
		size_t item = strcspn(list, ",");

		if (item == length && !strncmp(list, word, length))
			return true;
		list += item + 1;
	}
	return false;
}

/* A list is under way in the value: those words that are not in it yet follow. */
struct list {
	const struct typing *typing;
	const char *first, *last; /* items */
};

static struct list begin_list(struct typing *typing)
{
	struct list list = { typing, typing->value, last_item(typing->value) };

	typing->value = list.last;
	begin(typing, "list");
	return list;
}

static void offer(const struct list *list, const char *word, const char *description)
{
	if (!is_listed(list->first, list->last, word))
		values__add(word, description, list->typing->stream);
}

static void answer_list(struct typing *typing)
{
	struct list list = begin_list(typing);
	const char *word;

	for (size_t i = 0; (word = option_row__word(typing->row, i)); i++)
		offer(&list, word, NULL);
	if (list.first == list.last)
		offer(&list, "all", NULL);
}

static void answer_status(struct typing *typing)
{
	struct list list;

	typing->value += *typing->value == '!';
	list = begin_list(typing);
	for (int status = 0; status < CALL_STATUS_COUNT; status++)
		offer(&list, call_status_keys[status], NULL);
}

enum { HIGHEST_NUMBER = 1024 };

static void offer_calls(const struct list *list)
{
	for (size_t i = 0; i < syscall_class_count; i++) {
		autofree char *word = text__of("%%%s", syscall_classes[i].name);

		offer(list, word, "class");
	}
	for (int32_t nr = 0; nr < HIGHEST_NUMBER; nr++) {
		const char *name = syscall_name(ABI_NATIVE, nr);

		if (name)
			offer(list, name, NULL);
	}
}

static void answer_calls(struct typing *typing)
{
	struct list list;

	if (!strncmp(typing->value, "trace=", 6))
		typing->value += 6;
	typing->value += *typing->value == '!';
	if (*last_item(typing->value) == '/') { /* a regular expression */
		answer_nothing(typing);
		return;
	}
	list = begin_list(typing);
	offer_calls(&list);
}

/* As strace has it: calls, or how they ended. */
static void answer_filter(struct typing *typing)
{
	bool begins = !strpbrk(typing->value, ",!/=");

	if (!strncmp(typing->value, "status=", 7)) {
		typing->value += 7;
		answer_status(typing);
		return;
	}
	answer_calls(typing);
	if (begins)
		values__add("status=", "how calls ended", typing->stream);
}

static void answer_cpus(struct typing *typing)
{
	cpu_set_t cpus;

	begin(typing, "words");
	values__add("any", "not pinned", typing->stream);
	for (int cpu = 0; !sched_getaffinity(0, sizeof(cpus), &cpus) && cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &cpus))
			fprintf(typing->stream, "%d\t\n", cpu);
	}
}

enum { KERNEL_THREAD = 0x200000 }; /* PF_KTHREAD of the kernel's flags */

/* The name of a process that may be traced by us, to be freed; NULL: it may not, or is gone. */
static char *traceable_name(pid_t pid)
{
	char text[1024], state, *rest = procfs__stat(pid, text, sizeof(text)), *path;
	const char *name = strchr(text, '(');
	unsigned int flags;
	struct stat owner;

	if (!rest || !name || pid == getpid() ||
	    sscanf(rest, " %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2 || flags & KERNEL_THREAD ||
	    strchr("ZX", state))
		return NULL;
	path = text__of("/proc/%d", (int)pid);
	if (geteuid() && (stat(path, &owner) || owner.st_uid != geteuid()))
		name = NULL;
	free(path);
	rest[-1] = '\0';
	return name ? text__of("%s", name + 1) : NULL;
}

static void offer_processes(const struct list *list)
{
	size_t count;
	autofree int32_t *pids = procfs__pids(&count);

	for (size_t i = 0; i < count; i++) {
		autofree char *name = traceable_name(pids[i]), *pid = text__of("%d", (int)pids[i]);

		if (name)
			offer(list, pid, name);
	}
}

static void answer_pids(struct typing *typing)
{
	struct list list = begin_list(typing);

	offer_processes(&list);
}

static void answer_pid(struct typing *typing)
{
	struct list list = { typing, typing->value, typing->value };

	begin(typing, "words");
	offer_processes(&list);
}

static const struct kind {
	const char *name;
	void (*answer)(struct typing *typing);
} kinds[] = {
	{ "file", answer_kind },      { "directory", answer_kind },  { "program", answer_kind },
	{ "user", answer_kind },      { "words", answer_words },     { "list", answer_list },
	{ "axis", answer_axis },      { "status", answer_status },   { "calls", answer_calls },
	{ "filter", answer_filter },  { "cpu", answer_cpus },	     { "pid", answer_pid },
	{ "pids", answer_pids },      { "count", answer_nothing },   { "number", answer_nothing },
	{ "size", answer_nothing },   { "time", answer_nothing },
	{ "text", answer_nothing },   { "name", answer_nothing },    { "descriptor", answer_nothing },
};

void values__answer(const struct option_row *row, const char *word, const char *value,
		    FILE *stream)
{
	struct typing typing = { row, word, value, stream };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(kinds[i].name, row->type->completes)) {
			kinds[i].answer(&typing);
			return;
		}
	}
	values__begin("unknown", word, value, row->type->completes, stream);
}
