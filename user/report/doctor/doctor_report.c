// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/doctor/doctor_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/saved_table.h"

enum { COMMAND_INDENT = 9 }; /* as the text behind "Missing:" */

/* Tracing itself cannot work if something that it needs is missing: that is said once. */
static bool is_consequence(const struct doctor *doctor, const struct doctor_row *row)
{
	for (size_t i = 0; row->trial && i < doctor->count; i++) {
		const struct doctor_row *other = &doctor->rows[i];

		if (!other->trial && other->needed && other->state == CAPABILITY_MISSING && !strcmp(other->of, row->of))
			return true;
	}
	return false;
}

static bool is_missing(const struct doctor *doctor, const struct doctor_row *row)
{
	return row->state == CAPABILITY_MISSING && !is_consequence(doctor, row);
}

static char *verdict(const struct doctor *doctor)
{
	bool has_everything = true;

	for (size_t i = 0; i < doctor->count; i++)
		has_everything &= doctor->rows[i].state == CAPABILITY_THERE;
	if (!doctor->source)
		return text__of("forktax cannot trace commands here.");
	if (doctor->lost)
		return text__of("forktax can trace commands here by %s only: %s.", doctor->source, doctor->lost);
	return text__of("forktax can trace commands here by %s%s.", doctor->source,
			has_everything ? "; nothing is missing" : "");
}

static bool are_equal(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* Are both missing for one reason, and mended by one thing? */
static bool is_one_cause(const struct doctor_row *a, const struct doctor_row *b)
{
	return !strcmp(a->of, b->of) && are_equal(a->reason, b->reason) && are_equal(a->fix, b->fix) &&
	       are_equal(a->command, b->command);
}

static bool is_said_to_be_missing(const struct doctor *doctor, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (is_missing(doctor, &doctor->rows[i]) && is_one_cause(&doctor->rows[i], &doctor->rows[index]))
			return true;
	return false;
}

/* What is missing for one reason is one paragraph. */
static void print_missing(const struct doctor *doctor, size_t first, const struct table_output *output)
{
	const struct doctor_row *row = &doctor->rows[first];
	struct name_list names = { .most = doctor->count };
	autofree char *list = NULL, *effects = NULL;

	for (size_t i = first; i < doctor->count; i++) {
		const struct doctor_row *other = &doctor->rows[i];

		if (!is_missing(doctor, other) || !is_one_cause(row, other))
			continue;
		name_list__add(&names, other->name);
		text__replace(&effects, "%s%s%s", effects ? effects : "", effects ? "; " : "", other->effect);
	}
	list = name_list__finish(&names);
	putc('\n', output->stream);
	wrap__paragraph("Missing:",
			text__of("%s (%s): %s. Effect: %s. Fix: %s%s", list, row->of,
				 row->reason ? row->reason : "not available", effects, row->fix,
				 row->command ? ":" : "."), output);
	if (row->command)
		wrap__command(row->command, COMMAND_INDENT, output);
}

static bool is_alike(const struct doctor_row *a, const struct doctor_row *b)
{
	return a->state == CAPABILITY_UNTRIED && b->state == CAPABILITY_UNTRIED && !strcmp(a->of, b->of) &&
	       are_equal(a->reason, b->reason);
}

static bool is_said(const struct doctor *doctor, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (is_alike(&doctor->rows[i], &doctor->rows[index]))
			return true;
	return false;
}

/* Those that are not known for one reason, in one paragraph. */
static void print_unknown(const struct doctor *doctor, size_t first, const struct table_output *output)
{
	const struct doctor_row *row = &doctor->rows[first];
	struct name_list names = { .most = doctor->count };
	autofree char *list = NULL;

	for (size_t i = first; i < doctor->count; i++)
		if (is_alike(row, &doctor->rows[i]))
			name_list__add(&names, doctor->rows[i].name);
	list = name_list__finish(&names);
	putc('\n', output->stream);
	wrap__paragraph("Unknown:", text__of("%s (%s): %s.", list, row->of,
					     row->reason ? row->reason : "could not be tried"), output);
}

static void print_available(const struct doctor *doctor, const struct table_output *output)
{
	autofree char *text = text__of("%s", "");
	size_t count;

	for (size_t i = 0; i < doctor->count; i += count) {
		const char *of = doctor->rows[i].of;
		struct name_list names = { .most = doctor->count };
		autofree char *list = NULL;

		for (count = 0; i + count < doctor->count && !strcmp(doctor->rows[i + count].of, of); count++)
			if (doctor->rows[i + count].state == CAPABILITY_THERE)
				name_list__add(&names, doctor->rows[i + count].name);
		list = name_list__finish(&names);
		if (list)
			text__replace(&text, "%s%s%s: %s", text, *text ? "; " : "", of, list);
	}
	putc('\n', output->stream);
	if (*text)
		wrap__paragraph("Available:", text__of("%s.", text), output);
}

static void print_answer(const struct doctor *doctor, const struct table_output *output)
{
	wrap__paragraph(NULL, verdict(doctor), output);
	for (size_t i = 0; i < doctor->count; i++)
		if (is_missing(doctor, &doctor->rows[i]) && !is_said_to_be_missing(doctor, i))
			print_missing(doctor, i, output);
	for (size_t i = 0; i < doctor->count; i++)
		if (doctor->rows[i].state == CAPABILITY_UNTRIED && !is_said(doctor, i))
			print_unknown(doctor, i, output);
	print_available(doctor, output);
	putc('\n', output->stream);
	wrap__paragraph(NULL, text__of("Linux %s %s, forktax %s", doctor->kernel, doctor->arch,
				       doctor->version), output);
}

void doctor_report__print(const struct doctor *doctor, const struct report_options *options,
			  const struct table_output *output)
{
	if (table_output__view(output) == VIEW_DATA) {
		table__show(saved_table__of("Capabilities", doctor, &doctor_shape, doctor, "capabilities"), output);
		return;
	}
	print_answer(doctor, output);
}
