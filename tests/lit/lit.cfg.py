# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "tritonrt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ttir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
llvm_tools = os.path.dirname(os.path.realpath(config.filecheck))
config.environment["PATH"] = os.pathsep.join([config.tritonrt_bin, llvm_tools, config.environment["PATH"]])
config.environment["TRITONRT_CACHE_SIZE"] = "0"
