// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of the memory of a pool: schema forktax-workers/1. */
#include <inttypes.h>

#include "base/page.h"
#include "base/text.h"
#include "model/rows/field_rows.h"
#include "model/workers/workers.h"
#include "model/workers/workers_flow_fields.h"

static const struct words witness_words = WORDS_OF(workers_witness_keys);

static size_t pool_mappings(const struct scope *scope)
{
	return ((const struct workers *)scope__root(scope))->mapping_count;
}

static const void *inherited_by_worker(const struct scope *scope, union computed *computed)
{
	const struct worker *worker = scope->self;

	computed->count = worker_pages__inherited(&worker->pages);
	return computed;
}

static const void *inherited_in_mapping(const struct scope *scope, union computed *computed)
{
	const struct worker_mapping *mapping = scope->self;

	computed->count = worker_pages__inherited(&mapping->pages);
	return computed;
}

/* The same rows for workers and their mappings. */
#define UNSHARED_ROWS \
	COUNT("identical", pages.unshared.identical, .note = "byte for byte the master's page"), \
	COUNT("few_words", pages.unshared.few_words, .note = "1 to 8 of its words, of 8 bytes each, differ"), \
	COUNT("different", pages.unshared.different, .note = "more words differ"), \
	COUNT("unstable", pages.unshared.unstable, .note = "changed while it was compared"), \
	COUNT("unread", pages.unshared.unread, .note = "could not be read")
#define UNSHARED_NOTE .note = "of private_pages, the inherited ones, by contents"
#define PERHAPS_ROWS \
	COUNT("identical", pages.perhaps.identical, NULLABLE), \
	COUNT("few_words", pages.perhaps.few_words, NULLABLE), \
	COUNT("different", pages.perhaps.different, NULLABLE), \
	COUNT("unstable", pages.perhaps.unstable, NULLABLE), \
	COUNT("unread", pages.perhaps.unread, NULLABLE)
#define PERHAPS_NOTE .note = "unknown_origin_pages, by contents as in private"
#define HINT_ROWS \
	COUNT("changed_words", pages.changed_words, \
	      .note = "of 8 bytes, in few_words and different pages of private and unknown_origin"), \
	COUNT("count_words", pages.count_words, \
	      .note = "of these: they differ by at most 16, as reference counts do"), \
	COUNT("age_words", pages.age_words, \
	      .note = "of these: they differ only in bits 5 and 6, as the ages of Ruby's objects do"), \
	COUNT("plain_object_pages", pages.plain_objects, NULLABLE, OLDER, \
	      .note = "identical or few_words, with objects of CPython that its collector does not write to"), \
	COUNT("collected_object_pages", pages.collected_objects, NULLABLE, OLDER, \
	      .note = "the same, with objects that it writes to"), \
	COUNT("kept_plain_object_pages", pages.kept_plain, NULLABLE, OLDER, \
	      .note = "as plain_object_pages, of shared_pages: of one page in 8, times 8"), \
	COUNT("kept_object_pages", pages.kept_objects, NULLABLE, OLDER, \
	      .note = "as collected_object_pages, of shared_pages: of one page in 8, times 8")
#define HINT_NOTE .note = "what changed words look like; no class depends on it"
#define PAGES_ROWS(inherited, unshared, contents, hints) \
	COMPUTED("inherited_pages", FIELD_COUNT, inherited, \
		 .law = "\"%s\" is not the sum of what is shared, and what is private and inherited", \
		 .note = "shared_pages - merged_pages + all of private"), \
	COUNT("shared_pages", pages.shared, \
	      .note = "another member of the pool has the frame, too"), \
	COUNT("remapped_pages", pages.remapped, .note = "of these: at other addresses only"), \
	COUNT("merged_pages", pages.merged, \
	      .note = "of shared_pages: by same-page merging (KSM)"), \
	COUNT("private_pages", pages.own, \
	      .note = "no other member has the frame: the sum of private, unknown_origin_pages, " \
		      "new_pages and file_private_pages"), \
	SECTION("private", unshared), \
	COUNT("unknown_origin_pages", pages.unknown_origin, \
	      .note = "private, where the master has a page, without evidence that both come from one page"), \
	SECTION("unknown_origin", contents), \
	COUNT("new_pages", pages.new, .note = "private, where the master has no anonymous page"), \
	COUNT("file_private_pages", pages.file_private, \
	      .note = "the same, in a private mapping of a file"), \
	COUNT("repeated_pages", pages.repeated, NULLABLE, OLDER, \
	      .note = "of new_pages and file_private_pages: another worker has the same contents at this address"), \
	COUNT("proven_pages", pages.proven, \
	      .note = "of private: two members share a frame at this address"), \
	COUNT("assumed_pages", pages.assumed, .note = "of private: the mapping has a proven page"), \
	COUNT("unknown_pages", pages.unknown, .note = "it is unknown whether they are shared"), \
	COUNT("huge_pages", pages.huge, NULLABLE, \
	      .note = "of all present ones: mapped as huge pages; null: not known"), \
	COUNT("dropped_pages", pages.dropped, .note = "inherited, but no longer present"), \
	COUNT("swapped_pages", pages.swapped, .note = "in swap: not read"), \
	SECTION("hints", hints)

