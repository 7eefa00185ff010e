// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/machine_kind.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/quantity.h"
#include "base/text.h"
#include "model/rows/absent.h"

struct machine machine__here(void)
{
	struct utsname name;

	uname(&name);
	return (struct machine){ checked_strdup(name.machine), page_bytes };
}

bool machine__is_known(const struct machine *machine)
{
	return machine->arch && *machine->arch && machine->page_bytes != ABSENT;
}

bool machine__is_same(const struct machine *first, const struct machine *second)
{
	return !machine__is_known(first) || !machine__is_known(second) ||
	       (first->page_bytes == second->page_bytes && !strcmp(first->arch, second->arch));
}

char *machine__words(const struct machine *machine)
{
	if (!machine->arch)
		return text__of("%s", "");
	if (machine->page_bytes == ABSENT || machine->page_bytes == PAGE_BYTES_OLD)
		return text__of("%s", machine->arch);
	return text__of("%s with pages of %s", machine->arch, quantity__size(machine->page_bytes).text);
}

char *machine__contradiction(const struct machine *machine)
{
	if (machine->page_bytes == ABSENT || page__is_possible(machine->page_bytes))
		return NULL;
	return text__of("no machine has pages of %" PRIu64 " bytes", machine->page_bytes);
}
