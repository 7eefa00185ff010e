# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of forktax(1) for fish: forktax itself says what may stand where (forktax --complete).

# Values of kind $argv[1] that may begin like $argv[2], with their descriptions.
function __forktax_values
    switch $argv[1]
        case file
            __fish_complete_path $argv[2]
        case directory
            __fish_complete_directories $argv[2]
        case saved
            set -l paths (__fish_complete_path $argv[2])
            set -l saved (string match -r -- '.*(?:\.json|\.html|/)(?:\t.*)?$' $paths)
            if string match -qr -- '\.(json|html)' $saved
                printf '%s\n' $saved
            else
                printf '%s\n' $paths
            end
        case program
            complete -C "$argv[2]"
        case line
            complete -C "$argv[2]"
            __fish_complete_path $argv[2]
        case user
            __fish_complete_users
    end
end

function __forktax_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    command -sq -- $program; or set program forktax
    # The last word as the program would get it; a quote may still be open.
    set -l word (string unescape -- $last; or string sub -s 2 -- $last)
    set -l lines (command $program --complete $words "$word" 2>/dev/null)
    set -l head (string split \t -- $lines[1])
    set -e lines[1]
    switch "$head[1]"
        case words list
            test (count $lines) -gt 0
            and printf '%s\n' $head[2]$lines
        case command
            set -l at (math $head[3] + 1)
            set -l command
            test $at -le (count $words)
            and set command (string escape -- $words[$at..-1])
            complete -C (string join ' ' -- $command $last)
        case '*'
            set -l value (string sub -s (math (string length -- "$head[2]") + 1) -- $word)
            set -l values (__forktax_values $head[1] "$value")
            test (count $values) -gt 0
            and printf '%s\n' $head[2]$values
    end
end

complete -c forktax -f -a '(__forktax_complete)'
