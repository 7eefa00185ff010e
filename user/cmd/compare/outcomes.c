// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/compare/outcomes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/checksum.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "launch/child.h"
#include "measure/command/command_prepare.h"

enum { RUNS_IF_DIFFERENT = 3 };

/* What is being run. */
struct outcomes {
	const struct rounds *rounds;
	const struct variant *variants;
	size_t count;
	struct command_outcome *list; /* one for each */
	struct interrupt interrupt;
};

static void read_written(int file, struct output_sum *written)
{
	unsigned char bytes[1 << 16];
	ssize_t got;

	*written = (struct output_sum){ .sum = CHECKSUM_BEGIN };
	while ((got = pread(file, bytes, sizeof(bytes), (off_t)written->bytes)) > 0) {
		written->sum = checksum__add(written->sum, bytes, (size_t)got);
		written->bytes += (uint64_t)got;
	}
}

static enum bench_outcome run_to_files(struct outcomes *outcomes, const struct variant *variant, const int files[2],
				       struct command_outcome *outcome, char **reason)
{
	const struct child_request request = { .path = variant->path, .argv = variant->argv,
					       .environment = variant->environment, .stdio = CHILD_TO_FILES,
					       .files = { files[0], files[1] }, .no_aslr = outcomes->rounds->no_aslr };
	struct child_result result;

	*outcome = (struct command_outcome){ .status = 0 };
	if (child__run(&request, &outcomes->interrupt, &result, reason))
		return TASK_FAILED;
	outcome->status = result.status;
	outcome->signal = result.signal;
	for (int i = 0; i < 2; i++)
		read_written(files[i], &outcome->written[i]);
	child_result__free(&result);
	return result.interrupted ? TASK_INTERRUPTED : TASK_DONE;
}

static enum bench_outcome run_once(struct outcomes *outcomes, size_t index, struct command_outcome *outcome,
				   char **reason)
{
	const int files[2] = { memfd_create("stdout", MFD_CLOEXEC), memfd_create("stderr", MFD_CLOEXEC) };
	enum bench_outcome end = command_prepare__run(outcomes->rounds->prepare, false, &outcomes->interrupt, reason);

	if (end == TASK_DONE && (files[0] < 0 || files[1] < 0)) {
		*reason = checked_strdup("the outputs cannot be compared: no memory for them");
		end = TASK_FAILED;
	}
	if (end == TASK_DONE)
		end = run_to_files(outcomes, &outcomes->variants[index], files, outcome, reason);
	for (int i = 0; i < 2; i++)
		if (files[i] >= 0)
			close(files[i]);
	return end;
}

static enum bench_outcome run_each(struct outcomes *outcomes, bool again, char **reason)
{
	enum bench_outcome end = TASK_DONE;

	for (size_t i = 0; i < outcomes->count && end == TASK_DONE; i++) {
		struct command_outcome *first = &outcomes->list[i], outcome;

		end = run_once(outcomes, i, &outcome, reason);
		if (end != TASK_DONE)
			break;
		if (!again)
			*first = outcome;
		else
			command_outcome__note_differences(first, &outcome);
	}
	return end;
}

static bool differ(const struct outcomes *outcomes)
{
	for (size_t i = 1; i < outcomes->count; i++)
		if (command_outcome__differs(&outcomes->list[i], &outcomes->list[0]))
			return true;
	return false;
}

static void store(struct compare_job *job, const struct outcomes *outcomes)
{
	size_t next = 0;

	for (size_t i = 0; i < job->column_count; i++) {
		struct compare_column *column = &job->columns[i];

		if (!compare_column__is_live(column))
			continue;
		column->outcome = checked_calloc(1, sizeof(*column->outcome));
		*column->outcome = outcomes->list[next++];
	}
}

int compare_job__run_outcomes(struct compare_job *job, const struct variant *variants, size_t count, int *signal)
{
	autofree struct command_outcome *list = checked_calloc(count, sizeof(*list));
	struct outcomes outcomes = { &job->rounds, variants, count, list, { 0 } };
	autofree char *reason = NULL;
	enum bench_outcome end;

	interrupt__begin(&outcomes.interrupt);
	end = run_each(&outcomes, false, &reason);
	for (int run = 1; run < RUNS_IF_DIFFERENT && end == TASK_DONE && differ(&outcomes); run++)
		end = run_each(&outcomes, true, &reason);
	*signal = interrupt__came(&outcomes.interrupt);
	interrupt__end(&outcomes.interrupt);
	child__end_all();
	if (end == TASK_DONE)
		store(job, &outcomes);
	else if (end == TASK_INTERRUPTED)
		print_error(job->rounds.name, 0, "interrupted before the outputs were compared");
	return end == TASK_FAILED ? print_error(job->rounds.name, EXIT_FORKTAX, "%s", reason) : 0;
}
