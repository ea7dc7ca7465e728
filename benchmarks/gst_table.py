# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of tensors of frames, compared with GStreamer's videoconvertscale and NumPy."""

from programs import number

FORMATS = ['RGB', 'BGRx', 'I420', 'NV12']
TARGET = 3

# The row, its base, and the target as a multiple of the base, if there is one.
REST = [
    ('10 frames of 640 × 480: SqueezeNet 1.1 by c2ginference, and c2gdecode', 'classify', 'the model alone', 'model', 1 / 0.97),
    ('10 such frames: c2gconvert alone, as a part of that', 'convert-input', 'the model alone', 'model', None),
    ('10 such frames by c2ginference and c2gdecode', 'classify', 'a loop over an appsink in Python', 'loop', None),
    ('a buffer over a tensor', 'buffer-of-tensor', '`gst_buffer_new_wrapped_full()`', 'wrapped', 2),
    ('a tensor over a buffer', 'tensor-of-buffer', '`g_object_new()`', 'object', 1.6),
    ('a tensor over a memory', 'tensor-of-memory', '`g_object_new()`', 'object', 1.6),
]


def make(program, peer, loop):
    lines = ['| frame | c2gconvert µs | videoconvertscale µs | NumPy µs | both / c2g | target | reached |', '|---|--:|--:|--:|--:|---|---|']
    normalize = peer.nanoseconds('normalize') if peer else None
    for name in FORMATS:
        own, scale = (program.nanoseconds(f'{what}-{name}') for what in ('convert', 'scale'))
        ratio = (scale + normalize) / own if normalize else None
        lines.append('| ' + ' | '.join((
            f'{name}, 1920 × 1080', number(own / 1e3), number(scale / 1e3), number(normalize and normalize / 1e3),
            f'{ratio:.2f}' if ratio else '', f'≥ {TARGET} × both',
            '' if ratio is None else 'yes' if ratio >= TARGET else '**no**')) + ' |')
    return lines + [''] + make_rest([program, *([loop] if loop else [])])


def make_rest(programs):
    def find(row):
        return next((time for time in (program.nanoseconds(row) for program in programs) if time), None)

    lines = ['| what | c2g ns | base | base ns | c2g / base | target | reached |', '|---|--:|---|--:|--:|---|---|']
    for what, row, base_name, base_row, target in REST:
        own, base = find(row), find(base_row)
        if own and base:
            ratio = own / base
            goal = f'≤ {target:.3g} × base | {"yes" if ratio <= target else "**no**"}' if target else ' | '
            lines.append(f'| {what} | {number(own)} | {base_name} | {number(base)} | {ratio:.3g} | {goal} |')
    return lines


def heading(peer):
    return f'NumPy {peer.about["version"]}' if peer else 'NumPy was not found'
