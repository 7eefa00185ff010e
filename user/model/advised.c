// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/advised.h"

bool advice__saved_nothing(const struct advice *advice)
{
	const struct estimate *faults = &advice->measured_faults;
	const enum shown time = estimate__shows(&advice->measured_ns, 0);
	const bool fewer_faults = faults->known && faults->value > 0 &&
				  (!faults->bounded || estimate__shows(faults, 0) == SHOWN_MORE);

	return time == SHOWN_LESS || (time == SHOWN_NOTHING && !fewer_faults);
}
