/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The experiments of the calibration, one for each cost. Those of a kind run alternately, so that a
 * disturbance of the machine affects all alike.
 */
#ifndef FORKTAX_CALIBRATE_TRIALS_H
#define FORKTAX_CALIBRATE_TRIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibrate/raw.h"
#include "model/anatomy/anatomy.h"

/* What the trials share. Everything in it belongs to the calibrating process and ends with it. */
struct trial_setup {
	size_t page; /* bytes */
	bool flip; /* measure the second of two things first, so that drift cancels out */
	bool cold; /* measure with cold caches */
	char *filler; /* FILLER bytes of our own; NULL: there was no memory */
	char *room; /* memory of our own for these, kept out of children ... */
	size_t room_left; /* ... and how much of it is not in use yet, bytes */
	char *fork_pages; /* FORK_PAGES of our own, written */
	char *flood; /* UNCACHED_BYTES of our own; NULL: there was no memory */
	char *fork_tables; /* FORK_TABLES written pages, each in a page table of its own */
	char *fork_huge; /* FORK_HUGE huge pages of our own */
	char *copied; /* TOUCHED written pages, for children to write */
	char *fresh; /* TOUCHED + 1 anonymous pages, the first one written */
	char *file; /* a private mapping of a file in the page cache ... */
	size_t file_pages;
	char *file_singles; /* ... and TOUCHED mappings of one page of it, a gap behind each */
	void *libc; /* for dlsym() */
	double fork_page_ns; /* last value of COST_FORK_PAGE */
	double call_ns; /* until the call of the last fork returned in the parent */
};

enum { TOUCHED = 64, FORK_PAGES = 2048, FORK_TABLES = 64, FORK_HUGE = 64, FORK_VMAS = 128, TABLES = 32 };
enum { FILLER = 4 << 20, CACHE_LINE = 64 };

/* Bytes that a page table covers, and that a huge page has: 2 MiB with pages of 4 KiB, 32 MiB with those of 16 KiB. */
static inline size_t trial__span(const struct trial_setup *setup)
{
	return setup->page / sizeof(uint64_t) * setup->page;
}

/* The first address from there on at which a span begins. */
static inline char *trial__begin_of_span(const struct trial_setup *setup, char *from)
{
	return from + -(uintptr_t)from % trial__span(setup);
}

/*
 * Puts everything else out of the caches that are smaller. It takes long, so others that wait for the CPU
 * goes first.
 */
static inline void trial__write_through(char *area, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += CACHE_LINE)
		((volatile char *)area)[i]++;
	raw__call(SYS_sched_yield, 0, 0, 0);
}

/* Call before each timed span. */
static inline void trial__chill(const struct trial_setup *setup)
{
	if (setup->cold)
		trial__write_through(setup->filler, FILLER);
}

struct trial {
	enum cost cost;
	bool (*prepare)(struct trial_setup *setup); /* once; false: this cost cannot be measured */
	bool (*measure)(struct trial_setup *setup, double *ns); /* one value; false: discard it */
};

/*
 * Turns this process into a slim one, which forks as cheaply as a process can: of all that forktax
 * has mapped its children get the code and a page of each kind of data of the executable, the stack,
 * the page of the thread pointer and what is shared, as those of a small static program do. So the cost
 * of its forks is that of fork, not of what forktax happens to use. A child made then has no C library:
 * it may use raw.h, functions and constants of this executable, and what is `needed` of its data, whose
 * pages are kept. False: the mappings could not be read. For a process of its own, as there is no way
 * back.
 */
bool slim__down(const void *needed, size_t bytes);

/* What ld.so needs to look up a symbol. In a static program it cannot be measured. */
bool symbol_trial__prepare(struct trial_setup *setup);
bool symbol_trial__measure(struct trial_setup *setup, double *ns);

/*
 * In a single process; and in a slim one, without the C library. Hidden, so that no machine reads their addresses from
 * the table of offsets (.got): a slim process has no page of it.
 */
#pragma GCC visibility push(hidden)
extern const struct trial fault_trials[], fork_trials[];
extern const size_t fault_trial_count, fork_trial_count;
#pragma GCC visibility pop

#endif
