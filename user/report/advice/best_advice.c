// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/advice/best_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forks/fork_breakdowns.h"
#include "base/autofree.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/advice/advice_order.h"
#include "report/advice/advice_tables.h"
#include "report/advice/rule_words.h"
#include "report/words.h"

enum { FURTHER_MOST = 2 };
/* Less than that of the run is no advice for its first screen. */
static const double SHARE_LEAST = 0.02;
/* From this share on, what was counted comes first. */
static const double EVIDENCE_LEAST = 0.1;

struct best {
	const struct advice_order *order; /* that it is from; NULL: there is no best advice */
	const struct advice *advice;
	double run_ns; /* what the whole run saves; NAN: not known */
};

static const struct {
	const char *rule, *program, *remedy;
} languages[] = {
#define LANGUAGE(rule, program, remedy) { rule, program, remedy },
#include "model/advice/languages.def"
#undef LANGUAGE
};

static const char *words_of(const char *rule, const char *program)
{
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
		if (!strcmp(languages[i].rule, rule) &&
		    !strncmp(languages[i].program, program, strlen(languages[i].program)))
			return languages[i].remedy;
	return NULL;
}

/* Of the run, as it is printed; 0: not known. */
static double wall_of(const struct run *run)
{
	if (run->bill && run->bill->untraced_wall_ns)
		return (double)run->bill->untraced_wall_ns;
	return run__is_attached(run) ? 0 : (double)run->wall_ns;
}

/* The program whose forks, or whose start, the advice is about; NULL: not known. */
static const struct exe *program_of(const struct run *run, const struct advice *advice)
{
	uint32_t exe = NO_EXE;

	if (advice->group == NO_GROUP)
		return run__first_exe(run);
	if (advice->group < run->group_count)
		exe = run->groups[advice->group].parent_exe;
	return exe < run->exe_count ? &run->exes[exe] : NULL;
}

static const char *name_of(const struct run *run, const struct advice *advice)
{
	const struct exe *exe = program_of(run, advice);
	const char *name = exe ? exe__name(exe) : NULL;

	return name ? text__file_name(name) : "the program";
}

static const char *language_of(const struct run *run, const struct advice *advice)
{
	return words_of(advice->rule, name_of(run, advice));
}

/* Has the program come with the system? Then its user has hardly written it. */
static bool is_packaged(const struct exe *exe)
{
	static const char *const directories[] = { "/usr/", "/bin/", "/sbin/", "/lib", "/opt/" };
	const char *path = exe && exe->resolved ? exe->resolved : exe ? exe__file(exe) : NULL;

	if (!path || !strncmp(path, "/usr/local/", strlen("/usr/local/")))
		return false;
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (!strncmp(path, directories[i], strlen(directories[i])))
			return true;
	return false;
}

/* Can the user of the command do it: by a setting, in a script, or in a program of their own? */
static bool can_be_done(const struct best *best)
{
	const struct run *run = best->order->run;
	const struct rule_words *words = rule_words__of(best->advice->rule);

	const bool of_run = best->order->about->of_run && best->advice->group == NO_GROUP;

	return of_run || best->advice->way || (words && words->way) ||
	       language_of(run, best->advice) || !is_packaged(program_of(run, best->advice));
}

/*
 * What forks of the group's parent take of the run, by rows of its bill, what copies of it do, and starts of what these
 * execute: no advice on these forks saves more.
 */
struct fork_rows {
	double forks, copies, starts; /* forks: INFINITY: not known */
};

static struct fork_rows fork_rows_of(const struct run *run, uint32_t group)
{
	const struct bill_scale scale = run->bill ? bill__scale(run->bill) : (struct bill_scale){ 0 };
	struct fork_rows rows = { 0 };

	if (!run->bill || group >= run->group_count)
		return (struct fork_rows){ .forks = INFINITY };
	for (size_t i = 0; i < run->bill->count; i++) {
		const struct bill_row *row = &run->bill->rows[i];
		const double ns = bill__untraced(row, scale, row->wall_ns);
		const bool is_of_parent = row->exe == run->groups[group].parent_exe;

		if (is_of_parent && row->kind == BILL_FORK)
			rows.forks += ns;
		else if (is_of_parent && !row->executed)
			rows.copies += ns;
		else if (row->kind == BILL_START && row->exe == run->groups[group].exec_target)
			rows.starts += ns;
	}
	return rows;
}

static double saving_of_run(const struct advice_order *order, const struct advice *advice)
{
	const struct estimate *ns = advice__saving(advice);
	const double all = ns->value * advice_order__times(order, advice), most = wall_of(order->run);
	const double whole = most ? fmin(all, most) : all;
	const struct fork_rows rows = fork_rows_of(order->run, advice->group);

	if (!ns->known)
		return NAN;
	return ns == &advice->predicted_ns ? fmin(whole, rows.forks + rows.copies + rows.starts) : whole;
}

