// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The class of a fault for all evidence there can be, on a machine that knows everything of each fault (x86-64) and on
 * one that does not: against the tables of docs/reference/fault-classes.md, written here a second time.
 */
#include "unit.h"

/* What a machine always and never sees: here a variable. */
static unsigned int always_seen, never_seen;
#define ALWAYS_SEEN always_seen
#define NEVER_SEEN  never_seen
#include "../../bpf/classify.h"

enum { KNOWN = FAULT_PRESENT_KNOWN | FAULT_WRITE_KNOWN };

/* How the kernel may have answered each question; X: does not matter, in a table. */
enum answer { NO, YES, OPEN, X };

/* Of a page that was allocated; of a mapping. */
enum page { NO_PAGE, COPY, ZEROED, CLEARED /* huge */, ANY_PAGE };
enum mapping { POOL, WATCHED, SPECIAL, SHARED, SHARED_READ, ANON, ANON_READ, PRIVATE, PRIVATE_READ, MAPPINGS };

struct fault {
	enum answer present, write, old;
	int found; /* found: only of reads that are looked at */
	enum page page;
	int rss; /* a bit for each counter */
	int caches;
	enum mapping mapping;
};

static const struct known_vma mappings[MAPPINGS] = {
	[POOL] = { .flags = VM_HUGETLB | VM_WRITE | VM_SHARED },
	[WATCHED] = { .flags = VM_UFFD_WP | VM_WRITE, .is_anonymous = 1 },
	[SPECIAL] = { .flags = VM_PFNMAP | VM_WRITE },
	[SHARED] = { .flags = VM_SHARED | VM_WRITE },
	[SHARED_READ] = { .flags = VM_SHARED },
	[ANON] = { .flags = VM_WRITE, .is_anonymous = 1 },
	[ANON_READ] = { .is_anonymous = 1 },
	[PRIVATE] = { .flags = VM_WRITE },
	[PRIVATE_READ] = {},
};

static struct window window_of(const struct fault *fault)
{
	return (struct window){
		.evidence = (fault->present == YES ? FAULT_PRESENT : 0) |
			    (fault->present != OPEN ? FAULT_PRESENT_KNOWN : 0) |
			    (fault->write == YES ? FAULT_WRITE : 0) | (fault->write != OPEN ? FAULT_WRITE_KNOWN : 0) |
			    (fault->old == YES ? FAULT_OLD : 0) | (fault->old == OPEN ? FAULT_MAYBE_OLD : 0),
		.effects = { .pages = fault->page != NO_PAGE,
			     .zeroed = fault->page == CLEARED ? HUGE : fault->page == ZEROED,
			     .rss = fault->rss },
	};
}

/* As window.h and vma.h ask. */
static unsigned int class_of(const struct fault *fault)
{
	struct window window = window_of(fault);
	unsigned int class = classify(&window, fault->caches);

	if (class == FAULT_PUZZLE && fault->found)
		window.evidence |= FAULT_FOUND;
	return class == FAULT_PUZZLE ? classify_by_mapping(&mappings[fault->mapping], window.evidence) : class;
}

/* The tables of docs/reference/fault-classes.md; the first line that fits decides. */
#define ANY_RSS	  -1
#define NONE	  0
#define SWAP	  (1 << MM_SWAPENTS)
#define ANONYMOUS (1 << MM_ANONPAGES)
#define FILE_	  (1 << MM_FILEPAGES)
#define SHMEM	  (1 << MM_SHMEMPAGES)

struct line {
	const char *present, *write;	 /* the answers that fit: "1", "0", "?" */
	const char *page;		 /* "-", "c", "z", "H" */
	int rss_all, rss_some, rss_none; /* counters: all of these, one of these (0: no matter), none of these */
	const char *mapping;		 /* letters as in `letters`; "": any */
	int old, found, caches;		 /* -1: no matter; old: enum answer */
	unsigned int class;
};

