// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool/contents.h"

#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { WORDS = PAGE_BYTES / 8, FEW_WORDS = 8, NEAR = 16, AGE_BITS = 0x60 };

void contents__new(struct contents *contents, size_t views)
{
	contents->reference = checked(malloc(WINDOW_BYTES));
	contents->buffer = checked(malloc(WINDOW_BYTES));
	contents->verdicts = checked_calloc(views * WINDOW_PAGES, sizeof(struct verdict));
}

void contents__release(struct contents *contents)
{
	free(contents->reference);
	free(contents->buffer);
	free(contents->verdicts);
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
}

struct verdict *contents__ask(struct contents *contents, size_t view, unsigned int page,
			      size_t reference)
{
	struct verdict *verdict = contents__verdict(contents, view, page);

	contents->from[page] = reference;
	contents->of_reference[page].class = CONTENTS_ASKED;
	verdict->class = CONTENTS_ASKED;
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
	uint64_t lanes[4] = { 0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0,
			      0x082efa98ec4e6c89 };
	uint64_t words[8];

	for (size_t at = 0; at < PAGE_BYTES; at += sizeof(words)) {
		memcpy(words, page + at, sizeof(words));
		for (int i = 0; i < 4; i++)
			lanes[i] = mix(lanes[i] ^ words[2 * i], 0x9e3779b97f4a7c15 ^ words[2 * i + 1]) +
				   lanes[i] * 0xd6e8feb86659fd93;
	}
	hash[0] = mix(lanes[0] ^ 0x452821e638d01377, lanes[1] ^ 0xbe5466cf34e90c6c) ^ lanes[2];
	hash[1] = mix(lanes[2] ^ 0xc0ac29b7c97c50dd, lanes[3] ^ 0x3f84d5b5b5470917) + lanes[0];
}

static void compare_words(struct verdict *verdict, const unsigned char *page,
			  const unsigned char *reference)
{
	uint64_t now[WORDS], then[WORDS];

	memcpy(now, page, PAGE_BYTES);
	memcpy(then, reference, PAGE_BYTES);
	for (int i = 0; i < WORDS; i++) {
		uint64_t up = now[i] - then[i], down = then[i] - now[i], bits = now[i] ^ then[i];

		verdict->changed += bits != 0;
		verdict->near += bits && (up <= NEAR || down <= NEAR);
		verdict->age += bits && !(bits & ~(uint64_t)AGE_BITS);
	}
	verdict->class = verdict->changed > FEW_WORDS ? CONTENTS_DIFFERENT : CONTENTS_FEW_WORDS;
	hash_page(page, verdict->hash);
}

/* What is done with a page that was read (NULL: it could not be). */
typedef void page_fn(struct contents *contents, size_t view, unsigned int page,
		     const unsigned char *bytes);

static void hash_into(struct verdict *verdict, const unsigned char *bytes)
{
	verdict->class = bytes ? CONTENTS_IDENTICAL : CONTENTS_UNREAD;
	if (bytes)
		hash_page(bytes, verdict->hash);
}

static void take_reference(struct contents *contents, size_t view, unsigned int page,
			   const unsigned char *bytes)
{
	hash_into(&contents->of_reference[page], bytes);
}

static void take_page(struct contents *contents, size_t view, unsigned int page,
		      const unsigned char *bytes)
{
	struct verdict *verdict = contents__verdict(contents, view, page);
	const unsigned char *reference = contents->reference + page * PAGE_BYTES;

	verdict->class = CONTENTS_UNREAD;
	if (!bytes || contents->of_reference[page].class == CONTENTS_UNREAD)
		return;
	verdict->class = CONTENTS_IDENTICAL;
	if (memcmp(bytes, reference, PAGE_BYTES))
		compare_words(verdict, bytes, reference);
	else
		memcpy(verdict->hash, contents->of_reference[page].hash, sizeof(verdict->hash));
}

/* The second reading. */
static void check(struct verdict *verdict, const unsigned char *bytes)
{
	uint64_t hash[2];

	if (verdict->class == CONTENTS_UNREAD)
		return;
	if (bytes)
		hash_page(bytes, hash);
	if (!bytes || memcmp(hash, verdict->hash, sizeof(hash)))
		verdict->class = CONTENTS_UNSTABLE;
}

static void check_reference(struct contents *contents, size_t view, unsigned int page,
			    const unsigned char *bytes)
{
	check(&contents->of_reference[page], bytes);
}

static void check_page(struct contents *contents, size_t view, unsigned int page,
		       const unsigned char *bytes)
{
	struct verdict *verdict = contents__verdict(contents, view, page);

	check(verdict, bytes);
	if (contents->of_reference[page].class == CONTENTS_UNSTABLE &&
	    verdict->class != CONTENTS_UNREAD)
		verdict->class = CONTENTS_UNSTABLE;
}

/* Reads pages in a row; where that fails, one by one. */
static void read_run(struct contents *contents, const struct pool_window *window, size_t view,
		     unsigned int first, unsigned int count, unsigned char *to, page_fn *take)
{
	const struct pool_member *member = window->views[view].member;
	uint64_t address = window->number * WINDOW_BYTES + first * PAGE_BYTES;
	ssize_t got = pread(member->memory, to, count * PAGE_BYTES, address);

	for (unsigned int i = 0; i < count; i++) {
		unsigned char *at = to + i * PAGE_BYTES;
		bool good = got >= (ssize_t)(i + 1) * PAGE_BYTES ||
			    pread(member->memory, at, PAGE_BYTES, address + i * PAGE_BYTES) ==
				    PAGE_BYTES;

		take(contents, view, first + i, good ? at : NULL);
	}
}

/* The pages of reference that other views are compared with, by the view that has them. */
static void read_references(struct contents *contents, const struct pool_window *window,
			    unsigned char *to, page_fn *take)
{
	unsigned int end;

	for (unsigned int i = 0; i < WINDOW_PAGES; i = end) {
		for (end = i + 1; end < WINDOW_PAGES && contents->from[end] == contents->from[i];)
			end++;
		if (contents->from[i] != NO_VIEW)
			read_run(contents, window, contents->from[i], i, end - i,
				 to + i * PAGE_BYTES, take);
	}
}

static void read_view(struct contents *contents, const struct pool_window *window, size_t view,
		      page_fn *take)
{
	const struct verdict *verdicts = contents__verdict(contents, view, 0);
	unsigned int end;

	for (unsigned int i = 0; i < WINDOW_PAGES; i = end) {
		bool asked = verdicts[i].class != CONTENTS_NOT_ASKED;

		for (end = i + 1; end < WINDOW_PAGES &&
				  (verdicts[end].class != CONTENTS_NOT_ASKED) == asked;)
			end++;
		if (asked)
			read_run(contents, window, view, i, end - i, contents->buffer, take);
	}
}

static void take_hash(struct contents *contents, size_t view, unsigned int page,
		      const unsigned char *bytes)
{
	hash_into(contents__verdict(contents, view, page), bytes);
}

void contents__read_hashes(struct contents *contents, const struct pool_window *window)
{
	for (size_t i = 0; i < window->view_count; i++)
		read_view(contents, window, i, take_hash);
}

void contents__read(struct contents *contents, const struct pool_window *window)
{
	read_references(contents, window, contents->reference, take_reference);
	for (size_t i = 0; i < window->view_count; i++)
		read_view(contents, window, i, take_page);
	read_references(contents, window, contents->buffer, check_reference);
	for (size_t i = 0; i < window->view_count; i++)
		read_view(contents, window, i, check_page);
}
