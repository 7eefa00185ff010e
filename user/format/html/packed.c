// SPDX-License-Identifier: GPL-2.0-or-later
#include "format/html/packed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/autofree.h"
#include "base/memory.h"

/* Deflate cannot compress more; a page that claims a larger size would only use up memory. */
enum { MOST_SHRINKING = 1040 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes are four letters; of the last ones `=` stands for what is missing. */
static char *letters_of(const unsigned char *bytes, size_t size)
{
	char *letters = checked_calloc((size + 2) / 3 * 4 + 1, 1), *to = letters;

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) |
				(left > 2 ? bytes[i + 2] : 0);

		*to++ = digits[word >> 18];
		*to++ = digits[word >> 12 & 63];
		*to++ = left > 1 ? digits[word >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[word & 63] : '=';
	}
	return letters;
}

/* To be freed; as many bytes as there are whole ones before the first other letter. */
static unsigned char *bytes_of(const char *letters, size_t *size)
{
	unsigned char *bytes = checked_calloc(strlen(letters) / 4 * 3 + 3, 1);
	uint32_t word = 0;
	size_t i;

	*size = 0;
	for (i = 0; letters[i] && strchr(digits, letters[i]); i++) {
		word = word << 6 | (uint32_t)(strchr(digits, letters[i]) - digits);
		if (i % 4)
			bytes[(*size)++] = word >> (6 - 2 * (i % 4));
	}
	return bytes;
}

char *text__packed(const char *text)
{
	uLong length = strlen(text), size = compressBound(length);
	autofree unsigned char *bytes = checked_calloc(size, 1);
	char *letters;

	if (compress2(bytes, &size, (const unsigned char *)text, length, Z_BEST_COMPRESSION) != Z_OK)
		err(125, "out of memory"); /* there is room, and no other way to fail */
	letters = letters_of(bytes, size);
	return letters;
}

char *text__unpacked(const char *letters, size_t size)
{
	size_t packed;
	autofree unsigned char *bytes = bytes_of(letters, &packed);
	char *text = NULL;
	uLong length = size;

	if (size / MOST_SHRINKING <= packed)
		text = checked_calloc(size + 1, 1);
	if (text && (uncompress((unsigned char *)text, &length, bytes, packed) != Z_OK || length != size ||
		     strlen(text) != size)) {
		free(text);
		text = NULL;
	}
	return text;
}
