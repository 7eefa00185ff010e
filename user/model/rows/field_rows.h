/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Macros for rows. Define S as the struct; a row is KIND("key", member, ...), followed by further
 * designated initializers of struct field. The compiler checks that the member has the kind's type.
 */
#ifndef FORKTAX_MODEL_ROWS_FIELD_ROWS_H
#define FORKTAX_MODEL_ROWS_FIELD_ROWS_H

#include "model/rows/fields.h"

#define IS_OF(member, type) \
	(0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((S *)0)->member), type) ? 1 : -1]))
#define IS_SIZED(member, bytes) (0 * sizeof(char[sizeof(((S *)0)->member) == (bytes) ? 1 : -1]))
#define AT(member, type) .place = offsetof(S, member) + IS_OF(member, type)

#define BOOL(k, m, ...) { .key = k, .kind = FIELD_BOOL, AT(m, bool), __VA_ARGS__ }
#define COUNT(k, m, ...) { .key = k, .kind = FIELD_COUNT, AT(m, uint64_t), __VA_ARGS__ }
#define IDENTITY(k, m, ...) { .key = k, .kind = FIELD_IDENTITY, AT(m, uint64_t), __VA_ARGS__ }
#define INTEGER(k, m, low, high, ...) \
	{ .key = k, .kind = FIELD_INTEGER, .place = offsetof(S, m) + IS_SIZED(m, 4), .min = low, \
	  .max = high, __VA_ARGS__ }
#define INDEX(k, m, of_what, ...) \
	{ .key = k, .kind = FIELD_INDEX, AT(m, uint32_t), .limit = of_what, __VA_ARGS__ }
#define KEY(k, m, list, ...) \
	{ .key = k, .kind = FIELD_KEY, .place = offsetof(S, m) + IS_SIZED(m, 4), .words = &(list), \
	  __VA_ARGS__ }
#define BIT(k, m, bits, ...) \
	{ .key = k, .kind = FIELD_BIT, AT(m, unsigned int), .min = bits, __VA_ARGS__ }
#define TEXT(k, m, ...) { .key = k, .kind = FIELD_TEXT, AT(m, char *), __VA_ARGS__ }
#define NUMBER(k, m, ...) { .key = k, .kind = FIELD_NUMBER, AT(m, double), __VA_ARGS__ }
#define MEASURED(k, m, ...) { .key = k, .kind = FIELD_MEASURED, AT(m, double), __VA_ARGS__ }
#define FIGURE(k, m, ...) \
	{ .key = k, .kind = FIELD_FIGURE, AT(m, struct estimate), .nullable = true, __VA_ARGS__ }
#define OBJECT(k, m, s, ...) \
	{ .key = k, .kind = FIELD_OBJECT, .place = offsetof(S, m), .shape = &(s), __VA_ARGS__ }
/* Members of the same struct that get a JSON object of their own. */
#define SECTION(k, s, ...) \
	{ .key = k, .kind = FIELD_OBJECT, .shape = &(s), .section = true, __VA_ARGS__ }
#define LIST(k, m, n, s, ...) \
	{ .key = k, .kind = FIELD_LIST, .place = offsetof(S, m), .shape = &(s), \
	  .size = sizeof(*((S *)0)->m), .count = offsetof(S, n) + IS_OF(n, size_t), __VA_ARGS__ }
#define VALUES(k, m, n, e, ...) \
	{ .key = k, .kind = FIELD_LIST, .place = offsetof(S, m), .element = &(e), \
	  .size = sizeof(*((S *)0)->m), .count = offsetof(S, n) + IS_OF(n, size_t), __VA_ARGS__ }
#define MAP(k, m, list, e, ...) \
	{ .key = k, .kind = FIELD_MAP, .place = offsetof(S, m), .size = sizeof(((S *)0)->m[0]), \
	  .words = &(list), .element = &(e), __VA_ARGS__ }
#define INLINE_MAP(m, list, e, ...) \
	{ .kind = FIELD_MAP, .place = offsetof(S, m), .size = sizeof(((S *)0)->m[0]), \
	  .words = &(list), .element = &(e), .inlined = true, __VA_ARGS__ }
#define COMPUTED(k, what, function, ...) { .key = k, .kind = what, .of = function, __VA_ARGS__ }

#define NULLABLE .nullable = true
#define OLDER .optional = true /* than the field */

/* S is the struct; `label` names the shape, and its array of rows is label_fields. */
#define SHAPE_OF(label, ...) \
	{ .name = #label, .size = sizeof(S), .fields = label##_fields, \
	  .field_count = sizeof(label##_fields) / sizeof(label##_fields[0]), __VA_ARGS__ }

#endif
