# SPDX-License-Identifier: GPL-2.0-or-later
"""Where root's results go: what another user has put there before neither changes them nor sends them elsewhere."""
import os
import stat
import subprocess

from limits import HostileCase
from support import NOBODY, needs_root
import support

# Each writes a file in another way; PATH stands for its name.
WRITERS = {
    "-o": ("run", "-o", "PATH", "true"),
    "--json": ("run", "--json", "-o", "PATH", "true"),
    "--html": ("run", "--html", "-o", "PATH", "true"),
    "--pprof": ("explain", "--pprof", "-o", "PATH", "-n1", "--traced-runs=1", "sh", "-c", "(:)"),
    "--update": ("check", "--update", "-n1", "-f", "PATH"),
    "--textfile": ("watch", "--textfile=PATH", "--duration=1s"),
}
REFUSED = b"it belongs to another user"


@needs_root
class Planted(HostileCase):
    def setUp(self):
        super().setUp()
        os.mkdir("all")
        os.chmod("all", 0o1777)
        os.umask(0o022)

    @staticmethod
    def plant(path, mode=0o666, kind="file", target="elsewhere"):
        """Something of nobody's."""
        if kind == "file":
            with open(path, "w", encoding="ascii") as file:
                file.write("theirs\n")
        elif kind == "fifo":
            os.mkfifo(path)
        else:
            os.symlink(target, path)
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        if kind != "link":
            os.chmod(path, mode)
        return path

    def write(self, writer, path):
        words = [path if word == "PATH" else word.replace("=PATH", f"={path}") for word in WRITERS[writer]]
        return self.limited(*words)

    def assert_ours(self, path, mode=0o644):
        found = os.lstat(path)
        self.assertTrue(stat.S_ISREG(found.st_mode), path)
        self.assertEqual((found.st_uid, stat.S_IMODE(found.st_mode)), (0, mode), path)
        self.assertGreater(found.st_size, 0)

    def test_mode(self):
        """A file of another user in a directory of ours is replaced, and what comes instead is ours alone."""
        for writer in WRITERS:
            path = f"{writer}.old"
            with self.call(writer):
                if writer == "--update":
                    self.limited("check", "--init", "-n1", "-f", path, "true", statuses=[0])
                else:
                    self.plant(path)
                os.chown(path, NOBODY, NOBODY)
                os.chmod(path, 0o666)
                self.assertEqual(self.write(writer, path).status, 0)
                self.assert_ours(path)

    def test_own_mode(self):
        for mode in (0o600, 0o664):
            with open("own", "w", encoding="ascii"):
                os.chmod("own", mode)
            with self.call(oct(mode)):
                self.assertEqual(self.write("-o", "own").status, 0)
                self.assert_ours("own", mode)

    def test_directory_for_all(self):
        for kind in ("file", "fifo", "link", "link to ours", "dangling link"):
            with open("ours", "w", encoding="ascii") as file:
                file.write("ours\n")
            target = {"link to ours": f"{self.scratch}/ours", "link": f"{self.scratch}/all/file"}
            path = self.plant(f"all/{kind}", kind=kind if kind in ("file", "fifo") else "link",
                              target=target.get(kind, f"{self.scratch}/new"))
            before = os.lstat(path)
            with self.call(kind):
                result = self.write("-o", path)
                self.assertEqual(result.status, 125)
                self.assertIn(REFUSED, result.err)
                after = os.lstat(path)
                self.assertEqual(*((found.st_ino, found.st_mode, found.st_size) for found in (before, after)))
                with open("ours", encoding="ascii") as file:
                    self.assertEqual(file.read(), "ours\n")
                self.assertFalse(os.path.exists("new"))

    def test_link_of_ours_to_theirs(self):
        self.plant("all/theirs")
        os.symlink("all/theirs", "link")
        self.assertIn(REFUSED, self.write("-o", "link").err)

    def test_before_the_run(self):
        """It is refused before the command runs."""
        path = self.plant("all/theirs")
        for words in (("run", "-o", path), ("run", "--html", "-o", path), ("explain", "--pprof", "-o", path)):
            with self.call(" ".join(words)):
                self.assertIn(REFUSED, self.limited(*words, "touch", "ran", statuses=[125]).err)
                self.assert_not_run()

    def test_as_users_expect(self):
        """Links, FIFOs and descriptors of one's own are written to."""
        with open("real", "w", encoding="ascii"):
            os.symlink("real", "link")
        self.assertEqual(self.write("-o", "link").status, 0)
        self.assertTrue(os.path.islink("link"))
        self.assert_ours("real")
        os.mkfifo("all/fifo")
        for path in ("/dev/stdout", "/dev/stderr", "-"):
            with self.call(path):
                result = self.write("-o", path)
                self.assertIn(b"exit 0", result.out + result.err)
        script = '"$FORKTAX" run -o all/fifo true & cat all/fifo; wait; "$FORKTAX" run -o /dev/fd/3 true 3>third'
        self.assertIn(b"exit 0", self.shell(script).out)
        with open("third", "rb") as file:
            self.assertIn(b"exit 0", file.read())
        bash = subprocess.run(["bash", "-c", '"$0" run -o >(cat >fourth) true; wait $!', support.FORKTAX], check=False,
                              capture_output=True)
        self.assertEqual(bash.returncode, 0, bash)
        with open("fourth", "rb") as file:
            self.assertIn(b"exit 0", file.read())
