#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures loading a model of 200 MiB by one of Python's packages, in a row of the same name as that of bench-io.

  python-load.py safetensors|torch
"""

import json
import platform
import sys
import tempfile
from pathlib import Path

from peer_timing import measure

N_PARAMETERS = 50
N_FLOATS = 1 << 20


def safetensors(path):
    """Returns the version of the package, the row, and the function that loads the file, which it writes."""
    import numpy
    import safetensors
    import safetensors.numpy

    safetensors.numpy.save_file({f'tensor{i}': numpy.ones(N_FLOATS, numpy.float32) for i in range(N_PARAMETERS)}, path)
    return safetensors.__version__, 'load-safetensors', safetensors.numpy.load_file


def torch(path):
    import torch

    torch.save({f'tensor{i}': torch.ones(N_FLOATS) for i in range(N_PARAMETERS)}, path)
    return torch.__version__, 'load-torch', torch.load


def main():
    package = {'safetensors': safetensors, 'torch': torch}[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'file'
        version, row, load = package(path)
        rows = {row: measure(load, path)}
    print(json.dumps({'program': sys.argv[1], 'version': version, 'compiler': f'Python {platform.python_version()}', 'rows': rows}))


if __name__ == '__main__':
    main()
