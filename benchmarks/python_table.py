# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of tensors in Python, compared with NumPy and PyTorch in one process, and in JavaScript."""

from programs import number

# The row, what it is, what the columns of NumPy and of JavaScript have, and the target in microseconds.
ROWS = [
    ('view', 'an array over a tensor: `numpy.asarray(t)`', 'an array over a `memoryview`', 'a copy: `t.values`', 3),
    ('take', 'a tensor over an array: `C2g.from_numpy(a)`', '`numpy.from_dlpack(a)`', '', None),
    ('element', '`t[1, 2]`', '`a[1, 2]`', '`t.dup_element(6).value`', None),
    ('slice', '`t[1]`', '`a[1]`', '`t.slice(1, 2)`', None),
    ('lookup', "`workspace['x']`", 'that of a `dict`', "`workspace.get_tensor('x')`", None),
    ('call', 'a call: `t.get_n_elements()`', '`GLib.Bytes.get_size(b)` of PyGObject', 'the same', None),
    ('predict', 'a run of `FC` and `Relu`: `predictor(x)`', '`numpy.maximum(x @ w.T + b, 0)`', '`predictor.run([x], null)`', None),
    ('in copy', '64 MiB in: `C2g.from_numpy(a, copy=True)`', '`a.copy()`', '`t.values = a`', None),
    ('in bytes', '64 MiB in: `t.set_bytes(b)`', '', 'the same', None),
    ('out copy', '64 MiB out: `t.dup_bytes()`', '', 'the same', None),
    ('out values', '64 MiB out', '', '`t.values`', None),
    ('out view', '64 MiB out: `t.ref_bytes()`', '', 'the same', None),
]
IMPORT_TARGET = 1.5


def microseconds(program, name):
    time = program and program.nanoseconds(name)
    return number(time and time / 1e3, 2)


def make(program, gjs, onnx):
    lines = ['| in Python | c2g µs | NumPy µs | PyTorch µs | NumPy does | target | reached | c2g in gjs µs | in gjs |',
             '|---|--:|--:|--:|---|---|---|--:|---|']
    for row, what, other, script, target in ROWS:
        times = [microseconds(program, f'{row} {library}') for library in ('c2g', 'numpy', 'torch')]
        reached = target and program.nanoseconds(f'{row} c2g') <= target * 1e3
        goal = (f'≤ {target} µs', 'yes' if reached else '**no**') if target else ('', '')
        lines.append('| ' + ' | '.join((what, *times, other, *goal, microseconds(gjs, f'{row} gjs'), script)) + ' |')
    if onnx:
        lines += ['', f'ONNX Runtime {onnx.about["version"]} takes {microseconds(onnx, "predict onnx")} µs for a run of the same net, by '
                  '`session.run(None, {"x": x})`.']
    ratio = program.ratio('import c2g', 'import gio')
    return lines + ['', f'To import C2g takes {ratio:.2f} times as long as to import Gio, each with gi in a new interpreter; '
                    f'{IMPORT_TARGET} or less is asked: {"reached" if ratio <= IMPORT_TARGET else "**not reached**"}.']


def heading(program, gjs):
    torch = program.about['torch']
    return '; '.join((program.about['python'], f'NumPy {program.about["numpy"]}', f'PyTorch {torch}' if torch else 'PyTorch was not found (PyPI)',
                      f'gjs {gjs.about["gjs"]}' if gjs else 'gjs was not found'))
