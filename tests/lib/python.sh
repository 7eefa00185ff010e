# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What tests need from PyPI, in a Python of their own. To be sourced:
#
#	. tests/lib/python.sh
#	python__install tests/python-packages.txt
#
# makes build/python with these packages, in the versions given. Without a network: says so, and goes on.

python__install()
{
	local list=$1 python=build/python
	if cmp -s "$list" "$python/installed"; then
		return 0
	fi
	echo "About to install from PyPI into $python: $(sed 's/ *#.*//; /^$/d' "$list" | paste -sd ' ')"
	rm -rf "$python"
	if python3 -m venv "$python" && "$python/bin/pip" install -q --disable-pip-version-check -r "$list"
	then
		cp "$list" "$python/installed"
	else
		rm -rf "$python"
		echo "python: that failed: going on without; tests that need it are skipped" >&2
	fi
}
