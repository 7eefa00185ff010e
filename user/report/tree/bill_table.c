// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the time of a run goes: its largest part in a sentence, and a table of the largest parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/start/start_answer.h"
#include "analysis/tree/launches.h"
#include "base/autofree.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/column.h"
#include "format/wrap.h"
#include "model/lines/script_lines.h"
#include "model/words/errno_names.h"
#include "model/words/names.h"
#include "model/words/syscall_names.h"
#include "report/cells.h"
#include "report/report_sections.h"
#include "report/saved_table.h"
#include "report/tree/tree_times_report.h"

enum { ROWS_SHOWN = 5, ROWS_BESIDE_LINES = 4, ROWS_FULL = 24 };

/* A start that was asked for is the answer, and fills the screen. */
bool section__if_bill(const struct run *run, const struct report_options *options)
{
	return run->bill && run->bill->count &&
	       !(run->start && report__is_brief(options) && !start_answer__is_prelude(run));
}

/* A row with the figures that are printed. */
struct bill_figure {
	const struct bill_row *row; /* NULL: of several */
	double wall_ns, cpu_ns;
};

struct bill_figures {
	const struct run *run;
	struct bill_figure *list; /* the largest first */
	size_t count;
	double wall_ns, cpu_ns; /* of all */
	bool has_cpu;
	double ready_ns; /* waiting for a CPU or a wake-up, where that is so much that it would hide all else; else 0 */
};

/* From this share of the run on, waiting for a CPU, which others may need, is left out of a sentence's shares. */
static const double READY_LEAST = 0.1;

static double ready_of(const struct bill_figures *figures)
{
	for (size_t i = 0; i < figures->count; i++)
		if (figures->list[i].row->kind == BILL_READY && figures->count > 1 &&
		    (!i || figures->list[i].wall_ns >= READY_LEAST * figures->wall_ns))
			return figures->list[i].wall_ns;
	return 0;
}

/* What the shares of a sentence are of. */
static double shared_ns(const struct bill_figures *figures)
{
	return figures->wall_ns - figures->ready_ns;
}

/* The largest one that somebody can do something about. */
static const struct bill_figure *largest_of(const struct bill_figures *figures)
{
	return &figures->list[figures->count > 1 && figures->list[0].row->kind == BILL_READY];
}

static int by_wall(const void *left, const void *right)
{
	const struct bill_figure *a = left, *b = right;

	return (a->wall_ns < b->wall_ns) - (a->wall_ns > b->wall_ns);
}

static struct bill_figures figures_of(const struct run *run)
{
	const struct bill *bill = run->bill;
	const struct bill_scale scale = bill__scale(bill);
	struct bill_figures figures = { .run = run, .count = bill->count,
					.has_cpu = text__compare(run->source, "strace") };

	figures.list = checked_calloc(bill->count, sizeof(*figures.list));
	for (size_t i = 0; i < bill->count; i++) {
		const struct bill_row *row = &bill->rows[i];
		struct bill_figure *figure = &figures.list[i];

		*figure = (struct bill_figure){ row, bill__untraced(row, scale, row->wall_ns),
						bill__untraced(row, scale, row->cpu_ns) };
		figures.wall_ns += figure->wall_ns;
		figures.cpu_ns += figure->cpu_ns;
	}
	if (figures.count)
		qsort(figures.list, figures.count, sizeof(*figures.list), by_wall);
	figures.ready_ns = ready_of(&figures);
	return figures;
}

static const char *const waits[BILL_KINDS] = {
	[BILL_ASLEEP] = "what is not known",
	[BILL_READY] = "a CPU, or its wake-up",
	[BILL_DEVICE] = "a timer, a device or the network",
	[BILL_OTHERS] = "a process outside of the tree",
	[BILL_UNKNOWN] = "what is not known",
};

/* "close() EBADF"; to be freed. */
static char *call_of(const struct bill_row *row)
{
	const struct syscall_row call = { .nr = row->call_nr, .abi = row->call_abi,
					  .name = (char *)syscall_name(row->call_abi, row->call_nr) };
	const char *error = row->error ? errno_name(row->error) : NULL;
	autofree char *name = names__call(&call);

	if (!row->error)
		return text__of("%s()", name);
	return error ? text__of("%s() %s", name, error) : text__of("%s() error %u", name, row->error);
}

