// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the anatomy of a run. docs/schema/schema.md says what rows cannot. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/anatomy/anatomy.h"
#include "model/run/run_fields.h"
#include "model/stacks/stacks.h"

static const struct words cost_words = WORDS_OF(cost_keys);
static const struct words generation_words = WORDS_OF(generation_keys);
static const struct words method_words = WORDS_OF(binding_method_keys);
static const struct words part_words = WORDS_OF(part_counters);
static const struct words phase_words = WORDS_OF(phase_counters);
static const struct words place_words = WORDS_OF(place_counters);

static const struct anatomy *anatomy_of(const struct scope *scope)
{
	return ((const struct run *)scope__root(scope))->anatomy;
}

static size_t anatomy_layouts(const struct scope *scope)
{
	return anatomy_of(scope)->layout_count;
}

static const void *object_path(const struct scope *scope, uint32_t object, union computed *computed)
{
	const struct anatomy *anatomy = anatomy_of(scope);

	computed->text = object < anatomy->object_count ? anatomy->objects[object].path : NULL;
	return &computed->text;
}

/* `NAME` as the computed path of the object that a member of S has as an index. */
#define PATH_OF_OBJECT(name, type, member) \
	static const void *name(const struct scope *scope, union computed *computed) \
	{ \
		return object_path(scope, ((const type *)scope->self)->member, computed); \
	}

/* Numbers of children by generation. */

static const struct field generation_count = { .kind = FIELD_COUNT };

#define GENERATIONS \
	MAP("generations", generations, generation_words, generation_count, \
	    .note = "recorded children, by the number of forks between the exec that built their " \
		    "image and the child")

/* Sampling. */

#define S struct sample
static const struct field sample_fields[] = {
	INDEX("group", group, run__groups, NULLABLE, .note = "index into groups; null: roots"),
	COUNT("children", children, .note = "recorded"),
	COUNT("faults", faults, .note = "of the recorded images, by the kernel's count"),
	COUNT("unattributed", unattributed, .note = "of these, those without an event"),
	COUNT("missed", missed,
	      .note = "of these, faults whose records were lost, because they came faster than "
		      "they were read"),
	COUNT("unsampled", unsampled, OLDER,
	      .note = "of these, copies and reuses after forks of children that were not recorded: "
		      "counted, but not recorded"),
	COUNT("beyond", beyond, OLDER,
	      .note = "of these, faults beyond the limit per thread: counted, but not recorded"),
	COUNT("child_faults", child_faults, .note = "of these faults, those of inherited and borrowed images"),
	COUNT("child_unattributed", child_unattributed),
	COUNT("child_missed", child_missed),
	COUNT("child_beyond", child_beyond, OLDER),
	COUNT("parent_beyond", parent_beyond, OLDER,
	      .note = "faults of parents beyond the limit, after forks of this group's children; "
		      "the sample of the parents counts them, too"),
	COUNT("unseen_pages", unseen_pages, NULLABLE, OLDER,
	      .note = "pages with slots that children copied and forktax did not compare: symbols "
		      "bound there are not in the list; 0: the list is complete; null: unknown"),
	GENERATIONS,
};
static const struct shape sample_shape = SHAPE_OF(sample, .note = "how much of a group was recorded");
#undef S

#define S struct anatomy
static const struct field sampling_fields[] = {
	COUNT("full", full, .note = "number of children, per parent and kind of birth, that are all recorded"),
	COUNT("every", every, .note = "of the children after these, one in so many is recorded"),
	BOOL("durations", durations, .note = "faults were timed"),
	COUNT("got_reads", got_reads, OLDER, .note = "pages read to compare GOTs"),
	COUNT("got_ns", got_ns, OLDER, .note = "time that these comparisons cost the recorded children"),
	LIST("samples", samples, sample_count, sample_shape),
};
static const struct shape sampling_shape = SHAPE_OF(sampling);
#undef S

/* Rows, and the places in them. */

#define S struct object
static const struct field object_fields[] = {
	TEXT("path", path, NULLABLE),
	IDENTITY("dev", dev),
	IDENTITY("ino", ino),
	BOOL("changed", changed, .note = "deleted or replaced since the run: its symbols were not read"),
};
static const struct shape object_shape = SHAPE_OF(object,
	.note = "a file that contains faults, or the code that took them");
#undef S

PATH_OF_OBJECT(accessed_path, struct anatomy_row, place.object)
PATH_OF_OBJECT(code_path, struct anatomy_row, code.object)

