# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m tritonrt: `export` needs Triton and is done here; everything else is the command `tritonrt`."""
import os
import sys


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["export"]:
        try:
            import triton  # noqa: F401
        except ImportError as error:
            print(f"tritonrt export: error: {sys.executable} has no Triton ({error}); pip install triton", file=sys.stderr)
            return 1
        from .export import main as export
        return export(arguments[1:])
    from .command import find_command
    command = find_command()
    try:
        os.execvp(command, [command, *arguments])
    except OSError as error:
        print(f"tritonrt: error: cannot run the command '{command}': {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
