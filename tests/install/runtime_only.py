# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the library without its compiler, by GCC and with LLVM hidden, and runs kernels from bundles with it in a root folder that
holds the command, the library, what these link, and nothing else; then on OpenCL, with PoCL beside them where there is one.

Arguments: the build folder, which has the compiler, the source folder, and a folder for the build. Needs root; exit code 77 where
something is missing.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(command, check=True):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if check and done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def build_without_llvm(source, folder):
    """A build in a mount namespace that has no LLVM."""
    hide = ["for d in /usr/lib/llvm-*; do [ -d $d ] && mount -t tmpfs none $d; done",
            "for f in /usr/lib/*/libLLVM* /usr/lib/*/libMLIR* /usr/lib/*/libclang*; do [ -f $f ] && mount --bind /dev/null $f; done"]
    build = [f"cmake -S {source} -B {folder} -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release "
             "-DTRITONRT_BUILD_COMPILER=OFF -DTRITONRT_BUILD_TESTS=OFF -DTRITONRT_BUILD_BENCH=OFF -DTRITONRT_BUILD_EXAMPLES=OFF",
             f"cmake --build {folder}"]
    run(["unshare", "-m", "sh", "-c", "; ".join(hide) + "; " + " && ".join(build)])


def check_size(library, folder):
    stripped = os.path.join(folder, "stripped.so")
    run(["strip", "-o", stripped, library])
    size = os.path.getsize(stripped)
    print(f"libtritonrt.so: {size} bytes stripped")
    if size > 2_000_000:
        sys.exit("at most 2 MB expected")


def copy(root, path):
    """Copies a file or folder to its own place in another root."""
    target = os.path.join(root, path.lstrip("/"))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(path):
        shutil.copytree(path, target, dirs_exist_ok=True)
    else:
        shutil.copy(path, target)


def copy_linked(root, path):
    for library in re.findall(r"(/\S+) \(0x", run(["ldd", path])):
        if "libtritonrt" not in library:
            copy(root, library)


def fill(root, build):
    """The command and the libraries, with all that they are linked to."""
    for folder in ("bin", "lib", "proc", "sys", "tmp"):
        os.makedirs(os.path.join(root, folder))
    shutil.copy(os.path.join(build, "bin", "tritonrt"), os.path.join(root, "bin"))
    for library in glob.glob(os.path.join(build, "lib", "libtritonrt*.so*")):
        shutil.copy(library, os.path.join(root, "lib"), follow_symlinks=False)
        copy_linked(root, library)
    copy_linked(root, os.path.join(build, "bin", "tritonrt"))
    files = [name for _, _, names in os.walk(root) for name in names]
    if any(re.search("LLVM|MLIR|clang", name) for name in files):
        sys.exit(f"LLVM is linked: {files}")


def add_pocl(root):
    """The driver with what it needs, an LLVM of its own among that; False where there is none."""
    vendor = "/etc/OpenCL/vendors/pocl.icd"
    if not os.path.exists(vendor) or not os.path.exists(os.path.join(root, "lib", "libtritonrt-opencl.so")):
        return False
    with open(vendor) as file:
        name = file.read().strip()
    driver = name if name.startswith("/") else next(iter(glob.glob(os.path.join("/usr/lib/*", name))), "")
    if not driver:
        return False
    for path in (vendor, driver, *glob.glob("/usr/lib/*/pocl"), "/usr/share/pocl"):
        copy(root, path)
    for path in (driver, *glob.glob("/usr/lib/*/pocl/*.so")):
        copy_linked(root, path)
    return True


def replay_inside(root, build, bundle, kernels, *args):
    """Runs recorded launches in the root; as many must pass as with the build's own command."""
    inside = f"mount -t proc none {root}/proc && mount --rbind /sys {root}/sys && exec chroot {root} /bin/tritonrt \"$@\""
    paths = ":".join(["/lib", *(path[len(root):] for path in glob.glob(os.path.join(root, "usr/lib/*")))])
    env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": paths, "POCL_CACHE_DIR": "/tmp/pocl"}
    done = subprocess.run(["unshare", "-m", "sh", "-c", inside, "sh", "replay", "--bundle", "/" + os.path.basename(bundle), "/kernels", *args], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    print(*args, last)
    found = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    # A case that only the compiler can refuse fails in both.
    expected = run([os.path.join(build, "bin", "tritonrt"), "replay", "--bundle", bundle, kernels, *args], check=False).splitlines()[-1]
    if not found or int(found[1]) == 0 or last != expected:
        sys.exit(done.stdout[-4000:] + f"\nexpected: {expected}")


def main():
    build, source, runtime = sys.argv[1:]
    if os.geteuid() != 0 or shutil.which("unshare") is None or shutil.which("g++") is None:
        skip("root and g++ are needed")
    if subprocess.run(["unshare", "-m", "true"]).returncode != 0:
        skip("mount namespaces are not allowed")
    build_without_llvm(source, runtime)
    kernels = os.path.join(source, "tests", "kernels")
    tritonrt = os.path.join(build, "bin", "tritonrt")
    with tempfile.TemporaryDirectory() as folder:
        # No other test's launches, and no earlier ones.
        os.environ["POCL_CACHE_DIR"] = os.path.join(folder, "pocl")
        check_size(os.path.join(runtime, "lib", "libtritonrt.so"), folder)
        root = os.path.join(folder, "root")
        fill(root, runtime)
        shutil.copytree(kernels, os.path.join(root, "kernels"))
        bundle = os.path.join(root, "cpu.trtb")
        # Levels below this machine's, and none of its own: every host of the kind would run them.
        run([tritonrt, "bundle", "create", "-o", bundle, kernels, "--target", "cpu:x86-64-v2", "--target", "cpu:x86-64", "--keep-going"])
        replay_inside(root, build, bundle, kernels)
        if add_pocl(root):
            some = "*_in_place"
            bundle = os.path.join(root, "opencl.trtb")
            # PoCL's binaries hold code for the launches that there were; for others it needs a linker.
            for _ in range(2):
                run([tritonrt, "bundle", "create", "-o", bundle, *glob.glob(os.path.join(kernels, "cases", some)), "--target", "opencl:portable"])
                run([tritonrt, "replay", "--bundle", bundle, kernels, "--device", "opencl:portable", "--filter", some])
            replay_inside(root, build, bundle, kernels, "--device", "opencl:portable", "--filter", some)


if __name__ == "__main__":
    main()
