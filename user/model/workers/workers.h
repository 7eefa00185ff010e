/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory of a pool of forked processes at one moment: what each worker still shares, what it has
 * for itself, and how that differs from what the master has. The terms are defined in
 * docs/use/workers.md; all counts of pages are of 4 KiB, and of anonymous memory only.
 */
#ifndef FORKTAX_MODEL_WORKERS_WORKERS_H
#define FORKTAX_MODEL_WORKERS_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/advice/advised.h"
#include "model/machine_kind.h"
#include "model/rows/absent.h"
#include "model/workers/workers_flow.h"

#define WORKERS_SCHEMA "forktax-workers/1"

/* By what it was decided whether a page is shared. */
enum workers_witness {
	WITNESS_FRAMES, /* the same frame: certain */
	WITNESS_EXCLUSIVE, /* the page map's bit "exclusive", for who may not see frames */
	WITNESS_COUNT
};
extern const char *const workers_witness_keys[WITNESS_COUNT];

/* Pages by contents, against the page of reference at the same address: the master's. */
struct page_classes {
	uint64_t identical, few_words, different;
	uint64_t unstable; /* changed while it was compared */
	uint64_t unread; /* could not be read */
};

/*
 * Pages of one process, or of one of its mappings. Every present anonymous page is in exactly one of:
 * shared, own, unknown. Of a master `own` is not divided: it is what the workers are compared with. In
 * a pool without a master they are compared with the largest group, or the oldest of them.
 */
struct worker_pages {
	uint64_t shared; /* another member of the pool maps the frame, at whatever address */
	uint64_t remapped; /* of these: at other addresses only */
	uint64_t merged; /* of shared: by same-page merging, which says nothing of a fork */
	uint64_t own; /* nobody else in the pool maps the frame: `unshared` and the next three */
	struct page_classes unshared; /* inherited */
	uint64_t unknown_origin; /* the same address as a page of the master, and no sign of a fork */
	uint64_t new; /* anonymous memory where the master has none; copies of file pages left out */
	uint64_t file_private; /* the same, in a private mapping of a file */
	/* Of the last two: another worker has a page of these contents there; ABSENT: of a file from before. */
	uint64_t repeated;
	struct page_classes perhaps; /* all of unknown_origin; ABSENT: of a file from before these were read */
	uint64_t proven; /* inherited and own, by strength: at this address two members share a frame now, */
	uint64_t assumed; /* or the mapping holds such a page */
	uint64_t unknown; /* whether it is shared cannot be known (huge, and frames are not seen) */
	uint64_t huge; /* mapped by 2 MiB, of all the present ones; ABSENT: not known */
	uint64_t dropped; /* not there, though inherited; neither present nor swapped */
	uint64_t swapped; /* in swap: not looked at */
	/* Hints: in pages that are few_words or different, also perhaps: words of 8 bytes that changed, */
	uint64_t changed_words;
	uint64_t count_words; /* by at most 16 up or down, as reference counts do */
	uint64_t age_words; /* in bits 5 and 6 alone, as the age of Ruby's objects does */
	/*
	 * Pages that are identical or few_words, also perhaps, with objects of CPython: none that its collector
	 * writes to, or such. ABSENT: of a file from before.
	 */
	uint64_t plain_objects, collected_objects;
	uint64_t kept_plain, kept_objects; /* the same of shared pages: one in 8 was looked at, and counts for 8 */
};

/* A range of addresses with one backing. In several members it is the same if start and backing are. */
struct pool_mapping {
	uint64_t start, end; /* end: of the longest */
	uint64_t offset; /* in the file, bytes */
	char *name; /* path, name in brackets, or NULL: anonymous */
};

struct worker_mapping {
	uint32_t mapping; /* in workers.mappings */
	struct worker_pages pages;
};

struct worker {
	int32_t pid, parent;
	char *name; /* the kernel's, 15 bytes at most */
	uint64_t age_ns;
	struct worker_pages pages;
	/* What the kernel says (smaps_rollup); ABSENT: not readable. */
	uint64_t pss_anon_bytes, pss_file_bytes, pss_shmem_bytes, swap_pss_bytes;
	/* What is present, by the kernel's counters (status); ABSENT: not known. */
	uint64_t rss_anon_bytes, rss_file_bytes, rss_shmem_bytes;
	/* Sum over its present pages of 4 KiB / (mappings of the frame); ABSENT: not known. */
	uint64_t counted_bytes;
	struct worker_mapping *mappings; /* those with something to count, in order of address */
	size_t mapping_count;
};

/* Something that could not be known here. */
struct workers_gap { char *what, *why, *remedy; }; /* remedy NULL: none */

struct workers_cross_check {
	uint64_t pss_anon_bytes; /* of all members, by the kernel */
	uint64_t counted_bytes; /* the same, page by page; ABSENT: not known */
	uint64_t pss_file_bytes, pss_shmem_bytes, swap_pss_bytes;
	uint64_t readings; /* how often the pool was read; the reading with the smallest gap is reported */
	bool matches; /* as workers__cross_check_matches() has it */
};

