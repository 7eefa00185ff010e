// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/html/embedded.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define BEGIN "<script type=\"application/json\" id=\"saved\" data-check=\""
#define END   "</script>"

/* FNV-1a (draft-eastlake-fnv): it finds accidents and careless edits, nothing else is asked of it.
 */
static uint64_t checksum(const char *text)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
	return sum;
}

static char *escaped(const char *json)
{
	char *text, *from;
	size_t size, length;
	FILE *stream = checked(open_memstream(&text, &size));

	for (from = (char *)json; *from; from += length) {
		length = strcspn(from, "<");
		fwrite(from, 1, length, stream);
		if (from[length]) {
			fputs("\\u003c", stream);
			length++;
		}
	}
	fclose(stream);
	return text;
}

void embedded__write(const char *json, FILE *stream)
{
	char *text = escaped(json);

	fprintf(stream, BEGIN "%016" PRIx64 "\">%s" END "\n", checksum(text), text);
	free(text);
}

char *embedded__find(char *text, char **reason)
{
	char *found = strstr(text, BEGIN), *end;
	uint64_t sum;

	if (!found) {
		text__wrong(reason, "this page holds no saved run");
		return NULL;
	}
	sum = strtoull(found + strlen(BEGIN), &found, 16);
	end = strstr(found, END);
	if (!end || strncmp(found, "\">", 2) != 0) {
		text__wrong(reason, "the page is cut off: what it saved has no end");
		return NULL;
	}
	*end = '\0';
	found += 2;
	if (checksum(found) == sum)
		return found;
	text__wrong(reason,
		    "what the page saved was changed since forktax wrote it (its checksum is "
		    "another): print the report again from the original");
	return NULL;
}
