// SPDX-License-Identifier: GPL-2.0-or-later
/* How a pool is started with a remedy: what its environment has then, before what the user has there. */
#include "unit.h"

#include <unistd.h>

#include "measure/pool/pool_remedy.h"

/* The value of a variable in that environment; NULL: it has none. */
static const char *value_in(char *const *environment, const char *name)
{
	const size_t length = strlen(name);

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/* The value is what stands before and after the directory of files, if the remedy has any. */
static void assert_sets(enum pool_way way, const char *name, const char *before, const char *after)
{
	struct pool_remedy remedy;
	char *reason = NULL, expected[256];

	assert_int_equal(pool_remedy__prepare(&remedy, way, &reason), 0);
	assert_null(reason);
	snprintf(expected, sizeof(expected), "%s%s%s", before, remedy.directory ? remedy.directory : "", after);
	assert_string_equal(value_in(remedy.environment, name), expected);
	pool_remedy__release(&remedy);
}

static void a_setting_is_set_unless_the_user_has_set_it(void **state)
{
	struct pool_remedy remedy;
	char *reason = NULL;

	unsetenv("MALLOC_ARENA_MAX");
	assert_sets(POOL_ARENA, "MALLOC_ARENA_MAX", "1", "");
	setenv("MALLOC_ARENA_MAX", "4", 1);
	assert_int_equal(pool_remedy__prepare(&remedy, POOL_ARENA, &reason), -1);
	assert_string_equal(reason, "MALLOC_ARENA_MAX is set already");
	assert_null(remedy.environment);
	free(reason);
	unsetenv("MALLOC_ARENA_MAX");
}

static void a_runtime_loads_our_file_before_those_of_the_user(void **state)
{
	unsetenv("PYTHONPATH");
	unsetenv("RUBYOPT");
	assert_sets(POOL_FREEZE, "PYTHONPATH", "", "");
	assert_sets(POOL_COMPACT, "RUBYOPT", "-r", "/forktax.rb");
	setenv("PYTHONPATH", "/a:/b", 1);
	setenv("RUBYOPT", "-W0", 1);
	assert_sets(POOL_FREEZE, "PYTHONPATH", "", ":/a:/b");
	assert_sets(POOL_COMPACT, "RUBYOPT", "-r", "/forktax.rb -W0");
}

/* As it is, and where the user's command restarts workers. */
static void others_leave_the_environment_alone(void **state)
{
	static const enum pool_way ways[] = { POOL_AS_IS, POOL_RESTART };

	for (int i = 0; i < 2; i++) {
		struct pool_remedy remedy;
		char *reason = NULL;

		assert_int_equal(pool_remedy__prepare(&remedy, ways[i], &reason), 0);
		assert_null(remedy.environment);
		assert_null(remedy.directory);
		pool_remedy__release(&remedy);
	}
}

/* The pool's runtime says that it came by our file by making "done" longer. */
static void what_the_runtime_has_not_loaded_is_no_trial(void **state)
{
	struct pool_remedy remedy;
	char *reason = NULL, path[256];
	FILE *done;

	assert_int_equal(pool_remedy__prepare(&remedy, POOL_FREEZE, &reason), 0);
	reason = pool_remedy__refusal(&remedy);
	assert_non_null(strstr(reason, "Python has not imported our sitecustomize"));
	free(reason);
	snprintf(path, sizeof(path), "%s/done", remedy.directory);
	done = fopen(path, "ae");
	fputc('.', done);
	fclose(done);
	assert_null(pool_remedy__refusal(&remedy));
	pool_remedy__rewind(&remedy);
	reason = pool_remedy__refusal(&remedy);
	assert_non_null(reason);
	free(reason);
	snprintf(path, sizeof(path), "%s", remedy.directory);
	pool_remedy__release(&remedy);
	assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_setting_is_set_unless_the_user_has_set_it),
		cmocka_unit_test(a_runtime_loads_our_file_before_those_of_the_user),
		cmocka_unit_test(others_leave_the_environment_alone),
		cmocka_unit_test(what_the_runtime_has_not_loaded_is_no_trial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
