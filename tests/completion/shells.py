# SPDX-License-Identifier: GPL-2.0-or-later
"""Completion by the real shells: what one types, what the shell then offers.

bash and zsh run on a terminal of their own, get the line and a key that inserts all that is offered, and
another key that writes the line to a file. fish says it itself (complete -C).
"""
import os
import pty
import re
import select
import shlex
import subprocess
import termios
import time

PATIENCE_S = 100
INSERT, TELL = b"\x18\x01", b"\x18\x02"


class Terminal:
    """A shell that reads keys."""

    def __init__(self, command, environment):
        self.out = os.path.abspath("line")
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.execvpe(command[0], command, environment)
        settings = termios.tcgetattr(self.fd)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(self.fd, termios.TCSANOW, settings)
        self.seen = b""

    def read(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                self.seen += os.read(self.fd, 65536)
            except OSError:
                raise AssertionError(f"the shell has ended: {self.seen!r}") from None

    def wait_for(self, done):
        end = time.monotonic() + PATIENCE_S
        while not done():
            if time.monotonic() > end:
                raise AssertionError(f"the shell hangs: {self.seen[-2000:]!r}")
            self.read(0.02)

    def run(self, line):
        """A line of its language, to its end."""
        mark = f"done-{os.path.getsize(self.out) if os.path.exists(self.out) else 0}"
        os.write(self.fd, f"{line}; echo done > {self.out}.ready\n".encode())
        self.wait_for(lambda: os.path.exists(f"{self.out}.ready"))
        os.unlink(f"{self.out}.ready")
        return mark

    def line_after(self, typed):
        """The line when all that is offered was inserted."""
        os.write(self.fd, b"\x15" + typed.encode() + INSERT + TELL)
        self.wait_for(lambda: os.path.exists(f"{self.out}.whole"))
        with open(self.out, encoding="utf-8") as file:
            text = file.read()
        os.unlink(f"{self.out}.whole")
        return text.rstrip("\n")

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def offered_in(typed, line):
    """What took the place of the last word."""
    before = typed.rpartition(" ")[0]
    if not line.startswith(before):
        raise AssertionError(f"{typed!r} became {line!r}")
    line = line[len(before):]
    return set() if line.strip() == typed[len(before):].strip() else set(words_of(line))


def words_of(line):
    try:
        return shlex.split(line)
    except ValueError:  # a quote that is still open
        return shlex.split(line + "'")


class Bash(Terminal):
    """`script` None: the library finds it where it was installed."""

    def __init__(self, environment, script, with_library):
        super().__init__(["bash", "--noprofile", "--norc", "-i"], {**environment, "PS1": "$ "})
        self.run("bind 'set enable-bracketed-paste off'; bind 'set completion-query-items 0'")
        if with_library:
            self.run(". /usr/share/bash-completion/bash_completion")
        if script:
            self.run(f". {shlex.quote(script)}")
        self.run("complete -W 'apple banana' ft-traced-tool")
        self.run(r"""bind '"\C-x\C-a": insert-completions'""")
        self.run(f"""tell() {{ printf '%s\\n' "$READLINE_LINE" >{self.out}; : >{self.out}.whole; }}""")
        self.run(r"""bind -x '"\C-x\C-b": tell'""")

    def offers(self, typed):
        words = offered_in(typed, self.line_after(typed))
        head = re.match(r".* (--[\w-]+=|status=)[^ ]*$", typed)
        # bash completes what stands behind "=" by itself.
        return {word if not head or word.startswith(head[1]) else head[1] + word for word in words}


class Zsh(Terminal):
    def __init__(self, environment, directory):
        super().__init__(["zsh", "-f", "-i"], {**environment, "PS1": "$ "})
        self.run(f"fpath=({shlex.quote(directory)} $fpath); unsetopt zle_bracketed_paste 2>/dev/null;"
                 " unset zle_bracketed_paste; bindkey -e; autoload -Uz compinit; compinit -u -D")
        self.run("_ft_tool() { compadd apple banana }; compdef _ft_tool ft-traced-tool")
        self.run("zle -C every complete-word _generic; bindkey '^X^A' every")
        self.run("zstyle ':completion:every:*' completer _all_matches _complete;"
                 " zstyle ':completion:every:*' insert yes; zstyle ':completion:*' menu no")
        self.run(f"tell() {{ print -r -- \"$BUFFER\" >{self.out}; : >{self.out}.whole }};"
                 " zle -N tell; bindkey '^X^B' tell")

    def offers(self, typed):
        return offered_in(typed, self.line_after(typed))


class Fish:
    """`script` None: it finds it where it was installed."""

    def __init__(self, environment, script):
        self.environment = environment
        self.begin = ["fish", "-c", f"source {shlex.quote(script)};"] if script else \
            ["fish", "-c", ""]

    def offers(self, typed):
        fish = subprocess.run(
            [*self.begin[:-1], f"{self.begin[-1]} complete -c ft-traced-tool -f -a 'apple banana';"
             f"complete -C {shlex.quote(typed)}"],
            check=True, capture_output=True, text=True, env=self.environment, timeout=PATIENCE_S)
        if fish.stderr:
            raise AssertionError(fish.stderr)
        offered = {line.partition("\t")[0] for line in fish.stdout.splitlines()}
        # If nothing begins like the word, fish offers what contains it or its letters.
        return {word for word in offered if word.startswith(typed.rpartition(" ")[2].lstrip("'"))}

    def close(self):
        pass
