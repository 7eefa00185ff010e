// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every member of every saved format, by its row: missing, null, of another type, too large, an
 * unknown word. What the reader says of it is what the row says. (For the rows themselves the copies
 * of the schemas in docs/ are witnesses: they would have to change with them.)
 */
#include "unit.h"

#include <json-c/json.h>

#include "base/memory.h"
#include "run_text.h"
#include "saved/measured.h"

/* A document, and the member of one of its objects that is damaged. */
struct patient {
	const char *path;
	struct json_object *root, *in;
	const struct field *field;
	const char *key;
	const char *name; /* of the member that tells that the inlined struct is there */
};

/* Rows that had their turn. */
static const struct field *seen[1000];
static size_t seen_count, damaged_count;

static bool is_seen(const struct field *field)
{
	for (size_t i = 0; i < seen_count; i++)
		if (seen[i] == field)
			return true;
	assert_true(seen_count < sizeof(seen) / sizeof(seen[0]));
	seen[seen_count++] = field;
	return false;
}

/* Why the document is refused as it is now, to be freed; NULL: it is not. */
static char *reason_of(struct json_object *root)
{
	const char *text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN);
	struct saved what;
	char *reason = read_document(text, strlen(text), &what);

	saved__free(&what);
	return reason;
}

/* `must` be refused, with that reason: "%s" is the key; otherwise not for that reason. */
static void expect(const struct patient *patient, bool must, const char *about)
{
	char *reason = reason_of(patient->root), *expected;

	assert_true(asprintf(&expected, "\"%s\" %s", patient->key, about) > 0);
	if (must && (!reason || !strstr(reason, expected)))
		fail_msg("%s: \"%s\": no \"%s\", but %s", patient->path, patient->key, expected,
			 reason ? reason : "it was read");
	if (!must && reason && strstr(reason, expected))
		fail_msg("%s: %s", patient->path, reason);
	damaged_count++;
	free(expected);
	free(reason);
}

/* With that value in place of the member, which is taken over. */
static void replaced(const struct patient *patient, struct json_object *value, bool must,
		     const char *about)
{
	struct json_object *kept = json_object_object_get(patient->in, patient->key);

	json_object_get(kept);
	json_object_object_add(patient->in, patient->key, value);
	expect(patient, must, about);
	json_object_object_add(patient->in, patient->key, kept);
}

static void missing(const struct patient *patient, bool must)
{
	struct json_object *kept = json_object_object_get(patient->in, patient->key);

	json_object_get(kept);
	json_object_object_del(patient->in, patient->key);
	expect(patient, must, "is missing");
	json_object_object_add(patient->in, patient->key, kept);
}

static void too_large(const struct patient *patient)
{
	switch (patient->field->kind) {
	case FIELD_COUNT:
	case FIELD_OFFSET:
	case FIELD_INTEGER:
	case FIELD_INDEX:
		replaced(patient, json_object_new_uint64(UINT64_MAX), true, "is ");
		break;
	case FIELD_IDENTITY:
		replaced(patient, json_object_new_int64(-1), true, "is negative");
		break;
	case FIELD_NUMBER:
	case FIELD_MEASURED:
		replaced(patient, json_object_new_double_s(0, "1e999"), true, "is not a finite");
		break;
	case FIELD_KEY:
	case FIELD_ORIGIN:
		replaced(patient, json_object_new_string("moonshine"), true, "has a value that");
		break;
	case FIELD_PERMISSIONS:
		replaced(patient, json_object_new_string("rwxz"), true, "is not like rwxp");
		break;
	default:
		break;
	}
}

static void damage(const struct patient *patient)
{
	const struct field *field = patient->field;
	const bool is_read = !field->of || field->law;
	const bool is_name = patient->name && !strcmp(patient->key, patient->name);

	if (!is_name)
		missing(patient, is_read && !field->optional && !field->omitted);
	if (!is_name)
		replaced(patient, NULL, is_read && !field->nullable, "is a null where");
	if (!is_read)
		return;
	replaced(patient, json_tokener_parse(field->kind == FIELD_LIST ? "{}" : "[1]"), true,
		 "is a");
	too_large(patient);
}

