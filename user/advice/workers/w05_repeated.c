// SPDX-License-Identifier: GPL-2.0-or-later
/* W5: memory that all workers have made or copied before there was anything to do. */
#include "advice/workers/rules_workers.h"
#include "base/quantity.h"

bool rule__w05_repeated(const struct pool_subject *subject, struct advice *advice)
{
	const struct pool_memory *ready = &subject->sample->ready;
	const uint64_t either = ready->least_unknown_origin_bytes; /* new or copied */
	const uint64_t each = ready->least_new_bytes + ready->least_unshared_bytes + either;

	if (ready->workers < 2 || each * ready->workers < subject->worth)
		return false;
	advice->evidence = text__of(
		"Before the load, each of %llu workers had at least %s of new memory, and at "
		"least %s of copies. ",
		(unsigned long long)ready->workers, quantity__size(ready->least_new_bytes).text,
		quantity__size(ready->least_unshared_bytes).text);
	if (either * ready->workers >= subject->worth)
		text__replace(&advice->evidence,
			      "%sFor %s more it is unknown which of them it is. ", advice->evidence,
			      quantity__size(either).text);
	text__replace(&advice->evidence, "%sWhether that memory is the same in all of them was not compared.",
		      advice->evidence);
	advice->action = text__of(
		"Do in the master, before it forks, what every worker does first: load code and "
		"data, fill caches, compile templates.");
	advice->predicted_bytes = saving__up_to((double)each * (ready->workers - 1));
	return true;
}