/* "waiting for input or a timer, in epoll_wait()"; to be freed. */
static char *wait_of(const struct bill_row *row)
{
	const char *call = row->kind == BILL_ASLEEP ? syscall_name(row->call_abi, row->call_nr) : NULL;
	const char *what = call ? bill__sleeps_for(call) : NULL;

	if (!call)
		return text__of("waiting for %s", waits[row->kind]);
	return text__of("waiting for %s%s%s()", what ? what : "", what ? ", in " : "the end of ", call);
}

static const char *name_of(const struct run *run, uint32_t exe)
{
	const char *name = exe__name(&run->exes[exe]);

	return name ? text__file_name(name) : "the program";
}

/* "bash", or "bash, child": copies of it; to be freed. */
static char *who(const struct run *run, const struct bill_row *row)
{
	return text__of("%s%s", name_of(run, row->exe), row->executed ? "" : ", child");
}

/* To be freed. */
static char *what(const struct bill_row *row, bool has_cpu)
{
	autofree char *call = NULL;

	switch (row->kind) {
	case BILL_FORK:
		return text__of("%s: copying, and the end of copies",
				quantity__count(row->count, "fork", "forks").text);
	case BILL_START:
		if (!row->count) /* it was attached to */
			return checked_strdup("the end");
		return text__of("%s: exec, ld.so, the end", quantity__count(row->count, "start", "starts").text);
	case BILL_CALL:
		call = call_of(row);
		return text__of("%s, %s", call, quantity__count(row->count, "time", "times").text);
	case BILL_CODE:
		return checked_strdup(has_cpu ? "own code, with page faults"
					      : "between its calls, with strace's own time");
	default:
		return wait_of(row);
	}
}

/* What takes a share of the time, within a sentence; to be freed. */
static char *subject_of(const struct run *run, const struct bill_row *row)
{
	const char *name = row->exe == NO_EXE ? "programs" : name_of(run, row->exe);
	const char *children = row->executed ? "" : "children of ";
	autofree char *call = NULL, *wait = NULL;

	switch (row->kind) {
	case BILL_START:
		return text__of("%s of %s (exec, ld.so, and the end)",
				quantity__count(row->count, "start", "starts").text, name);
	case BILL_FORK:
		return text__of("%s of %s", quantity__count(row->count, "fork", "forks").text, name);
	case BILL_CALL:
		call = call_of(row);
		return text__of("%s of %s in %s%s", quantity__count(row->count, "call", "calls").text, call, children,
				name);
	case BILL_CODE:
		return text__of("%s's own code%s", name, row->executed ? "" : " in its children");
	default:
		wait = wait_of(row);
		return text__of("%s%s%s", wait, row->exe == NO_EXE ? "" : " of ", row->exe == NO_EXE ? "" : name);
	}
}

/* Forks that come second to waiting for a CPU, which others may need, are the answer from this share of the run on. */
static const double FORKS_LEAST = 0.1;

static bool are_forks(const struct bill_figures *figures)
{
	const size_t first = figures->list[0].row->kind == BILL_READY && figures->count > 1;
	const struct bill_figure *figure = &figures->list[first];

	return figure->row->kind == BILL_FORK && (!first || figure->wall_ns >= FORKS_LEAST * figures->wall_ns);
}

/* ", without 592 ms of waiting for a CPU", where shares are so; to be freed. */
static char *without(const struct bill_figures *figures)
{
	if (!figures->ready_ns)
		return text__of("%s", "");
	return text__of(", without %s of waiting for a CPU", quantity__time(figures->ready_ns).text);
}

/*
 * " zsh starts it: python3 thefuck --alias.": by whom the program of a row was started, and the largest of its
 * executions. Nothing where that is the command itself, or not known. To be freed.
 */
static char *starter_of(const struct run *run, const struct bill_row *row)
{
	const struct executions *executions = run->executions;
	const struct execution *largest = NULL;
	autofree char *words = NULL, *place = NULL;
	uint64_t count = 0;
	bool says_count;

	if (!row || row->exe == NO_EXE || !row->executed || &run->exes[row->exe] == run__first_exe(run))
		return text__of("%s", "");
	for (size_t i = 0; executions && i < executions->count; i++) {
		const struct execution *other = &executions->rows[i];

		if (other->exe != row->exe)
			continue;
		largest = largest ? largest : other;
		count += other->parent_exe == largest->parent_exe ? other->count : 0;
	}
	if (!largest || !largest->argument_count || largest->parent_exe == NO_EXE)
		return text__of("%s", "");
	says_count = count > 1 && row->kind != BILL_START; /* which says it already */
	words = execution__words(largest);
	place = largest->line == NO_LINE ? NULL : script_line__place(&run->lines->rows[largest->line]);
	return text__of(" %s starts it%s%s%s%s: %s.", name_of(run, largest->parent_exe),
			says_count ? " " : "", says_count ? quantity__count(count, "time", "times").text : "",
			place ? count > 1 ? ", such as at " : " at " : count > 1 ? ", such as" : "",
			place ? text__file_name(place) : "", words);
}

