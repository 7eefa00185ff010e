/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In a pool without a master: what most of its members have at an address, to compare the others with.
 */
#ifndef FORKTAX_POOL_MAJORITY_H
#define FORKTAX_POOL_MAJORITY_H

#include "pool/contents.h"

/*
 * For each page that is wanted: the view of the oldest member whose contents most of them have there;
 * NO_VIEW if fewer than two have a page of the same backing. Overwrites `contents`.
 */
void majority__find(struct contents *contents, const struct pool_window *window,
		    const bool wanted[WINDOW_PAGES], uint32_t majority[WINDOW_PAGES]);

#endif
