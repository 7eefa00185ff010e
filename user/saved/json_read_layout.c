// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "saved/json_read.h"

static bool flag(struct reader *reader, char found, char set, char unset)
{
	if (found != set && found != unset)
		reader__fail(reader, "\"permissions\" are none");
	return found == set;
}

static void read_permissions(struct reader *reader, struct json_object *in, struct layout_vma *vma)
{
	char *text = reader__needed_text(reader, in, "permissions");

	if (text && strlen(text) == 4) {
		vma->read = flag(reader, text[0], 'r', '-');
		vma->write = flag(reader, text[1], 'w', '-');
		vma->exec = flag(reader, text[2], 'x', '-');
		vma->shared = flag(reader, text[3], 's', 'p');
	} else if (text) {
		reader__fail(reader, "\"permissions\" are none");
	}
	free(text);
}

static void read_pages(struct reader *reader, struct json_object *in, struct layout_vma *vma)
{
	vma->pages = reader__text(reader, in, "pages");
	if (vma->pages && vma->pages[strspn(vma->pages, ".fa")])
		reader__fail(reader, "\"pages\" has a character that is none of . f a");
}

/* Files of earlier versions have none of these. */
static void read_counts(struct reader *reader, struct json_object *in, struct layout_vma *vma)
{
	struct {
		const char *key;
		uint64_t *count;
	} counts[] = { { "present", &vma->present }, { "own", &vma->own }, { "huge", &vma->huge } };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		*counts[i].count = json_object_object_get_ex(in, counts[i].key, NULL)
					   ? reader__count_or_absent(reader, in, counts[i].key)
					   : ABSENT;
	vma->kept_out = json_object_object_get_ex(in, "kept_out", NULL) &&
			reader__bool(reader, in, "kept_out");
}

static void read_vma(struct reader *reader, struct json_object *in, const struct run *run,
		     struct layout_vma *vma)
{
	vma->start = reader__identity(reader, in, "start");
	vma->end = reader__identity(reader, in, "end");
	read_permissions(reader, in, vma);
	vma->kind = reader__counter(reader, in, "place", place_counters, PLACE_COUNT);
	vma->object = reader__index(reader, in, "object_index", run->anatomy->object_count,
				    NO_OBJECT);
	vma->offset = reader__identity(reader, in, "offset");
	vma->anon_known = !reader__is_null(in, "anon");
	vma->anon = vma->anon_known && reader__bool(reader, in, "anon");
	read_pages(reader, in, vma);
	read_counts(reader, in, vma);
}

void reader__layout(struct reader *reader, struct json_object *in, struct run *run, size_t index)
{
	struct layout *layout = &run->anatomy->layouts[index];
	struct json_object *array;

	layout->group = reader__index(reader, in, "group", run->group_count, NO_GROUP);
	layout->exe = reader__index(reader, in, "parent_exe", run->exe_count, NO_EXE);
	layout->recorded = reader__bool(reader, in, "recorded");
	layout->vmas = reader__list(reader, in, "vmas", sizeof(*layout->vmas), &layout->vma_count);
	array = reader__array(reader, in, "vmas");
	for (size_t i = 0; i < layout->vma_count && !reader->reason; i++) {
		struct json_object *vma = json_object_array_get_idx(array, i);

		if (json_object_is_type(vma, json_type_object))
			read_vma(reader, vma, run, &layout->vmas[i]);
		else
			reader__fail(reader, "\"vmas\" lists something that is no object");
	}
}
