// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/picture/page_styles.h"

#include <inttypes.h>

#include "base/autofree.h"
#include "base/quantity.h"
#include "base/text.h"
#include "report/anatomy/words_anatomy.h"

const char *const page_styles[PAGE_STATE_COUNT] = {
	[PAGE_UNKNOWN] = "c7",	 [PAGE_UNTOUCHED] = "c0",  [PAGE_SHARED] = "c6",
	[PAGE_MAPPED] = "c5",	 [PAGE_OWN] = "c4",	   [PAGE_BY_KERNEL] = "c3",
	[PAGE_BY_PROGRAM] = "c2", [PAGE_BY_LDSO] = "c1",
};

char page_letter(enum page_state state)
{
	return state >= PAGE_OWN || state == PAGE_UNKNOWN ? page_state_letters[state] : '\0';
}

char *words__mapping(const struct layout_vma *vma)
{
	return text__of("%c%c%c%s", vma->read ? 'r' : '-', vma->write ? 'w' : '-', vma->exec ? 'x' : '-',
			vma->kind == PLACE_BSS ? " .bss" : "");
}

char *words__fault(const struct run *run, const struct anatomy_row *row, uint64_t children)
{
	autofree char *place = words__place(run, &row->place), *code = words__code(run, row);
	char *text = text__of("%s\n%s by %s%s%s\nin %" PRIu64 " of %s, %s", place,
			      fault_counters[row->class].header, actor_counters[row->actor].header,
			      *code ? ": " : "", code, row->children,
			      quantity__count(children, "child", "children").text,
			      quantity__time(anatomy_row__ns(row)).text);

	return text;
}
