/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A screen of the live view, as lines: the answer in a sentence, what is counted, and a table.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_FRAME_H
#define FORKTAX_REPORT_WATCH_WATCH_FRAME_H

#include "report/watch/watch_lines.h"
#include "report/watch/watch_state.h"

/* What is shown. */
struct watch_moment {
	const struct watch_sample *before, *now; /* before NULL: nothing to compare with */
	struct watch_rows rows; /* of these, as the state sorts them */
};

/* At most size->height lines of at most size->width columns; to be freed by screen_lines__free(). */
struct screen_lines watch_frame__of(const struct watch_moment *moment, const struct watch_state *state,
				    const struct watch_size *size);

/* Its parts: below the first lines, in so many lines as are left. */
void watch_frame__add_units(struct screen_lines *lines, const struct watch_moment *moment,
			    const struct watch_state *state, const struct watch_size *size);
void watch_frame__add_unit(struct screen_lines *lines, const struct watch_moment *moment,
			   const struct watch_state *state, const struct watch_size *size);
void watch_frame__add_help(struct screen_lines *lines, const struct watch_moment *moment,
			   const struct watch_size *size);

#endif
