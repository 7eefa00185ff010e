// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/advised.h"

bool advice__saved_nothing(const struct advice *advice)
{
	const struct estimate *ns = &advice->measured_ns, *faults = &advice->measured_faults;
	const bool fewer_faults = faults->known && faults->value > 0 &&
				  (!faults->bounded || faults->low > 0);

	return ns->known && ns->bounded && (ns->high < 0 || (ns->low <= 0 && !fewer_faults));
}
