// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/privileges.h"

#include <unistd.h>

#include "base/text.h"

/* Root of a container, or of a service, has what it was given. */
char *privileges__lacking(const char *missing)
{
	if (geteuid())
		return text__of("tracing needs %s; run forktax as root (sudo), or give it "
				"cap_bpf,cap_perfmon with setcap", missing);
	return text__of("tracing needs %s, which root lacks here; a container gets it by --cap-add, a "
			"service by CapabilityBoundingSet", missing);
}
