// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about executed programs: what they say, and where they are silent, just below each threshold. */
#include <stdlib.h>
#include <string.h>

#include "advice_said.h"

#include "advice/run/run_advice.h"
#include "base/text.h"
#include "made.h"

enum { MS = 1000 * 1000, WALL = 1000 * MS };

static size_t starting = 100; /* percent of what programs take */
static const char *command = "make all", *variable; /* of the run; of its environment, or NULL */
static const char *named; /* lines of a script that name what is started; NULL: none */

/* Executions of a program, with these words as arguments. */
struct given {
	const char *parent, *words;
	uint64_t count, fed, input, captured, same, wall_ms;
};

static void add_row(struct run *run, uint32_t exe, uint32_t parent, const struct given *given)
{
	struct executions *executions = run->executions;
	struct execution *row = MADE(executions->rows, executions->count, .exe = exe, .parent_exe = parent,
				     .line = NO_LINE, .count = given->count, .fed = given->fed,
				     .input_most_bytes = given->input, .captured = given->captured,
				     .same_output = given->same, .wall_ns = given->wall_ms * MS,
				     .cpu_ns = given->wall_ms * MS, .named = text__copy(named));
	char *words = checked_strdup(given->words), *rest = words;

	for (char *word; (word = strsep(&rest, " "));) {
		row->bytes += strlen(word) + 1;
		MADE(row->arguments, row->argument_count, checked_strdup(word));
	}
	free(words);
}

static uint32_t exe_of(struct run *run, const char *words)
{
	char *path = text__of("/bin/%.*s", (int)strcspn(words, " "), words);

	for (size_t i = 0; i < run->exe_count; i++)
		if (!text__compare(run->exes[i].path, path)) {
			free(path);
			return i;
		}
	MADE_EXE(run, .path = path);
	return run->exe_count - 1;
}

static void add_command(struct run *run)
{
	char *words = checked_strdup(command), *rest = words;

	for (char *word; (word = strsep(&rest, " "));)
		MADE(run->command, run->command_count, checked_strdup(word));
	free(words);
	MADE_PROCESS(run, .exe = exe_of(run, command));
}

static struct run *run_of(const struct given *given, size_t count)
{
	struct run *run = made_run(0);
	char *environment[] = { (char *)variable, NULL };

	run->wall_ns = WALL;
	run->bill = checked_calloc(1, sizeof(*run->bill));
	run->executions = checked_calloc(1, sizeof(*run->executions));
	run->tree_times = checked_calloc(1, sizeof(*run->tree_times));
	add_command(run);
	for (size_t i = 0; i < count; i++)
		add_row(run, exe_of(run, given[i].words), exe_of(run, given[i].parent), &given[i]);
	for (uint32_t exe = 0; exe < run->exe_count; exe++)
		for (size_t i = 0; i < 100; i++)
			MADE(run->bill->rows, run->bill->count, .kind = i < starting ? BILL_START : BILL_CODE,
			     .exe = exe, .wall_ns = WALL / run->exe_count / 100, .call_nr = -1);
	for (uint32_t exe = 0; exe < run->exe_count; exe++)
		MADE(run->tree_times->rows, run->tree_times->count, .exe = exe, .executed = true, .images = 2);
	run->bill->wall_ns = run->bill->cpu_ns = WALL;
	run_advice__find(run, NULL, environment);
	return run;
}

/* Says `words` in its evidence or action; NULL: it is silent. */
static void check(const char *rule, const char *words, const struct given *given, size_t count)
{
	struct run *run = run_of(given, count);
	const struct advice *advice = ADVICE_OF(run, rule);

	if (advice && !words)
		fail_msg("%s: \"%s\"", rule, advice->evidence);
	if (words && !advice)
		fail_msg("%s does not say \"%s\"", rule, words);
	if (words && !strstr(advice->evidence, words) && !strstr(advice->action, words))
		fail_msg("\"%s\" is not in \"%s\" \"%s\"", words, advice->evidence, advice->action);
	run__free(run);
}

#define CHECK(rule, words, ...)                                                            \
	check(rule, words, (const struct given[]){ __VA_ARGS__ },                          \
	      sizeof((const struct given[]){ __VA_ARGS__ }) / sizeof(struct given))

