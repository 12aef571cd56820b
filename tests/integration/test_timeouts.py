# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that do not end, on each device and in each mapping: `replay --timeout` says so at its time with the kernel's name, and the command ends, whether the device can be stopped or not.

Of TRITONRT_TEST_OPENCL, where it names a device, or else of PoCL: so this also probes devices that are elsewhere, by `TRITONRT_WITH_OPENCL=1 TRITONRT_TEST_OPENCL=opencl:nvidia python3 test_timeouts.py BUILD`.
"""
import json
import os
import struct
import time
import unittest

import support

TIMEOUT = 1  # seconds
# What stopping, telling and ending may take besides.
SLACK = 15

SPIN = """module {
  tt.func public @spin(%x: !tt.ptr<i32>) {
    %one = arith.constant 1 : i32
    scf.while : () -> () {
      %seen = tt.atomic_cas acq_rel, gpu, %x, %one, %one : (!tt.ptr<i32>, i32, i32) -> i32
      %again = arith.cmpi ne, %seen, %one : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    tt.return
  }
}
"""

# Programs look at memory together, in a loop whose tiles take all work-items.
LOOK = """module {
  tt.func public @look(%x: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %lanes = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %base = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %at = tt.addptr %base, %lanes : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    scf.while : () -> () {
      %seen = tt.load %at {isVolatile = true} : tensor<256x!tt.ptr<i32>>
      %sum = "tt.reduce"(%seen) <{axis = 0 : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %c = arith.addi %a, %b : i32
        tt.reduce.return %c : i32
      }) : (tensor<256xi32>) -> i32
      %again = arith.cmpi eq, %sum, %zero : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    tt.return
  }
}
"""

# The programs of a mesh meet 2^31 times, or the first one stays away.
MEET = """module {
  tt.func public @meet(%x: !tt.ptr<i32>) {
    %own = tt.get_program_id x : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %most = arith.constant 2147483647 : i32
    %here = dsa.alloc [16] : memref<16xi32>
    %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %p = "dsa.local_pointers"(%here, %lanes) : (memref<16xi32>, tensor<16xi32>) -> tensor<16x!tt.ptr<i32>>
    %far = "dsa.remote_pointers"(%p, %zero) : (tensor<16x!tt.ptr<i32>>, i32) -> tensor<16x!tt.ptr<i32>>
    scf.for %i = %zero to %most step %one : i32 {
      tt.store %p, %lanes : tensor<16x!tt.ptr<i32>>
      dsa.distributed_barrier
      %w = tt.load %far : tensor<16x!tt.ptr<i32>>
      tt.store %p, %w : tensor<16x!tt.ptr<i32>>
      dsa.distributed_barrier
    }
    %at = tt.addptr %x, %own : !tt.ptr<i32>, i32
    tt.store %at, %one : !tt.ptr<i32>
    tt.return
  }
}
"""
MISS = """module {
  tt.func public @miss(%x: !tt.ptr<i32>) {
    %own = tt.get_program_id x : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %here = dsa.alloc [16] : memref<16xi32>
    %lanes = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %p = "dsa.local_pointers"(%here, %lanes) : (memref<16xi32>, tensor<16xi32>) -> tensor<16x!tt.ptr<i32>>
    %far = "dsa.remote_pointers"(%p, %zero) : (tensor<16x!tt.ptr<i32>>, i32) -> tensor<16x!tt.ptr<i32>>
    %others = arith.cmpi sgt, %own, %zero : i32
    tt.store %far, %lanes : tensor<16x!tt.ptr<i32>>
    scf.if %others {
      dsa.distributed_barrier
    }
    %at = tt.addptr %x, %own : !tt.ptr<i32>, i32
    tt.store %at, %one : !tt.ptr<i32>
    tt.return
  }
}
"""

# Waits for nobody: no device has a way to end it.
BUSY = """module {
  tt.func public @busy(%x: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %most = arith.constant 1000000000000000 : i64
    %seven = arith.constant 7 : i32
    scf.for %i = %zero to %most step %one : i64 {
      %v = tt.load %x : !tt.ptr<i32>
      %t = arith.trunci %i : i64 to i32
      %w = arith.muli %v, %seven : i32
      %u = arith.xori %w, %t : i32
      tt.store %x, %u : !tt.ptr<i32>
    }
    tt.return
  }
}
"""

# Kernel: its text and the programs of its mesh.
KERNELS = {"spin": (SPIN, 0), "look": (LOOK, 0), "meet": (MEET, 4), "miss": (MISS, 4), "busy": (BUSY, 0)}

LATE = f"kernel '{{kernel}}'.* did not end within {TIMEOUT}000 ms"
STOPPED = LATE + ".*: kernel '{kernel}': {op} gave up waiting for other programs"
GOES_ON = LATE + "; it goes on"
NEVER = "kernel '{kernel}': {op} gave up waiting for other programs: .* never "
BARRIER = r"dsa\.distributed_barrier at line 1[0-9]"

# How each ends on every device, on those of type CPU (the native one and OpenCL's) and on others: kernel, mapping of its mesh, what is said there and there, and the op.
ENDS = [
    ("spin", "", STOPPED, STOPPED, r"tt\.atomic_cas at line 5"),
    ("look", "", STOPPED, STOPPED, r"tt\.load at line 8"),
    ("busy", "", GOES_ON, GOES_ON, ""),
    ("meet", "split", STOPPED, STOPPED, BARRIER),
    # A work-group that meets again and again is one command, which only GPUs' can leave.
    ("meet", "group", GOES_ON, STOPPED, BARRIER),
    ("meet", "resident", "the driver of a CPU does not promise", STOPPED, BARRIER),
    ("miss", "split", NEVER, NEVER, BARRIER),
    ("miss", "group", "must reach each barrier equally often", "must reach each barrier equally often", ""),
    ("miss", "resident", "the driver of a CPU does not promise", STOPPED, BARRIER),
]


def npy(values):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}i", *values)


class TimeoutTest(support.CommandTest):
    def write_case(self, kernel):
        text, mesh = KERNELS[kernel]
        os.makedirs(os.path.join(self.folder, kernel), exist_ok=True)
        self.write(f"{kernel}/kernel.ttir", text)
        self.write(f"{kernel}/x.npy", npy([0] * 256))
        case = {"schema": 1, "name": kernel, "group": "timeouts", "ttir": "kernel.ttir", "entry": kernel, "grid": [mesh or 1, 1, 1], "num_warps": 4, "num_stages": 1,
                "args": [{"name": "x", "kind": "pointer", "dtype": "*i32", "buffer": "x", "offset_bytes": 0}],
                "buffers": [{"id": "x", "dtype": "i32", "npy_dtype": "i4", "numel": 256, "file": "x.npy", "check": False}]}
        if mesh:
            case |= {"cooperative": True, "mesh": [mesh]}
        self.write(f"{kernel}/case.json", json.dumps(case))
        return os.path.join(self.folder, kernel)

    def check(self, kernel, expected, op, *options):
        begin = time.monotonic()
        done = self.tritonrt("replay", "--timeout", str(TIMEOUT), *options, self.write_case(kernel), timeout=TIMEOUT + 4 * SLACK)
        took = time.monotonic() - begin
        said = (done.stdout or done.stderr or "nothing").splitlines()[0]
        print(f"{kernel} {' '.join(options)}: {took:.1f} s: {said}", flush=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(said, "^ERROR .*" + expected.format(kernel=kernel, op=op))
        self.assertLess(took, TIMEOUT + SLACK)

    def test_cpu(self):
        for kernel, mesh, expected, _, op in ENDS:
            # Its meshes run as `split` ones end.
            if mesh in ("", "split"):
                with self.subTest(kernel=kernel):
                    self.check(kernel, expected, op)

    @unittest.skipUnless(support.with_opencl(), "built without OpenCL")
    def test_opencl(self):
        device = os.environ.get("TRITONRT_TEST_OPENCL", support.OPENCL)
        # Of the name `opencl` alone the first one is meant.
        known = json.loads(self.succeeds("devices", "--json"))
        wanted = device.partition(":")[2].lower()
        matching = [d for d in known if d["name"].startswith("opencl") and wanted in (d["platform"] + d["device"]).lower()]
        is_cpu = matching[0]["type"] == "cpu"
        for mapping in ("vector", "simt"):
            for kernel, mesh, on_cpu, elsewhere, op in ENDS:
                with self.subTest(kernel=kernel, mapping=mapping, mesh=mesh):
                    options = ["--mesh-mapping", mesh] if mesh else []
                    self.check(kernel, on_cpu if is_cpu else elsewhere, op, "--device", device, "--mapping", mapping, *options)

    def test_others_go_on(self):
        """A launch that cannot be stopped costs those behind it nothing but its own thread."""
        busy = self.write_case("busy")
        for device in ("cpu", support.OPENCL) if support.with_opencl() else ("cpu",):
            done = self.tritonrt("replay", "--device", device, "--timeout", "2", busy, support.case("add_masked_tail"), busy, timeout=60)
            lines = done.stdout.splitlines()
            self.assertEqual([line.split()[0] for line in lines[:3]], ["ERROR", "PASS", "ERROR"], done.stdout + done.stderr)
            self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    support.main()
