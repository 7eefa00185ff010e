/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The measures that LD_BIND_NOW is judged by: functions of one traced run.
 */
#ifndef FORKTAX_ANALYSIS_BINDNOW_BINDNOW_MEASURES_H
#define FORKTAX_ANALYSIS_BINDNOW_BINDNOW_MEASURES_H

#include "analysis/bindnow/bindnow_files.h"
#include "model/run/run.h"

enum bindnow_side { SIDE_LAZY, SIDE_NOW, SIDE_COUNT };

enum bindnow_section {
	BINDNOW_START, /* of the command itself */
	BINDNOW_GROUP, /* one child of a group */
	BINDNOW_CHILD, /* one child, all groups weighted by their children */
	BINDNOW_ALL, /* all processes together */
	BINDNOW_SECTION_COUNT
};

extern const char *const bindnow_section_keys[BINDNOW_SECTION_COUNT];

/* What is measured. */
struct bindnow_subject {
	const struct run *run;
	const struct group *group; /* of that run; NULL: it has no such children */
	const struct bindnow_files *files;
	bool is_now; /* the run had LD_BIND_NOW */
	unsigned int index; /* of the measure */
};

/* NAN: not counted, or nothing to count. */
typedef double bindnow_measure_fn(const struct bindnow_subject *subject);

struct bindnow_measure {
	enum bindnow_section section;
	const char *key, *header;
	bool is_time;
	bindnow_measure_fn *of;
	unsigned int index; /* metric, or generation */
};

#define BINDNOW_SYMBOLS "symbols"
#define BINDNOW_UNSEEN	"symbols_unseen_pages"

extern const struct bindnow_measure bindnow_measures[]; /* by section; .of is NULL in the last */

#endif
