// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tritonrt-translate --emit --target=backend=opencl,type=gpu --stage=opencl %s | FileCheck %s
// RUN: tritonrt-translate --emit --target=backend=opencl,type=cpu --stage=opencl %s | FileCheck %s --check-prefix=CPU

// Programs that meet look at the stop word now and then, all items of a group together, and leave
// the kernel where it is set. On CPUs, whose groups do not run at the same time, they only meet.
// CHECK: uint mesh_meet_in_group(
// CHECK: uint mesh_meet(
// CHECK: volatile __local uint *const mesh_stopped = (volatile __local uint *)(mesh_local + mesh_per_group * 0u);
// CHECK: if (mesh_per_group > 1u) {
// CHECK-NEXT: if (mesh_meet_in_group(stop, 3u, &mesh_turns, mesh_stopped) != 0u)
// CHECK-NEXT: return;
// CHECK-NEXT: } else
// CHECK-NEXT: if (mesh_meet(mesh_counters + 0u * mesh_batch + mesh_slot - mesh_rank, mesh_count, stop, 3u, &mesh_turns, mesh_stopped) != 0u)
// CHECK-NEXT: return;
// CPU-NOT: stop
// CPU: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
func.func public @k(%a: !mem.ptr<global>) attributes {tritonrt.mesh_bytes = 64 : i64, tritonrt.work_items = 64 : i64} {
  mem.mesh_barrier [0], 3, "barrier"
  return
}
