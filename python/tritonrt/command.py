# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the command `tritonrt` is."""
import os


def find_command():
    """The command `tritonrt` of this installation."""
    here = os.path.dirname(os.path.abspath(__file__))
    candidates = [os.environ.get("TRITONRT_COMMAND"), os.path.join(here, "bin", "tritonrt"),
                  os.path.join(here, "..", "..", "bin", "tritonrt")]
    return next((path for path in candidates if path and os.access(path, os.X_OK)), "tritonrt")
