# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What tests need, by their labels needs:NAME (declare.cmake). To be sourced after packages.sh, build.sh, python.sh,
# viewers.sh and static.sh, in the top of the tree:
#
#	needs__of build/release -L html		# prints the names, of the tests that ctest chooses by these arguments
#	needs__install NAME...			# packages of Debian, and what is made in build/

needs__of()
{
	ctest --test-dir "$@" --show-only=json-v1 | sed -n 's/^ *"needs:\([^"]*\)",\{0,1\}$/\1/p' | sort -u
}

needs__install()
{
	local name list packages=() made=()
	for name; do
		case $name in
		build/asan) ;; # built after build/release
		build/python) packages+=(python3-venv) made+=("$name") ;;
		build/*) made+=("$name") ;;
		*) packages+=("$name") ;;
		esac
	done
	# Whoever cannot have one skips what needs it.
	list=$(mktemp)
	[ ${#packages[@]} -eq 0 ] || printf '?%s\n' "${packages[@]}" >"$list"
	packages__install "$list"
	rm -f "$list"
	for name in "${made[@]}"; do
		case $name in
		build/python) python__install tests/python-packages.txt ;;
		build/viewers)
			viewers__speedscope
			viewers__engines
			viewers__schemas
			;;
		build/libsmartcols) static__library ;;
		*) echo "tests/run: nobody knows how to make $name, which a test needs" >&2 && return 1 ;;
		esac
	done
}
