// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_TRITONRT_H_
#define TRITONRT_TRITONRT_H_

// The whole C++ interface of libtritonrt. Needs C++17 and nothing else: no LLVM, no OpenCL header.
//
//   tritonrt::Device device = tritonrt::Device::open("cpu");
//   tritonrt::Stream stream(device);
//   tritonrt::Kernel kernel = tritonrt::Kernel::from_file("add.ttir");
//   tritonrt::Buffer x = tritonrt::Buffer::from_host(device, hx.data(), bytes);
//   kernel.launch(stream, {blocks}, x, y, out, n);
//   stream.synchronize();
//   out.copy_to_host(hout.data(), bytes);
//
// Every function reports failure by throwing tritonrt::Error; none prints, aborts or exits.

#include "tritonrt/args.h"
#include "tritonrt/backend.h"
#include "tritonrt/buffer.h"
#include "tritonrt/bundle.h"
#include "tritonrt/cache.h"
#include "tritonrt/capture.h"
#include "tritonrt/device.h"
#include "tritonrt/dlpack.h"
#include "tritonrt/dtype.h"
#include "tritonrt/error.h"
#include "tritonrt/event.h"
#include "tritonrt/executor.h"
#include "tritonrt/graph.h"
#include "tritonrt/host_mirror.h"
#include "tritonrt/kernel.h"
#include "tritonrt/kernel_fn.h"
#include "tritonrt/log.h"
#include "tritonrt/memory.h"
#include "tritonrt/opencl.h"
#include "tritonrt/options.h"
#include "tritonrt/prepare.h"
#include "tritonrt/report.h"
#include "tritonrt/span.h"
#include "tritonrt/stream.h"

#endif  // TRITONRT_TRITONRT_H_
