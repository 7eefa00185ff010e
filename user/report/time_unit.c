// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/time_unit.h"

#include <math.h>

struct time_unit time_unit__for(double longest)
{
	if (longest < 1e6)
		return (struct time_unit){ 1e3, "us" };
	if (longest < 1e10)
		return (struct time_unit){ 1e6, "ms" };
	return (struct time_unit){ 1e9, "s" };
}

int time_unit__decimals(double value)
{
	return fabs(value) < 10 ? 3 : fabs(value) < 100 ? 2 : 1;
}
