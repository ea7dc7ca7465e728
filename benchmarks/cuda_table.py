# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the tables of GPUs, compared with CUDA's own functions, PyTorch and CuPy."""

import array
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import models_table
from programs import number

HERE = Path(__file__).resolve().parent
PYTHONS = 'python3', '/usr/bin/python3'

NOT_AVAILABLE = 77

# Title, row, and the compared row of PyTorch.
BLOCKS = [
    ('caching allocator, hit, 4 KiB', 'caching-hit', 'caching-hit'),
    ('caching allocator, hit, 17 MiB', 'caching-hit-large', 'caching-hit-large'),
    ('caching allocator, used by another stream', 'caching-other-stream', None),
    ('caching allocator, miss, 17 MiB', 'caching-miss', None),
    ('stream-ordered allocator, 4 KiB', 'async', None),
    ('stream-ordered allocator, 17 MiB', 'async-large', None),
    ('stream-ordered allocator, used by another stream', 'async-other-stream', None),
    ('pinned allocator, 4 KiB', 'pinned-hit', None),
    ('pinned allocator, used by a stream', 'pinned-used', None),
    ('`cudaMalloc`, 4 KiB', 'cuda-malloc', None),
    ('`cudaMallocAsync`, 4 KiB', 'cuda-malloc-async', None),
]
MAX_HIT_NS = 1000
HITS = 'caching-hit', 'caching-hit-large'

COPIES = ['64 MiB pinned to the GPU', '64 MiB pinned from the GPU', '4 KiB pinned to the GPU', '4 KiB pinned from the GPU',
          '64 MiB pageable to the GPU', '64 MiB pageable from the GPU', '64 MiB within the GPU']
MIN_COPY = 0.95
# Times of the smaller copies are mostly those of the call.
COPIES_WITH_TARGET = COPIES[:2]

COPY = 'copy within the GPU'
ELEMENTS = ['fill', 'Relu', 'Sigmoid', 'Tanh', 'Add', 'Mul', 'Div', 'Add a row', 'scale', 'axpy', 'float to float16',
            'float16 to float', 'float to bfloat16', 'uint8 to float', 'float to int32', 'int64 to float', 'transpose']
MIN_ELEMENTS = 0.9
REDUCTIONS = ['sum', 'sum of rows', 'sum of columns', 'max', 'max of rows', 'arg max of rows', 'dot', 'softmax of rows']
MIN_REDUCTIONS = 0.9

MAX_ROUNDING = 0.125
MIB = 1 << 20

IMAGES = 1, 16

# A small model, which only shows that the program works.
DIGITS = models_table.Model('digits', HERE.parent / 'examples' / 'models' / 'digits', (1, 8, 8), lambda n: bytes(4 * 64))


class Absent(Exception):
    """Raised if there is no GPU."""


class Bench:
    """A program and its rows, each the median of all runs."""

    def __init__(self, command, environment=None):
        self.command = command
        self.environment = environment
        self.runs = []

    def run(self):
        """Returns True if the program has run."""
        ended = subprocess.run(self.command, env=self.environment, capture_output=True, text=True)
        sys.stderr.write(ended.stderr)
        if ended.returncode != 0:
            return False
        self.runs.append(json.loads(ended.stdout))
        return True

    @property
    def about(self):
        return self.runs[0]

    def value(self, row, what='ns'):
        """Returns None for a row that the program does not have."""
        values = [run['rows'].get(row) for run in self.runs]
        if not values or values[0] is None:
            return None
        return statistics.median(value[what] if isinstance(value, dict) else value for value in values)

    def rate(self, row, n_bytes=None):
        """Returns gigabytes a second."""
        ns = self.value(row)
        return None if ns is None else (n_bytes or self.value(row, 'bytes')) / ns


def verdict(reached):
    return '' if reached is None else 'yes' if reached else '**no**'


def ratio(own, other):
    return None if own is None or other is None else own / other


def two(value):
    return '' if value is None else f'{value:.2f}'


def lines_of(heading, rows):
    return [f'| {" | ".join(heading)} |', '|---' + '|--:' * (len(heading) - 1) + '|',
            *(f'| {" | ".join(row)} |' for row in rows), '']


