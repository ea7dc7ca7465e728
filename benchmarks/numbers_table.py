# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of sums, updates and conversions, compared with OpenBLAS, NumPy and memcpy()."""

from typing import NamedTuple

from programs import number

# Lengths by their names in the rows, and their titles.
LENGTHS = [('SMALL', '262 144'), ('LARGE', '4 194 304')]

DOT = 'float: c2g sums in double, OpenBLAS in float, which is half the work for the processor.'


class Row(NamedTuple):
    operation: str
    pair: str
    title: str
    # The target, as a part of the speed of OpenBLAS or of memcpy().
    target: float = None
    # A note for the table if the target is missed.
    note: str = ''


ROWS = [
    Row('axpy', 'float', 'axpy, float', 0.95),
    Row('scale', 'float', 'scale, float', 0.95),
    Row('asum', 'float', 'asum, float', 0.95),
    Row('amax', 'float', 'amax, float', 0.95),
    Row('dot', 'float', 'dot, float', 0.95, DOT),
    Row('axpy', 'double', 'axpy, double', 0.95),
    Row('scale', 'double', 'scale, double', 0.95),
    Row('asum', 'double', 'asum, double', 0.95),
    Row('amax', 'double', 'amax, double', 0.95),
    Row('dot', 'double', 'dot, double', 0.95),
    Row('axpy', 'float16', 'axpy, float16'),
    Row('asum', 'float16', 'asum, float16'),
    Row('convert', 'to_float16', 'float to float16', 0.8),
    Row('convert', 'from_float16', 'float16 to float', 0.8),
]

# The time of a call besides its loop.
CALLS = [('axpy-float', 'axpy'), ('asum-float', 'asum'), ('convert-to_float16', 'convert_from')]


def find_base(program, row, length):
    """Returns the compared row: memcpy() of as many bytes, or OpenBLAS."""
    title, name = ('memcpy', 'copy-float') if row.operation == 'convert' else ('OpenBLAS', f'blas-{row.operation}-{row.pair}')
    name = f'{name}-{length}'
    return (title, name) if name in program.about['rows'] else ('', None)


def make(program, peer):
    lines = ['| operation | elements | c2g µs | base | base µs | base / c2g | NumPy µs | NumPy / c2g | target | reached |',
             '|---|--:|--:|---|--:|--:|--:|--:|---|---|']
    notes = {}
    for row in ROWS:
        for length, elements in LENGTHS:
            name = f'{row.operation}-{row.pair}-{length}'
            own = program.nanoseconds(name)
            base, base_name = find_base(program, row, length)
            base_ns = program.nanoseconds(base_name)
            ratio = program.ratio(base_name, name) if base_name else None
            peer_ns = peer.nanoseconds(name) if peer else None
            reached = row.target is None or ratio >= row.target
            lines.append('| ' + ' | '.join((
                row.title, elements, number(own / 1e3), base, number(base_ns and base_ns / 1e3),
                f'{ratio:.2f}' if ratio else '', number(peer_ns and peer_ns / 1e3),
                f'{peer_ns / own:.2f}' if peer_ns else '', f'≥ {row.target:g} × {base}' if row.target else '',
                '' if row.target is None else 'yes' if reached else '**no**')) + ' |')
            if not reached and row.note:
                notes[row.note] = row.title
    calls = ', '.join(f'{title} {number(program.nanoseconds(name + "-ONE"), 0)} ns' for name, title in CALLS)
    lines += ['', f'With a single element: {calls}.']
    if notes:
        lines += ['', 'Missed:', ''] + [f'- {title.split(",")[0]}, {note}' for note, title in notes.items()]
    return lines


def heading(peer):
    return f'NumPy {peer.about["version"]}' if peer else 'NumPy was not found'