static void walk_object(const struct patient *document, const struct shape *shape,
			struct json_object *in);

static void walk_value(const struct patient *document, const struct field *field,
		       struct json_object *value)
{
	const struct field element = field->kind == FIELD_LIST ? field__element(field) : *field;
	struct patient at = *document;

	at.name = NULL;
	if (field->kind == FIELD_OBJECT && !field->of)
		walk_object(&at, field->shape, value);
	if (field->kind == FIELD_LIST && !field->of)
		for (size_t i = 0; i < json_object_array_length(value); i++)
			walk_value(&at, &element, json_object_array_get_idx(value, i));
	if (field->kind != FIELD_MAP)
		return;
	at.in = value;
	at.field = field->element;
	for (unsigned int i = 0; i < field->words->count; i++) {
		struct json_object *inner;

		at.key = words__word(field->words, i);
		if (!json_object_object_get_ex(value, at.key, &inner) || !inner)
			continue;
		if (!is_seen(field->element))
			damage(&at);
		walk_value(document, field->element, inner);
	}
}

static void walk_inlined(const struct patient *document, const struct field *field,
			 struct json_object *in)
{
	struct patient at = *document;

	at.name = field->key;
	if (field->kind == FIELD_MAP)
		walk_value(document, field, in);
	else if (json_object_object_get(in, field->key))
		walk_object(&at, field->shape, in);
}

static void walk_object(const struct patient *document, const struct shape *shape,
			struct json_object *in)
{
	struct patient at = *document;

	at.in = in;
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];
		struct json_object *value = NULL;

		at.field = field;
		at.key = field->key;
		if (field->kind == FIELD_MEMORY)
			continue;
		if (field->inlined) {
			walk_inlined(document, field, in);
			continue;
		}
		/* Null may mean that it was not asked for: then it is not looked at. */
		if (!json_object_object_get_ex(in, at.key, &value) || (!value && field->when))
			continue;
		if (!is_seen(field))
			damage(&at);
		if (value)
			walk_value(document, field, json_object_object_get(in, at.key));
	}
}

static void walk_document(const char *path, struct json_object *root, const struct shape *shape)
{
	struct patient document = { .path = path, .root = root };
	char *reason;

	assert_non_null(root);
	reason = reason_of(root);
	if (reason)
		fail_msg("%s: %s", path, reason);
	walk_object(&document, shape, document.root);
	json_object_put(document.root);
}

static void walk_file(const char *path, const struct shape *shape)
{
	walk_document(path, json_object_from_file(path), shape);
}

/* The small ones first: a row is damaged in the first document that has it. */
static void test_runs(void **state)
{
	walk_file(GOLDEN "/inexact.json", &run_shape);
	walk_file(GOLDEN "/forks.json", &run_shape);
	walk_file(GOLDEN "/tree.json", &run_shape);
	walk_file(GOLDEN "/cgroups.json", &run_shape);
	walk_file(GOLDEN "/machine.json", &run_shape);
	walk_file(GOLDEN "/files.json", &run_shape);
	walk_file(GOLDEN "/files-processes.json", &run_shape);
	walk_file(GOLDEN "/start.json", &run_shape);
	walk_file(GOLDEN "/anatomy.json", &run_shape);
	walk_file(GOLDEN "/critical-path.json", &run_shape);
	walk_file(GOLDEN "/bill.json", &run_shape);
	walk_file(GOLDEN "/tree-times.json", &run_shape);
	walk_file(GOLDEN "/stacks.json", &run_shape);
	assert_true(damaged_count > 500);
}

static void test_benches(void **state)
{
	walk_file(GOLDEN "/bench/fork.json", &bench_shape);
	walk_file(GOLDEN "/bench/serve.json", &bench_shape);
}

static void test_comparisons(void **state)
{
	walk_file(GOLDEN "/bindnow/static.json", &comparison_shape);
	walk_file(GOLDEN "/compare/three.json", &comparison_shape);
	walk_file(GOLDEN "/compare/unexplained.json", &comparison_shape);
	walk_file(GOLDEN "/bindnow/forkloop.json", &comparison_shape);
}

