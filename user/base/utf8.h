/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is valid UTF-8 (RFC 3629): shared by the JSON writer and by what prints on terminals.
 */
#ifndef FORKTAX_BASE_UTF8_H
#define FORKTAX_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decodes the character at `text` (NUL-terminated, not at its end). Stores the code point and
 * returns its length in bytes; returns 0 if the bytes are not the shortest form of a character.
 */
static inline size_t utf8__decode(const char *text, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length;

	if (bytes[0] < 0x80) {
		*code = bytes[0];
		return 1;
	}
	length = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
	if (bytes[0] < 0xc0 || bytes[0] > 0xf4)
		return 0;
	*code = bytes[0] & (0x7f >> length);
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	if (*code < smallest[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return length;
}

#endif