/*
 * Adds "In 17.1 % of the 3 s these processes ran, above all 3 starts of ls (14.0 %, 420 ms)": the sum of these kinds,
 * and the largest of them, which is returned. NULL: there is none.
 */
static const struct bill_row *add_sum(char **text, const struct bill_figures *figures, enum bill_kind first,
				      enum bill_kind last, const char *words)
{
	const struct bill_figure *largest = NULL;
	autofree char *subject = NULL;
	double sum = 0;

	for (size_t i = 0; i < figures->count; i++) {
		const struct bill_figure *figure = &figures->list[i];

		if (figure->row->kind < first || figure->row->kind > last || !figure->wall_ns)
			continue;
		largest = largest ? largest : figure;
		sum += figure->wall_ns;
	}
	text__replace(text, "%s%sIn %s %s", *text, **text ? ". " : "", quantity__percent(sum / figures->wall_ns).text,
		      words);
	if (!largest)
		return NULL;
	subject = subject_of(figures->run, largest->row);
	text__replace(text, "%s, above all %s (%s, %s)", *text,
		      subject + (first == BILL_ASLEEP ? strlen("waiting ") : 0),
		      quantity__percent(largest->wall_ns / figures->wall_ns).text,
		      quantity__time(largest->wall_ns).text);
	return largest->row;
}

/*
 * Of processes that ran before, or of a log: the clock is that of a window, and waiting stands apart. A server that
 * waits for input has nothing to do. What strace takes is no call's.
 */
static void print_window_answer(const struct bill_figures *figures, const struct table_output *output)
{
	autofree char *text = checked_strdup("");
	autofree char *words = text__of("of the %s these processes %s", quantity__time(figures->wall_ns).text,
					figures->has_cpu ? "ran" : "were in calls");
	autofree char *starter = starter_of(figures->run, add_sum(&text, figures, BILL_FORK,
								  figures->has_cpu ? BILL_CODE : BILL_CALL, words));

	if (!figures->has_cpu)
		add_sum(&text, figures, BILL_CODE, BILL_CODE, "they were between calls, with strace's own time");
	add_sum(&text, figures, BILL_ASLEEP, BILL_UNKNOWN, "all of them waited");
	text__replace(&text, "%s.%s", text, starter);
	wrap__print(NULL, text, 0, 0, output);
}

/* What is started again and again, if that is more than any part. NULL: it is not. To be freed. */
static char *launches_words(const struct bill_figures *figures)
{
	struct launches launches = launches__largest(figures->run);
	const double ns = fmin(launches.ns * bill__scale(figures->run->bill).factor, shared_ns(figures));
	autofree char *words = launches.first ? launches__words(figures->run, &launches) : NULL;
	char *text = NULL;

	if (launches.first && ns >= largest_of(figures)->wall_ns)
		text = text__of(" repeated starts (%s, %s): %s Fewer would save at most %s.",
				quantity__percent(ns / shared_ns(figures)).text, quantity__time(ns).text, words,
				quantity__time(ns - ns / (double)launches.count).text);
	launches__free(&launches);
	return text;
}

/* " node's own code (46.9 %, 100 ms). bash starts it: node x.js."; to be freed. */
static char *largest_words(const struct bill_figures *figures)
{
	const struct bill_figure *figure = largest_of(figures);
	autofree char *subject = subject_of(figures->run, figure->row);
	autofree char *starter = starter_of(figures->run, figure->row);

	return text__of(" %s (%s, %s).%s%s", subject, quantity__percent(figure->wall_ns / shared_ns(figures)).text,
			quantity__time(figure->wall_ns).text, starter,
			figure->row->kind == BILL_CODE ? " perf record -g shows in which functions." : "");
}

bool report__print_bill_answer(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	autofree char *text = NULL, *words = NULL, *but = NULL;
	struct bill_figures figures;
	bool result;

	if (!section__if_bill(run, options))
		return false;
	figures = figures_of(run);
	result = run__is_attached(run) || !are_forks(&figures);
	if (run__is_attached(run)) {
		print_window_answer(&figures, output);
	} else if (result) {
		but = without(&figures);
		words = launches_words(&figures);
		words = words ? words : largest_words(&figures);
		text = text__of("The largest part of the run time (%s, %s%s) is%s",
				quantity__time(shared_ns(&figures)).text,
				run->bill->untraced_wall_ns ? "not traced" : "as traced", but, words);
		wrap__print(NULL, text, 0, 0, output);
	}
	free(figures.list);
	return result;
}

