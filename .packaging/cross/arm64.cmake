# SPDX-License-Identifier: GPL-2.0-or-later
#
# Toolchain file: builds forktax and its samples for arm64 on another machine, with Debian's cross compiler
# and the libraries that fetch-packages unpacks (FORKTAX_SYSROOT). Where those of arm64 are installed beside those of
# this machine, as in the chroot of a release, FORKTAX_SYSROOT is /.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

if(NOT FORKTAX_SYSROOT)
	set(FORKTAX_SYSROOT "$ENV{FORKTAX_SYSROOT}")
endif()
if(NOT FORKTAX_SYSROOT)
	set(cache "$ENV{XDG_CACHE_HOME}")
	if(NOT cache)
		set(cache "$ENV{HOME}/.cache")
	endif()
	set(FORKTAX_SYSROOT ${cache}/forktax-sysroot/arm64)
endif()
if(NOT FORKTAX_SYSROOT STREQUAL "/" AND NOT EXISTS ${FORKTAX_SYSROOT}/.packages)
	execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/fetch-packages arm64
		${CMAKE_CURRENT_LIST_DIR}/packages-arm64.txt ${FORKTAX_SYSROOT} RESULT_VARIABLE status)
	if(status)
		message(FATAL_ERROR "No libraries for arm64 in ${FORKTAX_SYSROOT}; fetch-packages says why")
	endif()
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FORKTAX_SYSROOT)
set(CMAKE_SYSROOT ${FORKTAX_SYSROOT})
# The compiler's package brings a glibc of its own, without the corrections that Debian has made since.
add_link_options(-B${FORKTAX_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})

# Programs are those of this machine; all else is of the other one.
set(CMAKE_FIND_ROOT_PATH ${FORKTAX_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${FORKTAX_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${FORKTAX_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${FORKTAX_SYSROOT}/usr/share/pkgconfig)

# Manual and completion are made of what the program says of its options.
find_program(FORKTAX_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
if(FORKTAX_EMULATOR)
	set(CMAKE_CROSSCOMPILING_EMULATOR ${FORKTAX_EMULATOR} -L ${FORKTAX_SYSROOT})
endif()
