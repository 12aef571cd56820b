// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_RUNTIME_OPENCL_CL_VENDOR_H_
#define TRITONRT_RUNTIME_OPENCL_CL_VENDOR_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/driver.h"
#include "runtime/opencl/cl_headers.h"

namespace tritonrt::runtime {

class ClDevice;
class ClExecutable;

// What OpenCL leaves open, and a vendor's devices do in a way of their own. One lives in
// runtime/NAME and registers itself when the module is loaded; this folder names none.
class ClVendor {
 public:
  virtual ~ClVendor();

  // Corrects what a device tells about itself, if it is the vendor's: the lines of its target
  // description by key, and its local memory.
  virtual void describe(const cl::Device& /*device*/, std::map<std::string, std::string>& /*lines*/,
                        std::uint64_t& /*local_bytes*/) const {}

  // A kernel in a form of the vendor's own, not yet built; null for one in the ordinary form.
  virtual std::shared_ptr<ClExecutable> make_executable(const std::shared_ptr<ClDevice>& /*device*/,
                                                        const Artifact& /*artifact*/,
                                                        const std::string& /*label*/) const {
    return nullptr;
  }
};

// REQUIRES: called before the first device is looked for, as static initialisers are.
void register_cl_vendor(std::unique_ptr<const ClVendor> vendor);
const std::vector<std::unique_ptr<const ClVendor>>& cl_vendors();

}  // namespace tritonrt::runtime

#endif  // TRITONRT_RUNTIME_OPENCL_CL_VENDOR_H_
