// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes straight to the stream: a run may list a million processes, which as a tree of JSON objects
 * would need a hundred times the memory of the model.
 */
#include "saved/document.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/run/run.h"

/* Of a character of ASCII that has one in JSON: "n" of a newline; '\0': it has none. */
static char short_escape(uint32_t code)
{
	static const char escaped[] = "\b\f\n\r\t\"\\", names[] = "bfnrt\"\\";
	const char *found = code && code < 0x80 ? strchr(escaped, (int)code) : NULL;

	return found ? names[found - escaped] : '\0';
}

/* JSON requires it of controls; of what else nobody sees, so that whoever looks at the file is not deceived. */
static void write_escaped(FILE *stream, uint32_t code)
{
	if (code > 0xffff)
		fprintf(stream, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10),
			0xdc00 + (code & 0x3ff));
	else
		fprintf(stream, "\\u%04" PRIx32, code);
}

/* Bytes that are not UTF-8 become U+FFFD. */
static void write_text(FILE *stream, const char *text)
{
	putc('"', stream);
	while (*text) {
		uint32_t code;
		size_t length = utf8__decode(text, &code);

		if (!length)
			fputs("\xef\xbf\xbd", stream);
		else if (short_escape(code))
			fprintf(stream, "\\%c", short_escape(code));
		else if (utf8__is_hidden(code))
			write_escaped(stream, code);
		else
			fwrite(text, 1, length, stream);
		text += length ? length : 1;
	}
	putc('"', stream);
}

static void write_words(FILE *stream, const char *text)
{
	if (text)
		write_text(stream, text);
	else
		fputs("null", stream);
}

/* As few digits as give the same number when read. */
static void write_number(FILE *stream, double number)
{
	char digits[32];

	if (!isfinite(number)) {
		fputs("null", stream);
		return;
	}
	number += 0.0; /* -0 becomes 0: it would be read as an integer, without a sign */
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	fputs(digits, stream);
}

static void write_measured(FILE *stream, double number)
{
	if (!isfinite(number))
		fputs("null", stream);
	else if (number == floor(number) && fabs(number) < 0x1p63)
		fprintf(stream, "%" PRId64, (int64_t)number);
	else
		fprintf(stream, "%.17g", number);
}

static void write_figure(FILE *stream, const struct estimate *figure)
{
	if (!figure->known || !isfinite(figure->value)) {
		fputs("null", stream);
		return;
	}
	fputs("{\"value\":", stream);
	write_number(stream, figure->value);
	fputs(",\"low\":", stream);
	write_number(stream, figure->bounded ? figure->low : NAN);
	fputs(",\"high\":", stream);
	write_number(stream, figure->bounded ? figure->high : NAN);
	putc('}', stream);
}

static void write_permissions(FILE *stream, const bool *may)
{
	fprintf(stream, "\"%c%c%c%c\"", may[0] ? 'r' : '-', may[1] ? 'w' : '-', may[2] ? 'x' : '-', may[3] ? 's' : 'p');
}

static void write_integer(FILE *stream, const struct field *field, const void *place)
{
	int64_t number = *(const int32_t *)place;

	if (field->max > INT32_MAX)
		number = *(const uint32_t *)place;
	if (field->nullable && (number == field->none || number < field->min))
		fputs("null", stream);
	else
		fprintf(stream, "%" PRId64, number);
}

static void write_count(FILE *stream, uint64_t count)
{
	if (count == ABSENT)
		fputs("null", stream);
	else
		fprintf(stream, "%" PRIu64, count);
}

static bool is_none(const struct field *field, const struct scope *scope, const void *place);

static bool are_none(const struct field *field, const struct scope *scope, const char *place)
{
	for (unsigned int i = 0; i < field->words->count; i++)
		if (!is_none(field->element, scope, place + i * field->size))
			return false;
	return true;
}

static bool is_none(const struct field *field, const struct scope *scope, const void *place)
{
	switch (field->kind) {
	case FIELD_BOOL:
		return !*(const bool *)place;
	case FIELD_COUNT:
		return !*(const uint64_t *)place;
	case FIELD_KEY:
		return !*(const unsigned int *)place; /* the first of its words */
	case FIELD_NUMBER:
		return !isfinite(*(const double *)place);
	case FIELD_TEXT:
		return !*(char *const *)place;
	case FIELD_LIST:
		return !*(void *const *)place;
	case FIELD_MAP:
		return are_none(field, scope, place);
	case FIELD_OBJECT:
		if (field->pointer)
			return !*(void *const *)place;
		for (size_t i = 0; i < field->shape->field_count; i++) {
			const struct field *member = &field->shape->fields[i];

			if (!is_none(member, scope, (const char *)place + member->place))
				return false;
		}
		return true;
	default:
		return false;
	}
}

/* What stands between the members of an object: nothing before the first. */
struct row {
	FILE *stream;
	const char *before, *between;
};

static void write_members(struct row *row, const struct shape *shape, const struct scope *scope);
static void write_member(struct row *row, const struct field *field, const char *key,
			 const struct scope *scope, const void *place);

static void write_map(struct row *row, const struct field *field, const struct scope *scope, const char *place)
{
	for (unsigned int i = 0; i < field->words->count; i++) {
		const struct scope at = { scope->outer, scope->self, scope->key, i };

		write_member(row, field->element, words__word(field->words, i), &at, place + i * field->size);
	}
}

