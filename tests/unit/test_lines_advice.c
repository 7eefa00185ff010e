// SPDX-License-Identifier: GPL-2.0-or-later
/* Every rule for lines of scripts: what it says to write, and how many processes that saves; and where it is silent. */
#include <math.h>

#include "advice_said.h"

#include "advice/lines/lines_advice.h"
#include "base/memory.h"
#include "base/text.h"
#include "made.h"

/* Children of a line that executed that program first; NULL: none. */
struct made_children {
	const char *program;
	uint64_t children;
};

static uint32_t exe_of(struct run *run, const char *program)
{
	for (uint32_t i = 0; program && i < run->exe_count; i++)
		if (!strcmp(run->exes[i].path, program))
			return i;
	if (!program)
		return NO_EXE;
	MADE_EXE(run, .path = checked_strdup(program));
	return (uint32_t)run->exe_count - 1;
}

static void add_line(struct run *run, uint32_t number, const char *text, const struct made_children *made)
{
	for (; made->children; made++) {
		const uint32_t target = exe_of(run, made->program);

		MADE(run->lines->rows, run->lines->count, .source = SCRIPT_FILE,
		     .language = LANGUAGE_BASH, .file = checked_strdup("a.sh"),
		     .line = number, .text = text ? checked_strdup(text) : NULL, .exec_target = target,
		     .birth = BIRTH_FORK, .children = made->children, .life_ns = made->children * 2000000);
		MADE_GROUP(run, .parent_exe = 0, .exec_target = target, .birth = BIRTH_FORK, .children = made->children);
	}
}

static struct run *new_run(void)
{
	struct run *run = made_run(WITH_ANATOMY);

	run->lines = checked_calloc(1, sizeof(*run->lines));
	run->anatomy->costs[COST_FORK] = (struct estimate){ true, true, 200000, 100000, 300000 };
	MADE_EXE(run, .path = checked_strdup("/bin/bash"));
	return run;
}

static struct run *run_of(const char *text, const struct made_children *made)
{
	struct run *run = new_run();

	add_line(run, 7, text, made);
	lines_advice__find(run, NULL);
	return run;
}

#define CHILDREN(...) (const struct made_children[]){ __VA_ARGS__, { NULL, 0 } }

/* The rule says to write that, and saves so many processes. */
static void says(const char *rule, const char *text, const struct made_children *made, const char *now, double processes)
{
	struct run *run = run_of(text, made);
	const struct advice *advice = ADVICE_OF(run->lines, rule);
	char *action = text__of("Write: %s (now: %s)", now, text);

	if (!advice)
		fail_msg("%s is silent about: %s", rule, text);
	assert_string_equal(advice->action, action);
	assert_string_equal(advice->place, "a.sh:7");
	assert_true(advice->predicted_processes.value == processes && !advice->predicted_processes.bounded);
	assert_true(advice->predicted_ns.known && advice->predicted_ns.low <= advice->predicted_ns.value &&
		    advice->predicted_ns.value <= advice->predicted_ns.high);
	free(action);
	run__free(run);
}

static void assert_silent(const char *text, const struct made_children *made)
{
	struct run *run = run_of(text, made);

	if (run->lines->advice_count)
		fail_msg("%s: %s", run->lines->advice->rule, run->lines->advice->action);
	run__free(run);
}

#define CAT(n) CHILDREN({ "/bin/cat", n })
#define PIPED(program, n) CHILDREN({ NULL, 2 * (n) }, { program, n })

static void test_cat_file(void **state)
{
	says("L1", "x=$(cat \"$f\")", CAT(10), "x=$(<\"$f\")", 10);
	says("L1", "x=$(cat $1) y=\"a $(cat /etc/hostname)\"", CAT(10), "x=$(<\"$1\") y=\"a $(</etc/hostname)\"", 10);
	says("L1", "x=`cat a`", CAT(3), "x=$(<a)", 3);
	assert_silent("x=$(cat a b)", CAT(10));
	assert_silent("x=$(cat *)", CAT(10));
	assert_silent("x=$(cat \"$@\")", CAT(10));
	assert_silent("x=$(cat -n a)", CAT(10));
	assert_silent("x=$(cat)", CAT(10));
	assert_silent("x=$(cat $(printf a))", CHILDREN({ "/bin/cat", 10 }, { NULL, 10 }));
}