static void test_again(void **state)
{
	(void)state;
	CHECK("R3", "git describe runs 5 times", { "bash", "git describe", 5, 0, 0, 5, 5, 125 });
	CHECK("R3", "keep its output in a variable", { "dash", "git describe", 5, 0, 0, 5, 5, 125 });
	CHECK("R3", ":=", { "make", "git describe", 5, 0, 0, 5, 5, 125 });
	CHECK("R3", "takes 100 ms of the 1 s", { "bash", "git describe", 5, 0, 0, 5, 5, 125 });
	CHECK("R3", NULL, { "bash", "git describe", 5, 0, 0, 5, 5, 124 }); /* one of five remains */
	CHECK("R3", NULL, { "bash", "git describe", 4, 0, 0, 4, 4, 500 });
	CHECK("R3", NULL, { "bash", "git describe", 5, 1, 9, 5, 5, 500 });
	CHECK("R3", NULL, { "bash", "git describe", 5, 0, 0, 4, 4, 500 });
	CHECK("R3", NULL, { "bash", "git describe", 5, 0, 0, 5, 4, 500 });
	CHECK("R3", NULL, { "bash", "git describe", 5, 0, 0, 5, 0, 500 });
	CHECK("R3", NULL, { "bash", "diff /dev/fd/63 x", 5, 0, 0, 5, 5, 500 });
	CHECK("R3", NULL, { "make", "git describe", 5, 0, 0, 5, 0, 500 }); /* it is not known what it prints */
	CHECK("R3", NULL, { "make", "git describe", 5, 0, 0, 0, 0, 500 }); /* in a recipe */
}

/* In a $(shell) with a pipe, what prints the same each time is started by a shell. */
static void test_again_below_make(void **state)
{
	(void)state;
	CHECK("R3", ":=", { "sh", "uname -m", 5, 0, 0, 5, 5, 200 }, { "make", "sh -c uname|sed", 5, 0, 0, 5, 0, 100 });
	CHECK("R3", NULL, { "make", "sh -c date|sed", 5, 0, 0, 5, 0, 100 }, { "sh", "sed s/a/b/", 5, 5, 4, 5, 5, 100 });
	CHECK("R3", "with 1 more such command", { "sh", "uname -m", 5, 0, 0, 5, 5, 200 },
	      { "sh", "uname -r", 5, 0, 0, 5, 5, 100 });
}

/* So many executions of a program with another last word each, the first `same` with the same. */
static void check_each(const char *words, const char *parent, const char *fixed, size_t count, size_t same, uint64_t ms)
{
	struct given given[64] = { { "sh", parent, 1, 0, 0, 0, 0, 1 } };
	char *texts[64], name[32];

	memcpy(name, parent, strcspn(parent, " "));
	name[strcspn(parent, " ")] = 0;
	for (size_t i = 0; i < count; i++) {
		texts[i] = text__of("%s %zu", fixed, i);
		given[i + 1] = (struct given){ name, texts[i], i ? 1 : 1 + same, 0, 0, 0, 0, ms };
	}
	check("R4", words, given, count + 1);
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
}

static void test_each(void **state)
{
	(void)state;
	check_each("-exec chmod 644 {} +", "find . -exec chmod 644 {} ;", "chmod 644", 20, 0, 10);
	check_each("chmod 20 times", "find . -exec chmod 644 {} ;", "chmod 644", 20, 0, 5);
	check_each(NULL, "find . -exec chmod 644 {} ;", "chmod 644", 20, 0, 4);
	check_each(NULL, "find . -exec chmod 644 {} ;", "chmod 644", 19, 0, 10);
	check_each("20 times", "find . -exec chmod 644 {} ;", "chmod 644", 18, 2, 10);
	check_each(NULL, "find . -exec chmod 644 {} ;", "chmod 644", 18, 3, 10);
	check_each(NULL, "find . -exec chmod 644 {} ; -print", "chmod 644", 20, 0, 10);
	check_each(NULL, "find . -exec chmod 644 {} +", "chmod 644", 20, 0, 10);
	check_each("without -n", "xargs -n 1 chmod 644", "chmod 644", 20, 0, 10);
	check_each(NULL, "xargs -I{} chmod 644", "chmod 644", 20, 0, 10);
	check_each(NULL, "find . -execdir chmod 644 {} ;", "chmod 644", 20, 0, 10);
	check_each(NULL, "find . -exec unzip -q {} ;", "unzip -q", 20, 0, 10); /* one archive, and what to take of it */
	check_each(NULL, "xargs chmod 644", "chmod 644", 20, 0, 10);
	check_each(NULL, "xargs -n 1 -P 4 chmod 644", "chmod 644", 20, 0, 10);
	check_each("many operands", "bash script", "chmod 644", 20, 0, 10);
	check_each(NULL, "bash script", "true", 20, 0, 10);
	check_each(NULL, "python script", "chmod 644", 20, 0, 10);
	starting = 50;
	check_each("chmod 20 times", "find . -exec chmod 644 {} ;", "chmod 644", 20, 0, 10);
	starting = 49;
	check_each(NULL, "find . -exec chmod 644 {} ;", "chmod 644", 20, 0, 10);
	starting = 100;
}

