/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What advice saves, as text.
 */
#ifndef FORKTAX_REPORT_ADVICE_ADVICE_FIGURE_H
#define FORKTAX_REPORT_ADVICE_ADVICE_FIGURE_H

#include "model/estimate.h"

enum advice_unit { ADVICE_FAULTS, ADVICE_US, ADVICE_MIB, ADVICE_SECONDS };

/* "12.0 (11.0..13.0)", of a number, of ns, or of bytes; "-" if it is not known. To be freed. */
char *advice_figure__text(const struct estimate *figure, enum advice_unit unit);

#endif
