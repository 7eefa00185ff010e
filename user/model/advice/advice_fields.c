// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of advice: the same of each rule, but for what it would save. */
#include "base/text.h"
#include "model/rows/field_rows.h"
#include "model/run/run_fields.h"

#define SAVING_NOTE \
	.note = "saved per child and fork, or per start; of the whole run, all of it; negative: it costs more"

static char *advice_law(const struct scope *scope)
{
	const struct estimate *share = &((const struct advice *)scope->self)->share;

	return share->value < 0 || share->value > 1 ? text__of("\"share\" is not in 0..1") : NULL;
}

#define S struct advice
static const struct field predicted_fields[] = {
	FIGURE("faults", predicted_faults),
	FIGURE("ns", predicted_ns),
};
static const struct shape predicted_shape = SHAPE_OF(predicted, SAVING_NOTE);

static const struct field measured_fields[] = {
	FIGURE("faults", measured_faults),
	FIGURE("ns", measured_ns),
};
static const struct shape measured_shape = SHAPE_OF(measured, SAVING_NOTE);

/* Of forks, of a start, and of the whole run. */
static const struct field advice_fields[] = {
	TEXT("rule", rule),
	{ .kind = FIELD_MEMORY, .place = offsetof(S, not_for) },
	{ .kind = FIELD_MEMORY, .place = offsetof(S, way) },
	TEXT("title", title),
	INDEX("group", group, run__groups, NULLABLE,
	      .note = "index into groups; null: the command as a whole, or its start"),
	TEXT("evidence", evidence),
	TEXT("action", action),
	SECTION("predicted", predicted_shape),
	SECTION("measured", measured_shape),
	TEXT("tried_with", tried_with, NULLABLE,
	     .note = "setting, option or limit with which it was tried; null: it was not"),
	TEXT("tried", tried, NULLABLE, .note = "how the saving was measured, or why not; null: not tried"),
	FIGURE("share", share, .note = "share of the wall time of the command, 0..1"),
};
const struct shape advice_shape = SHAPE_OF(advice, .law = advice_law, .note = "advice of one rule");

/* Of a pool of workers. */
static const struct field pool_advice_fields[] = {
	TEXT("rule", rule),
	TEXT("title", title),
	TEXT("evidence", evidence),
	TEXT("action", action),
	TEXT("not_for", not_for),
	TEXT("by_hand", by_hand, .note = "the line for a shell that tries it; COMMAND starts the pool"),
	FIGURE("predicted_bytes", predicted_bytes, .note = "saved of Pss_Anon and swap, all members"),
};
const struct shape pool_advice_shape = SHAPE_OF(pool_advice, .note = "advice of one rule for a pool");
#undef S