/* Without a prediction there is nothing to say until a trial has shown what it saves. */
static bool has_saving(const struct advice *advice)
{
	return advice__saving(advice)->known || advice->measured_faults.known;
}

/* Keeps the better one of `best` and what an order has; `for_authors`: also what only an author can do. */
static void consider(struct best *best, const struct advice_order *order, bool for_authors)
{
	const double least = SHARE_LEAST * wall_of(order->run);

	for (size_t i = 0; i < order->useful; i++) {
		const struct best other = { order, order->list[i], saving_of_run(order, order->list[i]) };

		if (other.run_ns < least || !has_saving(other.advice) || !(for_authors || can_be_done(&other)))
			continue;
		if (!best->order || other.run_ns > best->run_ns || (isnan(best->run_ns) && !isnan(other.run_ns)))
			*best = other;
	}
}

/* All advice of a run in its orders. */
struct all_advice {
	struct advice_order of_run, of_forks, of_start;
	struct best best;
};

/* The best points into `all`, which stays where it is. Where the reader can do nothing, it is what authors can. */
static void find_all(struct all_advice *all, const struct run *run)
{
	*all = (struct all_advice){ .of_run = advice_order__of_run(run) };
	if (run->anatomy)
		all->of_forks = advice_order__of_forks(run);
	if (run->start)
		all->of_start = advice_order__of_start(run);
	for (int for_authors = 0; for_authors < 2 && !all->best.order; for_authors++) {
		consider(&all->best, &all->of_run, for_authors);
		if (all->of_forks.run)
			consider(&all->best, &all->of_forks, for_authors);
		if (all->of_start.run)
			consider(&all->best, &all->of_start, for_authors);
	}
}

static void release(struct all_advice *all)
{
	advice_order__free(&all->of_run);
	advice_order__free(&all->of_forks);
	advice_order__free(&all->of_start);
}

const char *best_advice__way(const struct run *run)
{
	struct all_advice all;
	const struct rule_words *words;

	find_all(&all, run);
	words = all.best.order ? rule_words__of(all.best.advice->rule) : NULL;
	release(&all);
	return words ? words->way : NULL;
}

/* Are calls of the start, which were counted, so much of the time in which somebody works that they come first? */
static bool explains_start(const struct all_advice *all)
{
	const struct best *best = &all->best;
	const struct bill *bill = best->order ? best->order->run->bill : NULL;
	double waits = 0;

	if (best->order != &all->of_start || !best->advice->predicted_ns.known || !can_be_done(best))
		return false;
	for (size_t i = 0; bill && i < bill->count; i++)
		if (bill->rows[i].kind == BILL_READY)
			waits += bill__untraced(&bill->rows[i], bill__scale(bill), bill->rows[i].wall_ns);
	return best->run_ns >= EVIDENCE_LEAST * (wall_of(best->order->run) - waits);
}

/* Where the best advice is on forks: why they are slow, if that is known. */
static const char *evidence_of(const struct all_advice *all)
{
	static const char *const rules[] = { "R6", "R15", "R21", "R27", NULL };

	if (all->best.order == &all->of_run || explains_start(all))
		return all->best.advice->evidence;
	for (size_t i = 0; all->best.order && all->best.order == &all->of_forks && i < all->of_run.count; i++)
		if (text__is_any(all->of_run.list[i]->rule, rules) &&
		    strstr(all->of_run.list[i]->evidence, name_of(all->best.order->run, all->best.advice)))
			return all->of_run.list[i]->evidence;
	return NULL;
}

bool report__print_best_evidence(const struct run *run, const struct table_output *output)
{
	struct all_advice all;
	const char *evidence;

	find_all(&all, run);
	evidence = evidence_of(&all);
	if (evidence)
		wrap__print(NULL, evidence, 0, 0, output);
	release(&all);
	return evidence;
}

/* The value is the end of its interval, which begins with nothing: no more is known. */
static bool is_limit(const struct estimate *ns)
{
	return ns->bounded && ns->low == 0 && ns->value > 0 && ns->value >= ns->high;
}

/* ", 12.3 ms (9.8 %) of the run", or nothing; to be freed. */
static char *of_run(const struct best *best, bool whole)
{
	const double wall = wall_of(best->order->run);

	if (!wall || isnan(best->run_ns))
		return text__of("%s", "");
	if (whole)
		return text__of(", %s of the run", quantity__percent(best->run_ns / wall).text);
	return text__of(", %s (%s) of the run", quantity__time(best->run_ns).text,
			quantity__percent(best->run_ns / wall).text);
}

/* Of advice on forks: is what is predicted for one, for all of them, more than a time of the run? */
static bool is_above(const struct best *best, double ns)
{
	const struct advice *advice = best->advice;

	return advice->group < best->order->run->group_count && advice__saving(advice) == &advice->predicted_ns &&
	       advice->predicted_ns.value * advice_order__times(best->order, advice) > ns;
}

