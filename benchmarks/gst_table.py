# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Tensors of frames beside GStreamer's videoconvertscale and NumPy."""

from programs import number

FORMATS = ['RGB', 'BGRx', 'I420', 'NV12']
TARGET = 3


def make(program, peer):
    lines = ['| frame | c2gconvert µs | videoconvertscale µs | NumPy µs | both / c2g | target | reached |', '|---|--:|--:|--:|--:|---|---|']
    normalize = peer.nanoseconds('normalize') if peer else None
    for name in FORMATS:
        own, scale = (program.nanoseconds(f'{what}-{name}') for what in ('convert', 'scale'))
        ratio = (scale + normalize) / own if normalize else None
        lines.append('| ' + ' | '.join((
            f'{name}, 1920 × 1080', number(own / 1e3), number(scale / 1e3), number(normalize and normalize / 1e3),
            f'{ratio:.2f}' if ratio else '', f'≥ {TARGET} × both',
            '' if ratio is None else 'yes' if ratio >= TARGET else '**no**')) + ' |')
    return lines


def heading(peer):
    return f'NumPy {peer.about["version"]}' if peer else 'NumPy was not found'