#define S struct worker_mapping
static const struct field mapping_unshared_fields[] = { UNSHARED_ROWS };
static const struct shape mapping_unshared_shape = SHAPE_OF(mapping_unshared, UNSHARED_NOTE);
static const struct field mapping_perhaps_fields[] = { PERHAPS_ROWS };
static const struct shape mapping_perhaps_shape = SHAPE_OF(mapping_perhaps, PERHAPS_NOTE);
static const struct field mapping_hint_fields[] = { HINT_ROWS };
static const struct shape mapping_hint_shape = SHAPE_OF(mapping_hint, HINT_NOTE);
static const struct field worker_mapping_fields[] = {
	INDEX("mapping", mapping, pool_mappings, .note = "in mappings of the document"),
	PAGES_ROWS(inherited_in_mapping, mapping_unshared_shape, mapping_perhaps_shape, mapping_hint_shape),
};
static const struct shape worker_mapping_shape = SHAPE_OF(worker_mapping);
#undef S

#define S struct pool_mapping
static const struct field pool_mapping_fields[] = {
	IDENTITY("start", start),
	IDENTITY("end", end, .note = "of the longest among the members"),
	IDENTITY("offset", offset, .note = "in the file"),
	TEXT("name", name, NULLABLE, .note = "as in /proc/PID/maps; null: anonymous"),
};
static const struct shape pool_mapping_shape = SHAPE_OF(pool_mapping);
#undef S

#define S struct worker
#define PROCESS_ROWS \
	INTEGER("pid", pid, 1, INT32_MAX), \
	INTEGER("parent", parent, 0, INT32_MAX), \
	TEXT("name", name, .note = "the kernel's, of 15 bytes at most"), \
	COUNT("age_ns", age_ns)
#define MEMORY_ROWS \
	COUNT("pss_anon_bytes", pss_anon_bytes, NULLABLE, .note = "by the kernel (smaps_rollup)"), \
	COUNT("pss_file_bytes", pss_file_bytes, NULLABLE), \
	COUNT("pss_shmem_bytes", pss_shmem_bytes, NULLABLE), \
	COUNT("swap_pss_bytes", swap_pss_bytes, NULLABLE), \
	COUNT("rss_anon_bytes", rss_anon_bytes, NULLABLE, OLDER, \
	      .note = "anonymous pages present, by the kernel's counter (status)"), \
	COUNT("rss_file_bytes", rss_file_bytes, NULLABLE, OLDER, .note = "the same, of files"), \
	COUNT("rss_shmem_bytes", rss_shmem_bytes, NULLABLE, OLDER, .note = "the same, of shared memory"), \
	COUNT("counted_bytes", counted_bytes, NULLABLE, \
	      .note = "bytes of a page / mappings of the frame, summed up over the present pages")
static const struct field worker_unshared_fields[] = { UNSHARED_ROWS };
static const struct shape worker_unshared_shape = SHAPE_OF(worker_unshared, UNSHARED_NOTE);
static const struct field worker_perhaps_fields[] = { PERHAPS_ROWS };
static const struct shape worker_perhaps_shape = SHAPE_OF(worker_perhaps, PERHAPS_NOTE);
static const struct field worker_hint_fields[] = { HINT_ROWS };
static const struct shape worker_hint_shape = SHAPE_OF(worker_hint, HINT_NOTE);
static const struct field worker_fields[] = {
	PROCESS_ROWS,
	PAGES_ROWS(inherited_by_worker, worker_unshared_shape, worker_perhaps_shape, worker_hint_shape),
	MEMORY_ROWS,
	LIST("mappings", mappings, mapping_count, worker_mapping_shape, .note = "those with something to count"),
};
static const struct shape worker_shape = SHAPE_OF(worker,
	.note = "anonymous pages: shared_pages + private_pages + unknown_pages are present");
static const struct field master_fields[] = {
	PROCESS_ROWS,
	COUNT("shared_pages", pages.shared),
	COUNT("remapped_pages", pages.remapped),
	COUNT("merged_pages", pages.merged),
	COUNT("private_pages", pages.own, .note = "no other member has the frame"),
	COUNT("unknown_pages", pages.unknown),
	COUNT("huge_pages", pages.huge, NULLABLE),
	COUNT("swapped_pages", pages.swapped),
	MEMORY_ROWS,
};
static const struct shape master_shape = SHAPE_OF(master,
	.note = "as a worker; private pages are not divided, as workers are compared with them");
#undef S

