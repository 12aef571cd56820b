// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_SRC_PROVIDED_H_
#define TRITONRT_SRC_PROVIDED_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/driver.h"
#include "runtime/pack.h"

namespace tritonrt::runtime {

// Code that came with a kernel.
struct ProvidedCode {
  Artifact artifact;
  std::string_view target;  // what it was compiled for
};

// A kernel that comes with what would otherwise have to be compiled. Thread safe.
class Provided {
 public:
  virtual ~Provided() = default;

  // The kernel's text. Throws where it cannot be read.
  virtual std::string source() const = 0;
  // Its parameters, as the compiler's `signature` would describe them.
  virtual std::string signature() const = 0;
  // The best code for a device that is right for a launch of these promises; nothing where there is
  // none.
  virtual std::optional<ProvidedCode> find(const DeviceImpl& device,
                                           const Special& special) const = 0;
  // "X,Y,Z" as evaluate_grid reads it, empty where there is none, and the names it may use beside
  // the parameters.
  virtual std::string grid() const = 0;
  virtual std::map<std::string, std::string> constexprs() const = 0;
  // Why code that is there is not used, for messages; empty where that is not so.
  virtual std::string refusal() const = 0;
};

}  // namespace tritonrt::runtime

#endif  // TRITONRT_SRC_PROVIDED_H_