static void test_filter_variable(void **state)
{
	says("L2", "y=$(echo \"$x\" | sed s/a/b/)", PIPED("/bin/sed", 4), "y=${x/a/b}", 12);
	says("L2", "y=$(echo \"$x\" | sed 's/a b/c.d/g')", PIPED("/bin/sed", 4), "y=${x//a b/c.d}", 12);
	says("L2", "y=$(echo \"${x}\" | sed 's|/a|_|')", PIPED("/bin/sed", 1), "y=${x/\\/a/_}", 3);
	says("L2", "y=$(echo \"$x\" | sed 's/\\.c$//')", PIPED("/bin/sed", 2), "y=${x/%.c/}", 6);
	says("L2", "y=$(printf '%s\\n' \"$x\" | sed 's/^lib//')", PIPED("/bin/sed", 2), "y=${x/#lib/}", 6);
	says("L2", "y=$(sed 's/a/b/' <<<\"$x\")", CHILDREN({ NULL, 5 }, { "/bin/sed", 5 }), "y=${x/a/b}", 10);
	says("L2", "y=\"$(echo \"$x\" | tr / _)\"", PIPED("/bin/tr", 2), "y=\"${x//\\//_}\"", 6);
	says("L2", "y=$(echo \"$x\" | tr -d :)", PIPED("/bin/tr", 2), "y=${x//:/}", 6);
	says("L2", "y=$(echo \"$x\" | cut -d. -f1)", PIPED("/bin/cut", 2), "y=${x%%.*}", 6);
	says("L2", "local y=$(echo \"$x\" | awk -F. '{print $1}')", PIPED("/bin/awk", 2), "local y=${x%%.*}", 6);
	assert_silent("y=$(echo \"$x\" | awk -F. '{print $2}')", PIPED("/bin/awk", 2));
	assert_silent("y=$(echo \"$x\" | tr - _)", PIPED("/bin/tr", 2));
	assert_silent("y=$(echo \"$x\" | cut -d. -f2)", PIPED("/bin/cut", 2));
	assert_silent("y=$(echo \"$x\" | sed 's/.c//')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo \"$x\" | sed 's/a*/b/')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo \"$x\" | sed 's/a/&b/')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo \"$x\" | sed 's/a/b/2')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo \"$x\" | sed -n 's/a/b/')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo \"$x\" | sed 's/%/b/')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo $x | sed 's/a/b/')", PIPED("/bin/sed", 4));
	assert_silent("y=$(echo \"$x$y\" | sed 's/a/b/')", PIPED("/bin/sed", 4));
	assert_silent("echo \"$x\" | sed 's/a/b/'", CHILDREN({ NULL, 4 }, { "/bin/sed", 4 }));
}

static void test_path_parts(void **state)
{
	says("L3", "cd \"$(dirname \"$1\")\"", CHILDREN({ "/bin/dirname", 1 }), "cd \"${1%/*}\"", 1);
	says("L3", "me=$(basename \"$0\")", CHILDREN({ "/bin/basename", 1 }), "me=${0##*/}", 1);
	assert_silent("cd \"$(dirname \"$0\")\"", CHILDREN({ "/bin/dirname", 1 })); /* bash script.sh: no slash */
	says("L3", "y=$(basename $x)", CHILDREN({ "/bin/basename", 9 }), "y=${x##*/}", 9);
	says("L3", "y=$(basename \"$x\" .c)", CHILDREN({ "/bin/basename", 9 }), "y=${x##*/} y=${y%.c}", 9);
	says("L3", "y=$(basename \"$(dirname \"$x\")\")", CHILDREN({ "/bin/basename", 2 }, { "/bin/dirname", 2 }),
	     "y=$(basename \"${x%/*}\")", 2);
	assert_silent("local y=$(basename \"$x\" .c)", CHILDREN({ "/bin/basename", 9 }));
	assert_silent("y=$(basename -a \"$x\")", CHILDREN({ "/bin/basename", 9 }));
	assert_silent("y=$(basename \"$x\" \"$s\")", CHILDREN({ "/bin/basename", 9 }));
	assert_silent("y=$(basename ../a)", CHILDREN({ "/bin/basename", 9 }));
}

