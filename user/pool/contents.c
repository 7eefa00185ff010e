// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/contents.h"

#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { FEW_WORDS = 8, NEAR = 16, AGE_BITS = 0x60 };

/* So much of the reference and of a member, which is compared with it, is in the cache of a CPU. */
enum { PIECE_PAGES = 64 };
enum { MARK_PAGES = 16 }; /* fewer are read twice in less time than it takes to ask whether that is needed */

void contents__new(struct contents *contents, size_t views)
{
	contents->reference = checked(malloc(WINDOW_BYTES));
	contents->buffer = checked(malloc(PIECE_PAGES * page_bytes));
	contents->verdicts = checked_calloc(views * WINDOW_PAGES, sizeof(struct verdict));
	contents->views = checked_calloc(views, sizeof(*contents->views));
}

void contents__release(struct contents *contents)
{
	free(contents->reference);
	free(contents->buffer);
	free(contents->verdicts);
	free(contents->views);
}

struct verdict *contents__verdict(const struct contents *contents, size_t view, unsigned int page)
{
	return &contents->verdicts[view * WINDOW_PAGES + page];
}

void contents__begin(struct contents *contents, const struct pool_window *window)
{
	memset(contents->from, 0xff, sizeof(contents->from)); /* NO_VIEW */
	memset(contents->of_reference, 0, sizeof(contents->of_reference));
	memset(contents->verdicts, 0, window->view_count * WINDOW_PAGES * sizeof(struct verdict));
	memset(contents->views, 0, window->view_count * sizeof(*contents->views));
}

struct verdict *contents__ask(struct contents *contents, size_t view, unsigned int page, size_t reference)
{
	struct verdict *verdict = contents__verdict(contents, view, page);

	contents->from[page] = reference;
	contents->views[view].asked++;
	contents->views[reference].asked++;
	contents->of_reference[page].class = CONTENTS_ASKED;
	verdict->class = CONTENTS_ASKED;
	verdict->view = view;
	contents->of_reference[page].view = reference;
	return verdict;
}

