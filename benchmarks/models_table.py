# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of models compared with PyTorch and ONNX Runtime, with the same weights and inputs. Each cell has its own process."""

import array
import json
import os
import random
import statistics
import struct
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Callable, NamedTuple

import random_models
import style_model
import torch_script
from programs import number

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent.parent / 'shared' / 'models'
ONNX_PEER = HERE / 'peers' / 'onnx-model.py'

MIB = 1 << 20

# glibc keeps freed memory between two runs: otherwise PyTorch, which allocates each tensor anew, would spend up to two
# fifths of its time on page faults.
KEEP_MEMORY = {'MALLOC_MMAP_MAX_': '0', 'MALLOC_TRIM_THRESHOLD_': str(1 << 40)}

NO_LIMITS = {}
# Holds libraries to AVX2 on a processor with more: oneDNN of version 2 by either name, OpenBLAS, and PyTorch's own loops.
AVX2 = {'DNNL_MAX_CPU_ISA': 'AVX2', 'ONEDNN_MAX_CPU_ISA': 'AVX2', 'OPENBLAS_CORETYPE': 'Haswell', 'ATEN_CPU_CAPABILITY': 'avx2'}

# The largest difference from c2g's outputs: relative, and for small ones relative to the largest one.
RELATIVE, OF_LARGEST = 1e-4, 1e-5


class Model(NamedTuple):
    title: str
    folder: str
    shape: tuple
    # Makes image number N, as the bytes of floats.
    read_image: Callable
    # Writes the folder of a model, if it is not to be found.
    write: Callable = None


def read_shifted(path, n):
    """Makes images from a single one, whose floats are rotated so that each image differs."""
    data = (MODELS / path).read_bytes()
    start = 4 * 101 * n
    return data[start:] + data[:start]


def read_digit(n):
    """Returns a picture of 28×28 grey pixels, the lowest row first, as floats from 0 to 1."""
    data = (MODELS / 'lenet_lmdb' / 'imgs' / f'{n % 10}.bmp').read_bytes()
    start, = struct.unpack_from('<I', data, 10)
    rows = [data[start + 28 * y:start + 28 * (y + 1)] for y in reversed(range(28))]
    return array.array('f', (pixel / 256 for row in rows for pixel in row)).tobytes()


def make_noise(n_floats, n, largest=1):
    """Returns the same floats from -LARGEST to LARGEST for the same N."""
    numbers = random.Random(n)
    return array.array('f', (largest * (2 * numbers.random() - 1) for _ in range(n_floats))).tobytes()


MODEL_LIST = [
    Model('SqueezeNet 1.1', 'squeezenet11', (3, 227, 227),
          lambda n: read_shifted('squeezenet11/flower_input_1x3x227x227.f32', n)),
    Model('ResNet-32 for CIFAR', 'cifar10_resnet32', (3, 32, 32),
          lambda n: read_shifted('cifar10_resnet32/nnstreamer_data_5.f32', n)),
    Model('LeNet', 'lenet_lmdb/deploy_models', (1, 28, 28), read_digit),
]

# These are written first, and are measured on the processor only: two have no weights to be found.
WRITTEN_MODELS = [
    Model('Style transfer', 'style_transfer', (3, 224, 224), lambda n: make_noise(3 * 224 * 224, n, 128),
          lambda folder: style_model.write(MODELS / 'style_transfer', folder)),
    Model('MobileNet v2, random', 'mobilenet', (3, 224, 224), lambda n: make_noise(3 * 224 * 224, n),
          random_models.write_mobilenet),
    Model('ResNet-50, random', 'resnet50', (3, 224, 224), lambda n: make_noise(3 * 224 * 224, n),
          random_models.write_resnet),
]


class Cell(NamedTuple):
    model: Model
    n_images: int
    n_threads: int

    def __str__(self):
        return f'{self.model.title}, N = {self.n_images}, {self.n_threads} threads'


CELLS = [Cell(*cell) for cell in product(MODEL_LIST + WRITTEN_MODELS, (1, 4, 16), (1, 2))]


class Contender:
    """A program, with one of its ways to run a model."""

    def __init__(self, title, program, how, limits, wrapper=()):
        self.title = title
        self.program = program
        self.how = how
        self.wrapper = wrapper
        # Variables of the environment that limit libraries.
        self.limits = limits
        # The output for each cell.
        self.runs = []

    @property
    def about(self):
        return self.runs[0][CELLS[0]]

    def run(self, cell, folder):
        """Runs one process of the latest round, and returns its output."""
        source = folder if self.is_peer() else find_source(cell.model, folder)
        shape = ','.join(map(str, (cell.n_images, *cell.model.shape)))
        # The BLAS library has its own setting for the number of threads.
        threads = {'OMP_NUM_THREADS': str(cell.n_threads), 'OPENBLAS_NUM_THREADS': str(cell.n_threads)}
        environment = os.environ | KEEP_MEMORY | self.limits | threads
        command = [*self.wrapper, self.program, self.how, source, folder / f'{cell.n_images}.input', shape, str(cell.n_threads),
                   folder / 'output']
        printed = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
        self.runs[-1][cell] = json.loads(printed)
        return array.array('f', (folder / 'output').read_bytes())

    def is_peer(self):
        return self.program.name != 'bench-model'

    def median(self, cell, name):
        return statistics.median(run[cell][name] for run in self.runs)

    def images(self, cell):
        """Returns images a second in the shortest run: other programs of the machine can only make one longer."""
        return cell.n_images / min(run[cell]['least'] for run in self.runs)

    def begin(self, cell):
        """Returns the times of loading and of the first run."""
        return ' + '.join(number(1000 * self.median(cell, name)) for name in ('load', 'first'))

    def memory(self, cell):
        peak, grown = self.median(cell, 'peak'), self.median(cell, 'grown')
        return f'{grown / MIB:.0f} of {peak / MIB:.0f}' if peak else ''