static bool has_symbol(const struct scope *scope)
{
	return ((const struct anatomy_row *)scope->self)->place.symbol;
}

static bool has_code_symbol(const struct scope *scope)
{
	return ((const struct anatomy_row *)scope->self)->code.symbol;
}

static const void *row_per_child(const struct scope *scope, union computed *computed)
{
	computed->number = anatomy__per_child(anatomy_of(scope), scope->self);
	return computed;
}

static const void *row_ns(const struct scope *scope, union computed *computed)
{
	const struct anatomy_row *row = scope->self;

	computed->count = row->timed ? (uint64_t)(anatomy_row__ns(row) + 0.5) : ABSENT;
	return computed;
}

#define PLACE_ROWS(prefix, m, path_fn, has_symbol_fn, what) \
	KEY(prefix "place", m.kind, place_words, .note = what), \
	COMPUTED(prefix "object", FIELD_TEXT, path_fn, NULLABLE, PATH_NOTE), \
	INDEX(prefix "object_index", m.object, run__objects, NULLABLE, \
	      .note = "index into objects; null: none"), \
	{ .key = prefix "offset", .kind = FIELD_OFFSET, AT(m.offset, uint64_t), \
	  .note = "bytes, of the first fault; what it is relative to depends on the place" }, \
	BOOL(prefix "varies", m.varies, \
	     .note = "other faults of the row have another offset in the same page"), \
	TEXT(prefix "section", m.section, NULLABLE), \
	TEXT(prefix "symbol", m.symbol, NULLABLE), \
	COUNT(prefix "symbol_offset", m.symbol_offset, .when = has_symbol_fn, \
	      .note = "null without a symbol")

#define S struct anatomy_row
static const struct field anatomy_row_fields[] = {
	INDEX("group", group, run__groups, NULLABLE, .note = "index into groups; null: roots"),
	KEY("phase", phase, phase_words),
	KEY("actor", actor, actor_words),
	KEY("class", class, class_words),
	PLACE_ROWS("", place, accessed_path, has_symbol, "what was accessed"),
	PLACE_ROWS("ip_", code, code_path, has_code_symbol, "the instruction; unknown for kernel-mode faults"),
	TEXT("call", call, NULLABLE, .note = "system call in which a kernel-mode fault was taken"),
	BOOL("is_exec", is_exec, .note = "the access was an instruction fetch"),
	COMPUTED("per_child", FIELD_NUMBER, row_per_child,
		 .note = "faults / children of its sample; for readers: forktax computes it again"),
	COMPUTED("ns", FIELD_COUNT, row_ns, NULLABLE,
		 .note = "timed_ns / timed, rounded; for readers, too; null: no fault was timed"),
	COUNT("faults", faults),
	COUNT("children", children, .note = "recorded images with at least one of them"),
	COUNT("timed", timed, .note = "faults whose duration is known"),
	COUNT("timed_ns", ns, .note = "sum of these durations"),
	COUNT("around", around, NULLABLE, .note = "pages that file_map faults mapped"),
	COUNT("table_pages", table_pages, .note = "page-table pages allocated"),
	COUNT("since_ns", since_ns, .note = "sum of the times from the start of the image to the fault"),
};
static const struct shape anatomy_row_shape = SHAPE_OF(anatomy_row,
	.note = "faults that share group, phase, actor, class, page, and page of the code");
#undef S

/* What forks cost on the clock. */

static bool has_forks(const struct scope *scope)
{
	return ((const struct spread_ns *)scope->self)->count;
}

#define S struct spread_ns
static const struct field spread_ns_fields[] = {
	COUNT("count", count),
	COUNT("total", total),
	COUNT("min", min, .when = has_forks),
	COUNT("median", median, .when = has_forks),
	COUNT("p99", p99, .when = has_forks),
	COUNT("max", max, .when = has_forks),
};
static const struct shape spread_ns_shape = SHAPE_OF(spread_ns,
	.note = "a duration; without any, the last four are null");
#undef S

#define S struct spread_of
static const struct field spread_of_fields[] = {
	COUNT("min", min, NULLABLE),
	COUNT("median", median, NULLABLE),
	COUNT("max", max, NULLABLE),
};
static const struct shape spread_of_shape = SHAPE_OF(spread_of, .note = "over the recorded forks; null: not known");
#undef S

static const struct field part_ns = { .kind = FIELD_COUNT, OLDER };

