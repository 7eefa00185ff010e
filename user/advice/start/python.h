/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What python looks for when it starts, by the paths of its calls.
 */
#ifndef FORKTAX_ADVICE_START_PYTHON_H
#define FORKTAX_ADVICE_START_PYTHON_H

#include "advice/start/start_cost.h"

/* Is the program that was started python? */
bool python__is(const struct start_subject *subject);

/* Was it started with one of these options of one letter? What its script looks for then is for the script. */
bool python__has_option(const struct start_subject *subject, const char *letters);

/* "Compiled modules (.pyc) that were opened: 47.", to be freed. */
char *python__modules(const struct start *start);

#endif
