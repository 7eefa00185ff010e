// SPDX-License-Identifier: GPL-2.0-or-later
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/autofree.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/debug.h"
#include "elf/records.h"
#include "elf/sections.h"

/* A thousandth of the size can unpack to all of it: the limits are against such files. */
enum { CHUNK = 65536, PACKED_MOST = 1 << 24, UNPACKED_MOST = 1 << 26, DECODER_MOST = 1 << 27 };

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t written = write(fd, bytes, size);

		if (written <= 0)
			return false;
		bytes += written;
		size -= written;
	}
	return true;
}

static bool unpack(const struct elf_object *object, const GElf_Shdr *header, lzma_stream *stream,
		   unsigned char *buffers, int fd)
{
	unsigned char *in = buffers, *out = buffers + CHUNK;
	lzma_ret state = LZMA_OK;

	for (uint64_t done = 0; state == LZMA_OK;) {
		if (!stream->avail_in && done < header->sh_size) {
			uint64_t left = header->sh_size - done;

			stream->next_in = in;
			stream->avail_in = left < CHUNK ? left : CHUNK;
			if (!elf_object__read(object, header->sh_offset + done, in, stream->avail_in))
				return false;
			done += stream->avail_in;
		}
		stream->next_out = out;
		stream->avail_out = CHUNK;
		state = lzma_code(stream, done < header->sh_size ? LZMA_RUN : LZMA_FINISH);
		if (stream->total_out > UNPACKED_MOST || !write_all(fd, out, CHUNK - stream->avail_out))
			return false;
	}
	return state == LZMA_STREAM_END;
}

static bool unpack_into(const struct elf_object *object, const GElf_Shdr *header, int fd)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	unsigned char *buffers;
	bool good;

	if (lzma_stream_decoder(&stream, DECODER_MOST, 0) != LZMA_OK)
		return false;
	buffers = checked_calloc(2, CHUNK);
	good = unpack(object, header, &stream, buffers, fd);
	free(buffers);
	lzma_end(&stream);
	return good;
}

bool elf_debug_data__open(struct elf_object *debug, const struct elf_object *object)
{
	char path[32], *reason = NULL;
	GElf_Shdr header;
	bool good = false;
	int fd;

	if (!elf_sections__of_name(object, ".gnu_debugdata", &header) ||
	    header.sh_type == SHT_NOBITS || header.sh_size > PACKED_MOST)
		return false;
	fd = memfd_create("gnu_debugdata", MFD_CLOEXEC);
	if (fd < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (unpack_into(object, &header, fd))
		good = elf_object__open_headers(debug, path, &reason) == ELF_OPENED;
	free(reason);
	close(fd);
	return good;
}

#define DEBUG_ROOT "/usr/lib/debug"

enum { CHECKED_BYTES_MAX = 1 << 28 };

struct debug_search {
	struct elf_object *debug;
	const struct elf_object *object;
	struct build_id id;
	char *link; /* file name; NULL: none */
	uint32_t checksum;
};

static bool has_checksum(const struct elf_object *debug, uint32_t expected)
{
	static const int most = CHECKED_BYTES_MAX;
	uint64_t size = debug->stat.st_size;
	uint32_t checksum = 0;
	unsigned char *buffer;
	bool readable = size <= most;

	buffer = checked_calloc(1, CHUNK);
	for (uint64_t done = 0; done < size && readable; done += CHUNK) {
		size_t here = size - done < CHUNK ? size - done : CHUNK;

		readable = elf_object__read(debug, done, buffer, here);
		checksum = lzma_crc32(buffer, here, checksum);
	}
	free(buffer);
	return readable && checksum == expected;
}

static bool is_it(const struct debug_search *search)
{
	struct build_id id;

	/* A debuglink may lead back to the file itself. */
	if (search->debug->stat.st_ino == search->object->stat.st_ino &&
	    search->debug->stat.st_dev == search->object->stat.st_dev)
		return false;
	if (!search->id.size)
		return search->link && has_checksum(search->debug, search->checksum);
	id = build_id__of(search->debug);
	return build_id__equal(&id, &search->id);
}

/* Takes the path. */
static bool try_debug_file(struct debug_search *search, char *path)
{
	autofree char *reason = NULL;
	enum elf_opened opened = elf_object__open_headers(search->debug, path, &reason);
	bool found = opened == ELF_OPENED && is_it(search);

	if (opened == ELF_OPENED && !found)
		elf_object__close(search->debug);
	free(path);
	return found;
}

static bool find_by_build_id(struct debug_search *search)
{
	char hex[2 * BUILD_ID_MOST + 1] = "";

	if (search->id.size < 2)
		return false;
	for (size_t i = 0; i < search->id.size; i++)
		sprintf(hex + 2 * i, "%02x", search->id.bytes[i]);
	return try_debug_file(search, text__of(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2));
}

/* The section holds a name, padded to 4 bytes, and the CRC-32 of the debug file. */
static void read_link(struct debug_search *search)
{
	GElf_Shdr header;
	uint64_t checksum;

	if (!elf_sections__of_name(search->object, ".gnu_debuglink", &header))
		return;
	search->link = elf_object__string(search->object, header.sh_offset, header.sh_size);
	if (!search->link)
		return;
	checksum = header.sh_offset + ((strlen(search->link) + 4) & ~(uint64_t)3);
	if (*search->link && !strchr(search->link, '/') &&
	    elf_records__read(search->object, checksum, ELF_T_WORD, 1, &search->checksum))
		return;
	free(search->link);
	search->link = NULL;
}

static bool find_by_link(struct debug_search *search, const char *path)
{
	autofree char *real = realpath(path, NULL);
	bool found = false;

	if (real && search->link) {
		*strrchr(real, '/') = '\0';
		found = try_debug_file(search, text__of("%s/%s", real, search->link)) ||
			try_debug_file(search, text__of("%s/.debug/%s", real, search->link)) ||
			try_debug_file(search, text__of(DEBUG_ROOT "%s/%s", real, search->link));
	}
	return found;
}

bool elf_debug_file__open(struct elf_object *debug, const struct elf_object *object, const char *path)
{
	struct debug_search search = { .debug = debug, .object = object, .id = build_id__of(object) };
	bool found;

	read_link(&search);
	found = find_by_build_id(&search) || find_by_link(&search, path);
	free(search.link);
	return found;
}
