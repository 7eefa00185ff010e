// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of bash scripts: what they create, as counted by strace -f (tests/conformance/script_advice.py counts it
 * again), and what is not understood.
 */
#include "unit.h"

#include "advice/lines/shell_edit.h"
#include "advice/lines/shell_processes.h"

/* Paths, and "prog", are programs. */
static bool is_program(const void *context, struct shell_span name)
{
	return *name.at == '/' || shell_span__is(name, "prog");
}

static const struct {
	const char *line;
	size_t all, no_exec;
} lines[] = {
	{ "x=$(/bin/true)", 1, 0 },
	{ "x=$(/bin/true 2>/dev/null)", 2, 1 },
	{ "x=$(exec /bin/true 2>/dev/null)", 1, 0 },
	{ "{ x=$(/bin/true); } 2>/dev/null", 1, 0 },
	{ "x=$(/bin/true) 2>/dev/null", 1, 0 },
	{ "x=$(/bin/true | /bin/true)", 3, 1 },
	{ "x=$(/bin/true; /bin/true)", 2, 0 },
	{ "x=$(/bin/true; :)", 2, 1 },
	{ "x=$(: && /bin/true)", 1, 0 },
	{ "x=$(A=1 /bin/true)", 1, 0 },
	{ "x=$(/bin/true \"$(/bin/true)\")", 2, 0 },
	{ "x=$(</dev/null)", 0, 0 },
	{ "x=\"$(<\"$y\")\"", 0, 0 },
	{ "x=`</dev/null`", 0, 0 },
	{ "x=`/bin/true`", 1, 0 },
	{ "x=$(:)", 1, 1 },
	{ "x=$(func a b)", 1, 1 },
	{ "( /bin/true )", 1, 0 },
	{ "( /bin/true 2>/dev/null ) </dev/null", 1, 0 },
	{ "( /bin/true; : )", 2, 1 },
	{ "( /bin/true | /bin/true )", 3, 1 },
	{ "/bin/true | ( /bin/true; : )", 3, 1 },
	{ "( /bin/true; : ) | /bin/true", 3, 1 },
	{ ": | :", 2, 2 },
	{ "echo x | prog -y 2>&1", 2, 1 },
	{ "/bin/true &", 1, 0 },
	{ "( /bin/true; : ) &", 2, 1 },
	{ "/bin/true <(/bin/true 2>/dev/null)", 2, 0 },
	{ "/bin/true <(/bin/true | /bin/true) >/dev/null", 4, 1 },
	{ "/bin/true <<< \"$(/bin/true)\"", 2, 0 },
	{ "/bin/true \"$(/bin/true)\" | /bin/true", 3, 0 },
	{ "if /bin/true; then", 1, 0 },
	{ "if ! prog \"$x\"; then prog; fi", 2, 0 },
	{ "x=$(if :; then /bin/true; fi)", 2, 1 },
	{ "x=$( (/bin/true) )", 2, 1 },
	{ ": $( : | /bin/true )", 3, 2 },
	{ "for i in $(/bin/true); do :; done", 1, 0 },
	{ "while read -r x; do prog \"$x\"; done < <(prog)", 2, 0 },
	{ "/bin/true >$(echo /dev/null)", 2, 1 },
	{ "x=$((1 + 2)) y=${x%\\}*}z # $(/bin/true)", 0, 0 },
	{ "echo 'it is $(/bin/true)' \"\\$(/bin/true)\" \\`", 0, 0 },
	{ "} && prog", 1, 0 },
	{ "prog >>file <<-EOF", 1, 0 },
	{ "", 0, 0 },
	{ "else", 0, 0 },
};

static void test_processes(void **state)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct shell_text *text = shell_text__read(lines[i].line);
		struct shell_processes found;
		size_t executed = 0;

		if (!text || !shell_processes__of(text, is_program, NULL, &found))
			fail_msg("not understood: %s", lines[i].line);
		for (size_t k = 0; k < found.program_count; k++)
			executed += found.programs[k].times;
		if (found.all != lines[i].all || found.no_exec != lines[i].no_exec || executed + found.no_exec != found.all)
			fail_msg("%zu, %zu without exec: %s", found.all, found.no_exec, lines[i].line);
		shell_text__free(text);
	}
}