static const char letters[MAPPINGS + 1] = "hupSsAaFf";

#define ALL   "10?"
#define EVERY (SWAP | ANONYMOUS | FILE_ | SHMEM)

static const struct line table[] = {
	/* P, W, page, counters (all, some, none), mapping, old, found, caches */
	{ ALL, ALL, "-czH", SWAP, 0, 0, "", -1, -1, -1, FAULT_SWAP_IN },
	{ ALL, ALL, "-", 0, 0, EVERY, "", 1, -1, -1, FAULT_ACCESS_FLAG },
	{ "1", "0", "-czH", 0, 0, 0, "", -1, -1, -1, FAULT_OTHER },
	{ ALL, ALL, "-czH", ANONYMOUS, FILE_ | SHMEM, 0, "", -1, -1, -1, FAULT_FILE_COW },
	{ ALL, ALL, "zH", ANONYMOUS, 0, 0, "", -1, -1, -1, FAULT_ZERO_FILL },
	{ ALL, ALL, "c", ANONYMOUS, 0, 0, "", -1, -1, -1, FAULT_FILE_COW },
	{ ALL, ALL, "-", ANONYMOUS, 0, 0, "", -1, -1, -1, FAULT_OTHER },
	{ "1", ALL, "-czH", 0, FILE_ | SHMEM, 0, "", -1, -1, -1, FAULT_SHARED_WRITE },
	{ "0?", ALL, "-czH", SHMEM, 0, 0, "", -1, -1, -1, FAULT_SHMEM },
	{ "0?", ALL, "-czH", FILE_, 0, 0, "", -1, -1, -1, FAULT_FILE_MAP },
	{ "1", "1?", "c", 0, 0, EVERY, "", -1, -1, -1, FAULT_COW_COPY },
	/* Those that change no counter: the mapping decides. */
	{ ALL, ALL, "-czH", 0, 0, 0, "hu", -1, -1, -1, FAULT_OTHER },
	{ "0?", ALL, "-czH", 0, 0, 0, "p", -1, -1, -1, FAULT_PFN_MAP },
	{ "1", ALL, "-czH", 0, 0, 0, "p", -1, -1, -1, FAULT_OTHER },
	{ "1", "1?", "-zH", 0, 0, 0, "Ss", -1, -1, -1, FAULT_SHARED_WRITE },
	{ "1", "1?", "-zH", 0, 0, 0, "AaFf", -1, -1, -1, FAULT_COW_REUSE },
	{ "0?", ALL, "H", 0, 0, 0, "Aa", -1, -1, 1, FAULT_ZERO_FILL },
	{ "0", "0?", "-czH", 0, 0, 0, "Aa", -1, 0, -1, FAULT_ZERO_PAGE },
	{ "0", ALL, "-czH", 0, 0, 0, "", -1, -1, -1, FAULT_OTHER },
	/* Whether the page was there is not known. */
	{ "?", ALL, "-zH", 0, 0, 0, "", OPEN, -1, -1, FAULT_UNDECIDED },
	{ "?", ALL, "c", 0, 0, 0, "Ss", OPEN, -1, -1, FAULT_UNDECIDED },
	{ "?", "1", "-czH", 0, 0, 0, "Ss", -1, -1, -1, FAULT_SHARED_WRITE },
	{ "?", "1", "c", 0, 0, 0, "AaFf", -1, -1, -1, FAULT_COW_COPY },
	{ "?", "1", "-zH", 0, 0, 0, "AaFf", -1, -1, -1, FAULT_COW_REUSE },
	{ "?", "0", "-czH", 0, 0, 0, "Aa", -1, 0, -1, FAULT_ZERO_PAGE },
	{ "?", "?", "-czH", 0, 0, 0, "a", -1, 0, -1, FAULT_ZERO_PAGE },
	{ "?", "0", "-czH", 0, 0, 0, "", -1, -1, -1, FAULT_OTHER },
	{ "?", "?", "-czH", 0, 0, 0, "saf", -1, -1, -1, FAULT_OTHER },
	{ "?", "?", "c", 0, 0, 0, "AF", -1, -1, -1, FAULT_COW_COPY },
	{ "?", "?", "-czH", 0, 0, 0, "SAF", -1, -1, -1, FAULT_UNDECIDED },
};
enum { LINES = sizeof(table) / sizeof(table[0]) };

