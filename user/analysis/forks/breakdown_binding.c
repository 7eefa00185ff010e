// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "analysis/forks/fork_breakdown.h"
#include "base/memory.h"
#include "base/text.h"

bool fork_breakdown__runs_destructors(const char *symbol)
{
	static const char *const names[] = { "_dl_fini",	  "_dl_call_fini",	"_dl_sort_maps",
					     "_dl_sort_maps_dfs", "_dl_audit_objclose", NULL };

	return text__is_any(symbol, names);
}

bool fork_breakdown__binds_lazily(const struct anatomy *anatomy, uint32_t group)
{
	for (size_t i = 0; i < anatomy->symbol_count; i++) {
		if (anatomy->symbols[i].group == group)
			return true;
	}
	for (size_t i = 0; i < anatomy->binding_count; i++) {
		const struct binding_object *binding = &anatomy->bindings[i];

		if (binding->lazy && anatomy->layouts[binding->layout].group == group)
			return true;
	}
	return false;
}

/* Code of the linker that loads objects: by how glibc's names begin. */
static bool is_loader(const struct place *code)
{
	static const char *const names[] = {
		"_dl_map_",	  "_dl_open",	      "dl_open_worker",	  "_dl_relocate_object",
		"open_path",	  "open_verify",      "cache_rpath",	  "_dl_load_cache_lookup",
		"search_cache",	  "_dl_new_object",   "_dl_setup_hash",	  "_dl_check_map_versions",
		"_dl_add_to_",	  "_dl_sysdep_read_", "_dl_protect_relro", "_dl_init",
		"call_init",	  "fillin_rpath",     "decompose_rpath",  "expand_dynamic_string",
		"_dl_close",	  "_dl_unmap",	      "_dl_unload_cache", "_dl_find_object_update",
	};

	for (size_t i = 0; code->symbol && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strncmp(code->symbol, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

/* Code of the linker that finds thread-local data and tables for unwinding, and allocates what it needs for that. */
static bool finds_data(const struct anatomy_row *row)
{
	static const char *const names[] = {
		"__tls_get_addr",    "tls_get_addr_tail",   "update_get_addr",	"_dl_update_slotinfo",
		"allocate_and_init", "allocate_dtv_entry",  "_dl_find_object",	"_dl_find_object_slow",
		"_dlfo_lookup",	     "__tls_get_addr_slow", "_dl_tlsdesc_dynamic", NULL,
	};

	return text__is_any(row->code.symbol, names) ||
	       (row->class != FAULT_FILE_MAP && (row->place.kind == PLACE_HEAP || row->place.kind == PLACE_ANON));
}

/* An object that the parent did not have when it forked, as far as that is known. */
static bool is_new_to_child(const struct anatomy *anatomy, const struct anatomy_row *row)
{
	const struct layout *layout = anatomy__layout(anatomy, row->group);

	if (!layout || !layout->vma_count || row->place.object == NO_OBJECT)
		return false;
	for (size_t i = 0; i < layout->vma_count; i++) {
		if (layout->vmas[i].object == row->place.object)
			return false;
	}
	return true;
}

bool fork_breakdown__is_loading(const struct anatomy *anatomy, const struct anatomy_row *row)
{
	return row->phase == PHASE_CHILD && row->actor == ACTOR_LDSO &&
	       (is_loader(&row->code) || is_new_to_child(anatomy, row));
}

bool fork_breakdown__is_binding(const struct fork_breakdown *breakdown,
				const struct anatomy *anatomy, const struct anatomy_row *row)
{
	return breakdown->lazy && row->phase == PHASE_CHILD && row->actor == ACTOR_LDSO &&
	       !fork_breakdown__runs_destructors(row->code.symbol) &&
	       !finds_data(row) && !fork_breakdown__is_loading(anatomy, row);
}

/*
 * Faults on one page by one actor, of any class: whether a page is copied or taken over depends on
 * which of two processes comes first.
 */
struct event {
	const struct anatomy_row *row; /* one of them */
	uint64_t page; /* of the file */
	uint64_t faults, timed, ns, since_ns;
	bool binding;
};

static double since(const struct event *event)
{
	return (double)event->since_ns / (double)event->faults;
}

static double end_of(const struct event *event)
{
	return since(event) + (event->timed ? (double)event->ns / (double)event->timed : 0);
}

static int in_order(const void *left, const void *right)
{
	double a = since(left), b = since(right);

	return (a > b) - (a < b);
}

static bool is_map(const struct anatomy_row *row)
{
	return row->class == FAULT_FILE_MAP;
}

/*
 * One page of a file may hold relocations of slots, code and the slots themselves, each mapped at
 * another address: what is read, run and written there counts as three pages.
 */
static int by_page(const void *left, const void *right)
{
	const struct event *a = left, *b = right;
	const struct place *at = &a->row->place, *other = &b->row->place;
	const int differences[] = {
		a->binding - b->binding,
		is_map(a->row) - is_map(b->row),
		a->row->is_exec - b->row->is_exec,
		(at->kind > other->kind) - (at->kind < other->kind),
		(at->object > other->object) - (at->object < other->object),
		(a->page > b->page) - (a->page < b->page),
	};

	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
		if (differences[i])
			return differences[i];
	return 0;
}

/* Events of one page become one. Returns how many are left. */
static size_t join_pages(struct event *events, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(events, count, sizeof(*events), by_page);
	for (size_t i = 0; i < count; i++) {
		struct event *last = kept ? &events[kept - 1] : NULL;

		if (!last || by_page(last, &events[i])) {
			events[kept++] = events[i];
			continue;
		}
		last->faults += events[i].faults;
		last->timed += events[i].timed;
		last->ns += events[i].ns;
		last->since_ns += events[i].since_ns;
	}
	return kept;
}

/* The faults in user mode, to be freed. */
static struct event *find_events(const struct fork_breakdown *breakdown, const struct run *run, size_t *count)
{
	const struct anatomy *anatomy = run->anatomy;
	struct event *events = checked_calloc(anatomy->row_count, sizeof(*events));
	size_t all = 0;

	for (size_t i = 0; i < anatomy->row_count; i++) {
		const struct anatomy_row *row = &anatomy->rows[i];

		if (row->group == breakdown->group && row->phase == PHASE_CHILD && row->faults &&
		    row->actor != ACTOR_KERNEL)
			events[all++] = (struct event){
				.row = row,
				.page = run__page_at(run, row->place.offset),
				.faults = row->faults,
				.timed = row->timed,
				.ns = row->ns,
				.since_ns = row->since_ns,
				.binding = fork_breakdown__is_binding(breakdown, anatomy, row),
			};
	}
	*count = join_pages(events, all);
	return events;
}

/*
 * Means of times compare only over the same children: keeps the events that happened once in as
 * many children as the most common event of binding. Puts them in order; returns how many.
 */
static size_t keep_comparable(struct event *events, size_t count, uint64_t children)
{
	uint64_t most = 0;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (events[i].binding && events[i].faults > most && events[i].faults <= children)
			most = events[i].faults;
	}
	if (2 * most < children)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (events[i].faults == most)
			events[kept++] = events[i];
	}
	qsort(events, kept, sizeof(*events), in_order);
	return kept;
}

/* A gap that is so many times as long as a fault is not ld.so's: it looks up a symbol in less. */
enum { FAR = 20 };

/* From the end of this event to the next one, of the same block. */
static double gap_after(const struct event *event, double longest)
{
	const double gap = since(event + 1) - end_of(event);

	return gap > longest ? 0 : gap;
}

static double longest_gap(const struct event *events, size_t count)
{
	double ns = 0, timed = 0;

	for (size_t i = 0; i < count; i++) {
		ns += (double)events[i].ns;
		timed += (double)events[i].timed;
	}
	return timed > 0 ? FAR * ns / timed : INFINITY;
}

bool fork_breakdown__binding_span(const struct fork_breakdown *breakdown, const struct run *run, double *ns)
{
	const struct sample *sample = anatomy__sample(run->anatomy, breakdown->group);
	struct event *events;
	bool known = false;
	double longest;
	size_t count;

	*ns = 0;
	if (!sample || !sample->children || !breakdown->lazy)
		return false;
	events = find_events(breakdown, run, &count);
	count = keep_comparable(events, count, sample->children);
	longest = longest_gap(events, count);
	for (size_t i = 0; i < count; i++) {
		if (!events[i].binding)
			continue;
		*ns += end_of(&events[i]) - since(&events[i]);
		if (i + 1 < count && events[i + 1].binding)
			*ns += gap_after(&events[i], longest);
		known = true;
	}
	free(events);
	return known;
}
