// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/cache_line.h"

namespace tritonrt::cli {
namespace {

using Action = BundleCommand::Action;

CLI::App* add_action(CLI::App& parent, const char* name, const char* text, BundleCommand& command,
                     Action action) {
  CLI::App* app = parent.add_subcommand(name, text);
  app->callback([&command, action] { command.action = action; });
  add_public_key(*app, command.public_key);
  return app;
}

// What `create` and `add` share.
void add_contents(CLI::App& app, BundleCommand& command) {
  app.add_option(
         "PATH", command.paths,
         "Kernels: .ttir files, folders of recorded launches, Triton's cache folder or any\n"
         "folder of .ttir files, other bundles")
      ->required()
      ->type_name("");
  app.add_option("--target", command.targets,
                 "What to compile for, may be repeated (default: cpu): a device of this machine;\n"
                 "cpu:x86-64, cpu:x86-64-v2, -v3 or -v4; FILE.json[:NAME] written by\n"
                 "`devices --save` on another machine; none (texts alone)")
      ->type_name("T")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  app.add_option("--num-warps", command.options.num_warps, "Warps a program is compiled for")
      ->type_name("N")
      ->check(CLI::Range(1, 64).description(""));
  app.add_option("--num-stages", command.options.num_stages, "Stages of pipelined loops")
      ->type_name("N")
      ->check(CLI::Range(0, 64).description(""));
  app.add_option("--kernel", command.options.kernel,
                 "Function in the files (default: the only public one)")
      ->type_name("NAME");
  app.add_option("--grid", command.grid,
                 "Programs along x, y, z: expressions of parameters and constexprs, as in\n"
                 "'cdiv(n, BLOCK)'")
      ->type_name("X[,Y[,Z]]");
  app.add_option_function<std::vector<std::string>>(
         "--constexpr",
         [&command](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const size_t equals = text.find('=');
             if (equals == std::string::npos || equals == 0)
               throw CLI::ValidationError("--constexpr", "NAME=VALUE expected, not '" + text + "'");
             command.constexprs[text.substr(0, equals)] = text.substr(equals + 1);
           }
         },
         "A compile-time value, to choose the kernel by; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--mapping",
         [&command](const std::string& name) {
           command.options.mapping = name == "vector" ? Mapping::kVector : Mapping::kSimt;
         },
         "How programs are laid onto OpenCL devices: vector or simt")
      ->type_name("M")
      ->check(CLI::IsMember({"vector", "simt"}).description(""));
  app.add_option("--sign", command.private_key,
                 "File of an ed25519 private key (PEM, or its seed in hexadecimal) to sign with")
      ->type_name("FILE");
  app.add_flag("--keep-going", command.keep_going, "Leave out kernels that the compiler refuses");
}

}  // namespace

void add_public_key(CLI::App& app, std::string& file) {
  app.add_option("--key", file,
                 "File of an ed25519 public key (PEM or hexadecimal) that must have signed the\n"
                 "bundle")
      ->type_name("FILE");
}

void add_bundle(CLI::App& app, BundleCommand& command) {
  CLI::App* bundle = app.add_subcommand("bundle", "Makes and reads bundles: files of kernels.");
  bundle->require_subcommand(1);
  CLI::App* create = add_action(*bundle, "create", "Compiles kernels into a new bundle.", command,
                                Action::kCreate);
  create->add_option("-o,--output", command.file, "The bundle to write")
      ->required()
      ->type_name("FILE");
  add_contents(*create, command);
  CLI::App* add = add_action(*bundle, "add", "Adds kernels, or code for more targets, to a bundle.",
                             command, Action::kAdd);
  add->add_option("FILE", command.file, "The bundle")->required()->type_name("");
  add_contents(*add, command);
  CLI::App* list = add_action(*bundle, "list", "Lists a bundle's kernels.", command, Action::kList);
  list->add_option("FILE", command.file, "The bundle")->required()->type_name("");
  list->add_flag("--json", command.json, "Print an object");
  CLI::App* extract = add_action(
      *bundle, "extract", "Writes a bundle's kernels as files: NAME.ttir, NAME.json and the code.",
      command, Action::kExtract);
  extract->add_option("FILE", command.file, "The bundle")->required()->type_name("");
  extract->add_option("-o,--output", command.output, "The folder to write into")
      ->required()
      ->type_name("DIR");
  extract->add_option("--kernel", command.options.kernel, "Only the kernel of that name or id")
      ->type_name("NAME");
  CLI::App* verify = add_action(*bundle, "verify", "Reads and checks everything in a bundle.",
                                command, Action::kVerify);
  verify->add_option("FILE", command.file, "The bundle")->required()->type_name("");
}

void add_cache(CLI::App& app, CacheCommand& command) {
  CLI::App* cache = app.add_subcommand("cache", "Looks after the folder of compiled kernels.");
  cache->require_subcommand(1);
  const auto action = [&](const char* name, const char* text, CacheCommand::Action which) {
    CLI::App* sub = cache->add_subcommand(name, text);
    sub->callback([&command, which] { command.action = which; });
    return sub;
  };
  action("stats", "Tells where it is and what it holds.", CacheCommand::Action::kStats)
      ->add_flag("--json", command.json, "Print an object");
  action("verify", "Checks every entry. Exit code 1 if one is damaged.",
         CacheCommand::Action::kVerify)
      ->add_flag("--repair", command.repair, "Remove what is damaged");
  action("clear", "Removes all entries.", CacheCommand::Action::kClear);
  action("trim", "Removes the entries used longest ago, down to a size.",
         CacheCommand::Action::kTrim)
      ->add_option("BYTES", command.bytes,
                   "The size; K, M or G may follow (default: the limit of the cache)")
      ->type_name("")
      ->transform(CLI::AsSizeValue(false).description(""));
  action("export", "Writes all entries into one file.", CacheCommand::Action::kExport)
      ->add_option("FILE", command.file, "The file")
      ->required()
      ->type_name("");
  action("import", "Takes over the entries of an exported file, which must be yours.",
         CacheCommand::Action::kImport)
      ->add_option("FILE", command.file, "The file")
      ->required()
      ->type_name("");
}

}  // namespace tritonrt::cli
