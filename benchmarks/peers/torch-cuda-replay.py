#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Replays the log of a C2gLoggingAllocator with PyTorch's caching allocator.

  torch-cuda-replay.py LOG.csv

Prints a line as those of bench-cuda-replay. Without PyTorch or a GPU it says so, and ends
with 77.
"""

import sys
import time

try:
    import torch
except ImportError as error:
    sys.exit(print(f'No PyTorch: {error}', file=sys.stderr) or 77)

if not torch.cuda.is_available():
    sys.exit(print('PyTorch finds no GPU', file=sys.stderr) or 77)


def read_events(path):
    with open(path, encoding='utf-8') as log:
        for line in log:
            fields = line.rstrip('\n').split(',')
            if fields[2] in ('allocate', 'release') and int(fields[3], 16):
                yield int(fields[3], 16), int(fields[4]) if fields[2] == 'allocate' else 0


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
    events = list(read_events(sys.argv[1]))
    replay(events)
    elapsed = replay(events)
    stats = torch.cuda.memory_stats()
    asked = stats['requested_bytes.all.peak']
    rounding = 100 * (stats['allocated_bytes.all.peak'] / asked - 1)
    reserved = stats['reserved_bytes.all.peak']
    print(f'{"PyTorch":<16} {elapsed * 1e9 / len(events):12.1f} {asked / 2**20:14.1f} '
          f'{rounding:10.2f} % {reserved / 2**20:14.1f} {stats["num_ooms"]:9}')


if __name__ == '__main__':
    main()
