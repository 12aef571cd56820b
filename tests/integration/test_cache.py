# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache folder under what happens to folders: crowds, kill -9, no room, no rights, other people's files."""
import glob
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support

CHILD, COMPILER = "", ""
ADD = ["--grid", "3", "--arg", "*f32:75:rand", "--arg", "*f32:75:rand", "--arg", "*f32:75:zero", "--arg", "i32:75"]


class CacheTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.cache = self.env["TRITONRT_CACHE_DIR"]
        self.ttir = os.path.join(support.case("add_masked_tail"), "kernel.ttir")

    def run_add(self, *args, expect="compiled", **env):
        self.assertIn(f"compile {expect}", self.succeeds("run", self.ttir, *ADD, *args, **env))

    def entries(self):
        return glob.glob(os.path.join(self.cache, "*", "*.trt"))

    def child(self, threads, kernels):
        return subprocess.Popen([CHILD, COMPILER, str(threads), str(kernels)], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Crowds(CacheTest):
    def test_64_processes_of_16_threads_compile_a_kernel_once(self):
        kernels = 3
        for processes, threads in ((1, 16), (16, 1), (8, 4), (64, 16)):
            self.env["TRITONRT_CACHE_DIR"] = os.path.join(self.folder, f"cache{processes}-{threads}")
            crowd = [self.child(threads, kernels) for _ in range(processes)]
            compiled = 0
            for process in crowd:
                out, errors = process.communicate(timeout=300)
                self.assertEqual(process.returncode, 0, errors)
                compiled += int(out)
            self.assertEqual(compiled, kernels)
            self.assertIn(" 0 damaged", self.succeeds("cache", "verify"))
            support.table("Races for the same kernels", [processes, threads, processes * threads * kernels, kernels, compiled])

    def test_killed_at_any_point_nothing_is_broken(self):
        random.seed(7)
        for _ in range(30):
            process = self.child(4, 200)
            time.sleep(random.random() * 0.15)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.assertIn(" 0 damaged", self.succeeds("cache", "verify"))
        process = self.child(1, 200)
        out, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)

    def test_eviction_is_safe_against_readers(self):
        self.env["TRITONRT_CACHE_SIZE"] = "100000"  # some five of the entries
        crowd = [self.child(4, 40) for _ in range(6)]
        for process in crowd:
            _, errors = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, errors)
        self.assertLessEqual(sum(os.path.getsize(path) for path in self.entries()), 100000 + 6 * 4 * 30000)
        self.assertIn(" 0 damaged", self.succeeds("cache", "verify"))