static int fits(const struct line *line, const struct fault *fault)
{
	return strchr(line->present, "01?"[fault->present]) && strchr(line->write, "01?"[fault->write]) &&
	       strchr(line->page, "-czH"[fault->page]) && (fault->rss & line->rss_all) == line->rss_all &&
	       (!line->rss_some || fault->rss & line->rss_some) && !(fault->rss & line->rss_none) &&
	       (!*line->mapping || strchr(line->mapping, letters[fault->mapping])) &&
	       (line->old < 0 || line->old == (int)fault->old) && (line->found < 0 || line->found == fault->found) &&
	       (line->caches < 0 || line->caches == fault->caches);
}

static const struct line *line_of(const struct fault *fault)
{
	for (int i = 0; i < LINES; i++)
		if (fits(&table[i], fault))
			return &table[i];
	return NULL;
}

/*
 * How faults were classified while there was x86-64 alone, kept as it was: the error code has both answers.
 * (FAULT_FOUND was only asked for reads of missing pages.)
 */
static unsigned int class_of_x86(const struct fault *fault)
{
	struct window window = window_of(fault);
	unsigned int error = window.evidence & (FAULT_PRESENT | FAULT_WRITE);
	const int present = error & FAULT_PRESENT, write = error & FAULT_WRITE;
	const struct known_vma *vma = &mappings[fault->mapping];

	if (changed(&window, MM_SWAPENTS))
		return FAULT_SWAP_IN;
	if (present && !write)
		return FAULT_OTHER;
	if (changed(&window, MM_ANONPAGES)) {
		if (changed(&window, MM_FILEPAGES) || changed(&window, MM_SHMEMPAGES))
			return FAULT_FILE_COW;
		if (window.effects.zeroed)
			return FAULT_ZERO_FILL;
		return window.effects.pages ? FAULT_FILE_COW : FAULT_OTHER;
	}
	if (changed(&window, MM_SHMEMPAGES))
		return present ? FAULT_SHARED_WRITE : FAULT_SHMEM;
	if (changed(&window, MM_FILEPAGES))
		return present ? FAULT_SHARED_WRITE : FAULT_FILE_MAP;
	if (present && window.effects.pages && !window.effects.zeroed)
		return FAULT_COW_COPY;
	if (fault->caches && !present && window.effects.zeroed == HUGE)
		error |= FAULT_FILLED;
	if (fault->found)
		error |= FAULT_FOUND;
	if (vma->flags & (VM_HUGETLB | VM_UFFD_MISSING | VM_UFFD_WP))
		return FAULT_OTHER;
	if (vma->flags & (VM_PFNMAP | VM_IO | VM_MIXEDMAP))
		return error & FAULT_PRESENT ? FAULT_OTHER : FAULT_PFN_MAP;
	if (error & FAULT_PRESENT)
		return vma->flags & VM_SHARED ? FAULT_SHARED_WRITE : FAULT_COW_REUSE;
	if (vma->is_anonymous && error & FAULT_FILLED)
		return FAULT_ZERO_FILL;
	if (vma->is_anonymous && !(error & (FAULT_WRITE | FAULT_FOUND)))
		return FAULT_ZERO_PAGE;
	return FAULT_OTHER;
}

typedef void visit(const struct fault *fault, void *context);