#define S struct workers_gap
static const struct field gap_fields[] = {
	TEXT("what", what),
	TEXT("why", why),
	TEXT("remedy", remedy, NULLABLE),
};
static const struct shape gap_shape = SHAPE_OF(gap, .note = "something that could not be known");
#undef S

#define S struct workers_cross_check
static const struct field workers_cross_check_fields[] = {
	COUNT("pss_anon_bytes", pss_anon_bytes, NULLABLE, .note = "of all members, by the kernel"),
	COUNT("counted_bytes", counted_bytes, NULLABLE, .note = "the same, page by page"),
	COUNT("pss_file_bytes", pss_file_bytes, NULLABLE),
	COUNT("pss_shmem_bytes", pss_shmem_bytes, NULLABLE),
	COUNT("swap_pss_bytes", swap_pss_bytes, NULLABLE),
	COUNT("readings", readings, .note = "how often the pool was read"),
	BOOL("matches", matches, .note = "both sums agree within 1 KiB per process; of those without the kernel's sum "
				      "rss_anon_bytes is what is present"),
};
static const struct shape workers_cross_check_shape = SHAPE_OF(workers_cross_check);
#undef S

static const void *is_exact(const struct scope *scope, union computed *computed)
{
	computed->flag = workers__is_exact(scope__root(scope));
	return computed;
}

static char *workers_law(const struct scope *scope)
{
	const struct workers *workers = scope->self;
	char *wrong = machine__contradiction(&workers->machine);

	return wrong ? wrong : workers__contradiction(workers);
}

#define S struct workers
static const struct field pool_fields[] = {
	COUNT("extra_bytes", extra_bytes,
	      .note = "frames - 1 over all addresses with an inherited page, times page_bytes; frames that "
		      "merging has put at several addresses are divided among them"),
	COUNT("mergeable_bytes", mergeable_bytes,
	      .note = "frames - different contents, summed over the same addresses"),
	COUNT("unknown_origin_extra_bytes", perhaps_extra_bytes, NULLABLE, OLDER,
	      .note = "beyond extra_bytes, if pages of unknown origin were inherited; null: an older file"),
	COUNT("unknown_origin_mergeable_bytes", perhaps_mergeable_bytes, NULLABLE, OLDER,
	      .note = "beyond mergeable_bytes, with pages of unknown origin"),
	COUNT("repeated_bytes", repeated_bytes, NULLABLE, OLDER,
	      .note = "pages - different contents, summed over the addresses of new memory; null: an older file"),
	BOOL("at_least", at_least, .note = "they may be larger"),
	OBJECT("cross_check", cross_check, workers_cross_check_shape),
};
static const struct shape pool_shape = SHAPE_OF(pool);

static const struct field workers_integrity_fields[] = {
	COMPUTED("exact", FIELD_BOOL, is_exact, .note = "nothing in the document is uncertain"),
	KEY("witness", witness, witness_words, .note = "the evidence for which pages are shared"),
	COUNT("born", born, .note = "members created during the reading: they are not included"),
	COUNT("ended", ended, .note = "members that ended during the reading: they are not included"),
	COUNT("unreadable", unreadable, .note = "processes that may be members"),
	COUNT("executed", executed, .note = "children that execute another program: no members"),
	LIST("not_known", gaps, gap_count, gap_shape, .lines = true),
};
static const struct shape workers_integrity_shape = SHAPE_OF(workers_integrity);

static const struct field workers_fields[] = {
	TEXT("version", version, NULLABLE, .note = "of forktax"),
	MACHINE_ROWS,
	COUNT("started", started, .note = "nanoseconds since the epoch"),
	COUNT("look_ns", look_ns, .note = "how long the reading took"),
	OBJECT("master", master, master_shape, NULLABLE, .flag = offsetof(S, has_master),
	       .note = "as a worker; private pages are not divided, as workers are compared with them. null: "
		       "the pool has no master, or had ended; without a master, workers are "
		       "compared with each other"),
	SECTION("pool", pool_shape, NULLABLE, .flag = offsetof(S, has_state)),
	SECTION("integrity", workers_integrity_shape),
	LIST("mappings", mappings, mapping_count, pool_mapping_shape, .lines = true),
	LIST("workers", workers, worker_count, worker_shape, .lines = true),
	OBJECT("flow", flow, workers_flow_shape, .pointer = true, .omitted = true),
	LIST("advice", advice, advice_count, pool_advice_shape, .lines = true),
};
static void complete_workers(void *self)
{
	struct workers *workers = self;

	if (workers->flow)
		workers->flow->page_bytes = workers->machine.page_bytes;
}

const struct shape workers_shape =
	SHAPE_OF(workers, .complete = complete_workers, .law = workers_law, .document = WORKERS_SCHEMA,
		 .note = "The memory of a pool of forked processes, schema forktax-workers/1 (explained in "
			 "schema-workers.md)");
#undef S