static void write_object(FILE *stream, const struct field *field, const char *key,
			 const struct scope *outer, const void *place)
{
	const char *document = field->shape->document;
	const bool has_lines = document && !field->shape->line;
	const struct scope scope = { document ? NULL : outer, place, key, outer ? outer->index : 0 };
	struct row row = { stream, "", "," };

	putc('{', stream);
	if (document) {
		fprintf(stream, "%s\"schema\":\"%s\"", has_lines ? "\n" : "", document);
		row.before = row.between = has_lines ? ",\n" : ",";
	}
	write_members(&row, field->shape, &scope);
	fputs(has_lines ? "\n}\n" : document ? "}\n" : "}", stream);
}

static void write_value(FILE *stream, const struct field *field, const char *key,
			const struct scope *scope, const void *place);

static void write_list(FILE *stream, const struct field *field, const char *key,
		       const struct scope *scope, const char *first)
{
	const struct field element = field__element(field);
	const char *before = field->lines ? "\n" : "", *between = ",";

	if (field->lines || (field->shape && field->shape->document))
		between = ",\n";
	putc('[', stream);
	for (size_t i = 0; i < field__length(field, scope) && !ferror(stream); i++) {
		const struct scope at = field__scope(field, scope, first, i);

		fputs(i ? between : before, stream);
		write_value(stream, &element, key, &at, first + i * field->size + element.place);
	}
	putc(']', stream);
}

static void write_compound(FILE *stream, const struct field *field, const char *key,
			   const struct scope *scope, const void *place)
{
	struct row row = { stream, "", "," };

	if (field->kind == FIELD_LIST) {
		write_list(stream, field, key, scope, *(char *const *)place);
	} else if (field->kind == FIELD_OBJECT) {
		write_object(stream, field, key, scope, place);
	} else {
		putc('{', stream);
		write_map(&row, field, scope, place);
		putc('}', stream);
	}
}

static void write_scalar(FILE *stream, const struct field *field, const void *place)
{
	switch (field->kind) {
	case FIELD_BOOL:
		fputs(*(const bool *)place ? "true" : "false", stream);
		break;
	case FIELD_BIT:
		fputs(*(const unsigned int *)place & field->min ? "true" : "false", stream);
		break;
	case FIELD_COUNT:
		write_count(stream, *(const uint64_t *)place);
		break;
	case FIELD_IDENTITY:
		fprintf(stream, "%" PRIu64, *(const uint64_t *)place);
		break;
	case FIELD_OFFSET:
		fprintf(stream, "%" PRId64, *(const int64_t *)place);
		break;
	case FIELD_INTEGER:
		write_integer(stream, field, place);
		break;
	case FIELD_INDEX:
		write_count(stream, *(const uint32_t *)place == UINT32_MAX ? ABSENT : *(const uint32_t *)place);
		break;
	case FIELD_KEY:
		write_text(stream, words__word(field->words, *(const unsigned int *)place));
		break;
	case FIELD_ORIGIN:
		write_text(stream, *(const char *)place ? "counted" : "not counted");
		break;
	case FIELD_TEXT:
		write_words(stream, *(char *const *)place);
		break;
	case FIELD_NUMBER:
		write_number(stream, *(const double *)place);
		break;
	case FIELD_MEASURED:
		write_measured(stream, *(const double *)place);
		break;
	case FIELD_FIGURE:
		write_figure(stream, place);
		break;
	default: /* permissions; others are compound, or not written */
		write_permissions(stream, place);
		break;
	}
}

static bool is_null(const struct field *field, const struct scope *scope, const void *place)
{
	if (!place || (field->has && !field->has(scope)))
		return true;
	if (field->kind == FIELD_LIST && field->nullable && !*(void *const *)place)
		return true;
	return field->flag && !*((const bool *)scope->self + field->flag);
}

static void write_value(FILE *stream, const struct field *field, const char *key,
			const struct scope *scope, const void *place)
{
	union computed computed;
	bool has = !field->when || field->when(scope);

	if (has && field->of)
		place = field->of(scope, &computed);
	else if (has && field->pointer && field->kind == FIELD_OBJECT)
		place = *(void *const *)place;
	if (!has || is_null(field, scope, place))
		fputs("null", stream);
	else if (field->kind >= FIELD_OBJECT)
		write_compound(stream, field, key, scope, place);
	else
		write_scalar(stream, field, place);
}

static void write_member(struct row *row, const struct field *field, const char *key,
			 const struct scope *scope, const void *place)
{
	bool is_left_out = field->omitted && (field->when ? !field->when(scope) : is_none(field, scope, place));

	if (is_left_out)
		return;
	fprintf(row->stream, "%s\"%s\":", row->before, key);
	row->before = row->between;
	write_value(row->stream, field, key, scope, place);
}

/* The members of a struct that `place` points to, as if they were of this one. */
static void write_inlined(struct row *row, const struct field *field, const struct scope *outer, const void *place)
{
	const struct scope scope = { outer, *(void *const *)place, outer->key, outer->index };

	if (scope.self)
		write_members(row, field->shape, &scope);
}

static void write_members(struct row *row, const struct shape *shape, const struct scope *scope)
{
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];
		const char *place = (const char *)scope->self + field->place;

		if (field->kind == FIELD_MEMORY)
			continue;
		if (!field->inlined)
			write_member(row, field, field->key, scope, place);
		else if (field->kind == FIELD_MAP)
			write_map(row, field, scope, place);
		else
			write_inlined(row, field, scope, place);
	}
}

int document__write(const struct shape *shape, const void *self, FILE *stream)
{
	const struct field document = { .kind = FIELD_OBJECT, .shape = shape };

	write_object(stream, &document, NULL, NULL, self);
	if (fflush(stream) == 0 && !ferror(stream))
		return 0;
	if (!errno)
		errno = EIO;
	return -1;
}
