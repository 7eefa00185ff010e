/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a remedy saves, as text.
 */
#ifndef FORKTAX_REPORT_WORKERS_WORKERS_FIGURE_H
#define FORKTAX_REPORT_WORKERS_WORKERS_FIGURE_H

#include "model/estimate.h"

/* "12.0 (11.0..13.0)", divided by `unit`; "-" if it is not known. To be freed. */
char *workers_figure__text(const struct estimate *figure, double unit, int decimals);

#endif
