# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels from a bundle in a root folder that holds the command, the library, what these link, and nothing else.

Arguments: the build folder, and with a second one, the source folder, the library is first built without its compiler while LLVM is
hidden. Needs root; exit code 77 where something is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def build_without_llvm(source, folder):
    """A build by GCC in a mount namespace that has no LLVM."""
    hide = ["for d in /usr/lib/llvm-*; do [ -d $d ] && mount -t tmpfs none $d; done",
            "for f in /usr/lib/*/libLLVM* /usr/lib/*/libMLIR* /usr/lib/*/libclang*; do [ -f $f ] && mount --bind /dev/null $f; done"]
    build = [f"cmake -S {source} -B {folder} -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release "
             "-DTRITONRT_BUILD_COMPILER=OFF -DTRITONRT_BUILD_TESTS=OFF -DTRITONRT_BUILD_BENCH=OFF -DTRITONRT_BUILD_EXAMPLES=OFF",
             f"cmake --build {folder}"]
    run(["unshare", "-m", "sh", "-c", "; ".join(hide) + "; " + " && ".join(build)])


def fill(root, build):
    """Copies the command with all that it is linked to."""
    command = os.path.join(build, "bin", "tritonrt")
    for folder in ("bin", "lib", "proc", "tmp"):
        os.makedirs(os.path.join(root, folder))
    shutil.copy(command, os.path.join(root, "bin"))
    linked = run(["ldd", command])
    for library in re.findall(r"(/\S+) \(0x", linked):
        name = library.lstrip("/")
        if "libtritonrt" in library:
            name = os.path.join("lib", os.path.basename(library))
        os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
        shutil.copy(library, os.path.join(root, name))
    files = [name for _, _, names in os.walk(root) for name in names]
    if any(re.search("LLVM|MLIR|clang", name) for name in files):
        sys.exit(f"LLVM is linked: {files}")


def main():
    build = sys.argv[1]
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        skip("only root can change the root folder")
    if subprocess.run(["unshare", "-m", "true"]).returncode != 0:
        skip("mount namespaces are not allowed")
    kernels = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "kernels")
    with tempfile.TemporaryDirectory() as folder:
        runtime = build
        if len(sys.argv) > 2:
            runtime = os.path.join(folder, "build")
            build_without_llvm(sys.argv[2], runtime)
            size = os.path.getsize(shutil.copy(os.path.join(runtime, "lib", "libtritonrt.so"), os.path.join(folder, "stripped.so")))
            run(["strip", os.path.join(folder, "stripped.so")])
            size = os.path.getsize(os.path.join(folder, "stripped.so"))
            if size > 2 << 20:
                sys.exit(f"libtritonrt.so has {size} bytes stripped, at most 2 MiB expected")
        root = os.path.join(folder, "root")
        fill(root, runtime)
        bundle = os.path.join(root, "kernels.trtb")
        # Levels below this machine's, and none of its own: every host of the kind would run them.
        run([os.path.join(build, "bin", "tritonrt"), "bundle", "create", "-o", bundle, kernels, "--target", "cpu:x86-64-v2", "--target", "cpu:x86-64",
             "--keep-going"])
        shutil.copytree(kernels, os.path.join(root, "kernels"))
        inside = f"mount -t proc none {root}/proc && exec chroot {root} /bin/tritonrt replay --bundle /kernels.trtb /kernels"
        env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": "/lib"}
        done = subprocess.run(["unshare", "-m", "sh", "-c", inside], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        last = done.stdout.strip().splitlines()[-1]
        print(last)
        found = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
        # A case that only the compiler can refuse fails here.
        expected = run([os.path.join(build, "bin", "tritonrt"), "replay", "--bundle", bundle, kernels], env=env | {"LD_LIBRARY_PATH": ""}).splitlines()[-1]
        if not found or int(found[1]) == 0 or last != expected:
            sys.exit(done.stdout[-4000:] + f"\nexpected: {expected}")


if __name__ == "__main__":
    main()
