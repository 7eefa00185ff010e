/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a bindnow measurement says, in words. All results are to be freed.
 */
#ifndef FORKTAX_REPORT_BINDNOW_BINDNOW_WORDS_H
#define FORKTAX_REPORT_BINDNOW_BINDNOW_WORDS_H

#include "analysis/bindnow/bindnow.h"
#include "report/words.h"

/* "+83.1 (60.2..110) us" or "-10"; "-" if it is not known. */
char *bindnow_words__difference(const struct estimate *estimate, bool is_time);
/* "pays off from the 3rd child on (2nd to 4th); ..." */
char *bindnow_words__break_even(const struct break_even *even, bool is_time);
/* One or a few sentences. */
char *bindnow_words__verdict(const struct bindnow *bindnow);

#endif