def blocks_table(own, torch):
    rows = []
    for title, row, peer in BLOCKS:
        ns, peer_ns = own.value(row), torch.value(peer) if torch and peer else None
        reached = None
        if row in HITS:
            reached = ns <= MAX_HIT_NS and (peer_ns is None or ns <= peer_ns)
        rows.append([title, number(ns), number(peer_ns), '≤ 1 µs, ≤ PyTorch' if row in HITS else '', verdict(reached)])
    return lines_of(['a block: allocate + free', 'c2g ns', 'PyTorch ns', 'target', 'reached'], rows)


def copies_table(own):
    rows = []
    for row in COPIES:
        rate, direct = own.rate(f'{row} c2g'), own.rate(f'{row} direct')
        wanted = row in COPIES_WITH_TARGET
        rows.append([row, number(rate), number(direct), two(rate / direct), f'≥ {MIN_COPY}' if wanted else '',
                     verdict(rate / direct >= MIN_COPY if wanted else None)])
    return lines_of(['copy', 'c2g GB/s', '`cudaMemcpyAsync` GB/s', 'ratio', 'target', 'reached'], rows)


def elements_table(own, torch):
    copy = own.rate(COPY)
    rows = [[f'`cudaMemcpyAsync`, {COPY}', number(copy), '1.00', '', '', '']]
    for row in ELEMENTS:
        rate = own.rate(row)
        peer = torch.rate(row, own.value(row, 'bytes')) if torch else None
        wanted = row != 'transpose'
        rows.append([row, number(rate), two(rate / copy), f'≥ {MIN_ELEMENTS}' if wanted else '',
                     verdict(rate / copy >= MIN_ELEMENTS if wanted else None), number(peer)])
    return lines_of(['kernel', 'GB/s', 'of the copy', 'target', 'reached', 'PyTorch GB/s'], rows)


def reductions_table(own, torch, cupy):
    rows = []
    for row in REDUCTIONS:
        n_bytes = own.value(row, 'bytes')
        rate = own.rate(row)
        others = [peer.rate(row, n_bytes) if peer else None for peer in (torch, cupy)]
        best = max((other for other in others if other), default=None)
        share = ratio(rate, best)
        rows.append([row, number(rate), *map(number, others), two(share), f'≥ {MIN_REDUCTIONS}',
                     verdict(None if share is None else share >= MIN_REDUCTIONS)])
    return lines_of(['reduction', 'c2g GB/s', 'PyTorch GB/s', 'CuPy GB/s', 'of the better', 'target', 'reached'], rows)


def rounding_row(name, bench, is_timed=True):
    values = [bench.value(name, what) for what in ('ns', 'rounding', 'peak rounding', 'reserved')]
    if values[0] is None:
        return []
    ns, rounding, peak, reserved = values
    reached = rounding <= MAX_ROUNDING if name == 'caching' else None
    return [[name, number(ns) if is_timed and ns else '', f'{100 * rounding:.1f} %', f'{100 * peak:.1f} %',
             number(reserved / MIB) if reserved else '', verdict(reached)]]


def replay_table(own, torch, is_timed=True):
    rows = [row for name in own.about['rows'] for row in rounding_row(name, own, is_timed)]
    if torch:
        rows += rounding_row('PyTorch', torch)
    title = f'replay of models, {number(own.value("caching", "asked") / MIB)} MiB at their peak'
    return lines_of([title, 'ns an event', 'rounding, all blocks', 'at the peak', 'reserved MiB',
                     f'≤ {100 * MAX_ROUNDING:g} %'], rows)


# Programs

def find_python(module):
    for python in PYTHONS:
        if subprocess.run([python, '-c', f'import {module}'], capture_output=True).returncode == 0:
            return python
    print(f'{module} was not found for Python: its columns stay empty', file=sys.stderr)
    return None


def find_peer(module, script, *arguments):
    python = find_python(module)
    return Bench([python, HERE / 'peers' / script, *arguments]) if python else None


def run_all(benches, peers, runs):
    """Returns the peers that have run, in their places."""
    for number_of_run in range(runs):
        print(f'run {number_of_run + 1} of {runs}', file=sys.stderr)
        for bench in benches:
            if not bench.run():
                raise Absent(bench.command[0].name)
        peers = [peer if peer and peer.run() else None for peer in peers]
    return peers


def find_logs():
    return sorted((HERE / 'traces').glob('*.csv'))


