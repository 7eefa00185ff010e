# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of forktax(1) for fish. make-scripts has put in what the program says of its options.

# All commands; those where options may follow operands.
@fish_paths@

# Words of a command whose value is the next word.
function __forktax_needs
    switch $argv[1]
@fish_values@
    end
end

# Stores which command is typed, and its operands so far.
function __forktax_read
    set -l words (commandline -opc)
    set -e words[1]
    set -g __forktax_path .
    while set -q words[1]; and contains -- $__forktax_path/$words[1] $__forktax_commands
        set -g __forktax_path $__forktax_path/$words[1]
        set -e words[1]
    end
    set -l needs (__forktax_needs $__forktax_path)
    set -g __forktax_closed
    while string match -q -- '-?*' "$words[1]"
        if test "$words[1]" = --
            set __forktax_closed 1
            set -e words[1]
            break
        end
        if set -q needs[1]; and string match -qr -- $needs "$words[1]"
            set -e words[1]
        end
        set -e words[1]
    end
    set -g __forktax_operands $words
end

# Is it one of these commands?
function __forktax_in
    __forktax_read
    contains -- $__forktax_path $argv
end

# Is it one of them, and may an option follow?
function __forktax_at
    __forktax_in $argv
    and test -z "$__forktax_closed"
    and begin
        not set -q __forktax_operands[1]; or contains -- $__forktax_path $__forktax_mixed
    end
end

# What is being typed, without "--option=" before it. A quote may still be open.
function __forktax_value
    set -l last (commandline -ct)
    set -l word (string unescape -- "$last"; or string sub -s 2 -- "$last")
    string replace -r -- '^--[^=]*=' '' "$word"
end

# Words for a list with commas, behind what it has already.
function __forktax_list
    set -l before (__forktax_value | string match -r -- '^.*,')
    printf '%s\n' "$before"$argv
end

# The traced command, and its arguments.
function __forktax_command
    set -l last (commandline -ct)
    set -q __forktax_operands[1]; or test -n "$__forktax_closed"; or not string match -q -- '-*' "$last"
    and complete -C (string join ' ' -- (string escape -- $__forktax_operands) "$last")
end

function __forktax_program
    set -l value (__forktax_value)
    complete -C " $value"
end

function __forktax_line
    set -l value (__forktax_value)
    complete -C " $value"
    __fish_complete_path "$value"
end

# Files, rather those that forktax has saved.
function __forktax_saved
    set -l value (__forktax_value)
    set -l paths (__fish_complete_path "$value")
    set -l saved (string match -r -- '.*(?:\.json|/)(?:\t.*)?$' $paths)
    string match -qr -- '\.json' $saved
    and printf '%s\n' $saved
    or printf '%s\n' $paths
end

complete -c forktax -f
@fish_commands@
@fish_options@
