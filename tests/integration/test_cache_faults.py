# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every file operation of a launch fails in turn, and every one is where a process is killed."""
import collections
import concurrent.futures
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import support

CHILD, COMPILER, FAULTS = "", "", ""
ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EROFS, errno.ESTALE, errno.ENOLCK)


class FaultsTest(support.CommandTest):
    def child(self, cache, kernels, limit=None, at=None, error="", on=False, report=None):
        """Runs kernels 0, 1, …, which checks their results. Gives the exit code, the number compiled, and the warnings."""
        env = dict(self.env, TRITONRT_CACHE_DIR=cache, LD_PRELOAD=FAULTS, FAULTS_FOLDER=cache, FAULTS_ERROR=str(error), FAULTS_ON="01"[on])
        if limit is not None:
            env["TRITONRT_CACHE_SIZE"] = str(limit)
        if at is not None:
            env["FAULTS_AT"] = str(at)
        if report is not None:
            env["FAULTS_REPORT"] = report
        done = subprocess.run([CHILD, COMPILER, "1", str(kernels)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        return done.returncode, int(done.stdout or 0), done.stderr

    def operations(self, prepare, *args):
        """The names of the operations that a run does, in order."""
        with tempfile.TemporaryDirectory() as folder:
            cache, report = os.path.join(folder, "cache"), os.path.join(folder, "report")
            prepare(cache)
            code, _, errors = self.child(cache, *args, report=report)
            self.assertEqual((code, errors), (0, ""))
            with open(report) as file:
                return file.read().split()

    @staticmethod
    def points(names):
        """The operations to try: of those that stand alike between others of their kinds, three."""
        seen = collections.Counter()
        chosen = []
        for i in range(len(names)):
            around = tuple(names[max(0, i - 2):i + 3])
            seen[around] += 1
            if seen[around] <= 3:
                chosen.append(i)
        return chosen

    def each(self, jobs, check):
        with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
            return list(pool.map(lambda job: check(*job), jobs))

    def fill(self, cache, kernels):
        code, compiled, errors = self.child(cache, kernels)
        self.assertEqual((code, compiled, errors), (0, kernels, ""))

    def verify(self, cache):
        return subprocess.run([self.binary, "cache", "verify"], env=dict(self.env, TRITONRT_CACHE_DIR=cache), stdout=subprocess.PIPE, text=True).stdout


class Failing(FaultsTest):
    def fail_each(self, title, prepare, errors, kernels, limit=None):
        names = self.operations(prepare, kernels, limit)
        counts = collections.Counter()

        def check(at, error, on):
            with tempfile.TemporaryDirectory() as folder:
                cache = os.path.join(folder, "cache")
                prepare(cache)
                what = f"{title}: operation {at}, {names[at]}, error {error}, {'all from there on' if on else 'once'}"
                code, _, said = self.child(cache, kernels, limit, at, error, on)
                self.assertEqual(code, 0, f"{what}: {said}")
                self.assertLessEqual(said.count("warning:"), 1, what)
                # What was left behind is sound, and the next run is like any other.
                self.assertIn(" 0 damaged", self.verify(cache), what)
                self.assertEqual(self.child(cache, kernels, limit)[::2], (0, ""), what)
                if limit is None:
                    self.assertEqual(self.child(cache, kernels), (0, 0, ""), what)
                counts[names[at]] += 1

        points = self.points(names)
        jobs = [(at, error, on) for at in points for error in errors for on in (False, True)]
        self.each(jobs, check)
        order = list(dict.fromkeys(names))
        support.table("Launches with a failing file operation", [title, len(names), len(jobs), sum(counts.values()), ", ".join(f"{n} {counts[n]}" for n in order)])

    def test_a_launch_that_compiles(self):
        self.fail_each("compiling, empty folder", lambda cache: None, ERRORS, 1)

    def test_a_launch_that_finds(self):
        model = os.path.join(self.folder, "model")
        self.fill(model, 1)
        self.fail_each("finding", lambda cache: shutil.copytree(model, cache), ERRORS, 1)

    def test_a_launch_that_evicts(self):
        model = os.path.join(self.folder, "model")
        self.fill(model, 2)
        size = sum(os.path.getsize(os.path.join(base, name)) for base, _, files in os.walk(model) for name in files)
        self.fail_each("compiling, full folder", lambda cache: shutil.copytree(model, cache), (errno.EIO, errno.EACCES), 4, size)


class Killed(FaultsTest):
    def test_at_every_operation_no_more_than_that_entry_is_lost(self):
        model = os.path.join(self.folder, "model")
        self.fill(model, 1)
        prepare = lambda cache: shutil.copytree(model, cache)
        names = self.operations(prepare, 2)
        counts = collections.Counter()

        def check(at, how):
            with tempfile.TemporaryDirectory() as folder:
                cache = os.path.join(folder, "cache")
                prepare(cache)
                what = f"{how} operation {at}, {names[at]}"
                self.assertEqual(self.child(cache, 2, at=at, error=how)[0], -9, what)
                self.assertIn(" 0 damaged", self.verify(cache), what)
                code, compiled, errors = self.child(cache, 2)
                self.assertEqual((code, errors), (0, ""), what)
                self.assertLessEqual(compiled, 1, what)
                self.assertEqual(self.child(cache, 2), (0, 0, ""), what)
                counts[how] += 1

        jobs = [(at, how) for at, name in enumerate(names) for how in ("kill-before", "kill-after", "kill-amid") if how != "kill-amid" or name == "write"]
        self.each(jobs, check)
        for how in ("before", "amid", "after"):
            support.table("Processes killed with `kill -9`", [how.replace("amid", "half way through a write"), sum(job[1] == "kill-" + how for job in jobs), counts["kill-" + how]])


class OnNetworks(FaultsTest):
    """Several processes on file systems that are slow, or keep fewer promises than local ones."""

    def race(self, title, once, processes=6, threads=2, kernels=4, **faults):
        cache = os.path.join(self.folder, "cache")
        env = dict(self.env, TRITONRT_CACHE_DIR=cache, LD_PRELOAD=FAULTS, FAULTS_FOLDER=cache, **{k: str(v) for k, v in faults.items()})
        crowd = [subprocess.Popen([CHILD, COMPILER, str(threads), str(kernels)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                 for _ in range(processes)]
        compiled = 0
        for process in crowd:
            out, said = process.communicate(timeout=300)
            # Every result was right, which the process itself checks.
            self.assertEqual(process.returncode, 0, f"{title}: {said}")
            self.assertLessEqual(said.count("warning:"), 1, title)
            compiled += int(out)
        if once:
            self.assertEqual(compiled, kernels, title)
        self.assertLessEqual(compiled, processes * kernels, title)
        # In quiet the folder is sound, and lacks at most what went wrong.
        self.assertIn(" 0 damaged", self.verify(cache), title)
        self.fill_up(cache, kernels)
        support.table("Processes on slow and network file systems", [title, processes, processes * threads * kernels, kernels, compiled])

    def fill_up(self, cache, kernels):
        self.assertEqual(self.child(cache, kernels)[::2], (0, ""))
        self.assertEqual(self.child(cache, kernels), (0, 0, ""))

    def test_every_operation_takes_5_ms(self):
        self.race("every operation takes 5 ms", True, FAULTS_DELAY=5000)

    def test_no_locks(self):
        self.race("no locks", False, FAULTS_NAME="flock", FAULTS_EVERY=1, FAULTS_ERROR=errno.ENOLCK)

    def test_renames_in_two_steps(self):
        self.race("files come in two halves", False, FAULTS_RENAME="copy")

    def test_renames_that_say_they_failed(self):
        self.race("every rename fails", False, FAULTS_NAME="rename", FAULTS_EVERY=1, FAULTS_ERROR=errno.ENOENT)

    def test_files_go_stale(self):
        for every in (2, 5, 20):
            self.setUp()
            self.race(f"one operation in {every} says ESTALE", False, FAULTS_EVERY=every, FAULTS_ERROR=errno.ESTALE, FAULTS_DELAY=500)

    def test_reads_and_writes_fail_now_and_then(self):
        for error, name in ((errno.EIO, "EIO"), (errno.EBUSY, "EBUSY"), (errno.ETIMEDOUT, "ETIMEDOUT"), (errno.EDQUOT, "EDQUOT")):
            self.setUp()
            self.race(f"one operation in 5 says {name}", False, FAULTS_EVERY=5, FAULTS_ERROR=error)

    def test_no_synchronising(self):
        self.race("no synchronising", True, FAULTS_NAME="fsync", FAULTS_EVERY=1, FAULTS_ERROR=errno.EINVAL)


if __name__ == "__main__":
    CHILD, COMPILER, FAULTS = (sys.argv.pop(2) for _ in range(3))
    support.main()
