// SPDX-License-Identifier: GPL-2.0-or-later
/* Which object of a start a symbol is bound to: the cases that few programs have. */
#include "elf_files.h"

#include "base/memory.h"
#include "model/rows/fields.h"
#include "resolve/start/start_scope.h"

/* Runs a shell script in the directory of the files; false if something of it is not there. */
static bool make(const char *script)
{
	char command[2048];

	snprintf(command, sizeof(command), "cd %s && { %s; } >make.log 2>&1", directory, script);
	return system(command) == 0;
}

static struct start *load(const char *const *names, size_t count)
{
	struct start *start = start__new();

	start->objects = checked_calloc(count, sizeof(*start->objects));
	for (size_t i = 0; i < count; i++)
		start->objects[start->object_count++] = (struct start_object){
			.path = checked_strdup(path_of(names[i])),
			.role = i ? START_IS_LIBRARY : START_IS_PROGRAM,
			.through = NO_OBJECT,
			.needed_by = ABSENT,
			.bound_to = ABSENT,
		};
	start_scope__find(start);
	return start;
}

static void assert_bound(const char *const *names, size_t count, const uint64_t *expected)
{
	struct start *start = load(names, count);

	for (size_t i = 0; i < count; i++)
		if (start->objects[i].bound_to != expected[i])
			fail_msg("%s: %llu symbols", names[i],
				 (unsigned long long)start->objects[i].bound_to);
	shape__free(&start_shape, start);
}

/* Both libraries have the name; the program was linked with the version of the second. */
static void versions_must_be_the_same(void **state)
{
	const char *const names[] = { "versions", "libone.so", "libtwo.so" };
	const uint64_t expected[] = { 0, 0, 1 };

	assert_true(make("echo 'int f(void) { return 1; }' >f.c; echo 'ONE { f; };' >one.map; "
			 "echo 'TWO { f; };' >two.map; "
			 "echo 'int f(void); void _start(void) { f(); }' >main.c; "
			 "cc -shared -fPIC -nostdlib -Wl,--version-script=one.map -o libone.so f.c && "
			 "cc -shared -fPIC -nostdlib -Wl,--version-script=two.map -o libtwo.so f.c && "
			 "cc -nostdlib -o versions main.c -L. -ltwo"));
	assert_bound(names, 3, expected);
}

/*
 * The address of f is that of the program's PLT entry, for all who take it; who calls f, calls the
 * library's.
 */
static void addresses_may_be_those_of_stubs(void **state)
{
	const char *const names[] = { "stub", "libtakes.so", "libcalls.so", "libf.so" };
	const uint64_t expected[] = { 1, 0, 0, 2 };

	assert_true(make("echo 'int f(void) { return 1; }' >f.c; "
			 "echo 'int f(void); int (*taken)(void) = f;' >takes.c; "
			 "echo 'int f(void); int calls(void) { return f(); }' >calls.c; "
			 "echo 'int f(void); void _start(void) { int (*volatile p)(void) = f; p(); }' >main.c; "
			 "cc -shared -fPIC -nostdlib -o libf.so f.c && "
			 "cc -shared -fPIC -nostdlib -o libtakes.so takes.c && "
			 "cc -shared -fPIC -nostdlib -o libcalls.so calls.c && "
			 "cc -nostdlib -fno-pie -no-pie -o stub main.c -L. -lf"));
	assert_bound(names, 4, expected);
}

/* A copy is of what another object defines, and the others then use the copy. */
static void copies_are_of_others(void **state)
{
	const char *const names[] = { "copy", "libdata.so" };
	const uint64_t expected[] = { 1, 1 };

	assert_true(make("echo 'int data = 1; int get(void) { return data; }' >data.c; "
			 "echo 'extern int data; void _start(void) { data = 2; }' >main.c; "
			 "cc -shared -fPIC -nostdlib -o libdata.so data.c && "
			 "cc -nostdlib -fno-pie -no-pie -o copy main.c -L. -ldata"));
	assert_bound(names, 2, expected);
}

/* What asks for it knows the name that a library gives itself, whatever its file is called. */
static void libraries_are_known_by_their_names(void **state)
{
	const char *const names[] = { "named", "libfile-1.2.so", "libleaf.so" };
	struct start *start;

	assert_true(make("echo 'int leaf(void) { return 1; }' >leaf.c; "
			 "echo 'int leaf(void); int f(void) { return leaf(); }' >f.c; "
			 "echo 'int f(void); void _start(void) { f(); }' >main.c; "
			 "cc -shared -fPIC -nostdlib -o libleaf.so leaf.c && "
			 "cc -shared -fPIC -nostdlib -Wl,-soname,libname.so.1 -o libfile-1.2.so f.c -L. -lleaf && "
			 "cc -nostdlib -o named main.c ./libfile-1.2.so -Wl,-rpath-link,."));
	start = load(names, 3);
	assert_int_equal(start->objects[1].needed_by, 1);
	assert_int_equal(start->objects[1].through, NO_OBJECT);
	assert_int_equal(start->objects[2].needed_by, 1);
	assert_int_equal(start->objects[2].through, 1);
	shape__free(&start_shape, start);
}

/* One that cannot be read might ask for any. */
static void unreadable_files_leave_all_unknown(void **state)
{
	const char *const names[] = { "named", "libfile-1.2.so", "libgone.so" };
	struct start *start = load(names, 3);

	for (int i = 0; i < 3; i++) {
		assert_true(start->objects[i].bound_to == ABSENT);
		assert_true(start->objects[i].needed_by == ABSENT);
		assert_int_equal(start->objects[i].through, NO_OBJECT);
	}
	shape__free(&start_shape, start);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_must_be_the_same),
		cmocka_unit_test(addresses_may_be_those_of_stubs),
		cmocka_unit_test(copies_are_of_others),
		cmocka_unit_test(libraries_are_known_by_their_names),
		cmocka_unit_test(unreadable_files_leave_all_unknown),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_files);
}