def find_onnx_python():
    """Returns a Python that can write models of ONNX and run them, or None."""
    for python in (sys.executable, 'python3', '/usr/bin/python3'):
        if subprocess.run([python, '-c', 'import numpy, onnx, onnxruntime'], capture_output=True).returncode == 0:
            return python
    print('onnx and onnxruntime were not found (PyPI): the column of ONNX Runtime is left out', file=sys.stderr)
    return None


def find_contenders(programs, limits):
    own, peer = programs / 'bench-model', programs / 'peer-torch-model'
    contenders = [Contender('c2g', own, 'plain', limits), Contender('c2g optimized', own, 'optimized', limits)]
    if peer.exists():
        contenders += [Contender('PyTorch eager', peer, 'eager', limits), Contender('PyTorch optimized', peer, 'optimized', limits)]
    # ONNX Runtime uses all that the processor has, and nothing limits it.
    python = None if limits else find_onnx_python()
    if python is not None:
        contenders.append(Contender('ONNX Runtime', ONNX_PEER, 'run', limits, [python]))
    return contenders


def find_source(model, folder):
    """Returns the folder that c2g loads a model from; folder has the files for the peers."""
    return folder / 'model' if model.write else MODELS / model.folder


def write_model(programs, model, folder):
    """Writes the files for the peers: the net, the weights and the inputs."""
    folder.mkdir()
    if model.write:
        model.write(folder / 'model')
    subprocess.run([programs / 'bench-model', 'write-down', find_source(model, folder), folder], check=True)
    torch_script.write(folder)
    for n_images in {cell.n_images for cell in CELLS}:
        (folder / f'{n_images}.input').write_bytes(b''.join(model.read_image(n) for n in range(n_images)))


def write_models(programs, folder, models=MODEL_LIST):
    """Returns the path of each model."""
    folders = {model: folder / str(number) for number, model in enumerate(models)}
    for model, path in folders.items():
        write_model(programs, model, path)
    return folders


def write_onnx(contenders, folders):
    for contender in contenders:
        for folder in folders.values() if contender.program == ONNX_PEER else []:
            subprocess.run([*contender.wrapper, ONNX_PEER, 'write', folder], check=True)


def agree(output, expected):
    least = OF_LARGEST * max(map(abs, expected))
    return len(output) == len(expected) and all(abs(a - b) <= least + RELATIVE * abs(b)
                                                for a, b in zip(output, expected))


def check(cell, title, output, expected):
    """Checks that a program computes the same; otherwise its time means nothing."""
    if not agree(output, expected):
        raise SystemExit(f'{cell}: {title} does not agree with c2g as the net is written')


def run(contenders, folders):
    """Runs all cells once; the programs take turns for each model."""
    for contender in contenders:
        contender.runs.append({})
    for cell in CELLS:
        outputs = [contender.run(cell, folders[cell.model]) for contender in contenders]
        for contender, output in zip(contenders, outputs):
            check(cell, contender.title, output, outputs[0])


def speed_row(cell, contenders):
    images = [contender.images(cell) for contender in contenders]
    own = max(speed for contender, speed in zip(contenders, images) if not contender.is_peer())
    peers = [speed for contender, speed in zip(contenders, images) if contender.is_peer()]
    ratio = own / max(peers) if peers else None
    verdict = '' if ratio is None else 'yes' if ratio >= 1 else '**no**'
    return [*map(number, images), '' if ratio is None else f'{ratio:.2f}', verdict]


def memory_row(cell, contenders):
    """Compares the faster way of c2g, which uses less memory, too, with the best peer."""
    own = min(contender.median(cell, 'peak') for contender in contenders if not contender.is_peer())
    peers = [contender.median(cell, 'peak') for contender in contenders if contender.is_peer()]
    verdict = '' if not peers else 'yes' if own <= min(peers) else '**no**'
    return [*(contender.memory(cell) for contender in contenders), verdict]


def table(title, contenders, columns, make_row):
    heading = [title, 'N', 'threads', *(contender.title for contender in contenders), *columns]
    lines = [f'| {" | ".join(heading)} |', '|---' + '|--:' * (len(heading) - 1) + '|']
    for cell in CELLS:
        words = [cell.model.title, str(cell.n_images), str(cell.n_threads), *make_row(cell)]
        lines.append(f'| {" | ".join(words)} |')
    return lines


def make(contenders):
    return [*table('images per second', contenders, ['c2g / best peer', '≥ 1'], lambda cell: speed_row(cell, contenders)),
            '',
            *table('load + first run, ms', contenders, [],
                   lambda cell: [contender.begin(cell) for contender in contenders]),
            '',
            *table('peak memory, MiB', contenders, ['c2g has least'], lambda cell: memory_row(cell, contenders))]
