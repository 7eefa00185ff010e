// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/start/start_avoided.h"

#include <string.h>

#include "base/text.h"

/* Each directory is tried for libraries, and asked for, only once if it is not there. */
bool start_call__is_failed_search(const struct start_call *call)
{
	return (call->reason == REASON_SEARCH || call->reason == REASON_SEARCH_DIRECTORY) && start_call__errno(call);
}

bool start_call__is_for_locale(const struct start_call *call)
{
	return call->reason == REASON_LOCALE || call->reason == REASON_GCONV;
}

/* With those by which ld.so opens and maps its modules: a reason of ld.so is about what it loads. */
bool start_call__is_for_names(const struct start_call *call)
{
	return call->reason == REASON_NSS || (call->subject && call->reason != REASON_FILE &&
					      !strncmp(text__file_name(call->subject), "libnss_", strlen("libnss_")));
}

const char *start_call__avoided_by(const struct start_call *call, const struct start *start)
{
	static const struct {
		const char *rule;
		start_call_fn *is_about;
	} rules[] = {
		{ "S1", start_call__is_failed_search },
		{ "S3", start_call__is_for_locale },
		{ "S14", start_call__is_for_names },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (size_t k = 0; k < start->advice_count; k++)
			if (!strcmp(start->advice[k].rule, rules[i].rule) && rules[i].is_about(call))
				return rules[i].rule;
	return NULL;
}
