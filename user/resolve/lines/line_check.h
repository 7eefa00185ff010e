/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is the line that an interpreter told the line of the file? It counts lines of a text that eval made on from the
 * line of the eval, so those are others.
 */
#ifndef FORKTAX_RESOLVE_LINES_LINE_CHECK_H
#define FORKTAX_RESOLVE_LINES_LINE_CHECK_H

#include "model/lines/script_lines.h"

/* Of a file: without the ends of lines. */
struct texts_of_lines {
	char **list;
	size_t count;
	uint64_t *looks; /* so many more lines may be compared with recipes */
};

/* Corrects the line of a row, or what is known of it. NULL: the file could not be read. */
void line_check__weigh(struct script_line *line, const struct texts_of_lines *texts);

#endif