static void test_expr(void **state)
{
	says("L4", "i=`expr $i + 1`", CHILDREN({ "/bin/expr", 100 }), "i=$(($i + 1))", 100);
	says("L4", "i=$(expr \"$i\" \\* 2)", CHILDREN({ "/bin/expr", 100 }), "i=$(($i * 2))", 100);
	says("L4", "if [ $(expr $i + 1) -gt 9 ]; then", CHILDREN({ "/bin/expr", 3 }), "if [ $(($i + 1)) -gt 9 ]; then", 3);
	says("L4", "true && i=$(expr $i - 1)", CHILDREN({ "/bin/expr", 3 }), "true && i=$(($i - 1))", 3);
	assert_silent("i=$(expr $i - 1) || exit", CHILDREN({ "/bin/expr", 3 })); /* is it a number, and not 0? */
	assert_silent("i=$(expr $i - 1) && echo more", CHILDREN({ "/bin/expr", 3 }));
	assert_silent("if i=$(expr $i - 1); then", CHILDREN({ "/bin/expr", 3 }));
	assert_silent("while i=$(expr $i - 1); do", CHILDREN({ "/bin/expr", 3 }));
	assert_silent("! i=$(expr $i - 1)", CHILDREN({ "/bin/expr", 3 }));
	assert_silent("i=$(expr $i + 01)", CHILDREN({ "/bin/expr", 3 }));
	assert_silent("i=$(expr $i : 'a')", CHILDREN({ "/bin/expr", 3 }));
	assert_silent("i=$(expr $i + 1 + 2)", CHILDREN({ "/bin/expr", 3 }));
}

static void test_seq(void **state)
{
	says("L5", "for i in $(seq 1 \"$n\"); do :; done", CHILDREN({ "/bin/seq", 3 }),
	     "for ((i = 1; i <= $n; i++)); do :; done", 3);
	says("L5", "for i in `seq 9`; do", CHILDREN({ "/bin/seq", 3 }), "for i in {1..9}; do", 3);
	says("L5", "for i in $(seq 7 7); do", CHILDREN({ "/bin/seq", 3 }), "for i in {7..7}; do", 3);
	assert_silent("for i in $(seq 3 1); do", CHILDREN({ "/bin/seq", 3 })); /* braces would count down */
	assert_silent("for i in $(seq 1 2 9); do", CHILDREN({ "/bin/seq", 3 }));
	assert_silent("for i in $(seq -w 9); do", CHILDREN({ "/bin/seq", 3 }));
	assert_silent("for i in a $(seq 9); do", CHILDREN({ "/bin/seq", 3 }));
	assert_silent("for i in \"$(seq 9)\"; do", CHILDREN({ "/bin/seq", 3 }));
}

static void test_cat_pipe(void **state)
{
	says("L6", "cat $f | wc -l >out", CHILDREN({ "/bin/cat", 4 }, { "/bin/wc", 4 }), "wc -l >out <\"$f\"", 4);
	says("L6", "x=$(cat a | wc -l)", CHILDREN({ NULL, 4 }, { "/bin/cat", 4 }, { "/bin/wc", 4 }), "x=$(wc -l <a)", 4);
	assert_silent("cat a b | wc -l", CHILDREN({ "/bin/cat", 4 }, { "/bin/wc", 4 }));
	assert_silent("cat a | wc -l <b", CHILDREN({ "/bin/cat", 4 }, { "/bin/wc", 4 }));
	assert_silent("cat a | func", CHILDREN({ "/bin/cat", 4 }, { NULL, 4 }));
	assert_silent("cat a | (wc -l)", CHILDREN({ "/bin/cat", 4 }, { "/bin/wc", 4 }));
}

