// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/anatomy/words_anatomy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "report/words.h"

const char words__why_missed[] = "missed: records came faster than they were read";
const char words__why_beyond[] = "beyond the limit per thread: only counted";
const char words__why_unsampled[] = "after forks of children outside the sample: only counted";

/* An offset with its sign: "+0x10", "-0x8". */
static char *words_offset(uint64_t offset)
{
	bool below = offset > INT64_MAX;

	return text__of("%c0x%" PRIx64, below ? '-' : '+', below ? -offset : offset);
}

static char *words_symbol(const struct place *place)
{
	if (!place->symbol_offset)
		return text__of("%s", place->symbol);
	return text__of("%s+0x%" PRIx64, place->symbol, place->symbol_offset);
}

/* The part after the name of the object: as exact as it is known. */
static char *place_in_object(const struct place *place)
{
	const char *section = place->section;
	autofree char *symbol = place->symbol ? words_symbol(place) : NULL;

	if (!section && place->kind == PLACE_BSS)
		section = place_counters[PLACE_BSS].header;
	if (symbol)
		return section ? text__of("%s %s", section, symbol) : text__of("%s", symbol);
	return section ? text__of("%s at 0x%" PRIx64, section, place->offset)
		       : text__of("at 0x%" PRIx64, place->offset);
}

static char *place_elsewhere(const struct place *place)
{
	const char *kind = place_counters[place->kind].header;
	autofree char *offset = NULL;

	if (place->symbol)
		offset = words_symbol(place);
	else if (place->kind == PLACE_STACK) /* it is counted downwards */
		offset = words_offset(-place->offset);
	else
		offset = words_offset(place->offset);
	return text__of("%s %s", kind, offset);
}

char *words__place(const struct run *run, const struct place *place)
{
	const char *more = place->varies ? " ..." : "";
	autofree char *object = NULL, *inside = NULL;

	if (place->kind == PLACE_UNKNOWN)
		return text__of("%s", place_counters[PLACE_UNKNOWN].header);
	if (place->kind != PLACE_FILE && place->kind != PLACE_BSS) {
		inside = place_elsewhere(place);
		return text__of("%s%s", inside, more);
	}
	object = names__object(run, place->object, false);
	inside = place_in_object(place);
	return text__of("%s %s%s", object, inside, more);
}

static char *words_code(const struct run *run, const struct anatomy_row *row, const struct place *code)
{
	autofree char *object = NULL;

	if (row->actor == ACTOR_KERNEL)
		return row->call ? text__of("in %s", row->call) : text__of("%s", "");
	if (row->is_exec)
		return text__of("%s", "");
	if (code->symbol)
		return words_symbol(code);
	if (code->kind == PLACE_UNKNOWN)
		return text__of("%s", place_counters[PLACE_UNKNOWN].header);
	if (code->kind != PLACE_FILE)
		return words__place(run, code);
	object = names__object(run, code->object, false);
	return text__of("%s at 0x%" PRIx64, object, code->offset);
}

char *words__code(const struct run *run, const struct anatomy_row *row)
{
	return words_code(run, row, &row->code);
}

static char *words_frame(const struct run *run, const struct frame *frame)
{
	const struct place *place = &frame->place;
	autofree char *symbol = NULL, *object = NULL;

	if (place->object == NO_OBJECT && !place->symbol)
		return frame->pid ? text__of("0x%" PRIx64 " (no file)", place->offset) : words__place(run, place);
	symbol = place->symbol ? words_symbol(place) : text__of("at 0x%" PRIx64, place->offset);
	object = place->object == NO_OBJECT ? text__of("no file") : names__object(run, place->object, false);
	return text__of("%s (%s)", symbol, object);
}

char *words__frame(const struct run *run, const struct call_stack *stack, size_t depth)
{
	char *text = words_frame(run, &run->anatomy->stacks->frames[stack->frames[depth]]);

	if (depth >= stack->proven)
		text__replace(&text, "? %s", text);
	return text;
}

char *words__code_in(const struct run *run, const struct anatomy_row *row, const struct call_stack *stack)
{
	const struct frame *innermost = &run->anatomy->stacks->frames[stack->frames[0]];

	if (row->actor != ACTOR_KERNEL && innermost->pid && !innermost->place.symbol)
		return words_frame(run, innermost);
	return words_code(run, row, &innermost->place);
}
