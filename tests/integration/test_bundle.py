# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles from outside: made, listed, checked and run, with and without the compiler."""
import glob
import hashlib
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import zipfile

import support

ADD = ["--grid", "3", "--arg", "*f32:75:rand", "--arg", "*f32:75:rand", "--arg", "*f32:75:zero", "--arg", "i32:75"]
# RFC 8032, section 7.1, test 1: the seed and the public key.
SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
OTHER = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"


class BundleTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.ttir = os.path.join(support.case("add_masked_tail"), "kernel.ttir")
        self.file = os.path.join(self.folder, "k.trtb")

    def create(self, *args, output=None):
        return self.succeeds("bundle", "create", "-o", output or self.file, *(args or (self.ttir,)))

    def entries(self):
        with zipfile.ZipFile(self.file) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def pack(self, entries, method=zipfile.ZIP_STORED):
        with zipfile.ZipFile(self.file, "w", method) as archive:
            for name, content in entries.items():
                archive.writestr(name, content)

    def without_compiler(self):
        """From here on the command is one that has no compiler, and an empty cache."""
        for folder in ("bin", "lib"):
            os.mkdir(os.path.join(self.folder, folder))
        shutil.copy2(self.binary, os.path.join(self.folder, "bin"))
        for path in glob.glob(os.path.join(support.BUILD, "lib", "libtritonrt*")):
            if "compiler" not in path:
                shutil.copy2(path, os.path.join(self.folder, "lib"), follow_symlinks=False)
        self.binary = os.path.join(self.folder, "bin", "tritonrt")
        self.env["TRITONRT_CACHE_DIR"] = os.path.join(self.folder, "empty")

    def check_add(self, *args):
        out = os.path.join(self.folder, "out.npy")
        x, y = (os.path.join(support.case("add_masked_tail"), f"{name}.in.npy") for name in ("x", "y"))
        said = self.succeeds("run", self.file, "--grid", "3", "--arg", f"*f32:{x}", "--arg", f"*f32:{y}", "--arg", f"*f32:75:out={out}", "--arg", "i32:75",
                             *args)
        self.assertEqual(support.floats(out)[:75], tuple(struct.unpack("<f", struct.pack("<f", a + b))[0] for a, b in zip(support.floats(x), support.floats(y)))[:75])
        return said