static void test_exec_redirected(void **state)
{
	says("L7", "x=$(uname -m 2>/dev/null) || x=unknown", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }),
	     "x=$(exec uname -m 2>/dev/null) || x=unknown", 4);
	assert_silent("x=$(exec uname -m 2>/dev/null)", CHILDREN({ "/bin/uname", 4 }));
	assert_silent("x=$(uname -m)", CHILDREN({ "/bin/uname", 4 }));
	assert_silent("x=$(func 2>/dev/null)", CHILDREN({ NULL, 0 }));
}

static void test_one_awk(void **state)
{
	says("L8", "x=$(grep a b | cut -d: -f2)", CHILDREN({ NULL, 4 }, { "/bin/grep", 4 }, { "/bin/cut", 4 }),
	     "x=$(awk '...')", 8);
	says("L8", "grep a b | sed s/a/b/ | cut -c2 | sort", CHILDREN({ "/bin/grep", 1 }, { "/bin/sed", 1 },
	     { "/bin/cut", 1 }, { "/bin/sort", 1 }), "awk '...' | cut -c2 | sort", 1);
	assert_silent("grep -r a b | cut -d: -f2", CHILDREN({ "/bin/grep", 4 }, { "/bin/cut", 4 }));
	assert_silent("grep a b | cut -d: \"-f$(uname)\"", CHILDREN({ "/bin/grep", 4 }, { "/bin/cut", 4 }, { "/bin/uname", 4 }));
	says("L8", "grep '^a\\.b' c | sed 's/\\/d//'", CHILDREN({ "/bin/grep", 4 }, { "/bin/sed", 4 }), "awk '...'", 4);
	assert_silent("grep a b | sed 's/\\(c\\)d/\\1/'", CHILDREN({ "/bin/grep", 4 }, { "/bin/sed", 4 })); /* a group */
	assert_silent("grep 'a\\|b' c | sed s/d/e/", CHILDREN({ "/bin/grep", 4 }, { "/bin/sed", 4 }));
	assert_silent("grep -w a b | sed s/d/e/", CHILDREN({ "/bin/grep", 4 }, { "/bin/sed", 4 }));
	assert_silent("grep a b | sort", CHILDREN({ "/bin/grep", 4 }, { "/bin/sort", 4 }));
}

static void test_builtin_output(void **state)
{
	says("L10", "x=$(printf '%03d' \"$n\")", CHILDREN({ NULL, 4 }), "printf -v x '%03d' \"$n\"", 4);
	says("L10", "x=\"$(pwd)\"", CHILDREN({ NULL, 4 }), "x=\"$PWD\"", 4);
	says("L10", "x=$(pwd)_y", CHILDREN({ NULL, 4 }), "x=${PWD}_y", 4);
	says("L10", "x=$(pwd)/y", CHILDREN({ NULL, 4 }), "x=$PWD/y", 4);
	assert_silent("x=$(printf 'a\\0b')", CHILDREN({ NULL, 4 })); /* printf -v ends there */
	assert_silent("x=$(printf '%03d\\n' \"$n\")", CHILDREN({ NULL, 4 }));
	assert_silent("local x=$(printf '%03d' \"$n\")", CHILDREN({ NULL, 4 }));
	assert_silent("x=$(pwd -P)", CHILDREN({ NULL, 4 }));
}

/* If the function prints by a pipe, $( ) is needed in it, and no process is saved: low is 0. */
static void calls_a_function_that(const char *text, const struct made_children *made, double low)
{
	struct run *run = new_run();
	const struct estimate *processes;

	add_line(run, 3, "x=$(func a)", CHILDREN({ NULL, 4 }));
	add_line(run, 2, text, made);
	for (size_t i = 1; i < run->lines->count; i++)
		run->lines->rows[i].function = checked_strdup("func");
	lines_advice__find(run, NULL);
	processes = &ADVICE_OF(run->lines, "L11")->predicted_processes;
	assert_true(processes->value == 4 && processes->low == low && processes->high == 4);
	run__free(run);
}