/* The line goes on, was begun before, or has what the reader does not know. */
static void test_gives_up(void **state)
{
	static const char *const unknown[] = {
		"prog |", "| prog", "prog &&", "prog \\", "x=$(prog", "prog)", "x=\"a", "echo 'a", "x=`prog", 
		"`prog \\`a\\``", "prog <<", "x=$(prog <<EOF", "case $x in", "a) prog;;", "esac", "[[ $x == $(prog) ]]",
		"(( x++ ))", "f() { prog; }", "function f { prog; }", "x=(a b)", "x[1]=$(prog)", "prog |& prog", "time prog",
		"coproc prog", "select x in a; do", "prog | while read x; do", "done | prog", "} | prog", "fi &",
		"x=${ prog; }", "x=${y:-$(prog)}", "x=$((1 + $(prog)))", "x=$\"a\"", "x=$[1]", "echo @(a|b)", "prog;; ",
		"x=$(! prog)", "{ prog; } | prog", "x=$(prog # a)", "a<(prog)", "for ((;;)); do", "x=$(prog;;)", "; prog",
		"((", "$(", "`", "\"$(\"", "x=$((1; 2))", "prog\nprog",
	};

	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		struct shell_text *text = shell_text__read(unknown[i]);

		if (text)
			fail_msg("understood: %s", unknown[i]);
	}
}

/* These are read, but nobody knows what they create. */
static void test_unknown_processes(void **state)
{
	static const char *const unknown[] = {
		"eval prog", ". file", "source file", "\"$PROG\" a", "$x", "command prog", "builtin cd", "trap prog EXIT",
		"exec prog", "exec 3<file; \"$x\"", "x=$(exec function)", "'prog'", "pr\"og\"", "~/prog", "*", "x=$($y)",
	};

	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		struct shell_text *text = shell_text__read(unknown[i]);
		struct shell_processes found;

		if (!text || shell_processes__of(text, is_program, NULL, &found))
			fail_msg("%s: %s", text ? "counted" : "not read", unknown[i]);
		shell_text__free(text);
	}
}

static void test_limits(void **state)
{
	char deep[400], wide[5000];

	memset(wide, 'a', sizeof(wide));
	wide[4097] = '\0';
	assert_null(shell_text__read(wide));
	wide[4096] = '\0';
	shell_text__free(shell_text__read(wide));
	memset(deep, '(', 100);
	memset(deep + 100, ')', 100);
	deep[200] = '\0';
	assert_null(shell_text__read(deep));
	for (size_t i = 0; i + 1 < 2000; i += 2)
		memcpy(wide + i, "a ", 2);
	wide[2000] = '\0';
	assert_null(shell_text__read(wide)); /* too many words */
}

static struct shell_span span_at(const struct shell_text *text, size_t begin, size_t length)
{
	return (struct shell_span){ text->line + begin, length };
}

static void test_edits(void **state)
{
	struct shell_text *text = shell_text__read("a b c");
	struct shell_edits edits = { 0 };
	char *line;

	shell_edits__add(&edits, span_at(text, 4, 1), strdup("see"), NULL);
	shell_edits__add(&edits, span_at(text, 0, 3), strdup("A"), strdup("counted"));
	shell_edits__add(&edits, span_at(text, 2, 1), strdup("lost"), NULL); /* overlaps */
	line = shell_edits__line(&edits, text, false);
	assert_string_equal(line, "A see");
	free(line);
	line = shell_edits__line(&edits, text, true);
	assert_string_equal(line, "counted see");
	free(line);
	shell_edits__release(&edits);
	shell_text__free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_gives_up),
		cmocka_unit_test(test_unknown_processes),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_edits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
