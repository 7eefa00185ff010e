/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the reader of the live view has chosen, and how keys change it.
 */
#ifndef FORKTAX_REPORT_WATCH_WATCH_STATE_H
#define FORKTAX_REPORT_WATCH_WATCH_STATE_H

#include "report/watch/watch_rows.h"

struct watch_state {
	enum watch_column sort;
	bool is_reversed;
	bool is_paused; /* new samples are not shown */
	bool shows_help;
	char *selected; /* name of the unit; NULL: that of the first row; owned */
	char *unit; /* whose groups are shown; NULL: all units; owned */
};

/* A byte, or one of enum screen_key. False: quit. */
bool watch_state__key(struct watch_state *state, int key, const struct watch_rows *rows);
/* The row of the selected unit; 0 if it is not there. */
size_t watch_state__selected(const struct watch_state *state, const struct watch_rows *rows);
void watch_state__release(struct watch_state *state);

#endif
