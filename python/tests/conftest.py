# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pytest

pytest.importorskip("triton")
pytest.importorskip("numpy")
