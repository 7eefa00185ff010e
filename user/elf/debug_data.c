// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/debug.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
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
			if (!elf_object__read(object, header->sh_offset + done, in,
					      stream->avail_in))
				return false;
			done += stream->avail_in;
		}
		stream->next_out = out;
		stream->avail_out = CHUNK;
		state = lzma_code(stream, done < header->sh_size ? LZMA_RUN : LZMA_FINISH);
		if (stream->total_out > UNPACKED_MOST ||
		    !write_all(fd, out, CHUNK - stream->avail_out))
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
