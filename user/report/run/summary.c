// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "report/run/run_report.h"
#include "report/words.h"

enum { LONGEST_COMMAND = 200 }; /* columns; --json has all of it */

static char *attached_to(const struct run *run)
{
	char *text = text__copy(number__plural(run->attached_count, "process", "processes"));

	for (size_t i = 0; i < run->attached_count; i++)
		text__replace(&text, "%s %" PRId32, text, run->attached[i]);
	return text;
}

static char *watched(const struct run *run)
{
	char *text;

	if (run->whole_machine)
		return text__of("all processes");
	text = text__copy(number__plural(run->cgroup_count + run->unnamed_cgroups, "cgroup", "cgroups"));
	for (size_t i = 0; i < run->cgroup_count; i++)
		text__replace(&text, "%s %s", text, run->cgroups[i]);
	return text;
}

static char *what_ran(const struct run *run)
{
	if (run__is_attached(run))
		return run->attached_count ? attached_to(run) : watched(run);
	return run->command_count ? words__command(run->command) : text__of("unknown command");
}

/* Cuts between characters: the first byte of one is 0xxxxxxx or 11xxxxxx. */
static void shorten(char *text)
{
	size_t end = LONGEST_COMMAND;

	if (strlen(text) <= LONGEST_COMMAND)
		return;
	while (((unsigned char)text[end - 3] & 0xc0) == 0x80)
		end--;
	strcpy(text + end - 3, "...");
}

/* Of a log nobody can wait for more; that it is one, the kernel tells, which it does not name. */
static char *who_still_ran(const struct run *run, uint64_t unfinished)
{
	bool may_wait = run->status >= 0;

	if (!run->kernel)
		return text__of("%s no end in the log, and %s counted as far as it goes",
				quantity__count(unfinished, "process has", "processes have").text,
				number__plural(unfinished, "is", "are"));
	return text__of("%s still ran when counting stopped, and %s counted up to then%s",
			quantity__count(unfinished, "process", "processes").text,
			number__plural(unfinished, "is", "are"), may_wait ? " (--follow-daemons waits)" : "");
}

static char *what_is_missing(const struct run *run, uint64_t missing)
{
	const struct {
		const char *name;
		bool asked;
	} parts[] = {
		{ "the files", run->files },
		{ "the start", run->start },
		{ "the anatomy", run->anatomy },
	};
	char *text = text__of("%s asked for %s not recorded, and so missing in",
			      quantity__count(missing, "single event", "single events").text,
			      number__plural((double)missing, "was", "were"));
	const char *separator = " ";

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].asked)
			continue;
		text__replace(&text, "%s%s%s", text, separator, parts[i].name);
		separator = " or ";
	}
	text__replace(&text, "%s (see Integrity)", text);
	return text;
}

/* strace is unsure about killed threads, and about the code that makes calls; eBPF about births while it attaches. */
static char *which_are_unsure(const struct run *run, uint64_t calls)
{
	if (run__has(run, HAS_ACTORS))
		return text__of("%s being created when forktax attached: it is unknown whether by vfork",
				quantity__count(calls, "process was", "processes were").text);
	return text__of("strace may show another name or outcome of up to %s, the last of threads that "
			"were killed (see Integrity)",
			quantity__count(calls, "call", "calls").text);
}

static char *why_not_exact(const struct run *run)
{
	const uint64_t *losses = run->integrity.losses;
	uint64_t denials = losses[LOSS_UNSURE_DENIALS], calls = losses[LOSS_UNSURE_CALLS];

	if (integrity__has_gaps(&run->integrity))
		return text__of("events were lost, so that numbers below are too small (see Integrity)");
	if (losses[LOSS_UNRECORDED])
		return what_is_missing(run, losses[LOSS_UNRECORDED]);
	if (losses[LOSS_UNFINISHED] && !run__may_leave_running(run))
		return who_still_ran(run, losses[LOSS_UNFINISHED]);
	if (calls)
		return which_are_unsure(run, calls);
	if (denials)
		return text__of("up to %" PRIu64 " denied %s may be counted as the end of another call%s",
				denials, number__plural(denials, "call", "calls"),
				run__is_attached(run) ? "" : " (--time tells them apart)");
	if (losses[LOSS_NAMELESS])
		return text__of("the path of %s is not known (see Integrity)",
				quantity__count(losses[LOSS_NAMELESS], "executable", "executables").text);
	if (!integrity__is_exact(&run->integrity) || !run->integrity.note_count)
		return text__of("events were lost, so that numbers below are too small (see Integrity)");
	return text__of("%s", run->integrity.notes[0]);
}

/* On a terminal broken between words; elsewhere one line, for grep. */
static void print_sentence(const char *text, const struct table_output *output)
{
	autofree char *safe = NULL;

	if (output->width) {
		wrap__print(NULL, text, 0, 0, output);
		return;
	}
	safe = table_output__safe(output, text);
	fprintf(output->stream, "%s\n", safe);
}

static void print_alarm(const char *text, const struct table_output *output)
{
	fputs(output->colour ? "\033[1;31m" : "", output->stream);
	print_sentence(text, output);
	fputs(output->colour ? "\033[0m" : "", output->stream);
	wrap__separate(output);
}

void report__not_exact(const char *why, const struct table_output *output)
{
	autofree char *text = text__of("NOT EXACT: %s", why);

	print_alarm(text, output);
}

/* Counts may be exact where classes are not. */
static void print_unclassified(const struct run *run, enum loss loss, const char *why,
			       const struct table_output *output)
{
	const uint64_t faults = run->integrity.losses[loss];
	autofree char *text = NULL;

	if (!faults)
		return;
	text = text__of("CLASSES NOT EXACT: %" PRIu64 " of %" PRIu64 " page faults %s in class other, as %s%s", faults,
			run->faults.total, number__plural(faults, "is", "are"), why,
			run->integrity.exact ? "; all counts are exact" : "");
	print_alarm(text, output);
}