static void test_replaced(void **state)
{
	(void)state;
	CHECK("R10", "bash starts basename 10 times, 100 ms of the 1 s: bash itself has ${x##*/}. The lines of bash",
	      { "bash", "basename /a/b", 10, 0, 0, 10, 10, 100 });
	CHECK("R10", NULL, { "bash", "basename /a/b", 9, 0, 0, 9, 9, 100 });
	CHECK("R10", NULL, { "bash", "basename /a/b", 10, 0, 0, 10, 10, 99 });
	CHECK("R10", NULL, { "bash", "basename /a/b", 10, 0, 0, 0, 0, 100 });
	CHECK("R10", NULL, { "bash", "basename /a/b", 10, 0, 0, 9, 9, 100 });
	CHECK("R10", NULL, { "python", "basename /a/b", 10, 0, 0, 10, 10, 100 });
	CHECK("R10", "${x#APP_} instead of sed", { "dash", "sed s/^APP_//", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", "${x#APP_} instead of sed", { "dash", "sed -e s,^APP_,,", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", "${x%-end} instead of sed", { "dash", "sed s/-end$//", 10, 10, 256, 10, 1, 100 });
	CHECK("R10", NULL, { "dash", "sed s/-end$//", 10, 10, 257, 10, 1, 100 });
	CHECK("R10", NULL, { "dash", "sed s/-end$//", 10, 9, 20, 10, 1, 100 });
	CHECK("R10", NULL, { "dash", "sed s/a.*$//", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", "${x/a/b}", { "bash", "sed s/a.*$//", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", NULL, { "bash", "sed 1d", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", NULL, { "bash", "sed s/^A// file", 10, 0, 0, 10, 1, 100 });
	CHECK("R10", NULL, { "dash", "tr a-z A-Z", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", "${x^^}", { "bash", "tr a-z A-Z", 10, 10, 20, 10, 1, 100 });
	CHECK("R10", "case $x in", { "sh", "grep -q x", 10, 10, 20, 0, 0, 100 });
	CHECK("R10", NULL, { "sh", "grep -o x", 10, 10, 20, 0, 0, 100 });
	CHECK("R10", NULL, { "bash", "basename -s x /a/x", 10, 0, 0, 10, 10, 100 });
	CHECK("R10", NULL, { "bash", "date +%s%N", 10, 0, 0, 10, 10, 100 });
	CHECK("R10", "printf", { "bash", "date +%s", 10, 0, 0, 10, 10, 100 });
	CHECK("R10", NULL, { "bash", "cut -c1-3", 10, 10, 20, 10, 10, 100 });
	CHECK("R10", "${x%%:*}", { "bash", "cut -d: -f1", 10, 10, 20, 10, 10, 100 });
	CHECK("R10", NULL, { "zsh", "tr a-z A-Z", 10, 10, 20, 10, 10, 100 });
	CHECK("R10", NULL, { "sh", "grep -q x file", 10, 0, 0, 0, 0, 100 });
	CHECK("R10", NULL, { "sh", "true x", 10, 0, 0, 10, 10, 500 });
}

/* What the start files of a shell ask for: of the command, of who asks, and from 20 ms and a tenth of the run on. */
static void test_asked(void **state)
{
	(void)state;
	command = "zsh -i -c exit";
	CHECK("R16", "At its start zsh waits for the output of tool init: 100 ms of the 1 s.",
	      { "zsh", "tool init", 1, 0, 0, 1, 1, 100 });
	CHECK("R16", "2 programs, above all tool init: 100 ms", { "zsh", "tool init", 1, 0, 0, 1, 1, 60 },
	      { "zsh", "other", 2, 0, 0, 2, 2, 40 });
	CHECK("R16", "the start of zsh reads", { "zsh", "tool init", 1, 0, 0, 1, 1, 100 });
	CHECK("R16", NULL, { "zsh", "tool init", 1, 0, 0, 1, 1, 99 });
	CHECK("R16", NULL, { "zsh", "id -u", 6, 0, 0, 6, 6, 119 });
	CHECK("R16", NULL, { "zsh", "tool init", 1, 0, 0, 0, 0, 500 }); /* not for its output */
	CHECK("R16", NULL, { "zsh", "tool init", 1, 1, 9, 1, 1, 500 });
	CHECK("R16", NULL, { "bash", "tool init", 1, 0, 0, 1, 1, 500 }); /* a script that it starts asks */
	command = "bash -lc :";
	CHECK("R16", "At its start bash", { "bash", "tool init", 1, 0, 0, 1, 1, 100 });
	command = "bash --login";
	CHECK("R16", "At its start bash", { "bash", "tool init", 1, 0, 0, 1, 1, 100 });
	command = "bash -lc x=$(tool";
	CHECK("R16", NULL, { "bash", "tool init", 1, 0, 0, 1, 1, 500 });
	command = "bash script -i";
	CHECK("R16", NULL, { "bash", "tool init", 1, 0, 0, 1, 1, 500 });
	command = "python -i";
	CHECK("R16", NULL, { "python", "tool init", 1, 0, 0, 1, 1, 500 });
	command = "make all";
}

/* What a variable makes a runtime load has no prediction: only a trial shows what it takes. */
static void check_loaded(const char *words, const char *set, const char *program)
{
	struct run *run;

	variable = set;
	check("R12", words, &(struct given){ "sh", program, 2, 0, 0, 0, 0, 500 }, 1);
	run = run_of(&(struct given){ "sh", program, 2, 0, 0, 0, 0, 500 }, 1);
	if (words)
		assert_false(ADVICE_OF(run, "R12")->predicted_ns.known);
	run__free(run);
	variable = NULL;
}

static void test_loaded(void **state)
{
	(void)state;
	check_loaded("RUBYOPT makes ruby load bundler/setup first: 2 starts.", "RUBYOPT=-W0 -rbundler/setup", "ruby3.1 x");
	check_loaded("leave RUBYOPT out (env -u RUBYOPT), for programs", "RUBYOPT=-rset", "ruby x");
	check_loaded("load /a/boot.js first", "NODE_OPTIONS=--max-old-space-size=9 --require \"/a/boot.js\"", "node x");
	check_loaded("load /a/boot.js first", "NODE_OPTIONS=--import=/a/boot.js", "node x");
	check_loaded("load Devel::Cover first", "PERL5OPT=-MDevel::Cover", "perl x");
	check_loaded("load /a.jar first", "JAVA_TOOL_OPTIONS=-javaagent:/a.jar", "java x");
	check_loaded(NULL, "RUBYOPT=-rset", "perl x");
	check_loaded(NULL, "RUBYOPT=-W0", "ruby x");
	check_loaded(NULL, "RUBYOPT=-I/x-ray", "ruby x");
	check_loaded(NULL, "RUBYOPT=-r", "ruby x");
	check_loaded(NULL, "NODE_OPTIONS=--max-old-space-size=4096", "node x");
}

/* A parent that was started so often starts a runtime so many times, each for another file, and the first one takes least. */
static void check_starts(const char *words, uint64_t parents, const char *fixed, size_t count, uint64_t least, uint64_t ms)
{
	struct given given[64] = { { "make", "sh lint", parents, 0, 0, 0, 0, 1 } };
	char *texts[64];

	for (size_t i = 0; i < count; i++) {
		texts[i] = text__of("%s %zu", fixed, i);
		given[i + 1] = (struct given){ "sh", texts[i], 1, 0, 0, 0, 0, i ? ms : least };
	}
	check("R26", words, given, count + 1);
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
}

/* They have in common at most what the cheapest one takes, and one of them remains. */
static void test_starts(void **state)
{
	check_starts("sh starts node 4 times, each time for something else (node lint.js 0). Each takes 34 ms "
		     "or more, and so much of all but one 102 ms of the 1 s.", 1, "node lint.js", 4, 34, 34);
	check_starts("start node once for all of them, if lint.js can do that", 1, "node lint.js", 4, 34, 200);
	check_starts("if what it runs can do that", 1, "python3.11 -m lint", 4, 34, 200);
	check_starts(NULL, 1, "node lint.js", 4, 33, 200);
	check_starts(NULL, 1, "node lint.js", 3, 100, 100);
	check_starts("60 times", 1, "node lint.js", 60, 10, 10);
	check_starts(NULL, 1, "node lint.js", 60, 9, 9);
	check_starts(NULL, 1, "cc -c", 60, 10, 10);
	check_starts(NULL, 1, "node", 60, 10, 10);
	check_starts("60 times", 60, "node lint.js", 60, 10, 10); /* by a shell for each, as of hooks */
}

/* Whatever their names are: R30 speaks where no other rule does. */
static void test_launches(void **state)
{
	(void)state;
	CHECK("R30", "perl starts tool 10 times, such as tool x. With all that they start, that takes 100 ms of the 1 s.",
	      { "perl", "tool x", 10, 0, 0, 10, 0, 100 });
	CHECK("R30", "use a library of perl", { "perl", "tool x", 10, 0, 0, 10, 0, 100 });
	CHECK("R30", NULL, { "perl", "tool x", 10, 0, 0, 10, 0, 99 });
	CHECK("R30", NULL, { "perl", "tool x", 9, 0, 0, 9, 0, 100 });
	CHECK("R30", NULL, { "perl", "tool x", 10, 0, 0, 9, 0, 100 }); /* it is no answer */
	/* Commands of a shell, whose line is not known: answers that take long. */
	CHECK("R30", "let sh itself do it", { "sh", "tool x", 22, 0, 0, 22, 0, 88 }, { "sh", "tool y", 1, 0, 0, 1, 0, 4 },
	      { "sh", "tool z", 1, 0, 0, 1, 0, 4 }, { "sh", "tool a", 1, 0, 0, 1, 0, 4 });
	CHECK("R30", NULL, { "sh", "tool x", 23, 0, 0, 23, 0, 88 }, { "sh", "tool y", 1, 0, 0, 1, 0, 4 },
	      { "sh", "tool z", 1, 0, 0, 1, 0, 4 }, { "sh", "tool a", 1, 0, 0, 1, 0, 4 });
	CHECK("R30", NULL, { "sh", "tool x", 22, 0, 0, 22, 0, 88 }, { "sh", "tool y", 1, 0, 0, 1, 0, 4 },
	      { "sh", "tool z", 1, 0, 0, 1, 0, 8 });
	/* What they start themselves; one that is started once does not count. */
	CHECK("R30", "perl starts sh 10 times, such as sh -c id. These start id 10 times. With all that they start, that takes 100 ms",
	      { "perl", "sh -c id", 10, 0, 0, 10, 0, 40 }, { "sh", "id", 10, 0, 0, 10, 0, 60 });
	CHECK("R30", NULL, { "perl", "tool x", 1, 0, 0, 1, 0, 900 });
	/* From 60 % on, one program is named alone. */
	CHECK("R30", "perl starts tool 20 times, such as", { "perl", "tool x", 20, 0, 0, 20, 0, 120 },
	      { "perl", "other x", 20, 0, 0, 20, 0, 80 });
	CHECK("R30", "perl starts 40 programs (tool 20, other 20), such as tool x.",
	      { "perl", "tool x", 20, 0, 0, 20, 0, 119 }, { "perl", "other x", 20, 0, 0, 20, 0, 81 });
	CHECK("R30", "perl starts tool 20 times, such as", { "perl", "tool x", 20, 0, 0, 20, 0, 120 },
	      { "perl", "other x", 20, 0, 0, 20, 0, 40 });
	CHECK("R30", "perl starts 41 programs", { "perl", "tool x", 20, 0, 0, 20, 0, 120 },
	      { "perl", "other x", 21, 0, 0, 21, 0, 40 });
	/* Lines of a script name it: then starts that are the larger part of it are reason enough, if it starts nothing itself. */
	named = "a.sh:4, 9";
	CHECK("R30", "sh starts tool 100 times, named in a.sh:4, 9, such as", { "sh", "tool x", 100, 0, 0, 100, 0, 100 });
	starting = 50;
	CHECK("R30", "named in a.sh", { "sh", "tool x", 100, 0, 0, 0, 0, 100 });
	CHECK("R30", NULL, { "sh", "tool x", 100, 0, 0, 0, 0, 40 }, { "tool", "cc1 x", 100, 0, 0, 0, 0, 60 });
	starting = 49;
	CHECK("R30", NULL, { "sh", "tool x", 100, 0, 0, 0, 0, 100 });
	starting = 100;
	named = NULL;
	/* Another rule says more of half of it. */
	CHECK("R30", NULL, { "bash", "basename x", 20, 0, 0, 20, 20, 200 });
	CHECK("R30", "git cat-file --batch", { "bash", "git show x", 10, 0, 0, 0, 0, 100 });
	CHECK("R30", NULL, { "bash", "git log x", 10, 0, 0, 0, 0, 100 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_again_below_make),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_loaded),
		cmocka_unit_test(test_starts),
		cmocka_unit_test(test_launches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
