// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the table of docs/use/watch.md: the metrics of a textfile. */
#include <stdio.h>

static const struct {
	const char *name, *type, *labels, *level, *help;
} metrics[] = {
#define WATCH_METRIC(name, type, labels, level, write, place, help) { name, #type, labels, #level, help },
#include "report/watch/watch_metrics.def"
#undef WATCH_METRIC
};

/* As the option names it; what both levels count has none. */
static const char *level_of(const char *level)
{
	return *level == 'C' ? "`classes`" : "";
}

int main(void)
{
	puts("| metric | type | labels | from level | meaning |\n|---|---|---|---|---|");
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		printf("| `forktax_%s` | %s | %s | %s | %s |\n", metrics[i].name, metrics[i].type, metrics[i].labels,
		       level_of(metrics[i].level), metrics[i].help);
	putchar('\n');
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
