# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of tensors in Python, compared with NumPy and PyTorch in one process."""

from programs import number

# The row, what it is, what NumPy's column has, and the target in microseconds.
ROWS = [
    ('view', 'an array over a tensor: `numpy.asarray(t)`', 'an array over a `memoryview`', 3),
    ('take', 'a tensor over an array: `C2g.from_numpy(a)`', '`numpy.from_dlpack(a)`', None),
    ('element', '`t[1, 2]`', '`a[1, 2]`', None),
    ('slice', '`t[1]`', '`a[1]`', None),
    ('lookup', "`workspace['x']`", 'that of a `dict`', None),
    ('call', 'a call: `t.get_n_elements()`', '`GLib.Bytes.get_size(b)` of PyGObject', None),
    ('in copy', '64 MiB in: `C2g.from_numpy(a, copy=True)`', '`a.copy()`', None),
    ('in bytes', '64 MiB in: `t.set_bytes(b)`', '', None),
    ('out copy', '64 MiB out: `t.dup_bytes()`', '', None),
    ('out view', '64 MiB out: `t.ref_bytes()`', '', None),
]
IMPORT_TARGET = 1.5


def make(program):
    def microseconds(name):
        time = program.nanoseconds(name)
        return number(time and time / 1e3, 2)

    lines = ['| what | c2g µs | NumPy µs | PyTorch µs | NumPy does | target | reached |', '|---|--:|--:|--:|---|---|---|']
    for row, what, other, target in ROWS:
        time = program.nanoseconds(f'{row} c2g') / 1e3
        goal = (f'≤ {target} µs', 'yes' if time <= target else '**no**') if target else ('', '')
        lines.append('| ' + ' | '.join((what, number(time, 2), microseconds(f'{row} numpy'), microseconds(f'{row} torch'), other,
                                        *goal)) + ' |')
    ratio = program.ratio('import c2g', 'import gio')
    return lines + ['', f'To import C2g takes {ratio:.2f} times as long as to import Gio, each with gi in a new interpreter; '
                    f'{IMPORT_TARGET} or less is asked: {"reached" if ratio <= IMPORT_TARGET else "**not reached**"}.']


def heading(program):
    torch = program.about['torch']
    return f'{program.about["python"]}; NumPy {program.about["numpy"]}; {f"PyTorch {torch}" if torch else "PyTorch was not found (PyPI)"}'
