// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "format/escape.h"

enum wire { VARINT = 0, LENGTH = 2 };

static void append(struct proto *message, const void *bytes, size_t size)
{
	if (message->size + size > message->room) {
		message->room = 2 * (message->size + size);
		message->bytes = checked(realloc(message->bytes, message->room));
	}
	memcpy(message->bytes + message->size, bytes, size);
	message->size += size;
}

static void varint(struct proto *message, uint64_t number)
{
	unsigned char bytes[10];
	size_t size = 0;

	do {
		bytes[size] = (number & 0x7f) | (number > 0x7f ? 0x80 : 0);
		number >>= 7;
		size++;
	} while (number);
	append(message, bytes, size);
}

static void tag(struct proto *message, unsigned int field, enum wire wire)
{
	varint(message, field << 3 | wire);
}

static void part(struct proto *message, unsigned int field, const void *bytes, size_t size)
{
	tag(message, field, LENGTH);
	varint(message, size);
	if (size)
		append(message, bytes, size);
}

void proto__number(struct proto *message, unsigned int field, uint64_t number)
{
	tag(message, field, VARINT);
	varint(message, number);
}

void proto__text(struct proto *message, unsigned int field, const char *text)
{
	autofree char *safe = escape__text(text, true);

	part(message, field, safe, strlen(safe));
}

void proto__packed(struct proto *message, unsigned int field, const uint64_t *numbers, size_t count)
{
	struct proto list = { 0 };

	for (size_t i = 0; i < count; i++)
		varint(&list, numbers[i]);
	proto__part(message, field, &list);
}

void proto__part(struct proto *message, unsigned int field, struct proto *one)
{
	part(message, field, one->bytes, one->size);
	proto__free(one);
}

void proto__free(struct proto *message)
{
	free(message->bytes);
	*message = (struct proto){ 0 };
}
