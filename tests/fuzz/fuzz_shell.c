// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged lines of shell scripts: the reader gives up, or what it returns lies within the line; never a crash, nor more
 * processes than characters. Where `bash -n` refuses a line, or reads on, it is not asked: tests/conformance/
 * script_advice.py does that. FORKTAX_FUZZ_SEED=N starts elsewhere, FORKTAX_FUZZ_ROUNDS=N goes on for longer.
 */
#include "unit.h"

#include "advice/lines/shell_edit.h"
#include "advice/lines/shell_processes.h"
#include "random.h"

enum { ROUNDS = 200000, ROOM = 512 };

static const char *const lines[] = {
	"x=$(basename \"$(dirname \"$y\")\" .c) && cat a | sed 's/a/b/' >&2 2>/dev/null",
	"for i in $(seq 1 \"$n\"); do z=`expr $i + 1`; done < <(printf '%s\\n' \"${x[@]}\")",
	"if ! ( cd \"$d\" && prog; ) 2>&1 | grep -q 'x'; then echo \"it's $((a + 1)) ${b%.*}\"; fi # end",
};

static const char *const pieces[] = {
	"$(", ")", "`", "\"", "'", "\\", "${", "}", "$((", "))", "<(", ">(", "<<<", "<<", "|", "||", "&&", "&", ";", ";;",
	"{ ", " }", "if ", " then ", "fi", "do ", "done", "for ", " in ", "!", "#", " ", "\t", "=", "[[ ", " ]]", "(", "2>",
	">&", "$'", "$\"", "case ", "cat ", "x=", "exec ", "\200", "\177", "&>",
};

static void damage(char *line)
{
	const char *piece = pieces[next() % (sizeof(pieces) / sizeof(*pieces))];
	const size_t length = strlen(line), at = next() % (length + 1), size = strlen(piece);

	switch (next() % 4) {
	case 0:
		if (at < length)
			memmove(line + at, line + at + 1, length - at);
		break;
	case 1:
		if (at < length)
			line[at] = (char)(next() % 127 + 1);
		break;
	case 2:
		line[at] = next() % 8 ? line[at] : '\0';
		break;
	default:
		if (length + size >= ROOM)
			break;
		memmove(line + at + size, line + at, length - at + 1);
		memcpy(line + at, piece, size);
	}
}

static bool is_program(const void *context, struct shell_span name)
{
	return name.length % 2;
}

static void check_span(const struct shell_text *text, struct shell_span span)
{
	assert_true(span.at >= text->line && span.at + span.length <= text->line + strlen(text->line));
}

static void on_command(void *context, const struct shell_command *command)
{
	check_span(context, command->span);
	for (const struct shell_word *word = command->words; word; word = word->next)
		check_span(context, word->span);
}

static void on_substitution(void *context, const struct shell_command *command, const struct shell_word *word,
			    const struct shell_substitution *substitution)
{
	check_span(context, substitution->span);
	assert_true(substitution->span.at >= word->span.at);
	assert_true(substitution->span.at + substitution->span.length <= word->span.at + word->span.length);
}

static bool read_line(const char *line)
{
	struct shell_text *text = shell_text__read(line);
	struct shell_visitor visitor = { text, NULL, on_command, on_substitution };
	struct shell_processes processes;

	if (!text)
		return false;
	shell_text__visit(text, &visitor);
	if (shell_processes__of(text, is_program, NULL, &processes)) {
		assert_true(processes.all <= strlen(line));
		assert_true(processes.no_exec <= processes.all);
	}
	shell_text__free(text);
	return true;
}

static void test_damaged(void **state)
{
	uint64_t rounds = number_from("FORKTAX_FUZZ_ROUNDS", ROUNDS), read = 0;
	char line[ROOM + 1];

	for (uint64_t round = 0; round < rounds; round++) {
		strcpy(line, lines[next() % (sizeof(lines) / sizeof(*lines))]);
		for (uint64_t i = next() % 6; i > 0; i--)
			damage(line);
		read += read_line(line);
	}
	assert_true(read > rounds / 8 && read < rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_damaged) };

	set_seed(0x5eed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