static void test_function_output(void **state)
{
	struct run *run = run_of("x=$(func a) y=$(uname)", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));

	assert_says(ADVICE_OF(run->lines, "L11"), "to read what a function prints");
	assert_true(ADVICE_OF(run->lines, "L11")->predicted_processes.value == 4);
	assert_int_equal(run->lines->advice_count, 1);
	run__free(run);
	run = run_of("x=$(func $(uname))", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));
	assert_true(ADVICE_OF(run->lines, "L11")->predicted_processes.value == 4);
	run__free(run);
	assert_silent("x=$(echo a)", CHILDREN({ NULL, 4 }));
	calls_a_function_that("y=$(uname | wc -c); echo $y", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }, { "/bin/wc", 4 }), 4);
	calls_a_function_that("uname | wc -c", CHILDREN({ "/bin/uname", 4 }, { "/bin/wc", 4 }), 0);
	calls_a_function_that("( uname; : )", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }), 0);
	calls_a_function_that("case $x in *) uname;; esac", CHILDREN({ "/bin/uname", 4 }), 0);
}

static void test_subshell(void **state)
{
	says("L12", "( uname; echo a ) >out", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }), "{ uname; echo a; } >out", 4);
	assert_silent("( cd / && uname; : )", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));
	assert_silent("( x=1; uname; : )", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));
	assert_silent("( uname )", CHILDREN({ "/bin/uname", 4 })); /* it needs a process anyway */
	assert_silent("( func; : )", CHILDREN({ NULL, 4 }));
	assert_silent("( uname; : ${x:=1} )", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));
	assert_silent("( uname; : ${x=1} )", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));
	assert_silent("( uname; : $((x++)) )", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }));
	assert_silent("( uname; : ) | sort", CHILDREN({ NULL, 4 }, { "/bin/uname", 4 }, { "/bin/sort", 4 }));
}

static void test_builtin_program(void **state)
{
	says("L13", "if /usr/bin/[ a = b ]; then", CHILDREN({ "/usr/bin/[", 4 }), "if [ a = b ]; then", 4);
	assert_silent("/bin/pwd", CHILDREN({ "/bin/pwd", 4 }));
}

static void test_here_document(void **state)
{
	says("L14", "  cat >>confdefs.h <<_ACEOF", CHILDREN({ "/bin/cat", 4 }), "  printf '%s\\n' \"...\" >>confdefs.h", 4);
	says("L14", "cat <<\\_ACEOF >\"$f\" || exit", CHILDREN({ "/bin/cat", 4 }), "printf '%s\\n' \"...\" >\"$f\" || exit", 4);
	assert_silent("cat a - >b <<EOF", CHILDREN({ "/bin/cat", 4 }));
	assert_silent("cat <<EOF", CHILDREN({ "/bin/cat", 4 }));
	assert_silent("cat >&2 <<EOF", CHILDREN({ "/bin/cat", 4 }));
	assert_silent("cat <<EOF >a | tee", CHILDREN({ "/bin/cat", 4 }, { "/bin/tee", 4 }));
}