#define S struct fork_cost
static const struct field fork_cost_fields[] = {
	INDEX("group", group, run__groups, .note = "index into groups"),
	COUNT("forks", forks, .note = "recorded"),
	COUNT("complete", complete, .note = "of these, forks whose parts are all known"),
	COUNT("typical", typical, .note = "of the complete forks, the middle half by duration"),
	COUNT("typical_ns", typical_ns, .note = "sum of their durations"),
	MAP("part_ns", part_ns, part_words, part_ns, .note = "sums over the typical forks; they add up to typical_ns"),
	OBJECT("whole_ns", whole, spread_ns_shape,
	       .note = "from the parent's call to the end of its wait4, of the complete forks"),
	OBJECT("call_ns", call, spread_ns_shape, .note = "the call in the parent, of all recorded forks"),
	OBJECT("vmas", vmas, spread_of_shape),
	OBJECT("page_table_bytes", page_table_bytes, spread_of_shape),
	OBJECT("threads", threads, spread_of_shape),
	COUNT("open_files", open_files, OLDER, .note = "descriptors of the parent, the median"),
	COUNT("pinned_bytes", pinned_bytes, OLDER,
	      .note = "pinned memory of the parent (VmPin), the median: fork copies it at once"),
	COUNT("vmas_anon", vmas_anon, NULLABLE, .note = "mappings with an anon_vma"),
	COUNT("rss_bytes", rss_bytes, NULLABLE),
};
static const struct shape fork_cost_shape = SHAPE_OF(fork_cost, .note = "durations of the forks of a group");
#undef S

/* Layouts. */

PATH_OF_OBJECT(vma_path, struct layout_vma, object)

static char *vma_law(const struct scope *scope)
{
	const struct layout_vma *vma = scope->self;

	if (vma->pages && vma->pages[strspn(vma->pages, ".fa")])
		return text__of("\"pages\" has a character other than . f a");
	return NULL;
}

#define S struct layout_vma
static const struct field vma_fields[] = {
	IDENTITY("start", start),
	IDENTITY("end", end),
	{ .key = "permissions", .kind = FIELD_PERMISSIONS, AT(read, bool) },
	KEY("place", kind, place_words),
	COMPUTED("object", FIELD_TEXT, vma_path, NULLABLE, PATH_NOTE),
	INDEX("object_index", object, run__objects, NULLABLE, .note = "index into objects; null: none"),
	IDENTITY("offset", offset, .note = "in the file, bytes"),
	BOOL("anon", anon, NULLABLE, .flag = offsetof(S, anon_known), .note = "has an anon_vma; null: unknown"),
	TEXT("pages", pages, NULLABLE,
	     .note = "one character per page: . not present, f page of the file, a "
		     "anonymous; null: not read"),
	COUNT("present", present, NULLABLE, OLDER, .note = "pages that are present; null: not read"),
	COUNT("own", own, NULLABLE, OLDER, .note = "of these, anonymous ones"),
	COUNT("huge", huge, NULLABLE, OLDER, .note = "of these, pages of huge pages"),
	BOOL("kept_out", kept_out, OLDER,
	     .note = "children do not get it (MADV_DONTFORK), or get it empty (MADV_WIPEONFORK)"),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, bytes) },
};
static const struct shape vma_shape = SHAPE_OF(vma, .law = vma_law, .note = "one mapping");
_Static_assert(offsetof(S, shared) == offsetof(S, read) + 3, "permissions are four bools");
#undef S

static const void *layout_path(const struct scope *scope, union computed *computed)
{
	return run__exe_path(scope__root(scope), ((const struct layout *)scope->self)->exe, computed);
}

#define S struct layout
static const struct field layout_fields[] = {
	INDEX("group", group, run__groups, NULLABLE, .note = "index into groups; null: none"),
	COMPUTED("parent", FIELD_TEXT, layout_path, NULLABLE, PATH_NOTE),
	INDEX("parent_exe", exe, run__exes, NULLABLE, .note = "index into exes"),
	BOOL("recorded", recorded,
	     .note = "the parent ended before it could be read: these are its objects, by the "
		     "kernel's records of mappings"),
	LIST("vmas", vmas, vma_count, vma_shape),
};
static const struct shape layout_shape = SHAPE_OF(layout,
	.note = "the mappings of a parent at its first fork into a group");
#undef S

/* What was bound where. */

PATH_OF_OBJECT(binding_path, struct binding_object, object)

static bool has_relro(const struct scope *scope)
{
	const struct binding_object *binding = scope->self;

	return binding->relro_start || binding->relro_end;
}