/* Of a run that has no bill: is more saved of a fork than its overhead? */
static bool is_above_overhead(const struct best *best)
{
	struct fork_breakdowns breakdowns;
	const struct fork_breakdown *of;
	bool is;

	if (best->order->run->bill || !best->order->about->by_groups)
		return false;
	breakdowns = fork_breakdowns__of(best->order->run);
	of = fork_breakdowns__find(&breakdowns, best->advice->group);
	is = of && of->has_overhead && is_above(best, of->overhead * advice_order__times(best->order, best->advice));
	fork_breakdowns__free(&breakdowns);
	return is;
}

/*
 * Where more is saved than forks take, what else it is saved of: ", in which forks take 1.13 s, what their children do
 * 1.02 s"; or nothing. To be freed.
 */
static char *beyond_forks(const struct best *best, const struct fork_rows *rows)
{
	autofree char *copies = NULL, *starts = NULL;

	if (is_above_overhead(best))
		return text__of("%s", ", with work of the child that is no overhead");
	if (!is_above(best, rows->forks))
		return text__of("%s", "");
	if (rows->copies > 0)
		copies = text__of(", what their children do %s", quantity__time(rows->copies).text);
	if (rows->starts > 0)
		starts = text__of(", starts of what they execute %s", quantity__time(rows->starts).text);
	return text__of(", in which forks take %s%s%s", quantity__time(rows->forks).text, copies ? copies : "",
			starts ? starts : "");
}

/* "saves 114 us per start", "not tried, predicted at most 45.4 us per fork"; NULL: not known. To be freed. */
static char *saving_words(const struct best *best)
{
	const struct advice *advice = best->advice;
	const struct estimate *ns = advice__saving(advice);
	const struct fork_rows rows = fork_rows_of(best->order->run, advice->group);
	const bool tried = ns == &advice->measured_ns;
	const bool whole = best->order->about->of_run || is_above(best, fmin(best->run_ns, rows.forks));
	const struct estimate *faults = &advice->measured_faults;
	autofree char *share = of_run(best, whole || !best->order->about->by_groups);
	autofree char *beyond = beyond_forks(best, &rows);

	if (ns->known)
		return text__of("%s%s %s%s%s%s%s",
				tried				    ? "saves" :
				advice__lacks_quiet_runs(advice) ? "tried in too few quiet runs, predicted" :
								      "not tried, predicted",
				is_limit(ns) ? " at most" : "", quantity__time(whole ? best->run_ns : ns->value).text,
				whole ? "" : " per ", whole ? "" : best->order->about->per, share, beyond);
	if (!faults->known)
		return NULL;
	return text__of("saves %s %s per %s, time not measured", quantity__in(faults->value, unit__none).text,
			number__plural(faults->value, "page fault", "page faults"), best->order->about->per);
}

void report__print_best_advice(const struct run *run, const struct report_options *options,
			       const struct table_output *output)
{
	struct all_advice all;
	autofree char *saving = NULL, *words = NULL, *text = NULL;
	const char *language;

	find_all(&all, run);
	saving = all.best.order ? saving_words(&all.best) : NULL;
	if (saving) {
		language = language_of(run, all.best.advice);
		words = language ? text__copy(language) : advice_words__of(all.best.order, all.best.advice);
		text = text__of("%s%s: %s; %s.", can_be_done(&all.best) ? "Best advice" : "For the author of ",
				can_be_done(&all.best) ? "" : name_of(run, all.best.advice), words, saving);
		wrap__print(NULL, text, 0, 0, output);
	}
	release(&all);
}

void report__print_further_advice(const struct run *run, const struct report_options *options,
				  const struct table_output *output)
{
	struct all_advice all;
	size_t shown = 0;

	find_all(&all, run);
	for (size_t i = 0; i < all.of_run.useful && shown < FURTHER_MOST; i++) {
		const struct best further = { &all.of_run, all.of_run.list[i],
					      saving_of_run(&all.of_run, all.of_run.list[i]) };
		autofree char *saving = saving_words(&further), *text = NULL;

		if (further.advice == all.best.advice || further.advice->evidence == evidence_of(&all) || !saving)
			continue;
		text = text__of("%s Advice: %s; %s.", further.advice->evidence, further.advice->action, saving);
		shown++;
		wrap__print(NULL, text, 0, 0, output);
	}
	release(&all);
}

void report__print_run_advice(const struct run *run, const struct report_options *options,
			      const struct table_output *output)
{
	struct advice_order order = advice_order__of_run(run);

	if (!output->page)
		advice_text__print(&order, output);
	else if (order.count)
		advice_rows__print(&order, options, output);
	advice_order__free(&order);
}
