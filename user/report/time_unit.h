/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One unit for all times of a row: numbers in different units cannot be compared at a glance.
 */
#ifndef FORKTAX_REPORT_TIME_UNIT_H
#define FORKTAX_REPORT_TIME_UNIT_H

struct time_unit {
	double ns;
	const char *name;
};

/* For times of which `longest` ns is the longest. */
struct time_unit time_unit__for(double longest);
/* Digits behind the point of a value that is shown in its unit. */
int time_unit__decimals(double value);

#endif
