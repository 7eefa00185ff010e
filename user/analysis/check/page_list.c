// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/check/page_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { SPANS_MOST = 16 };

void page_list__add(struct page_list *list, uint64_t page)
{
	if (list->count && list->pages[list->count - 1] == page)
		return;
	list->pages = checked_grow(list->pages, list->count, sizeof(*list->pages));
	list->pages[list->count++] = page;
}

void page_list__release(struct page_list *list)
{
	free(list->pages);
	*list = (struct page_list){ 0 };
}

char *page_list__text(const struct page_list *list)
{
	size_t size, spans = 0, next;
	char *text;
	FILE *stream = checked(open_memstream(&text, &size));

	for (size_t i = 0; i < list->count; i = next, spans++) {
		for (next = i + 1; next < list->count; next++)
			if (list->pages[next] != list->pages[next - 1] + 1)
				break;
		fprintf(stream, "%s0x%" PRIx64, spans ? " " : "", list->pages[i]);
		if (next > i + 1)
			fprintf(stream, "-0x%" PRIx64, list->pages[next - 1]);
	}
	fclose(stream);
	if (spans && spans <= SPANS_MOST)
		return text;
	free(text);
	return NULL;
}

bool page_text__has(const char *text, uint64_t page)
{
	while (text && *text) {
		char *end;
		uint64_t first = strtoull(text, &end, 16), last = first;

		if (end == text)
			return false;
		if (*end == '-') {
			text = end + 1;
			last = strtoull(text, &end, 16);
			if (end == text)
				return false;
		}
		if (page >= first && page <= last)
			return true;
		text = end;
	}
	return false;
}
