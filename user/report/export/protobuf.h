/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of Protocol Buffers, as far as the exports write them
 * (https://protobuf.dev/programming-guides/encoding/). Field numbers are those of the .proto file.
 */
#ifndef FORKTAX_REPORT_EXPORT_PROTOBUF_H
#define FORKTAX_REPORT_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed: an empty one. Owned by the code that declares it, until it is part of another or freed. */
struct proto {
	unsigned char *bytes;
	size_t size, room;
};

void proto__number(struct proto *message, unsigned int field, uint64_t number);
/* Text from outside: what is no UTF-8, and control characters, are escaped. */
void proto__text(struct proto *message, unsigned int field, const char *text);
void proto__packed(struct proto *message, unsigned int field, const uint64_t *numbers, size_t count);
/* Takes over what the part consists of. */
void proto__part(struct proto *message, unsigned int field, struct proto *part);
void proto__free(struct proto *message);

#endif