class Folders(CacheTest):
    def as_nobody(self, *args):
        """Runs the command as a user who owns nothing."""
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        os.chmod(self.folder, 0o755)
        return subprocess.run([self.binary, *args], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, user=65534, group=65534,
                              extra_groups=[])

    def test_a_second_process_finds_what_the_first_made(self):
        self.run_add()
        self.run_add(expect="cached")

    def test_the_folder_is_for_the_user_alone(self):
        self.run_add()
        self.assertEqual(os.stat(self.cache).st_mode & 0o777, 0o700)
        for path in self.entries():
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    def test_zero_bytes_writes_nothing(self):
        self.run_add(TRITONRT_CACHE_SIZE="0")
        self.assertFalse(os.path.exists(self.cache))

    def test_home_unset_and_no_folder_named(self):
        env = {k: v for k, v in self.env.items() if k not in ("HOME", "TRITONRT_CACHE_DIR", "XDG_CACHE_HOME")}
        done = subprocess.run([self.binary, "run", self.ttir, *ADD], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")

    def test_a_path_through_a_file_or_nowhere(self):
        for folder in (self.write("file", "x"), "/proc/nowhere/at/all", os.path.join(self.folder, "x" * 300), "/dev/null"):
            self.run_add(TRITONRT_CACHE_DIR=folder)

    def test_read_only_folder_serves_and_takes_nothing(self):
        self.run_add()
        before = {path: os.stat(path).st_mtime_ns for path in self.entries()}
        for path in glob.glob(os.path.join(self.cache, "*")) + [self.cache]:
            os.chmod(path, 0o555)
        for path in self.entries() + glob.glob(os.path.join(self.cache, "*")) + [self.cache]:
            os.chown(path, 65534, 65534) if os.geteuid() == 0 else None
        if os.geteuid() == 0:
            done = self.as_nobody("run", self.ttir, *ADD)
            self.assertIn("compile cached", done.stdout, done.stderr)
            self.assertIn("compile compiled", self.as_nobody("run", self.ttir, "--num-warps", "8", *ADD).stdout)
        else:
            self.run_add(expect="cached")
            self.run_add("--num-warps", "8")
        self.assertEqual(set(self.entries()), set(before))

    def test_another_users_entries_are_not_loaded(self):
        self.run_add()
        os.chmod(self.cache, 0o777)
        for path in glob.glob(os.path.join(self.cache, "*")):
            os.chmod(path, 0o777)
        for path in self.entries():
            os.chmod(path, 0o644)
        done = self.as_nobody("run", self.ttir, *ADD)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compile compiled", done.stdout)
        self.assertIn("of others", self.as_nobody("cache", "verify").stdout)

    def test_entries_that_others_may_write_are_not_loaded(self):
        self.run_add()
        for mode in (0o666, 0o660, 0o602):
            for path in self.entries():
                os.chmod(path, mode)
            self.run_add()
            self.run_add(expect="cached")

    def test_another_users_folder(self):
        self.run_add()
        done = self.as_nobody("run", self.ttir, *ADD)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compile compiled", done.stdout)

    def on_a_small_disk(self, size, *commands):
        """Runs commands one after the other with a cache folder that is a disk of that size; gives what the last one printed."""
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can mount a small disk")
        os.makedirs(self.cache, exist_ok=True)
        script = f"mount -t tmpfs -o size={size} none {self.cache} || exit 77; " + " && ".join(shlex.join(command) for command in commands)
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode == 77:
            self.skipTest("mounts are not allowed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual(done.stderr.count("warning:"), len(commands), done.stderr)
        return done.stdout.splitlines()

    def test_a_disk_without_room(self):
        self.assertIn("compile compiled", self.on_a_small_disk("8k", [self.binary, "run", self.ttir, *ADD])[0])

    def test_a_disk_that_becomes_full(self):
        """200 kernels of 18 kB on 1 MB: what fits is kept, the rest is in memory, and nothing is damaged or left behind."""
        run = [CHILD, COMPILER, "2", "200"]
        lines = self.on_a_small_disk("1m", run, run, [self.binary, "cache", "verify"], ["find", self.cache, "-name", "*.tmp"])
        self.assertEqual(lines[0], "200")
        self.assertLess(int(lines[1]), 200)
        self.assertIn(" 0 damaged", lines[2])
        self.assertEqual(lines[3:], [])

    def test_damaged_and_foreign_files_in_it(self):
        self.run_add()
        for n, path in enumerate(self.entries()):
            with open(path, "r+b") as file:
                if n % 2:
                    file.truncate(os.path.getsize(path) // 2)
                else:
                    file.write(b"\0" * 60)
        folder = os.path.dirname(self.entries()[0])
        os.mkdir(os.path.join(folder, "a folder.trt"))
        os.mkfifo(os.path.join(folder, "pipe.trt"))
        os.symlink("/etc/passwd", os.path.join(folder, "link.trt"))
        self.run_add()
        self.run_add(expect="cached")
        self.succeeds("cache", "stats")
        self.succeeds("cache", "verify")

    def test_a_huge_file_takes_no_memory(self):
        self.run_add()
        for n, path in enumerate(self.entries()):
            os.truncate(path, (240 << 20) if n % 2 else (1 << 40))
        limited = ["bash", "-c", 'ulimit -v 1500000; exec "$@"', "bash", self.binary, "run", self.ttir, *ADD]
        done = subprocess.run(limited, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compile compiled", done.stdout)

    def test_clock_steps_do_no_harm(self):
        self.run_add()
        for n, path in enumerate(self.entries()):
            when = 4_000_000_000 if n % 2 else 1
            os.utime(path, (when, when))
        self.run_add(expect="cached")
        self.run_add("--num-warps", "8", TRITONRT_CACHE_SIZE="3000")
        self.succeeds("cache", "trim", "1K")


if __name__ == "__main__":
    CHILD, COMPILER = sys.argv.pop(2), sys.argv.pop(2)
    support.main()