/* Other shells do not understand $(<file), ${x//a/b}, printf -v, ...; without an advice for bash alone all stays. */
static void test_scripts_for_sh(void **state)
{
	static const struct {
		const char *text, *rule; /* NULL: silent, as only bash understands what would be written */
		struct made_children made[3];
	} lines[] = {
		{ "x=$(cat a)", NULL, { { "/bin/cat", 4 } } },
		{ "y=$(echo \"$x\" | sed s/a/b/)", NULL, { { NULL, 8 }, { "/bin/sed", 4 } } },
		{ "y=$(echo \"$x\" | cut -d. -f1)", "L2", { { NULL, 8 }, { "/bin/cut", 4 } } },
		{ "y=$(basename \"$x\")", "L3", { { "/bin/basename", 4 } } },
		{ "y=$(expr $x + 1)", "L4", { { "/bin/expr", 4 } } },
		{ "for i in $(seq 9); do", NULL, { { "/bin/seq", 4 } } },
		{ "for i in $(seq $x); do", NULL, { { "/bin/seq", 4 } } },
		{ "x=$(printf '%03d' 7)", NULL, { { NULL, 4 } } },
		{ "/bin/echo -e a", NULL, { { "/bin/echo", 4 } } },
		{ "/usr/bin/test -f a", "L13", { { "/usr/bin/test", 4 } } },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		for (int is_sh = 0; is_sh < 2; is_sh++) {
			struct run *run = new_run();

			MADE(run->lines->files, run->lines->file_count, .name = checked_strdup("b.sh"), .is_sh = !is_sh);
			MADE(run->lines->files, run->lines->file_count, .name = checked_strdup("a.sh"), .is_sh = is_sh);
			add_line(run, 7, lines[i].text, lines[i].made);
			lines_advice__find(run, NULL);
			if (run->lines->advice_count != (!is_sh || lines[i].rule))
				fail_msg("%s: %zu pieces of advice", lines[i].text, run->lines->advice_count);
			if (lines[i].rule)
				assert_string_equal(run->lines->advice->rule, lines[i].rule);
			run__free(run);
		}
}

/* At most: one start has to stay. Silent where another rule has said what to write. */
static void test_started_often(void **state)
{
	struct run *run = run_of("rm -f \"$f\"", CHILDREN({ "/bin/rm", 20 }));
	const struct advice *advice = ADVICE_OF(run->lines, "L9");

	assert_says(advice, "starts rm 20 times");
	assert_true(advice->predicted_processes.value == 19 && advice->predicted_processes.low == 0);
	assert_true(advice->predicted_ns.low == 0);
	run__free(run);
	assert_silent("rm -f \"$f\"", CHILDREN({ "/bin/rm", 19 }));
	assert_silent("sleep 1", CHILDREN({ "/bin/sleep", 200 }));
	run = run_of("x=$(cat \"$f\")", CAT(30));
	assert_int_equal(run->lines->advice_count, 1);
	run__free(run);
}

/* A function may have any name. */
static void test_named_like_programs(void **state)
{
	struct run *run = run_of("x=$(cat a)", CHILDREN({ NULL, 4 }));

	assert_null(ADVICE_OF(run->lines, "L1"));
	assert_non_null(ADVICE_OF(run->lines, "L11"));
	run__free(run);
	run = run_of("x=$(echo \"$y\" | sed s/a/b/) z=$(basename \"$y\") i=$(expr 1 + 1)", CHILDREN({ NULL, 20 }));
	for (size_t i = 0; i < run->lines->advice_count; i++)
		assert_string_equal(run->lines->advice[i].rule, "L11");
	run__free(run);
}

/* What was counted has to be what the line creates, in a whole number of executions. */
static void test_other_counts(void **state)
{
	assert_silent("x=$(cat a)", CHILDREN({ "/bin/cat", 4 }, { NULL, 1 }));
	assert_silent("x=$(cat a) y=$(cat b | wc)", CHILDREN({ NULL, 4 }, { "/bin/cat", 8 }, { "/bin/wc", 3 }));
	assert_silent("x=$(cat a) || x=$(cat b; uname)", CHILDREN({ "/bin/cat", 4 }));
	assert_silent("x=$(cat a) y=$(func)", CHILDREN({ "/bin/cat", 4 }, { NULL, 5 }));
	assert_silent(NULL, CAT(4));
	assert_silent("x=$(cat a", CAT(4));
}

static void add_images(struct run *run, const char *program, uint64_t images, uint64_t overhead_us, uint64_t work_us)
{
	struct tree_row *row;

	MADE(run->tree_times->rows, run->tree_times->count, .exe = program ? exe_of(run, program) : 0,
	     .executed = program, .images = images);
	row = &run->tree_times->rows[run->tree_times->count - 1];
	row->cpu_ns[TREE_CREATE] = row->cpu_ns[TREE_END] = images * overhead_us * 500;
	row->cpu_ns[TREE_WORK] = images * work_us * 1000;
}

static struct estimate time_saved(const char *text, const struct made_children *made, uint64_t other_starts)
{
	struct run *run = new_run();
	struct estimate ns;

	run->tree_times = checked_calloc(1, sizeof(*run->tree_times));
	add_line(run, 7, text, made);
	add_images(run, "/bin/cat", 10 + other_starts, 700, 300);
	add_images(run, "/bin/bash", 1, 3000, 3000);
	add_images(run, NULL, 20, 100, 500);
	lines_advice__find(run, NULL);
	ns = run->lines->advice->predicted_ns;
	run__free(run);
	return ns;
}

static void assert_us(struct estimate ns, double value, double low, double high)
{
	assert_true(ns.known && ns.bounded);
	assert_true(fabs(ns.value / 1e3 - value) < 1e-6);
	assert_true(fabs(ns.low / 1e3 - low) < 1e-6);
	assert_true(fabs(ns.high / 1e3 - high) < 1e-6);
}

/* CPU time by program: shares of that of ten starts of 1000 us; children live for 2 ms. A fork costs 200 us. */
static void test_time_by_program(void **state)
{
	assert_us(time_saved("x=$(cat a)", CAT(10), 0), 8500, 6000, 11000);
	/* Ten other starts: this line may have none of their 6 ms of work, or all. */
	assert_us(time_saved("x=$(cat a)", CAT(10), 10), 8500, 4200, 14300);
	/* But no more than its children lived: 90 ms of work, 20 ms of life. */
	assert_us(time_saved("x=$(cat a)", CAT(10), 290), 8500, 4200, 29700);
	/* A copy of the shell: its work is done all the same. */
	assert_us(time_saved("x=$(func)", CHILDREN({ NULL, 10 }), 0), 1700, 1000, 3600);
}

/* Most processes first; what is only at most comes last. Lines of one number in two functions are two. */
static void test_order(void **state)
{
	struct run *run = new_run();

	add_line(run, 1, "rm \"$f\"", CHILDREN({ "/bin/rm", 100 }));
	add_line(run, 2, "x=$(cat a)", CHILDREN({ "/bin/cat", 2 }));
	add_line(run, 3, "x=$(cat b)", CHILDREN({ "/bin/cat", 3 }));
	add_line(run, 3, "x=$(cat b)", CHILDREN({ "/bin/cat", 5 }));
	run->lines->rows[run->lines->count - 1].function = checked_strdup("f");
	lines_advice__find(run, NULL);
	assert_int_equal(run->lines->advice_count, 4);
	assert_string_equal(run->lines->advice[0].place, "a.sh:3 in f()");
	assert_string_equal(run->lines->advice[1].place, "a.sh:3");
	assert_string_equal(run->lines->advice[2].place, "a.sh:2");
	assert_string_equal(run->lines->advice[3].rule, "L9");
	run__free(run);
	run = new_run();
	add_line(run, 1, "x=$(cat a)", CAT(4));
	run->lines->left_out = 1;
	lines_advice__find(run, NULL);
	assert_int_equal(run->lines->advice_count, 0);
	run__free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cat_file),
		cmocka_unit_test(test_filter_variable),
		cmocka_unit_test(test_path_parts),
		cmocka_unit_test(test_expr),
		cmocka_unit_test(test_seq),
		cmocka_unit_test(test_cat_pipe),
		cmocka_unit_test(test_exec_redirected),
		cmocka_unit_test(test_one_awk),
		cmocka_unit_test(test_builtin_output),
		cmocka_unit_test(test_function_output),
		cmocka_unit_test(test_subshell),
		cmocka_unit_test(test_builtin_program),
		cmocka_unit_test(test_here_document),
		cmocka_unit_test(test_scripts_for_sh),
		cmocka_unit_test(test_started_often),
		cmocka_unit_test(test_named_like_programs),
		cmocka_unit_test(test_other_counts),
		cmocka_unit_test(test_time_by_program),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
