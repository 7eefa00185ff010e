# SPDX-License-Identifier: GPL-2.0-or-later
"""What a shell offers for a line that is being typed: offers(), the words that may take the place of the last one.

fish says it itself (complete -C). The function of bash is called as bash would call it. zsh runs on a terminal of its own,
gets the line and a key that inserts all that is offered, and another key that writes the line to a file.
"""
import os
import pty
import re
import select
import shlex
import subprocess
import time

PATIENCE_S = 100
LIBRARY = "/usr/share/bash-completion/bash_completion"


def output(command, environment):
    said = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, timeout=PATIENCE_S)
    if said.stderr:
        raise AssertionError(said.stderr)
    return said.stdout


class Bash:
    CALL = """[[ -z $1 ]] || . "$1"
        . "$2"
        complete -W 'apple banana' ft-traced-tool
        compopt() { options+=" $*"; }
        COMP_WORDS=("${@:3}") COMP_CWORD=$(($# - 3)) COMP_LINE="${*:3}" COMP_POINT=${#COMP_LINE}
        _forktax forktax "${!#}"
        word=${!#}
        [[ $word != "=" ]] || word=
        if ((! ${#COMPREPLY[@]})); then
            [[ $options != *default* ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
            [[ $options != *dirnames* ]] || mapfile -t COMPREPLY < <(compgen -d -- "$word")
        fi
        [[ $options != *plusdirs* ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word")
        printf '%s\\n' "${COMPREPLY[@]}" """

    def __init__(self, environment, script, library=LIBRARY):
        self.environment, self.script, self.library = environment, script, library

    def offers(self, typed):
        words = re.findall(r"[^\s=]+|=", typed) + [""] * typed.endswith(" ")  # as bash cuts them
        return set(output(["bash", "--norc", "-c", self.CALL, "bash", self.library, self.script, *words],
                          self.environment).splitlines()) - {""}


class Fish:
    def __init__(self, environment, script):
        self.environment, self.script = environment, script

    def offers(self, typed):
        lines = output(["fish", "-c", f"source {self.script}; complete -c ft-traced-tool -f -a 'apple banana';"
                        f"complete -C {shlex.quote(typed)}"], self.environment)
        offered = {line.partition("\t")[0] for line in lines.splitlines()}
        # If nothing begins like the word, fish offers what contains it or its letters.
        last = typed.rpartition(" ")[2]
        return {word[len(re.match("(--[^=]+=)?", last)[0]):] for word in offered if word.startswith(last)}


class Zsh:
    def __init__(self, environment, script):
        self.out, self.seen = os.path.abspath("line"), b""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment, "PS1": "$ "})
        for line in (f"stty -echo; fpath=({os.path.dirname(script)} $fpath); unset zle_bracketed_paste; bindkey -e",
                     "autoload -Uz compinit; compinit -u -D; compdef _ft_tool ft-traced-tool",
                     "_ft_tool() { compadd apple banana }; zle -C every complete-word _generic; bindkey '^X^A' every",
                     "zstyle ':completion:every:*' completer _all_matches _complete; zstyle ':completion:*' menu no",
                     "zstyle ':completion:every:*' insert yes; zle -N tell; bindkey '^X^B' tell",
                     f'tell() {{ print -r -- "$BUFFER" >{self.out}.new; mv {self.out}.new {self.out} }}'):
            self.say(f"{line}; : >{self.out}\n".encode())

    def say(self, keys):
        """Returns what is then in the file, when it is there."""
        os.write(self.fd, keys)
        end = time.monotonic() + PATIENCE_S
        while not os.path.exists(self.out):
            if time.monotonic() > end:
                raise AssertionError(f"zsh hangs: {self.seen[-2000:]!r}")
            if select.select([self.fd], [], [], 0.02)[0]:
                self.seen += os.read(self.fd, 65536)
        with open(self.out, encoding="utf-8") as file:
            text = file.read()
        os.unlink(self.out)
        return text

    def offers(self, typed):
        line = self.say(b"\x15" + typed.encode() + b"\x18\x01\x18\x02").rstrip("\n")
        before = typed.rpartition(" ")[0]
        if line == typed or not line.startswith(before):
            return set()
        option = re.match("(--[^=]+=)?", typed[len(before) + 1:])[0]
        return {word.removeprefix(option).rstrip(",") for word in shlex.split(line[len(before):])}
