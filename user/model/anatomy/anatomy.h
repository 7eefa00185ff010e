/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The anatomy of forks: every recorded fault with its place, what the forks cost on the clock,
 * what the dynamic linker bound, what operations cost on this machine, and the advice that
 * follows. Part of a run (run.anatomy, NULL unless asked for), and saved with it.
 *
 * The source fills samples, rows, objects, layouts, got_pages and forks. Analysis adds names
 * (section, symbol), bindings, costs and advice; from then on everything that reports show is here.
 *
 * Which children are recorded: for each parent executable and way of birth, the first `full` and
 * every `every`-th after these. Rows count what was recorded, so figures per child are
 * faults / sample.children; the counts of the run itself stay complete and exact.
 */
#ifndef FORKTAX_MODEL_ANATOMY_ANATOMY_H
#define FORKTAX_MODEL_ANATOMY_ANATOMY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rows/absent.h"
#include "model/advice/advised.h"
#include "model/words/dictionary.h"
#include "model/estimate.h"
#include "relocation_kind.h"

#define GOT_PIECE 4096 /* bytes; as bpf/forktax.h has it */

/* A file that faults fell into or that code ran from. */
struct object {
	char *path; /* NULL: never learnt */
	uint64_t dev, ino; /* dev as makedev(3) packs it */
	bool changed; /* deleted, or its path names another file now: nothing was looked up in it */
};

/* Where an address lies. Offsets: see the dictionary (probes/places.def), in bytes. */
struct place {
	enum place_kind kind;
	uint32_t object; /* index into anatomy.objects; NO_OBJECT if kind has none */
	uint64_t offset; /* of the first fault seen; a negative one is stored as two's complement */
	bool varies; /* other faults of the row fell elsewhere in the same page */
	/* By analysis, owned; NULL: not known. With `varies`, of the first fault. */
	char *section;
	char *symbol;
	uint64_t symbol_offset;
};

/* Faults that are alike: same group, phase, actor, class, page, and page of the code. */
/* Does exit() touch the page that a fault has mapped or copied? Then it takes the fault if nobody has before. */
enum exit_needs { EXIT_NEEDS_NOT, EXIT_NEEDS, EXIT_MAY_NEED /* unknown: no symbols */ };

struct anatomy_row {
	uint32_t group; /* index into run.groups; NO_GROUP: processes without one (roots) */
	enum phase phase;
	enum actor actor;
	enum fault_class class;
	struct place place; /* what was accessed */
	struct place code; /* the instruction; kernel-mode faults: kind PLACE_UNKNOWN */
	char *call; /* system call in which a kernel-mode fault was taken; NULL: none, not known */
	bool is_exec; /* the access was an instruction fetch */
	uint64_t faults;
	uint64_t children; /* recorded images with at least one of them */
	uint64_t timed; /* faults with a known duration */
	uint64_t ns; /* sum of these durations */
	uint64_t around; /* pages that file_map faults mapped, neighbours included; ABSENT: not known */
	uint64_t table_pages; /* page-table pages allocated */
	uint64_t since_ns; /* sum of the times from the image's begin to each fault: for their order */
	enum exit_needs exit_needs; /* of faults of the dynamic linker in children; not saved */
};

/*
 * How many forks lie between a child and the exec of the image that it inherited. Children and
 * grandchildren may be in one group: same executable, same birth, same exec target. What one has to
 * bind, the other may inherit bound.
 */
enum generation { GENERATION_UNKNOWN, GENERATION_CHILD, GENERATION_GRANDCHILD, GENERATION_LATER, GENERATION_COUNT };
extern const char *const generation_keys[GENERATION_COUNT]; /* "unknown", "children", ... */

/* How much of a group (or of the roots) was recorded. */
struct sample {
	uint32_t group; /* NO_GROUP: roots */
	uint64_t children; /* recorded, with at least their inherited image */

	/* All recorded images. Over all samples, the rows and the other four sum to `faults`. */
	uint64_t faults; /* by the kernel's count */
	uint64_t unattributed; /* no event: no place can be known */
	uint64_t missed; /* the event was lost: events came faster than they were read */
	uint64_t unsampled; /* copies and reuses after forks of children that were not recorded */
	uint64_t beyond; /* the thread had taken RECORDS_MOST others before */

