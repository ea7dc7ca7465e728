# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs the programs that measure, and describes the machine."""

import json
import re
import statistics
import subprocess
import tempfile
from pathlib import Path


class Program:
    """One of the programs, with the output of all its runs."""

    def __init__(self, path, wrapper=(), arguments=()):
        self.path = path
        self.wrapper = wrapper
        self.arguments = arguments
        self.runs = []

    def run(self):
        output = subprocess.run([*self.wrapper, self.path, *self.arguments], check=True, capture_output=True, text=True).stdout
        self.runs.append(json.loads(output))

    @property
    def about(self):
        return self.runs[0]

    def nanoseconds(self, name):
        """Returns the median of all runs; None for a row that the program does not have."""
        if name not in self.about['rows']:
            return None
        return statistics.median(run['rows'][name] for run in self.runs)

    def ratio(self, name, other):
        """Returns the median ratio of the times of two rows over all runs."""
        return statistics.median(run['rows'][name] / run['rows'][other] for run in self.runs)

    def instructions(self, rows):
        """Returns the instructions of one repetition of each row, without its preparation, from two counts of repetitions
        for each: {NAME: (FEW, MANY)}. One process counts them all, for valgrind takes longer to start."""
        runs = [(name, n) for name, counts in rows.items() for n in counts]
        with tempfile.TemporaryDirectory() as folder:
            command = ['valgrind', '--tool=callgrind', f'--callgrind-out-file={folder}/out', '--dump-after=bench_measured',
                       '--toggle-collect=bench_measured', self.path]
            command += [word for name, n in runs for word in ('--row', name, '--count', str(n))]
            subprocess.run(command, check=True, capture_output=True)
            # Each call of the function has a file of its own.
            files = [Path(folder, f'out.{i}').read_text() for i in range(1, len(runs) + 1)]
        counted = [int(re.search(r'^(?:summary|totals): (\d+)', text, re.M)[1]) for text in files]
        return {name: (counted[2 * i + 1] - counted[2 * i]) / (many - few) for i, (name, (few, many)) in enumerate(rows.items())}


# The best instruction set comes first. Names of processors do not help: virtual machines hide them.
VECTORS = {'avx512bw': 'AVX-512', 'avx2': 'AVX2', 'avx': 'AVX', 'asimd': 'Neon'}


def processor_has(flag):
    return re.search(rf'\b{flag}\b', Path('/proc/cpuinfo').read_text()) is not None


def processor():
    text = Path('/proc/cpuinfo').read_text()
    model = re.search(r'^model name\s*:\s*(.*)$', text, re.MULTILINE)
    n = len(re.findall(r'^processor\s*:', text, re.MULTILINE))
    vectors = next((name for flag, name in VECTORS.items() if processor_has(flag)), 'no vectors')
    return f'{model.group(1) if model else "unknown processor"} with {vectors}, {n} logical cores'


def build_type(build_dir):
    options = json.loads((build_dir / 'meson-info' / 'intro-buildoptions.json').read_text())
    values = {option['name']: option['value'] for option in options}
    return f'{values["buildtype"]} (-O{values["optimization"]})'


def number(value, digits=1):
    if value is None:
        return ''
    return f'{value:.{digits}f}' if value < 100 else f'{value:,.0f}'.replace(',', ' ')
