// SPDX-License-Identifier: GPL-2.0-or-later
/* What only bash understands is found, so that no other shell runs it; what POSIX has is not. */
#include "unit.h"

#include "advice/lines/bashisms.h"

static void test_found(void **state)
{
	static const char *const scripts[] = {
		"if [[ -n $x ]]; then", "cat <<<\"$x\"", "cat <(ls)", "ls &>out", "ls >&out", "ls |& cat", "x=$'a'",
		"x=(a b)", "x+=b", "[ a == b ]", "echo ${x/a/b}", "echo ${x:1:2}", "echo ${x^}", "echo ${x,}", "echo ${x@Q}",
		"echo ${x[1]}", "echo ${!x}", "echo ${#x[@]}", "((x = 1))", "for ((;;)); do", "echo $((x++))",
		"echo $((--x))", "echo {a,b}", "for i in {1..9}; do", "function f {", "declare x", "source a", ". a", "  . a",
		"shopt -s nullglob", "set -o pipefail", "read -p x y", "read -t 1 y", "printf -v x a", "printf %q a", "echo -e a",
		"echo \"a\\tb\"", "echo $RANDOM", "echo $BASH_VERSION", "trap x ERR", "eval \"$x\"", "let x=1",
		"true\n\n# a\nfalse; [[ a ]]\ntrue", "true\n[[ a ]]",
	};

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		if (!bashism__in(scripts[i]))
			fail_msg("%s", scripts[i]);
}

static void test_not_found(void **state)
{
	static const char *const scripts[] = {
		"", "\n", "# [[ a ]]", "\t# [[ a ]]\ntrue", "x=$(basename \"$y\" .c)", "echo $((x + 1)) ${x:-a} ${x%/*} ${#x} ${x##*/}",
		"ls >&2 2>&1 3>&-", "ls >&$fd", "read -r a b", "read a", "printf '%s\\n' a", "for i in a b; do", "case $x in (a) ;; esac",
		"awk '{print $1}' a", "f() { ls; }", "[ a = b ] && ./run.sh", "letter=1; outlet=2", "ls a.b x..y", "echo a#b",
	};

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		if (bashism__in(scripts[i]))
			fail_msg("%s: %s", scripts[i], bashism__in(scripts[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
