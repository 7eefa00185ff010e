// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/escape.h"

#include <stdint.h>
#include <wchar.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/utf8.h"

static bool is_safe(const char *text, uint32_t code, bool utf8)
{
	if (text[0] == '\\' && text[1] == 'x')
		return false;
	return !utf8__is_hidden(code) && (utf8 || code < 0x80);
}

char *escape__text(const char *text, bool utf8)
{
	const char *from = text ? text : "";
	char *copy = checked(malloc(4 * strlen(from) + 1));
	char *to = copy;

	while (*from) {
		uint32_t code;
		size_t length = utf8__decode(from, &code);

		if (length && is_safe(from, code, utf8)) {
			to = mempcpy(to, from, length);
			from += length;
			continue;
		}
		for (length = length ? length : 1; length; length--)
			to += sprintf(to, "\\x%02x", (unsigned char)*from++);
	}
	*to = '\0';
	return copy;
}

/* What is left is printable: only these two mean something between quotes. */
void escape__quote(FILE *stream, const char *text)
{
	autofree char *safe = escape__text(text, true);

	putc('"', stream);
	for (const char *c = safe; *c; c++) {
		if (*c == '"' || *c == '\\')
			putc('\\', stream);
		putc(*c, stream);
	}
	putc('"', stream);
}

size_t escape__character(const char *text, size_t *columns)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t length = mbrtowc(&wide, text, strlen(text), &state);
	int width;

	*columns = 1; /* not of this locale: what the terminal makes of it is unknown */
	if (length == 0 || length > strlen(text))
		return 1;
	width = wcwidth(wide);
	*columns = width > 0 ? width : 0;
	return length;
}

size_t escape__width(const char *text)
{
	size_t width = 0, columns;

	while (*text) {
		text += escape__character(text, &columns);
		width += columns;
	}
	return width;
}
