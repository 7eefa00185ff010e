/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The measures that LD_BIND_NOW is judged by: functions of one traced run.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_MEASURES_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_MEASURES_H

#include "analysis/bindnow/bindnow_files.h"

enum bindnow_side { SIDE_LAZY, SIDE_NOW, SIDE_COUNT };

enum bindnow_section {
	BINDNOW_START, /* of the command itself */
	BINDNOW_GROUP, /* one child of a group */
	BINDNOW_CHILD, /* one child, all groups weighted by their children */
	BINDNOW_ALL, /* all processes together */
	BINDNOW_SECTION_COUNT
};

extern const char *const bindnow_section_keys[BINDNOW_SECTION_COUNT];

struct bindnow_argument {
	const struct bindnow_files *files;
	enum bindnow_side side; /* of the run */
	const struct run *first; /* of the lazy side: its groups are the rows' */
	size_t group;		 /* index into first->groups */
	unsigned int which;	 /* of the measure */
};

/* NAN: not counted, or nothing to count. */
typedef double bindnow_measure_fn(const struct run *run, const struct bindnow_argument *argument);

struct bindnow_measure {
	enum bindnow_section section;
	const char *key, *header;
	bool is_time;
	bindnow_measure_fn *of;
	unsigned int which; /* metric, or generation */
};

#define BINDNOW_SYMBOLS "symbols"
#define BINDNOW_UNSEEN	"symbols_unseen_pages"

extern const struct bindnow_measure bindnow_measures[]; /* by section; .of is NULL in the last */

#endif
