// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/html/embedded.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/checksum.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/html/packed.h"

#define BEGIN	"<script type=\"application/json\" id=\"saved\" data-check=\""
#define PACKED	"<script type=\"text/plain\" id=\"packed\" data-check=\""
#define SIZE	"\" data-size=\""
#define END	"</script>"

enum { LONG = 1 << 14 }; /* bytes; shorter JSON can be read in the page itself */

static uint64_t checksum(const char *text)
{
	return checksum__add(CHECKSUM_BEGIN, text, strlen(text));
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

static void write_packed(const char *json, FILE *stream)
{
	autofree char *letters = text__packed(json);

	fprintf(stream, PACKED "%016" PRIx64 SIZE "%zu\">%s" END "\n", checksum(letters), strlen(json),
		letters);
}

void embedded__write(const char *json, FILE *stream)
{
	autofree char *text = escaped(json);

	if (strlen(text) > LONG)
		write_packed(text, stream);
	else
		fprintf(stream, BEGIN "%016" PRIx64 "\">%s" END "\n", checksum(text), text);
}

/* The element that holds it: behind the beginning of its tag. */
static char *find_element(char *text, bool *packed)
{
	char *plain = strstr(text, BEGIN), *found = plain ? plain : strstr(text, PACKED);

	*packed = !plain;
	return found ? found + strlen(plain ? BEGIN : PACKED) : NULL;
}

/* What is behind the tag's attributes, up to the end of the element; NULL: it has none. */
static char *content_of(char *attributes, bool packed, size_t *size)
{
	char *end;

	if (packed && strncmp(attributes, SIZE, strlen(SIZE)) != 0)
		return NULL;
	if (packed)
		*size = strtoull(attributes + strlen(SIZE), &attributes, 10);
	end = strstr(attributes, END);
	if (!end || strncmp(attributes, "\">", 2) != 0)
		return NULL;
	*end = '\0';
	return attributes + 2;
}

static char *wrong(char **reason, const char *why)
{
	error__set(reason, "%s", why);
	return NULL;
}

char *embedded__find(char *text, char **reason)
{
	static const char changed[] =
		"what the page saved was changed since forktax wrote it (its checksum is another): print "
		"the report again from the original";
	bool packed;
	char *found = find_element(text, &packed), *json;
	size_t size = 0;
	uint64_t sum;

	if (!found)
		return wrong(reason, "this page holds no saved run");
	sum = strtoull(found, &found, 16);
	found = content_of(found, packed, &size);
	if (!found)
		return wrong(reason, "the page is cut off: what it saved has no end");
	if (checksum(found) != sum)
		return wrong(reason, changed);
	json = packed ? text__unpacked(found, size) : checked_strdup(found);
	return json ? json : wrong(reason, changed);
}
