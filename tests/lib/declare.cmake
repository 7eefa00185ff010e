# SPDX-License-Identifier: GPL-2.0-or-later
#
# How tests are declared. What a test is stands in its labels, besides the kind of test that it is (tests/README.md):
#	all		only `tests/run --all` runs it
#	quick		`tests/run --quick` runs it
#	needs:NAME	calls what this package of Debian has, or, if there is a / in it, what tests/run makes in build/
#	brings:NAME	does not need that package, though its scripts call it: it has a stand-in
# They stand where the test is declared, after LABELS; or in its script:
#	# ctest: LABEL...	at the beginning of a line: of every test that this script is for
#	    # ctest: LABEL...	above a method `test_NAME`: of this one
# tests/run installs what the tests need that it is about to run. tests/lib/check-needs holds the labels against what
# the scripts call.

# The Python of the distribution, for which its packages are. What stands before it in $PATH may be a script that looks
# for another one, which takes ten times as long to begin; so programs of the distribution come first for tests, too.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
	set(Python3_EXECUTABLE /usr/bin/python3)
endif()

# forktax_test(NAME LABELS LABEL... TIMEOUT SECONDS COMMAND WORD... [WORKING_DIRECTORY DIRECTORY] [CONFIGURATIONS NAME])
function(forktax_test name)
	cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT;WORKING_DIRECTORY;CONFIGURATIONS" "LABELS;COMMAND")
	set(options "")
	foreach(option WORKING_DIRECTORY CONFIGURATIONS)
		if(test_${option})
			list(APPEND options ${option} ${test_${option}})
		endif()
	endforeach()
	add_test(NAME ${name} ${options} COMMAND $<TARGET_FILE:test-launch> ${name} ${test_COMMAND})
	string(REGEX MATCHALL "${PROJECT_SOURCE_DIR}/(tests|docs)/[^ ;\"']+" scripts "${test_COMMAND}")
	foreach(script IN LISTS scripts)
		if(EXISTS ${script} AND NOT IS_DIRECTORY ${script})
			set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
			file(STRINGS ${script} lines REGEX "^# ctest: ")
			string(REGEX REPLACE "# ctest: | " ";" lines "${lines}")
			list(APPEND test_LABELS ${lines})
		endif()
	endforeach()
	list(REMOVE_ITEM test_LABELS "")
	list(REMOVE_DUPLICATES test_LABELS)
	set_tests_properties(${name} PROPERTIES LABELS "${test_LABELS}" TIMEOUT ${test_TIMEOUT} SKIP_RETURN_CODE 77
		ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:/usr/bin")
endfunction()

# forktax_methods(SCRIPT): sets `methods` to NAME for each method `test_NAME` of a script, and `labels_NAME`.
function(forktax_methods script)
	set(methods "")
	set(labels "")
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
	file(STRINGS ${script} lines REGEX "^    (# ctest: |def test_)")
	foreach(line IN LISTS lines)
		if(line MATCHES "^    # ctest: (.*)")
			string(REPLACE " " ";" labels "${CMAKE_MATCH_1}")
			continue()
		endif()
		string(REGEX REPLACE "^    def test_([a-z0-9_]+).*" "\\1" name "${line}")
		list(APPEND methods ${name})
		set(labels_${name} ${labels} PARENT_SCOPE)
		set(labels "")
	endforeach()
	set(methods ${methods} PARENT_SCOPE)
endfunction()
