// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/unit_reading.h"

#include <stdlib.h>

void unit_reading__release(struct unit_reading *reading)
{
	for (size_t i = 0; i < reading->copies_count; i++)
		free(reading->copies[i].stack);
	free(reading->copies);
	free(reading->units);
	free(reading->kinds);
	free(reading->pids);
	*reading = (struct unit_reading){ 0 };
}
