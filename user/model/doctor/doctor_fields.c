// SPDX-License-Identifier: GPL-2.0-or-later
/* What is saved of forktax doctor: schema forktax-doctor/1. */
#include "model/doctor/doctor.h"

#include "model/rows/field_rows.h"

static const char *const capability_state_keys[] = {
	[CAPABILITY_THERE] = "available",
	[CAPABILITY_MISSING] = "missing",
	[CAPABILITY_UNTRIED] = "unknown",
};
static const struct words state_words = WORDS_OF(capability_state_keys);

#define S struct doctor_row
static const struct field doctor_row_fields[] = {
	TEXT("of", of, .note = "the source or the command that uses it"),
	TEXT("name", name),
	BOOL("needed", needed, .note = "the source cannot trace without it"),
	BOOL("trial", trial, .note = "tracing itself, tried on a command"),
	KEY("state", state, state_words, .note = "unknown: a right is missing that is needed to ask"),
	TEXT("reason", reason, NULLABLE, .note = "why it is not available"),
	TEXT("effect", effect, .note = "what is lost without it"),
	TEXT("fix", fix, .note = "how to get it"),
	TEXT("command", command, NULLABLE, .note = "a command line that does it"),
};
static const struct shape doctor_row_shape = SHAPE_OF(doctor_row);
#undef S

#define S struct doctor
static const struct field doctor_fields[] = {
	TEXT("version", version, .note = "of forktax"),
	TEXT("kernel", kernel),
	TEXT("arch", arch),
	TEXT("source", source, NULLABLE, .note = "by which commands can be traced; null: by none"),
	TEXT("lost", lost, NULLABLE, .note = "what that source does not count; null: nothing"),
	LIST("capabilities", rows, count, doctor_row_shape, .lines = true),
};
const struct shape doctor_shape = SHAPE_OF(doctor, .document = DOCTOR_SCHEMA,
	.note = "What forktax can do on a machine, schema forktax-doctor/1 (explained in "
		"forktax-doctor(1))");
#undef S

void doctor__free(struct doctor *doctor)
{
	shape__free(&doctor_shape, doctor);
}
