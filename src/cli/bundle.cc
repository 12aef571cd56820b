// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "src/cli/commands.h"
#include "src/cli/kernel_files.h"
#include "src/cli/kernel_options.h"
#include "src/cli/output.h"
#include "src/cli/target_spec.h"
#include "src/replay/file_io.h"
#include "tritonrt/tritonrt.h"

namespace fs = std::filesystem;

namespace tritonrt::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::vector<BundleTarget> parse_targets(const BundleCommand& command) {
  std::vector<BundleTarget> targets;
  for (const std::string& spec : command.targets) {
    if (spec == "none") continue;
    for (BundleTarget& target : parse_target(spec, command.options.mapping))
      targets.push_back(std::move(target));
  }
  if (command.targets.empty()) targets = parse_target("cpu", Mapping::kDefault);
  return targets;
}

// Adds what the paths hold; with --keep-going, what the compiler refuses is told and left out.
size_t add_paths(BundleBuilder& builder, const BundleCommand& command) {
  const std::vector<BundleTarget> targets = parse_targets(command);
  size_t refused = 0;
  for (const std::string& path : command.paths) {
    if (is_bundle(path)) {
      builder.add(Bundle::open(path, {read_key(command.public_key)}));
      continue;
    }
    for (BundleSource& source : find_kernels(path, command.options)) {
      if (!command.grid.empty()) source.grid = command.grid;
      for (const auto& [name, value] : command.constexprs) source.constexprs[name] = value;
      try {
        builder.add(source, targets);
      } catch (const Error& error) {
        if (!command.keep_going) throw;
        std::fprintf(stderr, "%s\n", error.what());
        ++refused;
      }
    }
  }
  return refused;
}

int create(const BundleCommand& command, BundleBuilder builder) {
  const size_t refused = add_paths(builder, command);
  const std::string bytes = builder.bytes(read_key(command.private_key));
  replay::write_file(command.file, bytes);
  print(counted(builder.size(), "kernel") + ", " + std::to_string(bytes.size()) + " bytes" +
        (refused != 0 ? ", " + std::to_string(refused) + " refused" : std::string()) + "\n");
  return kDone;
}

Json to_json(const BundleKernel& kernel) {
  Json signature = Json::array();
  for (const Parameter& p : kernel.signature)
    signature.push_back({{"type", p.type}, {"name", p.name}, {"divisibility", p.divisibility}});
  Json variants = Json::array();
  for (const BundleVariant& v : kernel.variants)
    variants.push_back({{"target", v.target},
                        {"disjoint", v.disjoint},
                        {"aligned", v.aligned},
                        {"binary", v.has_binary}});
  Json options = {{"num_warps", kernel.options.num_warps},
                  {"num_stages", kernel.options.num_stages},
                  {"toolchain", kernel.options.toolchain}};
  for (const auto& [key, value] : kernel.options.extra) options[key] = value;
  return {{"name", kernel.name},           {"id", kernel.id},
          {"options", std::move(options)}, {"constexprs", kernel.constexprs},
          {"grid", kernel.grid},           {"shared", kernel.shared_bytes},
          {"signature", signature},        {"variants", variants}};
}

std::string describe(const BundleKernel& kernel) {
  std::string line = kernel.name + "(";
  for (size_t i = 0; i < kernel.signature.size(); ++i)
    line +=
        (i == 0 ? "" : ", ") + kernel.signature[i].type + " " +
        (kernel.signature[i].name.empty() ? "arg" + std::to_string(i) : kernel.signature[i].name);
  line += ")  id " + kernel.id + "  num_warps " + std::to_string(kernel.options.num_warps);
  for (const auto& [name, value] : kernel.constexprs)
    line.append("  ").append(name).append("=").append(value);
  std::set<std::string> targets;
  for (const BundleVariant& v : kernel.variants) targets.insert(v.target);
  line += "  code:";
  for (const std::string& target : targets) line += " " + target;
  return line + (targets.empty() ? " none\n" : "\n");
}

int list(const BundleCommand& command) {
  const Bundle bundle = Bundle::open(command.file, {read_key(command.public_key)});
  if (command.json) {
    Json kernels = Json::array();
    for (size_t i = 0; i < bundle.size(); ++i) kernels.push_back(to_json(bundle.info(i)));
    const Json document = {{"schema", 1},
                           {"trusted", bundle.is_trusted()},
                           {"targets", bundle.targets()},
                           {"kernels", std::move(kernels)}};
    print(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    return kDone;
  }
  for (size_t i = 0; i < bundle.size(); ++i) print(describe(bundle.info(i)));
  if (!bundle.is_trusted()) print("its code is not used: " + bundle.distrust() + "\n");
  return kDone;
}

// A kernel's name can be anything; a file's cannot.
std::string file_stem(const BundleKernel& kernel, bool unique) {
  std::string stem;
  for (const char c : kernel.name.substr(0, 100)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == '_' || c == '-';
    stem += plain ? c : '_';
  }
  return unique && !stem.empty() ? stem : stem + "-" + kernel.id;
}

int extract(const BundleCommand& command) {
  const Bundle bundle = Bundle::open(command.file, {read_key(command.public_key)});
  fs::create_directories(command.output);
  std::map<std::string, int> names;
  for (size_t i = 0; i < bundle.size(); ++i) ++names[bundle.info(i).name];
  size_t count = 0;
  for (size_t i = 0; i < bundle.size(); ++i) {
    const BundleKernel kernel = bundle.info(i);
    const std::string& wanted = command.options.kernel;
    if (!wanted.empty() && wanted != kernel.name && wanted != kernel.id) continue;
    ++count;
    const fs::path stem = fs::path(command.output) / file_stem(kernel, names[kernel.name] == 1);
    const auto write = [&](const std::string& suffix, const std::string& content) {
      replay::write_file(stem.string() + suffix, content);
    };
    write(".ttir", bundle.source(i));
    Json json = to_json(kernel);
    json["num_warps"] = kernel.options.num_warps;
    json["num_stages"] = kernel.options.num_stages;
    write(".json", json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    for (size_t v = 0; v < kernel.variants.size(); ++v) {
      const std::string code = bundle.code(i, v);
      write("." + std::to_string(v) + (code.compare(0, 4, "\177ELF") == 0 ? ".so" : ".cl"), code);
    }
  }
  if (count == 0)
    throw replay::InputError("bundle " + replay::in_quotes(command.file) + " has no kernel " +
                             replay::in_quotes(command.options.kernel));
  print(counted(count, "kernel") + "\n");
  return kDone;
}

int verify(const BundleCommand& command) {
  const Bundle bundle = Bundle::open(command.file, {read_key(command.public_key)});
  bundle.verify();
  print("sound: " + counted(bundle.size(), "kernel") +
        (command.public_key.empty() ? "\n" : ", signed\n"));
  return kDone;
}

}  // namespace

bool is_bundle(const std::string& path) {
  constexpr std::string_view kSuffix = ".trtb";
  return path.size() > kSuffix.size() &&
         path.compare(path.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
}

int bundle(const BundleCommand& command) {
  switch (command.action) {
    case BundleCommand::Action::kCreate:
      return create(command, BundleBuilder());
    case BundleCommand::Action::kAdd: {
      BundleBuilder builder;
      builder.add(Bundle::open(command.file, {read_key(command.public_key)}));
      return create(command, std::move(builder));
    }
    case BundleCommand::Action::kList:
      return list(command);
    case BundleCommand::Action::kExtract:
      return extract(command);
    case BundleCommand::Action::kVerify:
      return verify(command);
  }
  return kWrongCall;
}

}  // namespace tritonrt::cli
