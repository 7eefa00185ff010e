// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/kernel_types.h"

#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

struct bytes {
	char *data;
	size_t size, room;
};

struct excerpt {
	const struct kernel_types *from;
	const char **wanted; /* sorted */
	size_t wanted_count;
	uint32_t *new_ids; /* by the kernel's id; 0: not in the excerpt */
	uint32_t *old_ids; /* by new id, from 1 */
	uint32_t count;
	struct bytes types, names;
};

/* Returns its offset. */
static size_t append(struct bytes *bytes, const void *data, size_t size)
{
	size_t at = bytes->size;

	if (bytes->room - at < size) {
		bytes->room = 2 * (bytes->room + size);
		bytes->data = checked(realloc(bytes->data, bytes->room));
	}
	memcpy(bytes->data + at, data, size);
	bytes->size += size;
	return at;
}

static uint32_t copy_name(struct excerpt *excerpt, uint32_t offset)
{
	const char *name = excerpt->from->names + offset;

	if (!offset || offset >= excerpt->from->names_size)
		return 0;
	return append(&excerpt->names, name, strlen(name) + 1);
}

/* The new id of a type; the type itself is copied in its turn. */
static uint32_t include(struct excerpt *excerpt, uint32_t id)
{
	if (!id || id >= excerpt->from->type_count)
		return 0;
	if (!excerpt->new_ids[id]) {
		excerpt->new_ids[id] = ++excerpt->count;
		excerpt->old_ids[excerpt->count] = id;
	}
	return excerpt->new_ids[id];
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void include_wanted(void *context, uint32_t id, const struct btf_type *type, const char *name)
{
	struct excerpt *excerpt = context;

	(void)type;
	if (bsearch(&name, excerpt->wanted, excerpt->wanted_count, sizeof(name), by_name))
		include(excerpt, id);
}

static void copy_members(struct excerpt *excerpt, struct btf_member *members, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		members[i].name_off = copy_name(excerpt, members[i].name_off);
		members[i].type = include(excerpt, members[i].type);
	}
}

/* Gives what a type refers to its new numbers. */
static void renumber(struct excerpt *excerpt, struct btf_type *type)
{
	struct btf_array *array = (void *)(type + 1);

	type->name_off = copy_name(excerpt, type->name_off);
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		type->type = 0;
		break;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		type->type = include(excerpt, type->type);
		break;
	case BTF_KIND_ARRAY:
		array->type = include(excerpt, array->type);
		array->index_type = include(excerpt, array->index_type);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		copy_members(excerpt, (void *)(type + 1), BTF_INFO_VLEN(type->info));
		break;
	}
}

static void copy_type(struct excerpt *excerpt, uint32_t id)
{
	const struct btf_type *type = excerpt->from->types[id];
	uint32_t kind = BTF_INFO_KIND(type->info);
	struct bytes copy = {};
	size_t extra;

	kernel_types__extra_size(type, &extra);
	append(&copy, type, sizeof(*type) + extra);
	if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64) { /* its size is enough */
		((struct btf_type *)copy.data)->info &= ~0xffffu;
		copy.size = sizeof(*type);
	}
	renumber(excerpt, (struct btf_type *)copy.data);
	append(&excerpt->types, copy.data, copy.size);
	free(copy.data);
}

/*
 * The names of all structures of the object. Its own do no harm: the kernel has none of these
 * names.
 */
static void list_wanted(struct excerpt *excerpt, const struct btf *btf)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (!btf_is_struct(type) || !type->name_off)
			continue;
		excerpt->wanted = checked_grow(excerpt->wanted, excerpt->wanted_count, sizeof(*excerpt->wanted));
		excerpt->wanted[excerpt->wanted_count++] = btf__name_by_offset(btf, type->name_off);
	}
	qsort(excerpt->wanted, excerpt->wanted_count, sizeof(*excerpt->wanted), by_name);
}

/* 0 or -errno. Nobody else writes to the file: what does not fit is beyond a limit. */
static int write_bytes(int fd, const void *data, size_t size)
{
	ssize_t written = write(fd, data, size);

	if (written < 0)
		return -errno;
	return written == (ssize_t)size ? 0 : -EFBIG;
}

static int write_excerpt(const struct excerpt *excerpt, int fd)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(header),
		.type_len = excerpt->types.size,
		.str_off = excerpt->types.size,
		.str_len = excerpt->names.size,
	};

	int err = write_bytes(fd, &header, sizeof(header));

	if (!err)
		err = write_bytes(fd, excerpt->types.data, excerpt->types.size);
	if (!err)
		err = write_bytes(fd, excerpt->names.data, excerpt->names.size);
	return err;
}

int excerpt__write(const struct kernel_types *types, const struct btf *wanted, int fd)
{
	struct excerpt excerpt = { .from = types };
	int err;

	excerpt.new_ids = checked_calloc(types->type_count, sizeof(*excerpt.new_ids));
	excerpt.old_ids = checked_calloc(types->type_count, sizeof(*excerpt.old_ids));
	append(&excerpt.names, "", 1);
	list_wanted(&excerpt, wanted);
	kernel_types__each(types, 1u << BTF_KIND_STRUCT, include_wanted, &excerpt);
	for (uint32_t id = 1; id <= excerpt.count; id++) /* the count grows meanwhile */
		copy_type(&excerpt, excerpt.old_ids[id]);
	err = write_excerpt(&excerpt, fd);
	free(excerpt.wanted);
	free(excerpt.new_ids);
	free(excerpt.old_ids);
	free(excerpt.types.data);
	free(excerpt.names.data);
	return err;
}
