// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/ebpf/kernel_types.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads as much as there is room for; sysfs hands it out in pieces. */
static size_t read_all(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	while (length < size && (got = read(fd, text + length, size - length)) > 0)
		length += got;
	return length;
}

/* Since Linux 6.16 the file can be mapped; on earlier kernels it is read into anonymous memory. */
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

bool kernel_types__extra_size(const struct btf_type *type, size_t *size)
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
	uint32_t kind = BTF_INFO_KIND(type->info);

	if (kind >= sizeof(sizes) / sizeof(sizes[0]) || !sizes[kind].known)
		return false;
	*size = sizes[kind].fixed + BTF_INFO_VLEN(type->info) * sizes[kind].each;
	return true;
}

/* Types have different sizes and follow one another. */
static bool index_types(struct kernel_types *types, const char *data, size_t size)
{
	size_t extra;

	types->types = malloc(size / sizeof(struct btf_type) * sizeof(types->types[0]) + sizeof(types->types[0]));
	if (!types->types)
		return false;
	for (types->type_count = 1; size >= sizeof(struct btf_type); types->type_count++) {
		const struct btf_type *type = (const void *)data;

		if (!kernel_types__extra_size(type, &extra) || sizeof(*type) + extra > size)
			return false;
		types->types[types->type_count] = type;
		data += sizeof(*type) + extra;
		size -= sizeof(*type) + extra;
	}
	return true;
}

static bool find_parts(struct kernel_types *types)
{
	const struct btf_header *header = (const void *)types->data;
	size_t room = types->size;
	const char *parts;

	if (room < sizeof(*header) || header->magic != BTF_MAGIC || header->hdr_len > room)
		return false;
	parts = types->data + header->hdr_len;
	room -= header->hdr_len;
	if ((uint64_t)header->type_off + header->type_len > room ||
	    (uint64_t)header->str_off + header->str_len > room || !header->str_len)
		return false;
	types->names = parts + header->str_off;
	types->names_size = header->str_len;
	return !types->names[types->names_size - 1] && index_types(types, parts + header->type_off, header->type_len);
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

const char *kernel_types__problem(void)
{
	struct kernel_types types;

	if (access("/sys/kernel", F_OK))
		return BTF_FILE " is missing: /sys is not mounted, or hidden";
	if (access(BTF_FILE, F_OK))
		return "the kernel has no " BTF_FILE " (CONFIG_DEBUG_INFO_BTF=y makes it), or it is hidden";
	if (access(BTF_FILE, R_OK))
		return BTF_FILE " cannot be read: permission denied";
	errno = 0;
	types = kernel_types__open();
	if (!types.data)
		return errno == ENOMEM ? "there is not enough memory to read " BTF_FILE " (ulimit -v)"
				       : BTF_FILE " is empty or damaged";
	kernel_types__close(&types);
	return NULL;
}

void kernel_types__close(struct kernel_types *types)
{
	free(types->types);
	if (types->data)
		munmap(types->data, types->size);
	memset(types, 0, sizeof(*types));
}

bool kernel_types__know(const struct kernel_types *types, const char *name)
{
	return types->data && memmem(types->names, types->names_size, name, strlen(name) + 1);
}

static const char *name_of(const struct kernel_types *types, const struct btf_type *type)
{
	return type->name_off < types->names_size ? types->names + type->name_off : "";
}

void kernel_types__each(const struct kernel_types *types, uint32_t kinds,
			void (*visit)(void *context, uint32_t id, const struct btf_type *type, const char *name),
			void *context)
{
	for (uint32_t id = 1; id < types->type_count; id++) {
		const struct btf_type *type = types->types[id];

		if (type->name_off && kinds & 1u << BTF_INFO_KIND(type->info))
			visit(context, id, type, name_of(types, type));
	}
}

static const struct btf_type *type_at(const struct kernel_types *types, uint32_t id)
{
	return id && id < types->type_count ? types->types[id] : NULL;
}

/* Its type is a pointer to a function, which takes the data of the program before all arguments. */
unsigned int kernel_types__arguments(const struct kernel_types *types, uint32_t tracepoint)
{
	const struct btf_type *type = type_at(types, tracepoint);
	const struct btf_type *pointer = type ? type_at(types, type->type) : NULL;
	const struct btf_type *function = pointer ? type_at(types, pointer->type) : NULL;

	if (!function || BTF_INFO_KIND(function->info) != BTF_KIND_FUNC_PROTO || !BTF_INFO_VLEN(function->info))
		return 0;
	return BTF_INFO_VLEN(function->info) - 1;
}
