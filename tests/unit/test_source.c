// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The seam below trace.c: a run made by a source of this file, which is linked without libbpf and needs
 * no privileges. It sees nothing but the end of the command, and says so.
 */
#include "unit.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "launch/gate.h"
#include "source/source.h"
#include "source/trace.h"

struct tracing {
	const struct source_request *request;
	struct run *run;
	struct pollfd end; /* of the command */
	int bell;
};

/* What was asked of it, in order: a letter for each. */
static char steps[64];
static uint32_t abilities;
static int watching;
static bool attached_lives;

static void step(char letter)
{
	size_t length = strlen(steps);

	if (length < sizeof(steps) - 1 && (!length || steps[length - 1] != letter))
		steps[length] = letter;
}

static const char *cannot(enum ability ability)
{
	if (ability == ABILITY_FAULT_CLASSES)
		return "nothing counts faults";
	return ability == ABILITY_ANATOMY ? "it looks at nothing but the end" : NULL;
}

static struct tracing *open_fake(const struct source_request *request, struct run *run,
				 char **message)
{
	struct tracing *tracing = calloc(1, sizeof(*tracing));

	step('o');
	abilities = request->abilities;
	tracing->request = request;
	tracing->run = run;
	tracing->bell = eventfd(0, EFD_CLOEXEC);
	return tracing;
}

static struct tracing *open_nothing(const struct source_request *request, struct run *run,
				    char **message)
{
	*message = strdup("it is not there today");
	return NULL;
}

static void close_fake(struct tracing *tracing)
{
	step('x');
	close(tracing->bell);
	free(tracing);
}

static int trace_command(struct tracing *tracing, const struct gate *gate, char **message)
{
	step('c');
	tracing->end = (struct pollfd){ .fd = gate->pidfd, .events = POLLIN };
	return watching;
}

static int trace_pids(struct tracing *tracing, char **message)
{
	step('p');
	return 0;
}

static int event_fd(const struct tracing *tracing)
{
	return tracing->bell;
}

static void consume(struct tracing *tracing)
{
	step('e');
}

static uint64_t live(const struct tracing *tracing)
{
	struct pollfd end = tracing->end;

	return tracing->request->pid_count ? attached_lives : poll(&end, 1, 0) == 0;
}

static void stop(struct tracing *tracing)
{
	step('s');
}

static void finish(struct tracing *tracing)
{
	step('f');
	tracing->run->totals[LIFE_PROCESSES] = 1;
}

static struct source fake = {
	.name = "fake",
	.cannot = cannot,
	.close = close_fake,
	.trace_command = trace_command,
	.trace_pids = trace_pids,
	.event_fd = event_fd,
	.consume = consume,
	.live = live,
	.stop = stop,
	.finish = finish,
};

static int set_up(void **state)
{
	memset(steps, 0, sizeof(steps));
	abilities = 0;
	watching = 0;
	attached_lives = false;
	fake.open = open_fake;
	return 0;
}

static enum trace_result trace(struct trace_request request, const char *status, struct run **run,
			       char **message)
{
	char script[32], *argv[] = { "sh", "-c", script, NULL };

	snprintf(script, sizeof(script), "exit %s", status);
	if (!request.pid_count)
		request.argv = argv;
	return trace__by(&fake, &request, run, message);
}

static void test_a_run_by_another_source(void **state)
{
	struct trace_request request = { .fault_level = FAULTS_TOTALS };
	struct run *run;
	char *message;

	assert_int_equal(trace(request, "3", &run, &message), TRACE_OK);
	assert_string_equal(steps, "ocesfx");
	assert_int_equal(abilities, 1u << ABILITY_COMMAND | 1u << ABILITY_FAULT_TOTALS);
	assert_string_equal(run->source, "fake");
	assert_int_equal(run->status, 3);
	assert_int_equal(run->totals[LIFE_PROCESSES], 1);
	assert_true(run->wall_ns > 0);
	run__free(run);
}

