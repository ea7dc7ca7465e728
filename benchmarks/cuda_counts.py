# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of allocators for GPUs without a GPU: instructions and calls, counted on the fake runtime of the tests."""

import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from programs import number

FAKE = 'libcudart'
COUNTS = 200, 600
MAX_ROUNDING = 0.125

# The row of bench-cuda-alloc, and its title.
ROWS = [
    ('caching-hit', 'caching allocator: hit, 4 KiB'),
    ('caching-hit-large', 'caching allocator: hit, 17 MiB'),
    ('caching-other-stream', 'caching allocator: used by another stream'),
    ('caching-miss', 'caching allocator: miss, 17 MiB, and back to CUDA'),
    ('async', 'stream-ordered allocator: 4 KiB'),
    ('async-other-stream', 'stream-ordered allocator: used by another stream'),
    ('pinned-hit', 'pinned allocator: hit, 4 KiB'),
    ('pinned-used', 'pinned allocator: used by a stream'),
]

NAME = re.compile(r'^(ob|cob|fn|cfn)=\((\d+)\)(?: (.*))?$')
CALLS = re.compile(r'^calls=(\d+)')
COST = re.compile(r'^[+\-*\d]\S* (\d+)')


class Profile:
    """Returns the instructions outside of the fake runtime and the calls into it, from callgrind's output."""

    def __init__(self, lines):
        self.instructions = 0
        self.calls = Counter()
        self.names = {'ob': {}, 'fn': {}}
        self.read(iter(lines))

    def name(self, kind, number_of_name, name):
        names = self.names[kind[-2:]]
        if name is not None:
            names[number_of_name] = name
        return names[number_of_name]

    def read(self, lines):
        """Finds calls into the fake runtime. Its own instructions are in their inclusive cost."""
        now = {'ob': '', 'cob': None, 'cfn': ''}
        for line in lines:
            if match := NAME.match(line):
                now[match[1]] = self.name(*match.groups())
            elif match := CALLS.match(line):
                inclusive = int(COST.match(next(lines))[1])
                self.count_call(now['ob'], now['cob'] or now['ob'], now['cfn'], int(match[1]), inclusive)
                now['cob'] = None
            elif line.startswith('summary:') or line.startswith('totals:'):
                self.total = int(line.split()[1])
        self.instructions += self.total

    def count_call(self, caller, callee, function, n, inclusive):
        if FAKE in callee and FAKE not in caller and function.startswith('cu'):
            self.calls[function] += n
            self.instructions -= inclusive


def profile(program, fake, row, n):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'out'
        command = ['valgrind', '--tool=callgrind', f'--callgrind-out-file={path}', '--toggle-collect=bench_measured', program,
                   '--row', row, '--count', str(n)]
        environment = os.environ | {'LD_LIBRARY_PATH': str(fake.resolve()), 'LD_BIND_NOW': '1'}
        subprocess.run(command, env=environment, check=True, capture_output=True)
        return Profile(path.read_text().splitlines())


def count(program, fake, row):
    """Returns the counts of one repetition."""
    few, many = (profile(program, fake, row, n) for n in COUNTS)
    n = COUNTS[1] - COUNTS[0]
    calls = {name: (many.calls[name] - few.calls[name]) / n for name in many.calls}
    return (many.instructions - few.instructions) / n, {name: rate for name, rate in calls.items() if rate > 0.05}


def describe(calls):
    # The driver's functions have no names of their own in the fake runtime.
    rates = [(re.sub('_([a-z])', lambda match: match[1].upper(), name), rate) for name, rate in sorted(calls.items())]
    words = [f'`{name}`' if round(rate, 1) == 1 else f'{rate:.1f} × `{name}`' for name, rate in rates]
    return ', '.join(words) or 'none'


def counts_table(program, fake):
    lines = ['| a block: allocate + free | c2g instructions | calls of CUDA |', '|---|--:|---|']
    for row, title in ROWS:
        instructions, calls = count(program, fake, row)
        lines.append(f'| {title} | {number(instructions)} | {describe(calls)} |')
    return lines


def rounding_table(program, fake, logs):
    """Counts that depend only on sizes, and not on the runtime."""
    lines = ['| replay of | sizes rounded up by | all blocks | at the peak | ≤ 12.5 % |', '|---|---|--:|--:|---|']
    environment = os.environ | {'LD_LIBRARY_PATH': str(fake.resolve())}
    for log in [*([log] for log in logs), logs]:
        output = subprocess.run([program, *log], env=environment, check=True, capture_output=True, text=True).stdout
        rows = json.loads(output)['rows']
        title = log[0].stem if len(log) == 1 else 'both'
        for name in ('caching', 'CUB, growth 2', 'CUB, growth 8'):
            rounding, peak = rows[name]['rounding'], rows[name]['peak rounding']
            lines.append(f'| {title} | {name} | {100 * rounding:.1f} % | {100 * peak:.1f} % '
                         f'| {"yes" if max(rounding, peak) <= MAX_ROUNDING else "no"} |')
    return lines


def make(programs, fake, logs):
    return [*counts_table(programs / 'bench-cuda-alloc', fake), '', *rounding_table(programs / 'bench-cuda-replay', fake, logs)]
