/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The names by which --show chooses sections: the rows of sections.def.
 */
#ifndef FORKTAX_REPORT_SECTION_NAMES_H
#define FORKTAX_REPORT_SECTION_NAMES_H

#include <stdbool.h>

/* The kinds of documents, for the rows of sections.def. */
enum document {
	DOCUMENT_RUN = 1,
	DOCUMENT_EXPLAIN = 2,
	DOCUMENT_COMPARE = 4,
	DOCUMENT_BENCH = 16,
	DOCUMENT_WORKERS = 32,
	DOCUMENT_CHECK = 64,
	DOCUMENT_ANY = 255,
};

enum section_id {
#define SECTION(id, name, documents) SHOW_##id,
#include "report/sections.def"
#undef SECTION
	SHOW_COUNT,
	SHOW_ALWAYS, /* has no name: a part of every report, or a list of sections */
};

const char *section__name(enum section_id id); /* NULL: there is no such id */
/* The first one from `from` on that has this name in reports of these documents; SHOW_COUNT: none. */
int section__find(const char *name, unsigned int documents, int from);
bool section__has_names(unsigned int documents); /* Does a document of this kind have any? */
/* Does a document of this kind have a section that was chosen? True if none was chosen. */
bool section__is_in(unsigned int documents, const bool *chosen);

#endif