static void test_what_a_run_needs(void **state)
{
	int32_t pid = getppid();
	struct trace_request request = { .pids = &pid, .pid_count = 1, .timed = true,
					 .all_processes = true };
	struct run *run;
	char *message;

	assert_int_equal(trace(request, "", &run, &message), TRACE_OK);
	assert_string_equal(steps, "opsfx");
	assert_int_equal(abilities, 1u << ABILITY_ATTACH | 1u << ABILITY_FAULT_TOTALS |
					    1u << ABILITY_CALL_TIMES |
					    1u << ABILITY_ALL_PROCESSES);
	run__free(run);
}

struct ticks {
	int count;
	double last_ns; /* when the last one began */
};

static double cpu_s(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void work(double seconds)
{
	double begin = cpu_s();

	while (cpu_s() < begin + seconds)
		;
}

static void on_tick(bool last, void *context)
{
	struct ticks *ticks = context;

	if (!ticks->count++)
		work(0.2);
	if (last)
		ticks->last_ns = clock__now_ns();
}

/* Others of a busy machine do not delay this process; without the right to that, they may. */
static void run_first(bool first)
{
	const struct sched_param param = { .sched_priority = first ? 1 : 0 };

	if (sched_setscheduler(0, first ? SCHED_FIFO : SCHED_OTHER, &param))
		print_message("the scheduler's policy cannot be changed: %s\n", strerror(errno));
}

/* What is looked at last is part of the duration. On a busy machine it may be late: then once more. */
static void test_the_last_tick_is_in_time(void **state)
{
	int32_t pid = getppid();
	struct ticks ticks = { 0 };
	struct trace_request request = { .pids = &pid, .pid_count = 1, .duration_ns = 1000000000,
					 .on_tick = on_tick, .tick_context = &ticks };
	bool in_time = false;

	attached_lives = true;
	run_first(true);
	for (int i = 0; i < 20 && !in_time; i++) {
		double begin = clock__now_ns();
		struct run *run;
		char *message;

		ticks = (struct ticks){ 0 };
		assert_int_equal(trace(request, "", &run, &message), TRACE_OK);
		run__free(run);
		in_time = ticks.last_ns < begin + request.duration_ns;
		assert_true(ticks.last_ns > begin + request.duration_ns / 2);
	}
	run_first(false);
	assert_true(in_time);
}

static void assert_refused(struct trace_request request, const char *expected)
{
	struct run *run;
	char *message;

	assert_int_equal(trace(request, "0", &run, &message), TRACE_FAILED);
	assert_null(run);
	assert_string_equal(message, expected);
	free(message);
}

static void test_what_it_cannot_know(void **state)
{
	assert_refused((struct trace_request){ .fault_level = FAULTS_CLASSES },
		       "the source fake cannot count page faults by class: nothing counts "
		       "faults");
	assert_refused((struct trace_request){ .fault_level = FAULTS_TOTALS, .anatomy = true },
		       "the source fake cannot record single page faults: it looks at nothing but "
		       "the end");
	assert_string_equal(steps, ""); /* nothing was begun */
}

static void test_failures(void **state)
{
	struct trace_request request = { .fault_level = FAULTS_TOTALS };

	watching = -EPERM;
	assert_refused(request, "cannot mark the processes to trace: Operation not permitted");
	assert_string_equal(steps, "ocx");
	fake.open = open_nothing;
	assert_refused(request, "it is not there today");
}

static enum capability_state try_nothing(const void *subject, char *why, size_t size)
{
	return CAPABILITY_UNTRIED;
}

/* What has no test of its own is tried by tracing a command. */
static void test_trying_capabilities(void **state)
{
	const struct capability of_its_own = { .try = try_nothing }, everything = { 0 };
	char why[256] = "";

	assert_int_equal(source__try(&fake, &of_its_own, why, sizeof(why)), CAPABILITY_UNTRIED);
	assert_string_equal(steps, "");
	assert_int_equal(source__try(&fake, &everything, why, sizeof(why)), CAPABILITY_MISSING);
	assert_string_equal(why, "the source fake cannot count page faults by class: nothing "
				 "counts faults");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_run_by_another_source, set_up),
		cmocka_unit_test_setup(test_what_a_run_needs, set_up),
		cmocka_unit_test_setup(test_the_last_tick_is_in_time, set_up),
		cmocka_unit_test_setup(test_what_it_cannot_know, set_up),
		cmocka_unit_test_setup(test_failures, set_up),
		cmocka_unit_test_setup(test_trying_capabilities, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
