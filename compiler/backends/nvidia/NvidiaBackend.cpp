// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL C for NVIDIA's driver, which takes PTX inside of it. Their OpenCL has no sub-groups,
// fences of a work-group only.
#include "compiler/backends/opencl/Emitter.h"
#include "compiler/backends/opencl/OpenCLBackend.h"

namespace tritonrt::compiler::nvidia {

namespace {

class Ptx final : public opencl::Vendor {
public:
  int64_t shuffleLanes(const KeyValues &) const override { return opencl::kWarp; }

  std::string shuffle(opencl::Emitter &e, const std::string &word, int64_t keep,
                      int64_t flip) const override {
    bool flips = keep == -1;
    std::string mode = flips ? "bfly" : "idx", name = flips ? "warp_flip" : "warp_from";
    // Volatile: every lane of the warp must come by.
    e.require(name, "static inline uint " + name +
                        "(uint word, uint lane) {\n"
                        "  uint theirs;\n"
                        "  __asm volatile(\"shfl.sync." +
                        mode +
                        ".b32 %0, %1, %2, 31, 0xffffffff;\" : \"=r\"(theirs) : \"r\"(word), "
                        "\"r\"(lane));\n"
                        "  return theirs;\n"
                        "}");
    std::string lane = flips ? std::to_string(flip) + "u" : opencl::laneText(keep, flip);
    return name + "(" + word + ", " + lane + ")";
  }

  std::string kernelAttributes(const opencl::Features &) const override { return ""; }

  /// The driver enqueues a kernel fastest if it has no memory objects to look after.
  bool packsArguments() const override { return true; }

  std::string fence() const override {
    return "__asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");";
  }
};

class NvidiaBackend final : public opencl::OpenCLBackend {
public:
  llvm::StringRef name() const override { return "nvidia"; }
  int suits(const KeyValues &target) const override {
    bool theirs = target.get("backend") == "opencl" && target.get("vendor").contains("NVIDIA");
    return theirs ? 2 : Backend::suits(target);
  }

protected:
  const opencl::Vendor &vendor() const override {
    static const Ptx ptx;
    return ptx;
  }
};

/// Joins the backends when the library is loaded: main code never names one.
const bool registered = [] {
  registerBackend(std::make_unique<NvidiaBackend>());
  return true;
}();

} // namespace
} // namespace tritonrt::compiler::nvidia
