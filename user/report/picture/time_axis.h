/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lines of a clock in a picture, with their times above.
 */
#ifndef FORKTAX_REPORT_PICTURE_TIME_AXIS_H
#define FORKTAX_REPORT_PICTURE_TIME_AXIS_H

#include <stdio.h>

struct time_axis {
	double left, right; /* where it begins and ends, pixels */
	double top, bottom;
	double whole; /* ns, from left to right */
};

/* Where that time is. */
double time_axis__x(const struct time_axis *axis, double ns);
void time_axis__draw(const struct time_axis *axis, FILE *stream);

#endif
