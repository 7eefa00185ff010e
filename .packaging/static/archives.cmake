# SPDX-License-Identifier: GPL-2.0-or-later
#
# Gives each library found by pkg-config its archives, too: what has the property LINKED_STATIC is linked
# with these. FORKTAX_ARCHIVES tells whether all of them are here. libsmartcols.a, which distributions
# leave out, is looked for where .packaging/static/libsmartcols puts it.

set(FORKTAX_ARCHIVES ON)
set(left_out_archives "")
foreach(prefix IN ITEMS LIBBPF LIBDW LIBELF ZLIB LZMA JSONC SMARTCOLS)
	if(NOT TARGET PkgConfig::${prefix})
		continue()
	endif()
	set(chosen "")
	foreach(name IN LISTS ${prefix}_STATIC_LIBRARIES)
		if(name MATCHES "^(pthread|m|dl|rt|c)$") # of the C library, and chosen by -static
			list(APPEND chosen "-l${name}")
			continue()
		endif()
		find_library(FORKTAX_ARCHIVE_${name} lib${name}.a
			HINTS ${${prefix}_STATIC_LIBRARY_DIRS} ${PROJECT_SOURCE_DIR}/build/libsmartcols/lib)
		mark_as_advanced(FORKTAX_ARCHIVE_${name})
		if(FORKTAX_ARCHIVE_${name})
			list(APPEND chosen ${FORKTAX_ARCHIVE_${name}})
		else()
			set(FORKTAX_ARCHIVES OFF)
			list(APPEND left_out_archives lib${name}.a)
		endif()
	endforeach()
	get_target_property(shared PkgConfig::${prefix} INTERFACE_LINK_LIBRARIES)
	set(both "")
	set(static "$<BOOL:$<TARGET_PROPERTY:LINKED_STATIC>>")
	foreach(library IN LISTS shared)
		list(APPEND both "$<$<NOT:${static}>:${library}>")
	endforeach()
	foreach(library IN LISTS chosen)
		list(APPEND both "$<${static}:${library}>")
	endforeach()
	set_property(TARGET PkgConfig::${prefix} PROPERTY INTERFACE_LINK_LIBRARIES "${both}")
endforeach()
list(REMOVE_DUPLICATES left_out_archives)
list(JOIN left_out_archives " " left_out_archives)
if(NOT FORKTAX_ARCHIVES AND FORKTAX_STATIC)
	message(FATAL_ERROR "FORKTAX_STATIC: not found: ${left_out_archives} "
		"(.packaging/static/libsmartcols builds libsmartcols.a; docs/install.md)")
elseif(NOT FORKTAX_ARCHIVES)
	message(STATUS "forktax-static left out: no ${left_out_archives}")
endif()