#define S struct binding_object
static const struct field relro_fields[] = {
	IDENTITY("start", relro_start),
	IDENTITY("end", relro_end),
};
static const struct shape relro_shape = SHAPE_OF(relro);

static const struct field binding_fields[] = {
	COMPUTED("object", FIELD_TEXT, binding_path, NULLABLE, PATH_NOTE),
	INDEX("object_index", object, run__objects, .note = "index into objects"),
	INDEX("layout", layout, anatomy_layouts, .note = "index into layouts"),
	MAP("relocations", relocations, relocation_words, relocation_count),
	BOOL("lazy", lazy),
	BOOL("opened", opened, OLDER, .note = "not a DT_NEEDED of any file: loaded by dlopen(3) or LD_PRELOAD"),
	SECTION("relro", relro_shape, NULLABLE, .has = has_relro,
		.note = "of PT_GNU_RELRO, ELF virtual addresses; null: none"),
	COUNT("startup_pages", startup_pages, NULLABLE,
	      .note = "distinct pages that ld.so dirtied in the exec'd image"),
	COUNT("child_pages", child_pages, NULLABLE, .note = "distinct pages that ld.so copied in children"),
	COUNT("slots_bound", slots_bound, NULLABLE, .note = "JUMP_SLOTs bound in the parent when it forked"),
	COUNT("slots_unbound", slots_unbound, NULLABLE, .note = "JUMP_SLOTs not bound in the parent when it forked"),
	COUNT("bound_to", bound_to, NULLABLE, .note = "slots and GLOB_DATs of other objects that point here"),
	COUNT("data_to", data_to, NULLABLE, .note = "other relocated words of other objects that point here"),
	BOOL("awaited", awaited, OLDER,
	     .note = "none points here, but a JUMP_SLOT of another object that is not bound yet has a name that this "
		     "one defines"),
};
static const struct shape binding_shape = SHAPE_OF(binding, .note = "what the dynamic linker did to one object");
#undef S

PATH_OF_OBJECT(symbol_path, struct binding_symbol, object)
PATH_OF_OBJECT(provider_path, struct binding_symbol, provider)

#define S struct binding_symbol
static const struct field symbol_fields[] = {
	INDEX("group", group, run__groups, .note = "index into groups"),
	TEXT("symbol", symbol, NULLABLE),
	COMPUTED("object", FIELD_TEXT, symbol_path, NULLABLE, .note = "the object whose GOT has the slot"),
	INDEX("object_index", object, run__objects, .note = "index into objects"),
	IDENTITY("slot", slot, .note = "ELF virtual address"),
	COMPUTED("provider", FIELD_TEXT, provider_path, NULLABLE, .note = "the object that defines the symbol"),
	INDEX("provider_index", provider, run__objects, NULLABLE, .note = "index into objects; null: unknown"),
	COUNT("children", children, .note = "recorded children that bound it"),
	GENERATIONS,
	KEY("method", method, method_words),
};
static const struct shape symbol_shape = SHAPE_OF(symbol, .note = "a symbol that children bind again");
#undef S

/* Costs. */

/* Files written before this cost existed do not have it: unknown. */
static const struct field cost_figure = { .kind = FIELD_FIGURE, NULLABLE, OLDER };

#define S struct anatomy
static const struct field anatomy_fields[] = {
	SECTION("sampling", sampling_shape),
	LIST("objects", objects, object_count, object_shape, .lines = true),
	LIST("anatomy", rows, row_count, anatomy_row_shape, .lines = true,
	     .note = "by group and phase, in order of occurrence"),
	OBJECT("stacks", stacks, stacks_shape, .pointer = true, .omitted = true,
	       .note = "call stacks of the faults; absent: not asked"),
	LIST("fork_cost", forks, fork_count, fork_cost_shape, .lines = true),
	LIST("layouts", layouts, layout_count, layout_shape, .lines = true),
	LIST("bindings", bindings, binding_count, binding_shape, .lines = true),
	LIST("symbols", symbols, symbol_count, symbol_shape, .lines = true),
	MAP("costs", costs, cost_words, cost_figure,
	    .note = "calibrated on this machine, ns each"),
	LIST("advice", advice, advice_count, advice_shape, .lines = true,
	     .note = "largest predicted saving first"),
	TEXT("verdict", verdict, NULLABLE,
	     .note = "whether fork slows this command down; null: not asked"),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, got_pages) },
};
const struct shape anatomy_shape = SHAPE_OF(anatomy);
#undef S
