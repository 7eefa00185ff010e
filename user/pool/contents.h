/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How pages of members differ from a page of reference at the same address. They are read through
 * /proc/PID/mem, which changes nothing; process_vm_readv(2) would pin them, and so make the kernel
 * copy what it reads. Nothing that is read leaves this file.
 */
#ifndef FORKTAX_POOL_CONTENTS_H
#define FORKTAX_POOL_CONTENTS_H

#include "pool/pool_window.h"
#include "pool/python_objects.h"
#include "pool/sleep_mark.h"

enum contents_class {
	CONTENTS_NOT_ASKED,
	CONTENTS_ASKED, /* until they are read */
	CONTENTS_IDENTICAL,
	CONTENTS_FEW_WORDS, /* at most 8 words differ */
	CONTENTS_DIFFERENT,
	CONTENTS_UNSTABLE, /* it, or the reference, changed while they were compared */
	CONTENTS_UNREAD,
};

struct verdict {
	uint64_t hash[2]; /* equal: equal contents; 0: those of the reference */
	uint16_t changed, near, age; /* words: as in struct worker_pages */
	uint8_t class; /* enum contents_class */
	bool alone; /* the page is its member's own, and does not stand for a group */
	bool inherited; /* by a sign of a fork; else its origin is not known */
	bool blank; /* it is filled with one byte */
	uint8_t objects; /* enum page_objects; of a page that equals the reference, or differs in few words */
	uint32_t view;
};

struct contents_view {
	uint32_t asked; /* how often a page of it is to be compared */
	bool ran; /* its member, meanwhile: they are read once more */
	struct sleep_mark mark; /* from before that */
};

struct contents {
	unsigned char *reference, *buffer; /* a window; a piece of it */
	uint32_t from[WINDOW_PAGES]; /* view of the page of reference, or NO_VIEW */
	struct verdict of_reference[WINDOW_PAGES];
	struct verdict *verdicts; /* of views: WINDOW_PAGES each */
	struct contents_view *views;
	struct python_types types; /* of the first member */
};

enum { NO_VIEW = UINT32_MAX };

void contents__new(struct contents *contents, size_t views);
void contents__release(struct contents *contents);

/* For the next window: nothing is asked. */
void contents__begin(struct contents *contents, const struct pool_window *window);
/* Asks how the page differs from that of `reference`, which is the same for all asked of a page. */
struct verdict *contents__ask(struct contents *contents, size_t view, unsigned int page, size_t reference);
/* Reads all that was asked, and of members that have run meanwhile a second time. */
void contents__read(struct contents *contents, const struct pool_window *window);
struct verdict *contents__verdict(const struct contents *contents, size_t view, unsigned int page);

#endif
