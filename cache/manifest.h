// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TRITONRT_CACHE_MANIFEST_H_
#define TRITONRT_CACHE_MANIFEST_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tritonrt::cache {

// Pairs in the order of their keys.
using TextPairs = std::vector<std::pair<std::string_view, std::string_view>>;

// Contents are named by their SHA-256, so whoever trusts the manifest can check them.
// "FOLDER/64 hexadecimal digits.SUFFIX"; empty where there is none.
using BlobName = std::string_view;

struct ManifestParameter {
  std::string_view type;  // as in the metadata of kernel_abi.h
  std::string_view name;
  std::uint32_t divisibility = 1;
  bool written = true;
};

// Code for one target under one set of conditions.
struct ManifestVariant {
  std::size_t target = 0;  // index into Manifest::targets
  // What arguments must keep for the code to be right.
  bool disjoint = false;  // nothing that is written overlaps another argument
  bool aligned = false;   // every divisibility of the signature holds
  BlobName code;
  BlobName metadata;
  BlobName binary;  // the driver's own form, for exactly this target
};

struct ManifestKernel {
  std::string_view name;
  std::string_view id;       // tells kernels of one name apart
  BlobName source;           // the .ttir
  std::string_view family;   // the same for texts that differ in their promises alone; may be empty
  TextPairs options;         // as given to the compiler
  TextPairs constexprs;      // as the kernel's author knew them
  std::string_view grid;     // "X,Y,Z": expressions of parameters and constexprs; may be empty
  std::uint64_t shared = 0;  // bytes, as Triton noted; for information
  std::vector<ManifestParameter> parameters;
  std::vector<ManifestVariant> variants;
};

struct ManifestTarget {
  std::string_view name;         // for people
  std::string_view description;  // a target text of kernel_abi.h
};

// What is written to manifest.json: what a bundle holds. Texts are views, of what keep() took.
struct Manifest {
  static constexpr std::uint32_t kFormat = 1;

  std::uint32_t kernel_abi = 0;
  std::string_view compiler;  // build id
  std::vector<ManifestTarget> targets;
  std::vector<ManifestKernel> kernels;

  Manifest() = default;
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }

  std::string to_json() const;

  std::deque<std::string> texts;
};

// Whether a blob's name has the right form: those of a foreign document go into file names.
bool is_blob_name(std::string_view name);
// "code/…hash of content….so"
std::string blob_name(std::string_view folder, std::string_view content, std::string_view suffix);
// Whether the content is the one that is named.
bool is_blob(BlobName name, std::string_view content);

}  // namespace tritonrt::cache

#endif  // TRITONRT_CACHE_MANIFEST_H_
