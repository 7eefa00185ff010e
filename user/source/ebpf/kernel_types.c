// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/kernel_types.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BTF_FILE "/sys/kernel/btf/vmlinux"

/* Reads as much as there is room for; sysfs hands it out in pieces. */
static size_t read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while (length < size && (got = read(fd, text + length, size - length)) > 0)
		length += got;
	return length;
}

/* The file can be mapped since Linux 6.16; before it is read into memory of the same kind. */
static char *map_file(int fd, size_t size)
{
	char *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (data != MAP_FAILED)
		return data;
	data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED)
		return NULL;
	if (read_all(fd, data, size) == size)
		return data;
	munmap(data, size);
	return NULL;
}

static bool find_parts(struct kernel_types *types)
{
	const struct btf_header *header = (const void *)types->data;
	size_t room = types->size;

	if (room < sizeof(*header) || header->magic != BTF_MAGIC || header->hdr_len > room)
		return false;
	room -= header->hdr_len;
	if ((uint64_t)header->type_off + header->type_len > room ||
	    (uint64_t)header->str_off + header->str_len > room || !header->str_len)
		return false;
	types->types = types->data + header->hdr_len + header->type_off;
	types->types_size = header->type_len;
	types->names = types->data + header->hdr_len + header->str_off;
	types->names_size = header->str_len;
	return !types->names[types->names_size - 1];
}

struct kernel_types kernel_types__open(void)
{
	struct kernel_types types = {};
	int fd = open(BTF_FILE, O_RDONLY | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return types;
	if (!fstat(fd, &file) && file.st_size > 0)
		types.data = map_file(fd, file.st_size);
	close(fd);
	if (!types.data)
		return types;
	types.size = file.st_size;
	if (!find_parts(&types))
		kernel_types__close(&types);
	return types;
}

void kernel_types__close(struct kernel_types *types)
{
	if (types->data)
		munmap(types->data, types->size);
	memset(types, 0, sizeof(*types));
}

bool kernel_types__know(const struct kernel_types *types, const char *name)
{
	return types->data && memmem(types->names, types->names_size, name, strlen(name) + 1);
}

/* What follows the common part of a type. Kinds that are not known end the search. */
static bool extra_size(uint32_t kind, size_t vlen, size_t *size)
{
	static const struct {
		bool known;
		unsigned char fixed, each;
	} sizes[] = {
		[BTF_KIND_INT] = { true, 4, 0 },
		[BTF_KIND_PTR] = { true, 0, 0 },
		[BTF_KIND_ARRAY] = { true, sizeof(struct btf_array), 0 },
		[BTF_KIND_STRUCT] = { true, 0, sizeof(struct btf_member) },
		[BTF_KIND_UNION] = { true, 0, sizeof(struct btf_member) },
		[BTF_KIND_ENUM] = { true, 0, sizeof(struct btf_enum) },
		[BTF_KIND_FWD] = { true, 0, 0 },
		[BTF_KIND_TYPEDEF] = { true, 0, 0 },
		[BTF_KIND_VOLATILE] = { true, 0, 0 },
		[BTF_KIND_CONST] = { true, 0, 0 },
		[BTF_KIND_RESTRICT] = { true, 0, 0 },
		[BTF_KIND_FUNC] = { true, 0, 0 },
		[BTF_KIND_FUNC_PROTO] = { true, 0, sizeof(struct btf_param) },
		[BTF_KIND_VAR] = { true, sizeof(struct btf_var), 0 },
		[BTF_KIND_DATASEC] = { true, 0, sizeof(struct btf_var_secinfo) },
		[BTF_KIND_FLOAT] = { true, 0, 0 },
		[BTF_KIND_DECL_TAG] = { true, sizeof(struct btf_decl_tag), 0 },
		[BTF_KIND_TYPE_TAG] = { true, 0, 0 },
		[BTF_KIND_ENUM64] = { true, 0, sizeof(struct btf_enum64) },
	};

	if (kind >= sizeof(sizes) / sizeof(sizes[0]) || !sizes[kind].known)
		return false;
	*size = sizes[kind].fixed + vlen * sizes[kind].each;
	return true;
}

/* Names the hook that a type stands for: false if it is none. */
static bool name_hook(struct kernel_hook *hook, uint32_t kind, const char *name)
{
	static const struct {
		uint32_t kind;
		const char *prefix, *section;
	} kinds[] = {
		{ BTF_KIND_TYPEDEF, "btf_trace_", "tp_btf/" },
		{ BTF_KIND_FUNC, "bpf_iter_", "iter/" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t prefix = strlen(kinds[i].prefix);

		if (kind != kinds[i].kind || strncmp(name, kinds[i].prefix, prefix))
			continue;
		return snprintf(hook->name, sizeof(hook->name), "%s%s", kinds[i].section,
				name + prefix) < (int)sizeof(hook->name);
	}
	return false;
}

struct kernel_hook *kernel_types__hooks(const struct kernel_types *types, size_t *count)
{
	struct kernel_hook *hooks = NULL;
	size_t room = 0, at = 0, extra;

	*count = 0;
	for (uint32_t id = 1; at + sizeof(struct btf_type) <= types->types_size; id++) {
		const struct btf_type *type = (const void *)(types->types + at);
		uint32_t kind = BTF_INFO_KIND(type->info);

		if (!extra_size(kind, BTF_INFO_VLEN(type->info), &extra))
			break;
		at += sizeof(*type) + extra;
		if ((kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_FUNC) ||
		    type->name_off >= types->names_size)
			continue;
		if (*count == room) {
			struct kernel_hook *more = realloc(hooks, (room += 512) * sizeof(*more));

			if (!more)
				break;
			hooks = more;
		}
		hooks[*count].id = id;
		*count += name_hook(&hooks[*count], kind, types->names + type->name_off);
	}
	return hooks;
}