static void test_workers(void **state)
{
	walk_file(GOLDEN "/workers/user.json", &workers_shape);
	walk_file(GOLDEN "/workers/copied.json", &workers_shape);
	walk_file(GOLDEN "/workers/pool.json", &workers_shape);
	walk_file(GOLDEN "/workers/reading.json", &workers_shape);
	walk_file(GOLDEN "/workers/flow.json", &workers_shape);
	walk_file(GOLDEN "/workers/stacks.json", &workers_shape);
}

/* Rows that no file above has a value of. */
static size_t unseen_rows(const struct shape *shape)
{
	size_t unseen = 0;

	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];
		bool is_known = field->kind == FIELD_MEMORY || field->inlined;

		for (size_t k = 0; k < seen_count && !is_known; k++)
			is_known = seen[k] == field;
		if (!is_known)
			print_message("no saved file has %s.%s\n", shape->name, field->key);
		unseen += !is_known;
		if (field->kind == FIELD_OBJECT && !field->of && is_known)
			unseen += unseen_rows(field->shape);
		if (field->kind == FIELD_LIST && !field->of && field->shape)
			unseen += unseen_rows(field->shape);
	}
	return unseen;
}

static void test_all_rows_were_damaged(void **state)
{
	assert_int_equal(unseen_rows(&run_shape), 0);
	assert_int_equal(unseen_rows(&bench_shape), 0);
	assert_int_equal(unseen_rows(&comparison_shape), 0);
	assert_int_equal(unseen_rows(&workers_shape), 0);
}

/* Runs: test_json_rejects.c. The longer a document, the fewer of its bytes: reading all of them takes the same time. */
static void any_byte_changed(void **state)
{
	struct json_object *root = json_object_from_file(*state);
	char *text = checked_strdup(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN));

	change_bytes(text, 0, 1 + strlen(text) * strlen(text) / 20000000);
	free(text);
	json_object_put(root);
}

/* Rows of one struct; sections are part of it. */
struct rows {
	const struct field *rows[100];
	size_t count;
};

/* A map of what is computed, or of structs that have places themselves. */
static bool has_no_place(const struct field *field)
{
	return field->kind == FIELD_MAP &&
	       (field->element->of || (field->element->shape && !field->place));
}

static void gather(struct rows *rows, const struct shape *shape)
{
	for (size_t i = 0; i < shape->field_count; i++) {
		const struct field *field = &shape->fields[i];

		if (field->section)
			gather(rows, field->shape);
		else if (!field->of && !field->borrowed && !has_no_place(field))
			rows->rows[rows->count++] = field;
	}
}

/* Of one bit of a number there may be a row, and of another. */
static bool are_apart(const struct field *a, const struct field *b)
{
	return a->place != b->place ||
	       (a->kind == FIELD_BIT && b->kind == FIELD_BIT && a->min != b->min);
}

static void assert_places_differ(const struct shape *shape)
{
	struct rows rows = { .count = 0 };

	gather(&rows, shape);
	for (size_t i = 0; i < rows.count; i++) {
		const struct field *field = rows.rows[i];

		for (size_t k = 0; k < i; k++)
			if (!are_apart(field, rows.rows[k]))
				fail_msg("%s: \"%s\" and \"%s\" are at one place", shape->name,
					 rows.rows[k]->key, field->key);
		if (field->shape)
			assert_places_differ(field->shape);
	}
}

/* No row has the place of another one, as one that was copied would. */
static void test_places_differ(void **state)
{
	assert_places_differ(&run_shape);
	assert_places_differ(&bench_shape);
	assert_places_differ(&comparison_shape);
	assert_places_differ(&workers_shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),	    cmocka_unit_test(test_benches),
		cmocka_unit_test(test_comparisons), cmocka_unit_test(test_workers),
		cmocka_unit_test(test_all_rows_were_damaged),
		cmocka_unit_test(test_places_differ),
		cmocka_unit_test_prestate(any_byte_changed, GOLDEN "/bench/fork.json"),
		cmocka_unit_test_prestate(any_byte_changed, GOLDEN "/bindnow/static.json"),
		cmocka_unit_test_prestate(any_byte_changed, GOLDEN "/compare/three.json"),
		cmocka_unit_test_prestate(any_byte_changed, GOLDEN "/workers/user.json"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
