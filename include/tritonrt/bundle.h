// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_BUNDLE_H_
#define TRITONRT_BUNDLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tritonrt/device.h"
#include "tritonrt/export.h"
#include "tritonrt/kernel.h"
#include "tritonrt/options.h"
#include "tritonrt/span.h"

namespace tritonrt {

namespace runtime {
class BundleImpl;
class BundleBuilderImpl;
}  // namespace runtime

using Constexprs = std::map<std::string, std::string>;

struct BundleOptions {
  // An ed25519 public key, PEM or 64 hexadecimal digits: the bundle must be signed with its private
  // half. Without one, code in the bundle is used only if the file belongs to the user who runs the
  // process and not everybody may write to it; kernels of other bundles are compiled from their
  // text.
  std::string public_key;
};

// Code in a bundle: for one target, under conditions that the arguments of a launch must keep.
struct BundleVariant {
  std::string target;       // as it was named when the bundle was made
  bool disjoint = false;    // nothing that the kernel writes overlaps another argument
  bool aligned = false;     // every divisibility of the signature holds
  bool has_binary = false;  // with the driver's own form
};

// A kernel in a bundle.
struct BundleKernel {
  std::string name;
  std::string id;  // 16 hexadecimal digits that tell kernels of one name apart
  CompileOptions options;
  Constexprs constexprs;
  std::string grid;  // "X,Y,Z" as expressions of parameters and constexprs; may be empty
  std::uint64_t shared_bytes = 0;  // as Triton noted them; for information
  std::vector<Parameter> signature;
  std::vector<BundleVariant> variants;
};

// A file of kernels: their texts, what is known of them, and code for any number of targets, so
// that they run where no compiler is. Opening maps the file and reads its list of contents; the
// rest is read when a kernel needs it. The file must not be written to in place while it is open;
// replacing it is safe. A handle, thread safe.
class TRITONRT_API Bundle {
 public:
  // Throws kNotFound or kIo where the file cannot be read, kInvalidInput for one that is no bundle,
  // is damaged, or is not signed as the options demand.
  static Bundle open(const std::string& path, const BundleOptions& options = {});
  // No bundle; usable only as a target of assignment.
  Bundle() noexcept = default;

  std::size_t size() const;
  // Throws kInvalidArgument where there is no such kernel.
  BundleKernel info(std::size_t index) const;
  // Names of the targets that the bundle has code for.
  std::vector<std::string> targets() const;

  // The kernel of that name, or id, with those constexprs; ones that are not given may be any. An
  // option, such as num_warps, can be asked for in the same way.
  // Throws kNotFound where none fits, and kInvalidArgument where several do: the message lists
  // them.
  Kernel kernel(std::string_view name, const Constexprs& constexprs = {}) const;
  Kernel kernel(std::size_t index) const;
  // The kernels that have this text, in the bundle's order.
  std::vector<std::size_t> find_source(std::string_view source) const;

  // Parts of the file, for tools.
  std::string source(std::size_t index) const;
  std::string code(std::size_t index, std::size_t variant) const;

  // Whether the bundle's code is used, and if not, why not.
  bool is_trusted() const;
  std::string distrust() const;
  // Reads everything and checks it. Throws kInvalidInput for the first thing that is wrong.
  void verify() const;

  explicit operator bool() const noexcept { return impl_ != nullptr; }

 private:
  friend class BundleBuilder;
  explicit Bundle(std::shared_ptr<runtime::BundleImpl> impl) noexcept;
  std::shared_ptr<runtime::BundleImpl> impl_;
};

// What a bundle has code for.
struct BundleTarget {
  std::string name;         // for people
  std::string description;  // as Device::target() or portable_target() gives it
  // Where it is given, its driver's own form of the code is kept too.
  Device device;
};

// A kernel for a bundle.
struct BundleSource {
  std::string text;
  std::string label = "<source>";  // stands for the file's name in messages
  std::string kernel;              // empty: the only public function
  CompileOptions options;
  Constexprs constexprs;
  std::string grid;
  std::uint64_t shared_bytes = 0;
};

// Makes bundles. The same kernels for the same targets give the same bytes, whatever their order.
// One thread at a time.
class TRITONRT_API BundleBuilder {
 public:
  BundleBuilder();
  ~BundleBuilder();
  BundleBuilder(BundleBuilder&&) noexcept;
  BundleBuilder& operator=(BundleBuilder&&) noexcept;

  // Compiles a kernel for the targets, in two variants each: for arguments that keep all promises,
  // and for any. Without targets its text alone is kept. Loads the compiler. Throws kInvalidInput
  // or kCompileFailed with the compiler's message; the builder is then as before.
  void add(const BundleSource& source, Span<const BundleTarget> targets);
  // Takes over all that another bundle holds. Throws kUnsupported for one whose code is not used,
  // because nobody vouches for it or another version of the library made it.
  void add(const Bundle& bundle);

  std::size_t size() const;
  // The bundle's bytes; signed where an ed25519 private key (PEM, or its seed as 64 hexadecimal
  // digits) is given.
  std::string bytes(std::string_view private_key = {}) const;

 private:
  std::unique_ptr<runtime::BundleBuilderImpl> impl_;
};

}  // namespace tritonrt

#endif  // TRITONRT_BUNDLE_H_
