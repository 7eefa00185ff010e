// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_reading.h"

#include <stdlib.h>

void unit_reading__release(struct unit_reading *reading)
{
	free(reading->units);
	free(reading->kinds);
	*reading = (struct unit_reading){ 0 };
}
