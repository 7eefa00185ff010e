// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/bindnow/bindnow_way.h"

#include <stddef.h>

const char *const bindnow_way_keys[WAY_COUNT] = {
	[WAY_UNKNOWN] = "unknown",   [WAY_LAZY] = "lazy",	  [WAY_NOW] = "now",
	[WAY_MUSL] = "now_by_musl", [WAY_NO_SLOTS] = "no_slots", [WAY_STATIC] = "static",
	[WAY_SELF] = "self",
};
