#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Replays the logs of C2gLoggingAllocators with PyTorch's caching allocator.

  torch-cuda-replay.py LOG.csv...

Prints a row as those of bench-cuda-replay. Without PyTorch or a GPU it says so, and ends
with 77.
"""

import json
import sys
import time

try:
    import torch
except ImportError as error:
    sys.exit(print(f'No PyTorch: {error}', file=sys.stderr) or 77)

if not torch.cuda.is_available():
    sys.exit(print('PyTorch finds no GPU', file=sys.stderr) or 77)


def read_events(path):
    """Replays one log. Blocks that it does not free are freed at its end."""
    live = {}
    with open(path, encoding='utf-8') as log:
        for line in log:
            fields = line.rstrip('\n').split(',')
            if fields[2] in ('allocate', 'release') and int(fields[3], 16):
                n_bytes = int(fields[4]) if fields[2] == 'allocate' else 0
                live[int(fields[3], 16)] = n_bytes
                yield int(fields[3], 16), n_bytes
    for address, n_bytes in live.items():
        if n_bytes:
            yield address, 0


def replay(events):
    blocks = {}
    start = time.perf_counter()
    for address, n_bytes in events:
        if n_bytes:
            blocks[address] = torch.cuda.caching_allocator_alloc(n_bytes)
        elif address in blocks:
            torch.cuda.caching_allocator_delete(blocks.pop(address))
    elapsed = time.perf_counter() - start
    for block in blocks.values():
        torch.cuda.caching_allocator_delete(block)
    return elapsed


def main():
    torch.cuda.init()
    events = [event for path in sys.argv[1:] for event in read_events(path)]
    replay(events)
    elapsed = replay(events)
    stats = torch.cuda.memory_stats()
    asked = stats['requested_bytes.all.peak']
    row = {
        'ns': elapsed * 1e9 / len(events),
        'asked': asked,
        'rounding': stats['allocated_bytes.all.allocated'] / stats['requested_bytes.all.allocated'] - 1,
        'peak rounding': stats['allocated_bytes.all.peak'] / asked - 1,
        'reserved': stats['reserved_bytes.all.peak'],
        'failures': stats['num_ooms'],
    }
    print(json.dumps({'program': 'PyTorch', 'version': torch.__version__, 'rows': {'PyTorch': row}}))


if __name__ == '__main__':
    main()
