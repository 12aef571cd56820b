// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/cl_vendor.h"

#include <utility>

namespace tritonrt::runtime {
namespace {

std::vector<std::unique_ptr<const ClVendor>>& all() {
  static auto* vendors = new std::vector<std::unique_ptr<const ClVendor>>;
  return *vendors;
}

}  // namespace

ClVendor::~ClVendor() = default;

void register_cl_vendor(std::unique_ptr<const ClVendor> vendor) {
  all().push_back(std::move(vendor));
}

const std::vector<std::unique_ptr<const ClVendor>>& cl_vendors() { return all(); }

}  // namespace tritonrt::runtime