class Making(BundleTest):
    def test_bytes_are_deterministic_whatever_the_order(self):
        other = os.path.join(support.case("gather"), "kernel.ttir")
        again = os.path.join(self.folder, "again.trtb")
        self.create(self.ttir, other, "--target", "cpu", "--target", "cpu:x86-64")
        self.env["TRITONRT_CACHE_DIR"] = os.path.join(self.folder, "cache2")
        self.create(other, self.ttir, "--target", "cpu:x86-64", "--target", "cpu", output=again)
        with open(self.file, "rb") as a, open(again, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_is_an_ordinary_zip_with_a_manifest(self):
        self.create(self.ttir, "--constexpr", "BLOCK=32", "--grid", "cdiv(n, BLOCK)")
        with zipfile.ZipFile(self.file) as archive:
            self.assertIsNone(archive.testzip())
            manifest = json.loads(archive.read("manifest.json"))
            kernel = manifest["kernels"][0]
            with open(self.ttir, "rb") as file:
                self.assertEqual(archive.read(kernel["source"]), file.read())
            self.assertTrue(archive.read(kernel["variants"][0]["code"]).startswith(b"\x7fELF"))
        self.assertEqual(manifest["format"], 1)
        self.assertEqual(kernel["name"], "add")
        self.assertEqual(kernel["constexprs"], {"BLOCK": "32"})
        self.assertEqual(kernel["grid"], "cdiv(n, BLOCK)")
        self.assertEqual([p["type"] for p in kernel["signature"]], ["ptr:f32", "ptr:f32", "ptr:f32", "i32"])
        self.assertEqual({(v["when"]["disjoint"], v["when"]["aligned"]) for v in kernel["variants"]}, {(True, True), (False, False)})

    def test_repacked_by_an_ordinary_tool_it_still_runs(self):
        self.create()
        packed = os.path.join(self.folder, "packed.trtb")
        with zipfile.ZipFile(self.file) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
            for name in reversed(archive.namelist()):
                out.writestr(name, archive.read(name))
        self.file = packed
        self.succeeds("bundle", "verify", self.file)
        self.without_compiler()
        self.check_add()

    def test_takes_tritons_cache_folder(self):
        """As Triton 3.4 and 3.9 wrote them, but for the kernels' other forms: one kernel with two promises, and with other options."""
        for version, n in (("3.4", "arg2"), ("3.9", "n")):
            cache = os.path.join(support.HERE, "triton_cache", version)
            self.create(cache, "--grid", f"cdiv({n}, 256)")
            self.assertIn(f"i32 {n}", self.succeeds("bundle", "list", self.file))
            kernels = json.loads(self.succeeds("bundle", "list", "--json", self.file))["kernels"]
            self.assertEqual(sorted((k["options"]["num_warps"], k["options"]["num_stages"], k["shared"]) for k in kernels), [(4, 2, 0), (4, 2, 0), (8, 2, 0)])
            for kernel in kernels:
                self.assertEqual([p["type"] for p in kernel["signature"]], ["ptr:f32", "ptr:f32", "i32", "f32"])
                self.assertEqual([p["divisibility"] for p in kernel["signature"][:2]], [16, 16])
            self.assertEqual(sorted(k["signature"][2]["divisibility"] for k in kernels), [1, 16, 16])
            out = os.path.join(self.folder, "out.npy")
            for kernel in kernels:
                if kernel["options"]["num_warps"] == 4:
                    said = self.succeeds("run", self.file, "--kernel", kernel["id"], "--arg", "*f32:300:iota", "--arg", f"*f32:300:zero:out={out}", "--arg",
                                         "i32:300", "--arg", "f32:0.5")
                    self.assertIn("compile cached", said)
                    self.assertEqual(support.floats(out), tuple(0.5 * i for i in range(300)))

    def test_options_choose_among_kernels(self):
        self.create(os.path.join(support.HERE, "triton_cache", "3.9"))
        launch = ["run", self.file, "--kernel", "scale", "--grid", "2", "--arg", "*f32:300:iota", "--arg", "*f32:300:zero", "--arg", "i32:300", "--arg", "f32:2"]
        self.fails(1, *launch, says=["several kernels"])
        for warps in ("4", "8"):
            self.assertIn("compile cached", self.succeeds(*launch, "--num-warps", warps))
        self.fails(1, *launch, "--num-warps", "2", says=["no kernel 'scale' with num_warps=2"])
        self.fails(2, *launch, "--num-warps", "4", "--reference", says=["cannot be changed"])

    def test_takes_options_from_the_json_beside(self):
        cache = os.path.join(self.folder, "triton", "AB12")
        os.makedirs(cache)
        shutil.copy(self.ttir, os.path.join(cache, "add.ttir"))
        for content in ({"hash": "0", "num_warps": 8, "num_stages": 5, "shared": 512, "name": "add"}, [1], {"num_warps": "many", "shared": -1}):
            with open(os.path.join(cache, "add.json"), "w") as file:
                json.dump(content, file)
            if isinstance(content, list):
                self.fails(1, "bundle", "create", "-o", self.file, cache, says=["add.json", "not a JSON object"])
                continue
            self.create(os.path.join(self.folder, "triton"))
            kernel = json.loads(self.succeeds("bundle", "list", "--json", self.file))["kernels"][0]
            self.assertEqual((kernel["options"]["num_warps"], kernel["options"]["num_stages"], kernel["shared"]),
                             (8, 5, 512) if "hash" in content else (4, kernel["options"]["num_stages"], 0))

    def test_refused_kernels_stop_it_or_are_left_out(self):
        bad = self.write("bad.ttir", "module { tt.func @f() { nonsense } }")
        self.fails(1, "bundle", "create", "-o", self.file, self.ttir, bad, says=["bad.ttir:1:"])
        self.assertFalse(os.path.exists(self.file))
        said = self.create(self.ttir, bad, "--keep-going")
        self.assertIn("1 kernel,", said)
        self.assertIn("1 refused", said)

    def test_add_keeps_what_was_there(self):
        self.create(self.ttir, "--target", "cpu:x86-64")
        self.succeeds("bundle", "add", self.file, self.ttir, os.path.join(support.case("gather"), "kernel.ttir"), "--target", "cpu")
        listed = json.loads(self.succeeds("bundle", "list", "--json", self.file))
        self.assertEqual(sorted(k["name"] for k in listed["kernels"]), ["add", "gather"])
        add = next(k for k in listed["kernels"] if k["name"] == "add")
        self.assertEqual({v["target"] for v in add["variants"]}, {"cpu", "cpu:x86-64"})

    def test_extract_gives_files_that_make_the_same_bundle(self):
        self.create(self.ttir, "--num-warps", "2")
        self.succeeds("bundle", "extract", self.file, "-o", os.path.join(self.folder, "out"))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out", "add.0.so")))
        again = os.path.join(self.folder, "again.trtb")
        self.create(os.path.join(self.folder, "out"), output=again)
        with open(self.file, "rb") as a, open(again, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_targets_of_another_machine(self):
        saved = os.path.join(self.folder, "there.json")
        self.succeeds("devices", "--save", saved)
        with open(saved) as file:
            document = json.load(file)
        # A machine whose processor has less than this one.
        document["targets"] = [dict(document["targets"][0], name="old", target="arch=x86_64\nbackend=cpu\ncpu=x86-64-v2\n")]
        with open(saved, "w") as file:
            json.dump(document, file)
        self.create(self.ttir, "--target", saved)
        self.assertIn("code: old", self.succeeds("bundle", "list", self.file))
        self.without_compiler()
        self.check_add()

    def test_wrong_targets_are_refused(self):
        self.fails(2, "bundle", "create", "-o", self.file, self.ttir, "--target", "cpu:z80", says=["z80"])
        self.fails(1, "bundle", "create", "-o", self.file, self.ttir, "--target", self.write("t.json", "{}"), says=["devices --save"])
        self.fails(1, "bundle", "create", "-o", self.file, self.ttir, "--target", "cpu:x86-64-v9", says=["x86-64-v9"])


class Choosing(BundleTest):
    """Which of several codes a launch takes: all others are made such that they cannot be loaded."""

    def break_code(self, broken):
        """Puts junk in place of the code of the variants that `broken(kernel, variant, manifest)` names."""
        entries = self.entries()
        manifest = json.loads(entries["manifest.json"])
        for kernel in manifest["kernels"]:
            for variant in kernel["variants"]:
                if broken(kernel, variant, manifest):
                    junk = b"no code for " + variant["metadata"].encode()
                    variant["code"] = f"code/{hashlib.sha256(junk).hexdigest()}.so"
                    entries[variant["code"]] = junk
        named = {blob for k in manifest["kernels"] for v in k["variants"] for blob in (v["code"], v["metadata"], v.get("binary"))} | {k["source"] for k in manifest["kernels"]}
        self.pack({**{name: content for name, content in entries.items() if name in named}, "manifest.json": json.dumps(manifest)})
        self.succeeds("bundle", "verify", self.file)

    def add(self, n):
        out = os.path.join(self.folder, "o.npy")
        done = self.tritonrt("run", self.file, "--kernel", "add", "--grid", "3", "--arg", "*f32:80:iota", "--arg", "*f32:80:iota", "--arg",
                             f"*f32:80:out={out}", "--arg", f"i32:{n}")
        if done.returncode == 0:
            self.assertEqual(support.floats(out)[:n], tuple(2.0 * i for i in range(n)))
        return done.returncode == 0

    def test_texts_of_one_program_are_chosen_by_what_they_promise(self):
        with open(self.ttir) as file:
            text = file.read()
        self.assertIn("%n: i32)", text)
        strong = self.write("strong.ttir", text.replace("%n: i32)", "%n: i32 {tt.divisibility = 16 : i32})"))
        renamed = self.write("weak.ttir", text.replace("%x", "%left"))
        self.create(strong, renamed)
        kernels = json.loads(self.succeeds("bundle", "list", "--json", self.file))["kernels"]
        self.assertEqual([k["name"] for k in kernels], ["add", "add"])
        self.without_compiler()
        self.assertTrue(self.add(64) and self.add(75))
        promise = lambda kernel: kernel["signature"][3].get("divisibility", 1)
        # Of the strong text only its best code, of the weak text only its own best code: each has its launches.
        self.break_code(lambda kernel, variant, _: not variant["when"]["aligned"])
        self.assertTrue(self.add(64) and self.add(75))
        self.break_code(lambda kernel, variant, _: promise(kernel) == 16)
        self.assertEqual((self.add(64), self.add(75)), (False, True))

    def test_texts_of_different_programs_are_not_mixed_up(self):
        with open(self.ttir) as file:
            text = file.read()
        other = self.write("other.ttir", text.replace("%n: i32)", "%n: i32 {tt.divisibility = 16 : i32})").replace("arith.addf", "arith.subf"))
        self.create(self.ttir, other)
        self.fails(1, "run", self.file, "--kernel", "add", *ADD, says=["several kernels"])

    def test_the_highest_level_that_fits_is_loaded(self):
        levels = ["cpu:x86-64", "cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:x86-64-v4"]
        whole = {}
        for count in range(1, 5):
            self.create(self.ttir, *(argument for level in levels[:count] for argument in ("--target", level)))
            whole[count] = self.entries()
        self.without_compiler()
        taken = []
        for count in range(1, 5):
            # A level is taken if nothing runs without it.
            works = []
            for level in levels[:count]:
                self.pack(whole[count])
                self.break_code(lambda kernel, variant, manifest: manifest["targets"][variant["target"]]["name"] != level)
                works.append(self.add(75))
            self.assertEqual(works.count(True), 1, works)
            taken.append(works.index(True))
        self.assertEqual(taken, [min(i, taken[-1]) for i in range(4)])


    @unittest.skipUnless(shutil.which("qemu-x86_64"), "no qemu-x86_64")
    def test_other_processors_take_the_level_that_is_theirs(self):
        """On processors that an emulator stands for: they lack what the others' code is made of."""
        levels = {"cpu:x86-64": "qemu64", "cpu:x86-64-v2": "Nehalem", "cpu:x86-64-v3": "Haswell", "cpu:x86-64-v4": None}
        # This machine's own code is there, too.
        self.create(self.ttir, "--target", "cpu", *(argument for level in levels for argument in ("--target", level)))
        whole = self.entries()
        self.without_compiler()
        command = self.binary
        for level, processor in levels.items():
            if processor is None:
                continue
            self.binary = self.write("emulated", f"#!/bin/sh\nexec qemu-x86_64 -cpu {processor} {command} \"$@\"\n")
            os.chmod(self.binary, 0o755)
            name = lambda variant, manifest: manifest["targets"][variant["target"]]["name"]
            for works, broken in ((True, lambda kernel, variant, manifest: name(variant, manifest) != level),
                                  (False, lambda kernel, variant, manifest: name(variant, manifest) == level)):
                self.pack(whole)
                self.break_code(broken)
                self.assertEqual(self.add(75), works, processor)


class Running(BundleTest):
    def test_runs_without_the_compiler(self):
        self.create()
        self.without_compiler()
        self.assertIn("compile cached", self.check_add())
        # Nothing had to be written.
        self.assertFalse(os.path.exists(self.env["TRITONRT_CACHE_DIR"]))

    def test_runs_where_nothing_can_be_written_or_executed_from_files(self):
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can mount")
        self.create()
        self.without_compiler()
        self.env["TRITONRT_CACHE_DIR"] = "/mnt/cache"
        # The bundle alone lies on a file system without execution; no other may be written to.
        script = (f"mount -t tmpfs -o noexec none /mnt && cp {self.file} /mnt/k.trtb && mkdir /mnt/cache && mount -o remount,ro,noexec /mnt && "
                  "for d in /tmp /dev/shm; do mount --bind $d $d && mount -o remount,bind,ro,noexec $d; done; exec \"$@\"")
        # The command itself must stay where it can be executed.
        command = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, command)
        for folder in ("bin", "lib"):
            shutil.copytree(os.path.join(self.folder, folder), os.path.join(command, folder), symlinks=True)
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", os.path.join(command, "bin", "tritonrt"), "run", "/mnt/k.trtb", *ADD], env=self.env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if "mount:" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("compile cached", done.stdout)

    def test_runs_where_files_in_memory_cannot_be_executed(self):
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can set it")
        self.create()
        self.without_compiler()
        for level in ("1", "2"):
            script = f'echo {level} >/proc/sys/vm/memfd_noexec || exit 77; exec "$@"'
            done = subprocess.run(["unshare", "-pf", "--mount-proc", "sh", "-c", script, "sh", self.binary, "run", self.file, *ADD], env=self.env,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode == 77 or "unshare:" in done.stderr:
                self.skipTest("this system has no such setting")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("compile cached", done.stdout)

    def test_any_arguments_are_right_without_the_compiler(self):
        """A variant for arguments that break every promise comes along."""
        self.create()
        self.without_compiler()
        out = os.path.join(self.folder, "o.npy")
        self.succeeds("run", self.file, "--grid", "3", "--arg", "*f32:76:iota+4", "--arg", "@0+4", "--arg", f"@0+4:out={out}", "--arg", "i32:75")
        self.assertEqual(support.floats(out), (0.0,) + tuple(2.0 * i for i in range(1, 76)))

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_runs_on_opencl_without_the_compiler(self):
        self.create(self.ttir, "--target", support.OPENCL)
        self.without_compiler()
        self.assertIn("compile cached", self.check_add("--device", support.OPENCL))

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_keeps_what_the_driver_makes_of_it(self):
        self.create(self.ttir, "--target", support.OPENCL)
        # The same device under another driver version: the text fits, the driver's own form does not.
        entries = self.entries()
        entries["manifest.json"] = entries["manifest.json"].replace(b"driver=", b"driver=0.")
        self.pack(entries)
        self.without_compiler()
        self.check_add("--device", support.OPENCL)
        self.assertIn("2 entries", self.succeeds("cache", "stats"))

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_a_form_that_the_driver_refuses_is_made_anew(self):
        self.create(self.ttir, "--target", support.OPENCL)
        entries = {}
        for name, content in self.entries().items():
            if name.endswith(".bin"):
                junk = b"made by nobody" + content
                entries[f"code/{hashlib.sha256(junk).hexdigest()}.bin"] = junk
            else:
                entries[name] = content
        manifest = json.loads(entries["manifest.json"])
        for variant, name in zip(manifest["kernels"][0]["variants"], sorted(name for name in entries if name.endswith(".bin"))):
            variant["binary"] = name
        self.pack({**entries, "manifest.json": json.dumps(manifest)})
        self.succeeds("bundle", "verify", self.file)
        self.without_compiler()
        self.check_add("--device", support.OPENCL)
        # What replaces it is kept.
        self.assertIn("2 entries", self.succeeds("cache", "stats"))

    def test_a_missing_target_is_compiled_or_a_clear_error(self):
        self.create(self.ttir, "--target", "none")
        self.assertIn("compile compiled", self.check_add())
        self.without_compiler()
        self.fails(1, "run", self.file, *ADD, says=["no code for this device", "compiler"])

    def test_a_level_beyond_this_processor_is_not_loaded(self):
        self.create()
        entries = self.entries()
        manifest = json.loads(entries["manifest.json"])
        # Every feature there is, and then some.
        lines = dict(line.split("=", 1) for line in manifest["targets"][0]["description"].splitlines())
        lines["cpuid"] = ".".join("ffffffff" for _ in lines["cpuid"].split("."))
        manifest["targets"][0]["description"] = "".join(f"{k}={v}\n" for k, v in lines.items())
        entries["manifest.json"] = json.dumps(manifest).encode()
        self.pack(entries)
        self.assertIn("compile compiled", self.check_add())
        self.without_compiler()
        self.fails(1, "run", self.file, *ADD, says=["no code for this device"])

    def test_several_kernels_need_a_name(self):
        self.create(self.ttir, os.path.join(support.case("gather"), "kernel.ttir"))
        self.fails(1, "run", self.file, *ADD, says=["gather", "add"])
        self.fails(1, "run", self.file, "--kernel", "nope", *ADD, says=["no kernel 'nope'", "add"])
        self.succeeds("run", self.file, "--kernel", "add", *ADD)

    def test_the_grid_comes_along(self):
        self.create(self.ttir, "--constexpr", "BLOCK=32", "--grid", "cdiv(n, BLOCK)")
        self.without_compiler()
        out = os.path.join(self.folder, "o.npy")
        self.succeeds("run", self.file, "--arg", "*f32:75:iota", "--arg", "*f32:75:iota", "--arg", f"*f32:75:out={out}", "--arg", "i32:75")
        self.assertEqual(support.floats(out), tuple(2.0 * i for i in range(75)))
        self.fails(2, "run", self.ttir, *ADD[2:], says=["--grid"])

    def test_replays_recorded_launches(self):
        said = self.create(support.KERNELS, "--keep-going")
        self.assertIn("kernels", said)
        self.without_compiler()
        done = self.tritonrt("replay", "--bundle", self.file, support.KERNELS, "--filter", "*in_place*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Trust(BundleTest):
    def signed(self):
        key, public, other = self.write("key", SEED), self.write("public", PUBLIC), self.write("other", OTHER)
        self.create(self.ttir, "--sign", key)
        return public, other

    def test_signature_of_the_key_is_right_and_of_another_is_not(self):
        public, other = self.signed()
        self.assertIn("signed", self.succeeds("bundle", "verify", self.file, "--key", public))
        self.fails(1, "bundle", "verify", self.file, "--key", other, says=["signature"])
        self.create()
        self.fails(1, "bundle", "verify", self.file, "--key", public, says=["not signed"])

    def test_signature_is_ed25519_over_the_manifest(self):
        if shutil.which("openssl") is None:
            self.skipTest("no openssl")
        key, public = (os.path.join(self.folder, name) for name in ("key.pem", "public.pem"))
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
        subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
        self.create(self.ttir, "--sign", key)
        self.succeeds("bundle", "verify", self.file, "--key", public)
        with zipfile.ZipFile(self.file) as archive:
            archive.extract("manifest.json", self.folder)
            archive.extract("manifest.sig", self.folder)
        subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin", "-in", os.path.join(self.folder, "manifest.json"), "-sigfile",
                        os.path.join(self.folder, "manifest.sig")], check=True, stdout=subprocess.DEVNULL)

    def test_a_changed_manifest_breaks_the_signature(self):
        public, _ = self.signed()
        entries = self.entries()
        entries["manifest.json"] = entries["manifest.json"].replace(b'"disjoint":false', b'"disjoint":true ')
        self.pack(entries)
        self.fails(1, "bundle", "verify", self.file, "--key", public, says=["signature"])

    def test_code_of_another_users_bundle_is_not_run(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        self.create()
        os.chown(self.file, 12345, 12345)
        self.assertIn("another user", self.succeeds("bundle", "list", self.file))
        self.assertIn("compile compiled", self.check_add())
        self.without_compiler()
        self.fails(1, "run", self.file, *ADD, says=["another user"])

    def test_the_key_vouches_for_another_users_bundle(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        public, other = self.signed()
        os.chown(self.file, 12345, 12345)
        case = support.case("add_masked_tail")
        mine = os.path.join(self.folder, "mine.trtb")
        # Its code does not become the user's own by being taken over.
        self.fails(1, "bundle", "create", "-o", mine, self.file, says=["another user"])
        self.fails(1, "bundle", "add", self.file, self.ttir, says=["another user"])
        self.without_compiler()
        self.fails(1, "run", self.file, *ADD, says=["another user"])
        self.fails(1, "run", self.file, "--key", other, *ADD, says=["signature"])
        self.assertIn("compile cached", self.check_add("--key", public))
        for how in ((), ("--isolate",)):
            self.assertIn("1 passed, 0 failed", self.succeeds("replay", "--bundle", self.file, "--key", public, *how, case))
        self.fails(2, "run", self.ttir, "--key", public, *ADD, says=["--key is for bundles"])

    def test_code_that_anybody_may_write_is_not_run(self):
        self.create()
        os.chmod(self.file, 0o666)
        self.assertIn("compile compiled", self.check_add())
        self.without_compiler()
        self.fails(1, "run", self.file, *ADD, says=["anybody may write"])


class Hostile(BundleTest):
    def test_truncated_anywhere(self):
        self.create()
        with open(self.file, "rb") as file:
            whole = file.read()
        for length in [0, 1, 21, 22, 23, *range(100, len(whole), max(1, len(whole) // 40)), len(whole) - 1]:
            with open(self.file, "wb") as file:
                file.write(whole[:length])
            self.fails(1, "bundle", "verify", self.file, says=["k.trtb"])

    def test_bombs_are_refused_before_memory_is_taken(self):
        self.create()
        entries = self.entries()
        source = next(name for name in entries if name.startswith("kernels/"))
        self.pack({**entries, source: b"\0" * (300 << 20)}, zipfile.ZIP_DEFLATED)
        limited = ["bash", "-c", f"ulimit -v 1000000; exec {self.binary} bundle verify {self.file}"]
        done = subprocess.run(limited, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("larger than", done.stderr)

    def test_a_size_that_lies_takes_no_memory(self):
        self.create()
        with open(self.file, "rb") as file:
            data = bytearray(file.read())
        # Sizes of the first entry in the list of contents.
        central = data.index(b"PK\1\2")
        struct.pack_into("<II", data, central + 20, 200 << 20, 200 << 20)
        with open(self.file, "wb") as file:
            file.write(data)
        self.fails(1, "bundle", "verify", self.file)

    def test_names_that_lead_out_are_refused(self):
        self.create()
        entries = self.entries()
        manifest = json.loads(entries["manifest.json"])
        manifest["kernels"][0]["source"] = "../../etc/passwd"
        self.pack({**entries, "manifest.json": json.dumps(manifest), "../../etc/passwd": b"x"})
        self.fails(1, "bundle", "verify", self.file, says=["source"])
        manifest["kernels"][0]["name"] = "../../../tmp/evil\n"
        manifest["kernels"][0]["source"] = next(name for name in entries if name.startswith("kernels/"))
        self.pack({**entries, "manifest.json": json.dumps(manifest)})
        out = os.path.join(self.folder, "a", "b", "c")
        self.succeeds("bundle", "extract", self.file, "-o", out)
        self.assertEqual([n for n in os.listdir(out) if not n.startswith("_________tmp_evil_")], [])

    def test_contents_that_are_not_what_they_are_called(self):
        self.create()
        entries = self.entries()
        code = next(name for name in entries if name.endswith(".so"))
        self.pack({**entries, code: entries[code] + b"x"})
        self.fails(1, "bundle", "verify", self.file, says=[code])
        self.pack({name: content + (b"x" if name.endswith(".so") else b"") for name, content in entries.items()})
        self.assertIn("compile compiled", self.check_add())
        self.without_compiler()
        self.fails(1, "run", self.file, *ADD, says=["its name is the hash of another content"])
        self.pack({**entries, "stray": b"x"})
        self.fails(1, "bundle", "verify", self.file, says=["stray"])
        del entries[code]
        self.pack(entries)
        self.fails(1, "bundle", "verify", self.file, says=["missing"])

    def test_malformed_manifests(self):
        self.create()
        entries = self.entries()
        good = json.loads(entries["manifest.json"])
        kernel, variant = good["kernels"][0], good["kernels"][0]["variants"][0]
        for text in ("", "{", "[]", "null", "[" * 1000000, '{"a":' * 300000, "{}", json.dumps({**good, "format": 2}), json.dumps({**good, "targets": []}),
                     json.dumps({**good, "kernels": {}}), json.dumps({**good, "kernels": [3]}), json.dumps({**good, "kernels": [{}]}),
                     json.dumps({**good, "kernels": [{**kernel, "variants": [{**variant, "target": 99}]}]}),
                     json.dumps({**good, "kernels": [{**kernel, "variants": [{**variant, "target": -1}]}]}),
                     json.dumps({**good, "kernels": [{**kernel, "options": {"num_warps": "many"}}]}),
                     json.dumps({**good, "kernels": [{**kernel, "signature": [{"type": "ptr:f32 x\nwrites=", "name": ""}]}]})):
            self.pack({**entries, "manifest.json": text})
            self.fails(1, "run", self.file, *ADD)

    def test_no_bundle_at_all(self):
        self.fails(1, "bundle", "list", self.write("text.trtb", "not a bundle"), says=["text.trtb"])
        self.fails(1, "bundle", "list", os.path.join(self.folder, "absent.trtb"), says=["absent.trtb", "No such file"])
        self.fails(1, "bundle", "list", self.folder, says=["directory"])


class CacheCommand(BundleTest):
    def test_stats_verify_export_import_trim_clear(self):
        self.succeeds("run", self.ttir, *ADD)
        stats = json.loads(self.succeeds("cache", "stats", "--json"))
        self.assertEqual(stats["directory"], self.env["TRITONRT_CACHE_DIR"])
        self.assertGreaterEqual(stats["entries"], 3)
        exported = os.path.join(self.folder, "all.zip")
        self.assertEqual(self.succeeds("cache", "export", exported), f"{stats['entries']} entries\n")
        self.succeeds("cache", "clear")
        self.assertEqual(json.loads(self.succeeds("cache", "stats", "--json"))["entries"], 0)
        self.succeeds("cache", "import", exported)
        self.assertIn("compile cached", self.succeeds("run", self.ttir, *ADD))
        self.assertIn(f"{stats['entries']} sound, 0 damaged", self.succeeds("cache", "verify"))
        self.succeeds("cache", "trim", "1K")
        self.assertLessEqual(json.loads(self.succeeds("cache", "stats", "--json"))["bytes"], 1024)
        self.assertIn("compile compiled", self.succeeds("run", self.ttir, *ADD))

    def test_verify_finds_and_repairs_damage(self):
        self.succeeds("run", self.ttir, *ADD)
        victim = max(glob.glob(os.path.join(self.env["TRITONRT_CACHE_DIR"], "*", "*.trt")), key=os.path.getsize)
        with open(victim, "r+b") as file:
            file.seek(100)
            byte = file.read(1)
            file.seek(100)
            file.write(bytes([byte[0] ^ 1]))
        self.fails(1, "cache", "verify", says=[victim, "damaged"])
        self.succeeds("cache", "verify", "--repair")
        self.succeeds("cache", "verify")
        self.assertIn("compile compiled", self.succeeds("run", self.ttir, *ADD))

    def test_what_cannot_be_removed_is_told(self):
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can mount")
        self.succeeds("run", self.ttir, *ADD)
        cache = self.env["TRITONRT_CACHE_DIR"]
        for action in (["clear"], ["trim", "0"]):
            script = f"mount --bind {cache} {cache} && mount -o remount,bind,ro {cache} || exit 77; exec \"$@\""
            done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", self.binary, "cache", *action], env=self.env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            if done.returncode == 77:
                self.skipTest("mounts are not allowed")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("Read-only file system", done.stderr)
            self.assertIn("are left", done.stderr)
        self.succeeds("cache", "clear")

    def test_a_size_that_is_none_is_told(self):
        self.assertEqual(json.loads(self.succeeds("cache", "stats", "--json", TRITONRT_CACHE_SIZE="4G"))["max_bytes"], 2 << 30)
        self.assertIn("'4G', which is no number of bytes", self.tritonrt("cache", "stats", TRITONRT_CACHE_SIZE="4G").stderr)

    def test_import_refuses_what_was_not_exported(self):
        self.succeeds("run", self.ttir, *ADD)
        self.create()
        self.fails(1, "cache", "import", self.file)
        exported = os.path.join(self.folder, "all.zip")
        self.succeeds("cache", "export", exported)
        os.chmod(exported, 0o666)
        self.fails(1, "cache", "import", exported, says=["not your own"])


if __name__ == "__main__":
    support.main()