struct workers {
	char *version; /* of forktax */
	struct machine machine; /* all counts of pages are of its pages */
	bool has_state; /* false: the pool was gone; then only `flow` tells anything */
	bool has_master; /* false: all members were forked, from a process that is none any more */
	uint64_t started; /* ns since the epoch */
	uint64_t look_ns; /* duration of the reading that is reported */
	enum workers_witness witness;
	struct worker master;
	struct worker *workers; /* by age, the oldest first */
	size_t worker_count;
	struct pool_mapping *mappings; /* in order of address */
	size_t mapping_count;
	/*
	 * Over all addresses with an inherited page: frames - 1, and frames - different contents. A frame
	 * that merging has put at several addresses is divided among them, and an address counts for
	 * nothing if less than one frame is left to it. At least that, if the witness is not the frames,
	 * or pages could not be read.
	 */
	uint64_t extra_bytes, mergeable_bytes;
	/* How much more with pages of unknown origin; ABSENT: of a file from before these were read. */
	uint64_t perhaps_extra_bytes, perhaps_mergeable_bytes;
	/*
	 * Over all addresses where workers have pages and the master has none: pages - different contents. Pages that
	 * are filled with one byte are left out. ABSENT: of a file from before these were compared.
	 */
	uint64_t repeated_bytes;
	bool at_least;
	struct workers_cross_check cross_check;
	uint64_t born, ended; /* members that were born or ended during that reading: they are not in it */
	uint64_t unreadable; /* children of members that may be members and could not be looked at */
	uint64_t executed; /* living children of members that execute another program: no members */
	struct workers_gap *gaps;
	size_t gap_count;
	struct workers_flow *flow; /* owned; NULL: it was not watched */
	struct advice *advice; /* in the order of the rules */
	size_t advice_count;
};

struct workers *workers__new(void); /* has a state */
void workers__free(struct workers *workers); /* NULL is fine */

/*
 * NULL, or what is wrong in a saved one (to be freed): parts that exceed the whole, or sums that differ
 * from the saved totals.
 */
char *workers__contradiction(const struct workers *workers);

/* `sum` += `pages`; what is absent in one is absent in the sum. */
void worker_pages__add(struct worker_pages *sum, const struct worker_pages *pages);
/* Of anonymous memory, by the kernel; where its sum was not read, by the member's pages. ABSENT: not known. */
uint64_t worker__pss_anon(const struct worker *worker);
/* Of all its memory, as ps(1) and smaps_rollup have it. ABSENT: not known. */
uint64_t worker__rss(const struct worker *worker);
uint64_t worker__pss(const struct worker *worker);
/* Anonymous memory of all members, by the kernel; where its sum was not read, by their pages. ABSENT: not known. */
uint64_t workers__pss_anon(const struct workers *workers);
/* The members, the master first: how many, and the pid of one. */
size_t workers__member_count(const struct workers *workers);
int32_t workers__member_pid(const struct workers *workers, size_t index);
/* All workers, without the master. */
struct worker_pages workers__sum(const struct workers *workers);
/*
 * Bytes of copies that are as the master's page, or nearly, and hold objects of Python, by what wrote to them most
 * likely: its collector, in workers where it has run over all objects; or who used an object of their data, and so
 * wrote its reference count.
 */
struct workers_writers { uint64_t collector, counts; };
struct workers_writers workers__python_writers(const struct workers *workers);

/* Bytes. What the pool has once, whatever its workers are, and what one worker has of its own, on average. */
struct workers_cost {
	uint64_t files, shmem; /* each page once; ABSENT: not known */
	uint64_t anon; /* anonymous memory of the master, and what workers share, or may share; ABSENT: not known */
	bool is_estimate; /* without the kernel's sums, files and shmem are those of the member with most */
	uint64_t same; /* as what the master has */
	uint64_t changed; /* the master has something else there */
	uint64_t repeated; /* new, and another worker has the same contents there */
	uint64_t new; /* other new memory */
	uint64_t unknown; /* whether it is its own: in no sum */
};
struct workers_cost workers__cost(const struct workers *workers);
/* Of everything that exists once, and of one worker. */
uint64_t workers_cost__once(const struct workers_cost *cost);
uint64_t workers_cost__each(const struct workers_cost *cost);

/* Inherited from the master or an earlier one, and now its own. */
uint64_t worker_pages__unshared(const struct worker_pages *pages);
/* The same, and what is still shared, unless merging made it so. */
uint64_t worker_pages__inherited(const struct worker_pages *pages);

/* Notes something that could not be known; `remedy` may be NULL. Texts are copied. */
void workers__miss(struct workers *workers, const char *what, const char *why, const char *remedy);
/*
 * Does what was counted of members page by page agree with the kernel's sums (Pss_Anon, within 1 KiB for each)? Of
 * those whose sums were not read: is what was found as much as the kernel's counter of their anonymous pages (RssAnon)?
 */
bool workers__cross_check_matches(const struct workers *workers);
/* By how many bytes these differ, as memory changed meanwhile; ABSENT: not known. */
uint64_t workers__change(const struct workers *workers);
/* Exact: page frames are known, there is a master, the totals agree, all memory of every member was read. */
bool workers__is_exact(const struct workers *workers);

#endif
