// SPDX-License-Identifier: GPL-2.0-or-later
/* forktax compare FIRST SECOND, where both are saved by forktax bench. */
#include "cmd/commands.h"
#include "cmd/common.h"
#include "cmd/compare_job.h"
#include "cmd/print.h"
#include "report/bench/bench_report.h"
#include "saved/bench_json.h"
#include "saved/json_text.h"

enum { SIDES = 2 };

struct sides {
	const struct bench *benches[SIDES];
	const char *names[SIDES];
};

/* The tree of a saved bench; NULL: the word is something else. */
static struct json_object *load(const char *word)
{
	FILE *stream = open_saved(word);
	struct json_object *root;
	char *reason = NULL;

	if (!stream)
		return NULL;
	root = json_text__parse(stream, &reason);
	fclose(stream);
	free(reason);
	if (bench_json__is(root))
		return root;
	json_object_put(root);
	return NULL;
}

bool compare_benches__any(char *const *words, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count && !found; i++) {
		struct json_object *root = load(words[i]);

		found = root;
		json_object_put(root);
	}
	return found;
}

static void print(const void *subject, const struct report_options *options, FILE *stream)
{
	const struct table_output tables = tables_for(stream, options);
	const struct bench_view view = { .quiet = options->quiet };
	const struct sides *sides = subject;

	bench_report__compare(sides->benches, sides->names, &view, &tables);
}

static struct bench *read_side(const char *word)
{
	struct json_object *root = load(word);
	struct bench *bench = NULL;
	char *reason = NULL;

	if (!root) {
		complain("compare", 0, "%s is not saved by forktax bench: it can be compared with "
				       "another such file only", word);
		return NULL;
	}
	bench = bench_json__from(root, &reason);
	if (reason)
		complain("compare", 0, "cannot read %s: %s", word, reason);
	free(reason);
	json_object_put(root);
	return bench;
}

static int compare(const struct sides *sides, const struct report_options *options)
{
	if (options->json)
		return complain("compare", EXIT_USAGE, "--json: the two files are the JSON; "
						       "--csv has the ratios");
	if (sides->benches[0]->kind != sides->benches[1]->kind)
		return complain("compare", EXIT_USAGE, "%s is of forktax bench %s, %s of bench %s",
				sides->names[0], bench_kind_keys[sides->benches[0]->kind],
				sides->names[1], bench_kind_keys[sides->benches[1]->kind]);
	return print_to("compare", options, stdout, print, sides);
}

int compare_benches(char *const *words, size_t count, const struct report_options *options)
{
	struct bench *first, *second = NULL;
	int status = EXIT_FORKTAX;

	if (count != SIDES)
		return complain("compare", EXIT_USAGE,
				"files saved by forktax bench are compared in pairs: give two");
	first = read_side(words[0]);
	if (first)
		second = read_side(words[1]);
	if (first && second)
		status = compare(&(struct sides){ { first, second }, { words[0], words[1] } },
				 options);
	bench__free(first);
	bench__free(second);
	return status;
}