char *report__largest_from_main_on(const struct run *run)
{
	autofree char *subject = NULL;
	struct bill_figures figures;
	char *text = NULL;
	size_t count = 0;

	if (run->bill && run->bill->count) {
		figures = figures_of(run);
		for (size_t i = 0; figures.has_cpu && i < figures.count; i++)
			if (figures.list[i].row->kind != BILL_START)
				figures.list[count++] = figures.list[i];
		figures.count = count;
		if (count) {
			subject = subject_of(run, largest_of(&figures)->row);
			text = text__of(", above all %s (%s of the run%s)", subject,
					quantity__percent(largest_of(&figures)->wall_ns / shared_ns(&figures)).text,
					figures.ready_ns > 0 ? " without waiting for a CPU" : "");
		}
		free(figures.list);
	}
	return text ? text : text__of("%s", "");
}

struct bill_line {
	double wall_ms;
	struct cell share;
	double cpu_ms;
	char *program, *what;
};

static char *wall_header(const struct column *column, const void *subject, int index)
{
	const struct bill_figures *figures = subject;

	return text__of("%s ms", figures->run->bill->untraced_wall_ns ? "untraced" : "traced");
}

static const struct column columns[] = {
	{ NULL, NUMBER_OF(struct bill_line, wall_ms), .header_of = wall_header, .decimals = 2 },
	{ "%", COLUMN_NUMBER, CELL_OF(struct bill_line, share) },
	{ "CPU ms", NUMBER_OF(struct bill_line, cpu_ms), .decimals = 2, WHEN(struct bill_figures, has_cpu) },
	{ "program", TEXT_OF(struct bill_line, program) },
	{ "what", TEXT_OF(struct bill_line, what) },
};

/* The texts are taken over. */
static void add_line(struct table *table, const struct bill_figures *figures, struct bill_figure figure, char *program,
		     char *text)
{
	table__add(table, &(struct bill_line){ figure.wall_ns / 1e6, cell__percent(figure.wall_ns, figures->wall_ns),
					       figure.cpu_ns / 1e6, program, text });
	free(program);
	free(text);
}

static void add_figures(struct table *table, const struct bill_figures *figures, size_t shown)
{
	struct bill_figure others = { 0 };

	for (size_t i = 0; i < figures->count; i++) {
		const struct bill_figure *figure = &figures->list[i];

		if (i < shown) {
			add_line(table, figures, *figure,
				 figure->row->exe == NO_EXE ? checked_strdup("") : who(figures->run, figure->row),
				 what(figure->row, figures->has_cpu));
			continue;
		}
		others.wall_ns += figure->wall_ns;
		others.cpu_ns += figure->cpu_ns;
	}
	if (shown < figures->count)
		add_line(table, figures, others, checked_strdup(""),
			 text__of("%zu smaller parts", figures->count - shown));
	table__rule(table);
	add_line(table, figures, (struct bill_figure){ NULL, figures->wall_ns, figures->cpu_ns }, checked_strdup(""),
		 checked_strdup("all"));
}

void report__print_bill(const struct run *run, const struct report_options *options, const struct table_output *output)
{
	struct bill_figures figures = figures_of(run);
	const size_t room = room__of(options, run->lines ? ROWS_BESIDE_LINES : ROWS_SHOWN, ROWS_FULL).rows;
	struct table *table = table__new(figures.has_cpu ? "Where the time of the run goes" :
					 "Where the time of the run goes: by strace, of calls and waits only");
	autofree char *text = NULL;

	if (!figures.has_cpu)
		print_window_answer(&figures, output);
	TABLE_COLUMNS(table, columns, &figures);
	table__rule(table);
	add_figures(table, &figures, figures.count > room + 1 ? room : figures.count);
	table__show(table, output);
	if (run->bill->unfinished) {
		text = text__of("%s the command: nothing of this is known of what came then, nor of their CPU time.",
				quantity__count(run->bill->unfinished, "thread outlives", "threads outlive").text);
		wrap__print(NULL, text, 0, 0, output);
	}
	free(figures.list);
}

struct table *report__bill_rows(const struct run *run, const struct report_options *options)
{
	return saved_table__of("Where the time of the run goes, as traced", run, &bill_shape, run->bill, "rows");
}
