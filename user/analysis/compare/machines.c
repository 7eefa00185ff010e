// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/compare/machines.h"

#include "base/autofree.h"
#include "base/text.h"

static char *words_of(const struct compare_column *one, const struct machine *here, const struct compare_column *other,
		      const struct machine *there)
{
	autofree char *left = machine__words(here), *right = machine__words(there);

	return text__of("%s ran on %s, %s on %s", one->label, left, other->label, right);
}

char *machines__difference(const struct compare_column *columns, size_t count)
{
	const struct compare_column *known = NULL;
	const struct machine *first = NULL;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < columns[i].run_count; k++) {
			const struct machine *machine = &columns[i].runs[k]->machine;

			if (!machine__is_known(machine))
				continue;
			if (first && !machine__is_same(machine, first))
				return words_of(known, first, &columns[i], machine);
			known = &columns[i];
			first = machine;
		}
	return NULL;
}
