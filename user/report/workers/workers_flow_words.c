// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quantity.h"
#include "base/text.h"
#include "format/wrap.h"
#include "report/workers/workers_flow_report.h"
#include "report/workers/workers_report.h"

static struct number_text size_of(const struct workers_flow *flow, uint64_t pages)
{
	return quantity__size(pages * flow->page_bytes);
}

static char *all_sentence(const struct workers_flow *flow)
{
	char *text;
	uint64_t copies = 0, pages = flow->unattributed;

	for (size_t i = 0; i < flow->member_count; i++) {
		copies += flow->members[i].copies;
		pages += flow->members[i].filled;
	}
	text = text__of("Watched for %s: the pool copied %s (%s) that it had shared, and "
			"filled %s of new memory.",
			quantity__time(flow->duration_ns).text, quantity__count(copies, "page", "pages").text,
			size_of(flow, copies).text, size_of(flow, pages).text);
	return text;
}

static char *common_sentence(const struct workers_flow *flow)
{
	size_t count;
	autofree size_t *common = workers_flow__common(flow, &count);
	char *text = NULL;

	if (count)
		text = text__of("Every worker born meanwhile copied the same %zu pages (%s) in its first "
				"second: what writes them there could be done once, before the fork.",
				count, size_of(flow, count).text);
	return text;
}

static char *helper_sentence(const struct workers_flow *flow)
{
	uint64_t copies = 0, helpers = 0;
	char *text = NULL;

	for (size_t i = 0; i < flow->member_count; i++) {
		if (!flow->members[i].executed)
			continue;
		copies += flow->members[i].copies;
		helpers++;
	}
	if (helpers)
		text = text__of("%s executed another program and %s; before that %s copied %s (%s).",
				quantity__count(helpers, "member", "members").text,
				number__plural(helpers, "is no worker", "are no workers"),
				number__plural(helpers, "it", "they"),
				quantity__count(copies, "page", "pages").text, size_of(flow, copies).text);
	return text;
}

static void say(char *sentence, const struct table_output *output)
{
	if (sentence)
		wrap__paragraph(NULL, sentence, output);
}

void workers_flow__print_words(const struct workers_flow *flow, const struct table_output *output)
{
	putc('\n', output->stream);
	say(all_sentence(flow), output);
	say(common_sentence(flow), output);
	say(helper_sentence(flow), output);
}
