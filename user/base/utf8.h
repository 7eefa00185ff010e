/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is valid UTF-8 (RFC 3629), and what of it nobody sees: for the JSON writer and for all that is printed.
 */
#ifndef FORKTAX_BASE_UTF8_H
#define FORKTAX_BASE_UTF8_H

#include <stdbool.h>
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

/*
 * Does a character control how others are shown, or show nothing itself? Controls, line separators, what turns the
 * direction of writing or annotates, Unicode's Default_Ignorable_Code_Point (zero width, fillers, selectors of
 * variants, tags), and noncharacters, of which XML forbids two. A name may hold them to look like another name.
 */
static inline bool utf8__is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0x0000, 0x001f },   { 0x007f, 0x009f },   { 0x00ad, 0x00ad },   { 0x034f, 0x034f },
		{ 0x061c, 0x061c },   { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
		{ 0x200b, 0x200f },   { 0x2028, 0x202e },   { 0x2060, 0x206f },   { 0x3164, 0x3164 },
		{ 0xfdd0, 0xfdef },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },   { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	return (code & 0xfffe) == 0xfffe;
}

#endif