static uint64_t mix(uint64_t left, uint64_t right)
{
	__uint128_t product = (__uint128_t)left * right;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* 128 bits: that two of a billion different pages agree is less likely than a defect of memory. */
static void hash_page(const unsigned char *page, uint64_t hash[2])
{
	uint64_t lanes[4] = { 0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89 };
	uint64_t words[8];

	for (size_t at = 0; at < page_bytes; at += sizeof(words)) {
		memcpy(words, page + at, sizeof(words));
#pragma GCC unroll 4 /* keeps the lanes in registers */
		for (int i = 0; i < 4; i++)
			lanes[i] = mix(lanes[i] ^ words[2 * i], 0x9e3779b97f4a7c15 ^ words[2 * i + 1]) +
				   lanes[i] * 0xd6e8feb86659fd93;
	}
	hash[0] = mix(lanes[0] ^ 0x452821e638d01377, lanes[1] ^ 0xbe5466cf34e90c6c) ^ lanes[2];
	hash[1] = mix(lanes[2] ^ 0xc0ac29b7c97c50dd, lanes[3] ^ 0x3f84d5b5b5470917) + lanes[0];
}

enum { BLOCK_BYTES = 64, BLOCK_WORDS = BLOCK_BYTES / 8 };

/* Has any word changed by so little that it may be near, or of another age? Asked first, as few have. */
static bool has_small_change(const uint64_t now[BLOCK_WORDS], const uint64_t then[BLOCK_WORDS])
{
	bool small = false;

#pragma GCC unroll 8
	for (int i = 0; i < BLOCK_WORDS; i++)
		small |= now[i] - then[i] + AGE_BITS <= 2 * AGE_BITS;
	return small;
}

/* Equal words are near, too, and have the same age. */
static void compare_block(struct verdict *verdict, const unsigned char *block, const unsigned char *reference)
{
	uint64_t now[BLOCK_WORDS], then[BLOCK_WORDS], equal = 0, near = 0, age = 0;

	memcpy(now, block, sizeof(now));
	memcpy(then, reference, sizeof(then));
	verdict->changed += BLOCK_WORDS;
	if (!has_small_change(now, then))
		return;
	for (int i = 0; i < BLOCK_WORDS; i++) {
		equal += now[i] == then[i];
		near += now[i] - then[i] + NEAR <= 2 * NEAR;
		age += !((now[i] ^ then[i]) & ~(uint64_t)AGE_BITS);
	}
	verdict->changed -= equal;
	verdict->near += near - equal;
	verdict->age += age - equal;
}

static void compare_words(struct verdict *verdict, const unsigned char *page, const unsigned char *reference)
{
	for (size_t at = 0; at < page_bytes; at += BLOCK_BYTES)
		if (memcmp(page + at, reference + at, BLOCK_BYTES))
			compare_block(verdict, page + at, reference + at);
	verdict->class = verdict->changed > FEW_WORDS ? CONTENTS_DIFFERENT : CONTENTS_FEW_WORDS;
	hash_page(page, verdict->hash);
}

static unsigned char *reference_of(const struct contents *contents, unsigned int page)
{
	return contents->reference + page * page_bytes;
}

/* What is done with a page that was read (NULL: it could not be). */
typedef void page_fn(struct contents *contents, size_t view, unsigned int page, const unsigned char *bytes);

static bool is_blank(const unsigned char *page)
{
	return !memcmp(page, page + 1, page_bytes - 1);
}

static void take_reference(struct contents *contents, size_t view, unsigned int page, const unsigned char *bytes)
{
	contents->of_reference[page].class = bytes ? CONTENTS_IDENTICAL : CONTENTS_UNREAD;
	contents->of_reference[page].blank = bytes && is_blank(bytes);
}

/* What equals the reference needs no hash of its own: 0. */
static void take_page(struct contents *contents, size_t view, unsigned int page, const unsigned char *bytes)
{
	struct verdict *verdict = contents__verdict(contents, view, page);

	verdict->class = CONTENTS_UNREAD;
	if (!bytes || contents->of_reference[page].class == CONTENTS_UNREAD)
		return;
	verdict->class = CONTENTS_IDENTICAL;
	verdict->blank = is_blank(bytes);
	if (memcmp(bytes, reference_of(contents, page), page_bytes))
		compare_words(verdict, bytes, reference_of(contents, page));
	if (contents->types.end && verdict->class != CONTENTS_DIFFERENT)
		verdict->objects = python_types__look(&contents->types, bytes);
}

static void check_reference(struct contents *contents, size_t view, unsigned int page, const unsigned char *bytes)
{
	struct verdict *verdict = &contents->of_reference[page];

	if (verdict->class != CONTENTS_UNREAD && (!bytes || memcmp(bytes, reference_of(contents, page), page_bytes)))
		verdict->class = CONTENTS_UNSTABLE;
}

/* Does the page still hold what it held at the first reading? */
static bool is_same(const struct contents *contents, const struct verdict *verdict, unsigned int page,
		    const unsigned char *bytes)
{
	uint64_t hash[2];

	if (verdict->class == CONTENTS_IDENTICAL)
		return !memcmp(bytes, reference_of(contents, page), page_bytes);
	hash_page(bytes, hash);
	return !memcmp(hash, verdict->hash, sizeof(hash));
}

static void check_page(struct contents *contents, size_t view, unsigned int page, const unsigned char *bytes)
{
	struct verdict *verdict = contents__verdict(contents, view, page);

	if (verdict->class != CONTENTS_UNREAD && (!bytes || !is_same(contents, verdict, page, bytes)))
		verdict->class = CONTENTS_UNSTABLE;
}

/* Reads pages in a row; where that fails, one by one. */
static void read_run(struct contents *contents, const struct pool_window *window, size_t view,
		     unsigned int first, unsigned int count, unsigned char *to, page_fn *take)
{
	const struct pool_member *member = window->views[view].member;
	uint64_t address = window->number * WINDOW_BYTES + first * page_bytes;
	ssize_t got = pread(member->memory, to, count * page_bytes, address);

	for (unsigned int i = 0; i < count; i++) {
		unsigned char *at = to + i * page_bytes;
		bool good = got >= (ssize_t)(i + 1) * page_bytes ||
			    pread(member->memory, at, page_bytes, address + i * page_bytes) == page_bytes;

		take(contents, view, first + i, good ? at : NULL);
	}
}

static bool is_reference_of(const struct contents *contents, uint32_t view, bool again)
{
	return view != NO_VIEW && (!again || contents->views[view].ran);
}

/* The pages of reference of a piece, by the view that has them; `again`: of those alone that have run. */
static void read_references(struct contents *contents, const struct pool_window *window, unsigned int first, bool again)
{
	unsigned char *to = again ? contents->buffer : reference_of(contents, first);
	unsigned int end;

	for (unsigned int i = first; i < first + PIECE_PAGES; i = end) {
		for (end = i + 1; end < first + PIECE_PAGES && contents->from[end] == contents->from[i];)
			end++;
		if (is_reference_of(contents, contents->from[i], again))
			read_run(contents, window, contents->from[i], i, end - i, to + (i - first) * page_bytes,
				 again ? check_reference : take_reference);
	}
}

/* Its own page of reference was read as such. */
static bool is_wanted(const struct contents *contents, size_t view, unsigned int page)
{
	return contents__verdict(contents, view, page)->class != CONTENTS_NOT_ASKED && contents->from[page] != view;
}

static void read_view(struct contents *contents, const struct pool_window *window, size_t view,
		      unsigned int first, page_fn *take)
{
	unsigned int end;

	for (unsigned int i = first; i < first + PIECE_PAGES; i = end) {
		bool wanted = is_wanted(contents, view, i);

		for (end = i + 1; end < first + PIECE_PAGES && is_wanted(contents, view, end) == wanted;)
			end++;
		if (wanted)
			read_run(contents, window, view, i, end - i, contents->buffer, take);
	}
}

static void read_all(struct contents *contents, const struct pool_window *window, bool again)
{
	for (unsigned int first = 0; first < WINDOW_PAGES; first += PIECE_PAGES) {
		read_references(contents, window, first, again);
		for (size_t i = 0; i < window->view_count; i++)
			if (contents->views[i].asked && (!again || contents->views[i].ran))
				read_view(contents, window, i, first, again ? check_page : take_page);
	}
}

/* What was found of the references holds for what was compared with them. */
static void judge_by_reference(struct contents *contents, size_t view)
{
	for (unsigned int i = 0; i < WINDOW_PAGES; i++) {
		struct verdict *verdict = contents__verdict(contents, view, i);
		const uint8_t class = contents->of_reference[i].class;

		if (verdict->class == CONTENTS_NOT_ASKED || verdict->class == CONTENTS_UNREAD)
			continue;
		if (class == CONTENTS_UNSTABLE || contents->from[i] == view)
			verdict->class = class;
	}
}

/*
 * After the first reading there is a moment at which all pages hold what was read, but for those of members that
 * have run meanwhile. If these still hold it at the second reading, they held it at that moment, too.
 */
void contents__read(struct contents *contents, const struct pool_window *window)
{
	struct contents_view *views = contents->views;
	bool again = false;

	for (size_t i = 0; i < window->view_count; i++)
		if (views[i].asked >= MARK_PAGES)
			views[i].mark = sleep_mark__of(window->views[i].member->process.pid);
	read_all(contents, window, false);
	for (size_t i = 0; i < window->view_count; i++) {
		views[i].ran = views[i].asked &&
			       !sleep_mark__holds(&views[i].mark, window->views[i].member->process.pid);
		again |= views[i].ran;
	}
	if (again)
		read_all(contents, window, true);
	for (size_t i = 0; i < window->view_count; i++)
		if (views[i].asked)
			judge_by_reference(contents, i);
}
