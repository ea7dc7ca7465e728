# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of files and messages, compared with memory, the system and other libraries."""

from typing import NamedTuple, Optional

from programs import number

MIB = 1 << 20
MODEL = 200 * MIB


# Why a processor with large caches misses a target.
PIECES = ('memory is copied by pieces of 8 MiB at most, between which a job can be cancelled, or by those of a stream; glibc writes past the '
          'caches only in larger ones. Such a `memcpy()` took 1.25 times as long on a Xeon with 105 MiB of cache')


class Row(NamedTuple):
    name: str
    title: str
    # The bytes that are moved, for the rate.
    n_bytes: int = 64 * MIB
    # The row of the same program for the possible speed, and the part of it that is the target.
    base: Optional[str] = None
    target: Optional[float] = None
    # The target: a limit in milliseconds.
    target_ms: Optional[float] = None
    # A note for the table if the target is missed.
    note: str = ''


ROWS = [
    Row('memcpy', 'memcpy, 64 MiB'),
    Row('memcpy-new', 'memcpy into memory that the system has just given'),
    Row('serialize-float', 'float: serialize, into new bytes', base='memcpy-new', target=0.8),
    Row('serialize-float-stream', 'float: serialize, to a stream over memory', base='memcpy', target=0.8, note=PIECES),
    Row('deserialize-float', 'float: deserialize, into a new tensor', base='memcpy-new', target=0.8, note=PIECES),
    Row('deserialize-float-pool', 'float: deserialize, memory from the pool', base='memcpy', target=0.8, note=PIECES),
    Row('serialize-int8', 'int8, half of it negative: serialize', 16 * MIB),
    Row('deserialize-int8', 'int8, half of it negative: deserialize', 16 * MIB),
    Row('serialize-float16', 'float16 as int32_data: serialize'),
    Row('deserialize-float16', 'float16 as int32_data: deserialize'),
    Row('serialize-string', 'a million strings of 16 bytes: serialize', 16 * MIB),
    Row('deserialize-string', 'a million strings of 16 bytes: deserialize', 16 * MIB),
    Row('cat', 'a file of 200 MiB: read by pieces into one buffer, as `cat`', MODEL),
    Row('read-new', 'a file of 200 MiB: read into memory that the system has just given', MODEL),
    Row('load-safetensors', 'safetensors, 200 MiB in 50 tensors: load by pread', MODEL, base='read-new', target=0.8),
    Row('load-minidb', 'minidb: load', MODEL, base='read-new', target=0.8),
    Row('load-lmdb', 'LMDB: load', MODEL, base='read-new', target=0.8),
    Row('load-torch', 'a file of PyTorch: `torch.load()`', MODEL),
    Row('load-caffemodel', 'caffemodel: load', MODEL, base='read-new', target=0.83),
    Row('map-safetensors', 'safetensors, 200 MiB: load by mapping', MODEL),
    Row('map-safetensors-small', 'safetensors, 1 MiB: load by mapping', MIB),
    Row('list-10000', 'a checkpoint of 10 000 blobs: open and list', 0, target_ms=50),
    Row('list-caffemodel', 'caffemodel, 200 MiB: open, and find its blobs', 0, target_ms=1),
    Row('translate-1000', 'a net of Caffe of 1 000 layers: make one of c2g’s operators of it', 0, target_ms=50),
]


def rate(row, nanoseconds):
    return '' if nanoseconds is None or row.n_bytes == 0 else f'{row.n_bytes / nanoseconds:.2f}'


def verdict(row, own, base):
    """Returns the target as text, and True if it is reached; None if there is no target."""
    if row.target_ms is not None:
        return f'< {row.target_ms:g} ms', own < row.target_ms * 1e6
    if row.target is not None:
        return f'≥ {row.target:g} of *{row.base}*', base / own >= row.target
    return '', None


def make(program, peers):
    titles = ''.join(f' {peer.about["program"]} GB/s |' for peer in peers)
    lines = ['| row | operation | ms | GB/s | of its base | target | reached |' + titles,
             '|---|---|--:|--:|--:|---|---|' + '--:|' * len(peers)]
    notes = []
    for row in ROWS:
        own = program.nanoseconds(row.name)
        base = program.nanoseconds(row.base)
        share = '' if own is None or base is None else f'{base / own:.2f}'
        target, reached = verdict(row, own, base)
        others = ''.join(f' {rate(row, peer.nanoseconds(row.name))} |' for peer in peers)
        lines.append(f'| {row.name} | {row.title} | {number(own and own / 1e6, 3)} | {rate(row, own)} | {share} | {target} '
                     f'| {"" if reached is None else "yes" if reached else "**no**"} |{others}')
        if reached is False and row.note:
            notes.append(f'- {row.name}: {row.note}')
    if notes:
        lines += ['', 'Missed:', ''] + notes
    return lines


def heading(program, peers):
    return ', '.join(f'{peer.about["program"]} {peer.about["version"]}' for peer in peers) or 'no peer was found'