	/* Inherited and borrowed images alone. The rows of phase CHILD and the other three sum to it. */
	uint64_t child_faults;
	uint64_t child_unattributed, child_missed, child_beyond;

	/* Faults of the parents after forks of this group, part of `beyond` in the parents' samples. */
	uint64_t parent_beyond;

	/*
	 * By analysis: pages with slots that children made their own but that were not compared, so
	 * bindings there are not among the symbols. 0: the symbols are complete. ABSENT: not known.
	 */
	uint64_t unseen_pages;
	uint64_t generations[GENERATION_COUNT]; /* of children */
};

/* A duration over forks, ns. If count is 0, all are; else min <= median <= p99 <= max. */
struct spread_ns { uint64_t count, total, min, median, p99, max; };

/* Over the recorded forks; all three ABSENT if not known. */
struct spread_of { uint64_t min, median, max; };

/* What the forks of a group cost on the clock, over its recorded children. */
struct fork_cost {
	uint32_t group;
	uint64_t forks; /* recorded */
	uint64_t complete; /* = whole.count: forks with all parts known, as wait4 reaped the child */
	/*
	 * The middle half of the complete ones, by their whole time: what a fork costs if nothing
	 * interrupts it. The parts are sums over these, and add up to typical_ns.
	 */
	uint64_t typical, typical_ns;
	uint64_t part_ns[PART_COUNT];
	struct spread_ns whole; /* over the complete ones */
	struct spread_ns call; /* in the parent, entry to return of the call; over all recorded */
	/* The parent when it forked. */
	struct spread_of vmas, page_table_bytes, threads;
	/* Medians; 0: it had none, or that is not known. */
	uint64_t open_files; /* descriptors */
	uint64_t pinned_bytes; /* memory that is pinned, as VmPin of proc(5) has it */
	uint64_t vmas_anon; /* VMAs with an anon_vma, whose page tables fork copies; ABSENT */
	uint64_t rss_bytes; /* ABSENT; like vmas_anon, looked up once, at the first fork */
};

/* Pages of a mapping, in the parent at its first fork. */
struct layout_vma {
	uint64_t start, end;
	uint64_t offset; /* in the file, bytes */
	uint32_t object; /* NO_OBJECT: anonymous */
	enum place_kind kind;
	bool read, write, exec, shared;
	bool anon_known, anon; /* has an anon_vma */
	/*
	 * One character per page: '.' not present, 'f' page of the file, 'a' anonymous (copied or
	 * filled). NULL: not read (too large, or gone).
	 */
	char *pages;
	/*
	 * Pages: those present; of these, the anonymous ones and those of huge pages. ABSENT: not read.
	 */
	uint64_t present, own, huge;
	bool kept_out; /* of children: MADV_DONTFORK; or wiped in them: MADV_WIPEONFORK */
	/* Contents of private writable or RELRO mappings of objects, not saved; NULL: not read. */
	unsigned char *bytes;
};

struct layout {
	uint32_t group; /* of the child at whose birth it was read */
	uint32_t exe; /* of the parent; index into run.exes */
	/*
	 * The parent was gone before it could be read: only its objects are here, as the kernel
	 * reported their mappings, and nothing of their pages.
	 */
	bool recorded;
	struct layout_vma *vmas; /* by address, without overlaps */
	size_t vma_count;
};

/*
 * A page that ld.so copied in a child, or a piece of one that is larger: contents at that fault and at the child's end.
 * Not saved.
 */
struct got_page {
	uint32_t group;
	uint32_t object;
	uint64_t offset; /* in the file, of the piece */
	uint64_t address; /* in the child */
	uint64_t children; /* recorded children with exactly this pair of contents */
	uint64_t generations[GENERATION_COUNT]; /* of these */
	unsigned char before[GOT_PIECE], after[GOT_PIECE];
};

/* By analysis; the kinds are in probes/. */
extern const char *const relocation_keys[RELOC_KIND_COUNT]; /* "relative", "relr", ... */

