/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a line costs less, written in another way.
 */
#ifndef FORKTAX_ADVICE_LINES_LINE_SAVING_H
#define FORKTAX_ADVICE_LINES_LINE_SAVING_H

#include "advice/lines/line_subject.h"

/*
 * Fills what the edits save (processes, faults and time of the run), and the words of the advice, with the line as
 * it is and as it would be. `why` is a sentence about the processes that it saves. False: they save no process, or
 * what the new line creates is not known. The edits are released.
 */
bool line_saving__of_edits(const struct line_subject *subject, struct shell_edits *edits, const char *why,
			   struct advice *advice);

/*
 * Fills what it saves if the line created so many processes fewer at most, in all; maybe none. They are those that
 * executed that program first.
 */
void line_saving__at_most(const struct line_subject *subject, struct shell_span program, double processes,
			  struct advice *advice);

/* What was predicted is at most: maybe nothing is saved. */
void line_saving__may_be_none(struct advice *advice);

#endif
