// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/forks/exit_code.h"

#include "base/text.h"

bool exit_code__runs_destructors(const char *symbol)
{
	static const char *const names[] = { "_dl_fini",	  "_dl_call_fini",	"_dl_sort_maps",
					     "_dl_sort_maps_dfs", "_dl_audit_objclose", NULL };

	return text__is_any(symbol, names);
}