/* What the dynamic linker did to one object. Unknown counts are ABSENT. */
struct binding_object {
	uint32_t object;
	uint32_t layout; /* index into anatomy.layouts */
	uint64_t relocations[RELOC_KIND_COUNT];
	bool lazy; /* its JUMP_SLOTs wait for their first call */
	bool opened; /* no file asks for it: dlopen(3), or LD_PRELOAD */
	uint64_t relro_start, relro_end; /* of PT_GNU_RELRO, ELF virtual addresses; 0, 0: none */
	uint64_t startup_pages; /* distinct pages that ld.so dirtied in the exec'd image */
	uint64_t child_pages; /* distinct pages that ld.so copied in children, of all rows */
	uint64_t slots_bound; /* JUMP_SLOTs bound in the parent when it forked: inherited */
	uint64_t slots_unbound; /* JUMP_SLOTs that still waited then */
	uint64_t bound_to; /* slots and GLOB_DATs of other objects that lead here; 0: never bound to */
	uint64_t data_to; /* other relocated words of other objects that point here */
	bool awaited; /* none does, but a slot of another object that waits asks for a name of this one */
};

enum binding_method { BY_GOT_DIFFERENCE, BY_FIRST_SLOT, BINDING_METHOD_COUNT };
extern const char *const binding_method_keys[BINDING_METHOD_COUNT];

/* A symbol that children bind again and again. */
struct binding_symbol {
	uint32_t group;
	uint32_t object; /* whose GOT it is */
	uint64_t slot; /* ELF virtual address */
	char *symbol; /* NULL: the object has no name for it */
	uint32_t provider; /* object that the slot leads to, NO_OBJECT: not known */
	uint64_t children; /* recorded children that bound it */
	uint64_t generations[GENERATION_COUNT]; /* of these */
	enum binding_method method;
};

/*
 * Calibrated on this machine, ns each; not known if a try failed. The value is from a tight loop;
 * the interval reaches from there to what the operation takes with cold caches.
 */
enum cost {
#define COST(id, key, title) COST_##id,
#include "model/anatomy/costs.def"
#undef COST
	COST_COUNT
};
/* COST_FORK_UNCACHED is that of a page after so much other memory has been written. */
enum { UNCACHED_BYTES = 64 << 20 };
extern const char *const cost_keys[COST_COUNT];
extern const char *const cost_titles[COST_COUNT];

struct anatomy {
	uint64_t full, every; /* sampling: see above */
	bool durations; /* faults were timed */
	uint64_t got_reads, got_ns; /* pages read to compare GOTs, and how long that took */
	struct sample *samples;
	size_t sample_count;
	struct object *objects;
	size_t object_count;
	struct anatomy_row *rows; /* group, phase, then in order of first occurrence (since_ns) */
	size_t row_count;
	struct stacks *stacks; /* model/stacks/stacks.h; NULL: not asked */
	struct fork_cost *forks;
	size_t fork_count;
	struct layout *layouts;
	size_t layout_count;
	struct got_page *got_pages;
	size_t got_page_count;
	struct binding_object *bindings;
	size_t binding_count;
	struct binding_symbol *symbols;
	size_t symbol_count;
	struct estimate costs[COST_COUNT];
	struct advice *advice; /* by predicted saving, largest first */
	size_t advice_count;
	char *verdict; /* of `explain`: whether fork is this command's problem; NULL: not asked */
};

struct anatomy *anatomy__new(void);

/* Is it in an object: in its file, or in its .bss? */
bool place__has_object(const struct place *place);
/* Has it children of more than one generation, or of an unknown one? */
bool sample__is_mixed(const struct sample *sample);
/* The counts of a mapping, if need be from its page map; 0: not known. */
struct vma_pages { double present, own, huge; };
struct vma_pages layout_vma__count(const struct layout_vma *vma);

/* The sample of a group (NO_GROUP: of the roots), or NULL. */
const struct sample *anatomy__sample(const struct anatomy *anatomy, uint32_t group);
const struct fork_cost *anatomy__fork_cost(const struct anatomy *anatomy, uint32_t group);
const struct layout *anatomy__layout(const struct anatomy *anatomy, uint32_t group);
/*
 * Faults of a row per recorded child, in any phase; for roots, per root. 0 if no child of the group
 * was recorded.
 */
double anatomy__per_child(const struct anatomy *anatomy, const struct anatomy_row *row);
/* Mean duration of its timed faults, ns; NAN if none was. */
double anatomy_row__ns(const struct anatomy_row *row);
/* The time of all its faults, ns, untimed ones taken as the others; 0: not known. */
double anatomy_row__all_ns(const struct anatomy_row *row);
/* Mean time from the image's begin to its faults, ns; 0 without any. */
double anatomy_row__since(const struct anatomy_row *row);

#endif