/* All faults: the outer loops are questions that a machine may leave open. */
static long go_through(visit *visit, void *context, enum answer answers)
{
	struct fault fault;
	const int options = answers, count = options * options * X * 2 * 2 * ANY_PAGE * 16 * MAPPINGS;

	for (int i = 0; i < count; i++) {
		int rest = i;

		fault.present = rest % options, rest /= options;
		fault.write = rest % options, rest /= options;
		fault.old = rest % X, rest /= X;
		fault.found = rest % 2, rest /= 2;
		fault.caches = rest % 2, rest /= 2;
		fault.page = rest % ANY_PAGE, rest /= ANY_PAGE;
		fault.rss = rest % 16, rest /= 16;
		fault.mapping = rest;
		visit(&fault, context);
	}
	return count;
}

static void compare_with_table(const struct fault *fault, void *context)
{
	const struct line *line = line_of(fault);
	unsigned char *used = context;

	assert_non_null(line);
	used[line - table] = 1;
	if (class_of(fault) != line->class)
		fail_msg("P %d W %d old %d found %d page %d rss %x caches %d mapping %d: class %u, line %d has %u",
			 fault->present, fault->write, fault->old, fault->found, fault->page, fault->rss, fault->caches,
			 fault->mapping, class_of(fault), (int)(line - table), line->class);
}

/* Every line is needed, and every class comes from one. */
static void follows_the_tables(void **state)
{
	unsigned char used[LINES] = {}, classes[FAULT_COUNT] = {};

	always_seen = never_seen = 0;
	assert_int_equal(go_through(compare_with_table, used, X), 3 * 3 * 3 * 2 * 2 * 4 * 16 * MAPPINGS);
	for (int i = 0; i < LINES; i++) {
		assert_true(used[i]);
		if (table[i].class < FAULT_COUNT)
			classes[table[i].class] = 1;
	}
	for (int i = 0; i < FAULT_COUNT; i++)
		assert_true(classes[i]);
}

static void compare_with_x86(const struct fault *fault, void *context)
{
	if (fault->old != NO && !never_seen)
		return;
	assert_int_equal(class_of(fault), class_of_x86(fault));
	(*(long *)context)++;
}

/* Where bits say that all is known; and where the machine always knows it, and has no such bits: OPEN stands for no. */
static void is_as_before_on_x86(void **state)
{
	long compared = 0;

	always_seen = never_seen = 0;
	go_through(compare_with_x86, &compared, OPEN);
	assert_int_equal(compared, 2 * 2 * 2 * 2 * 4 * 16 * MAPPINGS);
	always_seen = KNOWN;
	never_seen = FAULT_OLD | FAULT_MAYBE_OLD;
	compared = 0;
	go_through(compare_with_x86, &compared, X);
	assert_int_equal(compared, 3 * 3 * 3 * 2 * 2 * 4 * 16 * MAPPINGS);
}

/*
 * Where an answer is open, the class is one that a known answer would give, or not decided. But for a page that a file
 * system allocates for itself when it is notified of a write: the known answers call that a copy.
 */
static void compare_with_known(const struct fault *fault, void *context)
{
	const unsigned int class = class_of(fault);
	struct fault known = *fault;
	int same = class == FAULT_UNDECIDED;

	if (fault->present != OPEN && fault->write != OPEN)
		return;
	for (int present = 0; present < 2; present++) {
		for (int write = 0; write < 2; write++) {
			known.present = fault->present == OPEN ? (enum answer)present : fault->present;
			known.write = fault->write == OPEN ? (enum answer)write : fault->write;
			same |= class_of(&known) == class;
		}
	}
	same |= class == FAULT_SHARED_WRITE && fault->page == COPY;
	assert_true(same);
	(*(long *)context)++;
}

static void invents_no_class(void **state)
{
	long compared = 0;

	always_seen = never_seen = 0;
	go_through(compare_with_known, &compared, X);
	assert_int_equal(compared, 5 * 3 * 2 * 2 * 4 * 16 * MAPPINGS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_tables),
		cmocka_unit_test(is_as_before_on_x86),
		cmocka_unit_test(invents_no_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
