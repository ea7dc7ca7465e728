# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Uses the package that pip has installed: program-package.py VENV. pkg-config knows the library."""

import os
import subprocess
import sys
from pathlib import Path

venv = Path(sys.argv[1]).resolve()
try_import = [sys.executable, '-c', 'import c2g']
result = subprocess.run(try_import, env={'PATH': ''}, text=True, stderr=subprocess.PIPE)
# Another one may be installed where everybody finds it.
assert result.returncode == 0 or 'ImportError: The library c2g was not found' in result.stderr, result.stderr

# GObject Introspection looks first where it looks itself, and the library lies beside the typelib's folder.
folder = subprocess.run(['pkg-config', '--variable=libdir', 'c2g-1'], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
subprocess.run(try_import, env={'PATH': '', 'GI_TYPELIB_PATH': f'{folder}/girepository-1.0'}, check=True)
# So does the command, which is on the path of those who installed it.
subprocess.run(try_import, env={'PATH': f'{Path(folder).parent}/bin:{Path(folder).parents[1]}/bin'}, check=True)

import c2g  # noqa: E402
from c2g import Tensor  # noqa: E402
from gi.repository import C2g  # noqa: E402

assert Path(c2g.__file__).is_relative_to(venv)
assert Path(sys.modules['gi.overrides.C2g'].__file__).is_relative_to(venv)
assert c2g.Tensor is Tensor is C2g.Tensor and 'Workspace' in dir(c2g)
assert Tensor([[1, 2], [3, 4]])[1, 0] == 3
stubs = Path(c2g.__file__).parents[1] / 'gi-stubs' / 'repository'
assert {path.name for path in stubs.iterdir()} == {'C2g.pyi', 'C2gCuda.pyi', 'C2gGst.pyi'}
print('c2g', c2g.__version__)