/* "234 system calls", or "1 fork"; to be freed. */
static char *number_of(uint64_t count, const char *one, const char *many)
{
	return text__of("%" PRIu64 " %s", count, count == 1 ? one : many);
}

static char *calls_of(const struct run *run)
{
	uint64_t failed = syscall_table__errors(&run->table), denied = syscall_table__denied(&run->table);
	char *text = number_of(syscall_table__calls(&run->table), "system call", "system calls");

	if (failed)
		text__replace(&text, "%s (%" PRIu64 " failed)", text, failed);
	if (denied && run__has(run, HAS_DENIED))
		text__replace(&text, "%s, %" PRIu64 " denied", text, denied);
	return text;
}

/* The copies are what forks cost, so they stand in the first line. NULL: faults were not counted. */
static char *faults_of(const struct run *run)
{
	uint64_t copies = faults__class(&run->faults, FAULT_COW_COPY);
	char *text;

	if (!run__has(run, HAS_FAULTS))
		return NULL;
	text = number_of(run->faults.total, "page fault", "page faults");
	if (copies && run__has(run, HAS_FAULT_CLASSES))
		text__replace(&text, "%s (%s)", text, quantity__count(copies, "COW copy", "COW copies").text);
	return text;
}

static char *life_of(const struct run *run)
{
	const uint64_t *totals = run->totals;
	char *text;

	text = number_of(totals[LIFE_FORKS], "fork", "forks");
	if (totals[LIFE_EXECS] > 1)
		text__replace(&text, "%s, %" PRIu64 " execs", text, totals[LIFE_EXECS]);
	if (totals[LIFE_THREADS])
		text__replace(&text, "%s, %s", text, quantity__count(totals[LIFE_THREADS], "thread", "threads").text);
	return text;
}

/* That processes attached to live on is what was asked for. */
static char *still_running(const struct run *run)
{
	uint64_t unfinished = run->integrity.losses[LOSS_UNFINISHED];

	if (!run->integrity.exact || !unfinished)
		return NULL;
	return number_of(unfinished, "process still running", "processes still running");
}

/* Adds a part to the line, if there is one, and takes it over. Returns what separates the next. */
static const char *add_part(char **line, const char *separator, char *part)
{
	if (!part)
		return separator;
	text__replace(line, "%s%s%s", *line, separator, part);
	free(part);
	return ", ";
}

static char *time_of(const struct run *run)
{
	if (!run__has(run, HAS_CLOCK))
		return NULL;
	return text__of("%s%s", run__is_attached(run) ? "counted for " : "", quantity__time((double)run->wall_ns).text);
}

static void print_line(const struct run *run, const struct table_output *output)
{
	bool ended = !run__is_attached(run) && (run->status >= 0 || run->signal);
	autofree char *line = what_ran(run);
	const char *next = ": ";

	shorten(line);
	next = add_part(&line, next, ended ? words__exit(run->status, run->signal, true) : NULL);
	add_part(&line, next, time_of(run));
	next = add_part(&line, ": ", calls_of(run));
	next = add_part(&line, next, faults_of(run));
	next = add_part(&line, next, life_of(run));
	add_part(&line, "; ", still_running(run));
	print_sentence(line, output);
}

void report__print_exactness(const struct run *run, const struct table_output *output)
{
	autofree char *why = run->integrity.exact ? NULL : why_not_exact(run);

	if (why)
		report__not_exact(why, output);
	print_unclassified(run, LOSS_VMA_BUSY,
			   "another thread was changing mappings, or another BPF program was looking one up, when "
			   "forktax asked for theirs", output);
	print_unclassified(run, LOSS_UNKNOWN_ACCESS, "nothing says whether they read or wrote", output);
}

void report__print_outcome(const struct run *run, const struct report_options *options, bool below,
			   const struct table_output *output)
{
	if (options->quiet)
		return;
	if (below)
		putc('\n', output->stream);
	print_line(run, output);
}

void report__print_summary(const struct run *run, const struct report_options *options,
			   const struct table_output *output)
{
	report__print_exactness(run, output);
	report__print_outcome(run, options, false, output);
}

struct summary_line {
	char *command;
	const char *exact;
	uint64_t status, signal, wall_ns, life[LIFE_COUNT];
};

static const struct column summary_columns[] = {
	{ "command", TEXT_OF(struct summary_line, command) },
	{ "exact", TEXT_OF(struct summary_line, exact) },
	{ "exit status", COUNT_OF(struct summary_line, status) },
	{ "signal", COUNT_OF(struct summary_line, signal) },
	{ "wall ns", COUNT_OF(struct summary_line, wall_ns) },
	{ NULL, COUNT_OF(struct summary_line, life), EACH_BY(lifecycle_counters, header) },
};

struct table *report__summary(const struct run *run, const struct report_options *options)
{
	struct table *table = table__new("run");
	struct summary_line line = {
		.command = what_ran(run),
		.exact = run->integrity.exact ? "yes" : "no",
		.status = run->status < 0 ? ABSENT : (uint64_t)run->status,
		.signal = run->signal <= 0 ? ABSENT : (uint64_t)run->signal,
		.wall_ns = run__has(run, HAS_CLOCK) ? run->wall_ns : ABSENT,
	};

	for (int life = 0; life < LIFE_COUNT; life++)
		line.life[life] = run->totals[life];
	TABLE_COLUMNS(table, summary_columns, NULL);
	table__add(table, &line);
	free(line.command);
	return table;
}