def make_replay(programs):
    return Bench([programs / 'bench-cuda-replay', *find_logs()])


def heading(bench, build):
    about = bench.about
    return (f'{about["device"]}, driver for CUDA {about["driver"]}, runtime {about["runtime"]}; {datetime.date.today()}; '
            f'{build}; medians of {len(bench.runs)} runs.')


def versions(peers):
    names = [f'{peer.about["program"]} {peer.about["version"]}' for peer in peers]
    return [f'Beside {", ".join(names)}.', ''] if peers else []


# Nets

def run_cell(command, environment, output):
    """Returns the time of the images and the result, or None if the program finds no GPU."""
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if ended.returncode == NOT_AVAILABLE:
        return None
    ended.check_returncode()
    return json.loads(ended.stdout)['seconds'], array.array('f', output.read_bytes())


def model_commands(programs, model, folder, n_images, python):
    source = models_table.MODELS / model.folder
    shape = ','.join(map(str, (n_images, *model.shape)))
    rest = [folder / f'{n_images}.input', shape, '1', folder / 'output', 'cuda']
    yield 'c2g', [programs / 'bench-model', 'plain', source, *rest]
    if python:
        peer = HERE / 'peers' / 'torch-cuda-model.py'
        yield 'PyTorch eager', [python, peer, 'eager', folder, *rest]
        yield 'PyTorch traced', [python, peer, 'traced', folder, *rest]


def measure_model(programs, build_dir, model, folder, n_images, runs, python):
    """Returns images a second for each program; their results must agree."""
    environment = os.environ | {'LD_LIBRARY_PATH': f'{build_dir / "c2g" / "cuda"}:{os.environ.get("LD_LIBRARY_PATH", "")}'}
    rates = {}
    for title, command in list(model_commands(programs, model, folder, n_images, python)) * runs:
        cell = run_cell(command, environment, folder / 'output')
        if cell is None:
            continue
        seconds, output = cell
        if title == 'c2g':
            expected = output
        elif not models_table.agree(output, expected):
            raise SystemExit(f'{model.title}, N = {n_images}: {title} does not agree with c2g')
        rates.setdefault(title, []).append(n_images / seconds)
    return {title: statistics.median(values) for title, values in rates.items()}


def nets_table(programs, build_dir, runs, models, images):
    python = find_python('torch')
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folders = models_table.write_models(programs, Path(folder), models)
        for model, n_images in product(models, images):
            rates = measure_model(programs, build_dir, model, folders[model], n_images, runs, python)
            peers = [rates.get('PyTorch eager'), rates.get('PyTorch traced')]
            best = max((peer for peer in peers if peer), default=None)
            rows.append([model.title, str(n_images), number(rates['c2g']), *map(number, peers),
                         two(ratio(rates['c2g'], best))])
    return lines_of(['images per second', 'N', 'c2g', 'PyTorch eager', 'PyTorch traced', 'c2g / PyTorch'], rows)


def make(options, programs, build):
    own = [Bench([programs / f'bench-cuda-{name}']) for name in ('alloc', 'copy', 'kernels')] + [make_replay(programs)]
    peers = [find_peer('torch', 'torch-cuda.py'), find_peer('cupy', 'cupy-cuda.py'),
             find_peer('torch', 'torch-cuda-replay.py', *find_logs())]
    torch, cupy, torch_replay = run_all(own, peers, options.runs)
    blocks, copies, kernels, replay = own
    is_fake = copies.about['fake']

    lines = [heading(copies, build), '', *versions([peer for peer in (torch, cupy) if peer]), *blocks_table(blocks, torch),
             *copies_table(copies), *elements_table(kernels, torch), *reductions_table(kernels, torch, cupy),
             *replay_table(replay, torch_replay, not is_fake)]
    return lines[:-1], is_fake


def make_nets(options, programs, build):
    """The models of the repository and, where they are, the larger ones beside it."""
    copies = Bench([programs / 'bench-cuda-copy'])
    run_all([copies], [], 1)
    is_fake = copies.about['fake']
    models = [model for model in models_table.MODEL_LIST if not is_fake and (models_table.MODELS / model.folder).is_dir()]
    lines = nets_table(programs, options.build_dir.resolve(), options.runs, [*models, DIGITS], (1,) if is_fake else IMAGES)
    return [heading(copies, build), '', *lines[:-1]], is_fake
