// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved/json_read.h"

#include <err.h>
#include <stdlib.h>

void *reader__room(struct json_object *array, size_t size)
{
	size_t count = array ? json_object_array_length(array) : 0;
	void *room = calloc(count + 1, size);

	if (!room)
		err(125, "cannot read a run");
	return room;
}

void *reader__list(struct reader *reader, struct json_object *in, const char *key, size_t size,
		   size_t *count)
{
	struct json_object *array = reader__array(reader, in, key);

	*count = array ? json_object_array_length(array) : 0;
	if (*count >= UINT32_MAX)
		reader__fail(reader, "\"%s\" is too long", key);
	return reader__room(array, size);
}

void reader__elements(struct reader *reader, struct json_object *in, const char *key,
		      struct run *run, read_element *read)
{
	struct json_object *array = reader__array(reader, in, key);
	size_t count = array ? json_object_array_length(array) : 0;

	reader->list = key;
	for (size_t i = 0; i < count && !reader->reason; i++) {
		struct json_object *element = json_object_array_get_idx(array, i);

		reader->index = i;
		if (json_object_is_type(element, json_type_object))
			read(reader, element, run, i);
		else
			reader__fail(reader, "is no object");
	}
	reader->list = NULL;
}
