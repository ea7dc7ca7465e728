# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of the storage hierarchy compared with c10."""

from typing import NamedTuple, Optional

from programs import number


class Row(NamedTuple):
    name: str
    title: str
    peer: Optional[str] = None
    # The target: a limit in nanoseconds, or as a multiple of the peer's time.
    target_ns: Optional[float] = None
    target_ratio: Optional[float] = None
    # The two repetition counts whose difference gives the instructions; None to leave them out.
    counts: Optional[tuple] = (1000, 3000)
    # A note for the table if the target is missed.
    note: str = ''


MACHINE = 'the target was set where any GObject takes 150 ns, see the first row.'
CHECKS = f'a function call with the checks of the instance, the type and whether the memory may be written; {MACHINE}'
POOL = ('atomic operations are most of it: two of the pool, two of its count of blocks that are out, four of the ledger, whose '
        'record has no other. Tried: a mutex for each size class (twice the time), counters in the pool, a reference to the '
        f'pool for each block; {MACHINE}')

ROWS = [
    Row('object-create', 'any GObject: create + destroy'),
    Row('tensor-create', 'tensor: create + resize (64) + allocate + destroy', 'tensor-create', target_ratio=1.05,
        note='a GObject alone takes most of what c10 takes for all of it (first row); the block and its record come next, then '
             'the emission of `resized` and the notification of the data type, which nobody hears. Done: records that are '
             'used again instead of `malloc()`, a lock of two instructions for the report, which hands out the record too, one '
             'atomic operation in place of two for a tensor\'s reference, no reference to the tensor during signals. Tried: '
             'memory from the pool (the next row).'),
    Row('tensor-create-pool', 'the same, memory from the pool', 'tensor-create'),
    Row('resize-mutable-data', 'resize within capacity + mutable_data', 'resize-mutable-data', target_ns=25,
        note='`resized` is emitted each time: an emission that nobody hears takes 135 of the instructions, and the lock of all '
             'signals. GLib marks objects that ever had a handler, but tells nobody: it calls no function of a class when a '
             'handler is connected, and `g_signal_has_handler_pending()` takes the same lock for longer.'),
    Row('mutable-data', 'mutable_data', 'mutable-data', target_ns=5, note=CHECKS),
    Row('data', 'data', 'data', target_ns=5, note=CHECKS),
    Row('share-data', 'share_data', 'share-data', target_ns=20,
        note='`reallocated` is emitted each time, which takes more than a third of this, see *resize*; the rest is the counts '
             'of two storages, each changed by one atomic operation.'),
    Row('extend-row', 'extend by a row of 64 floats, amortised', 'extend-row', target_ns=100, counts=(4096, 8192), note=MACHINE),
    Row('get-blob-100', 'get_blob, 100 names', target_ns=40, note=MACHINE),
    Row('get-blob-100000', 'get_blob, 100 000 names', target_ns=150,
        note='as with 100 names, but for the reads of memory that no cache has: one of the table, one of the blob with its name '
             'and its reference count, both beside each other. What one such read takes is in the row *read*.'),
    Row('create-blob-100000', 'create_blob, 100 000 names', target_ns=400, counts=(50000, 100000), note=MACHINE),
    Row('pool-allocate-64', 'allocate + free 64 B, pool', 'allocate-64', target_ns=40, note=POOL),
    Row('pool-allocate-4096', 'allocate + free 4 KiB, pool', 'allocate-4096', target_ns=40, note=POOL),
    Row('pool-allocate-1048576', 'allocate + free 1 MiB, pool', 'allocate-1048576', target_ns=40, note=POOL),
    Row('allocate-64', 'allocate + free 64 B, default', 'allocate-64'),
    Row('allocate-4096', 'allocate + free 4 KiB, default', 'allocate-4096'),
    Row('allocate-1048576', 'allocate + free 1 MiB, default', 'allocate-1048576'),
    Row('read-places', 'read: one of 100 000 places in 16 MB, each leading to the next'),
    Row('copy-1048576', 'copy_from 1 MiB', counts=None),
    Row('memcpy-1048576', 'memcpy 1 MiB', counts=None),
]


def verdict(row, own, peer):
    """Returns the target as text, and True if it is reached; None if there is no target."""
    if row.target_ns is not None:
        return f'≤ {row.target_ns:g} ns', own <= row.target_ns
    if row.target_ratio is not None:
        return f'≤ {row.target_ratio:g} × c10', None if peer is None else own <= row.target_ratio * peer
    return '', None


def make(core, peer, with_instructions):
    lines = ['| operation | c2g ns | c10 ns | c2g / c10 | target | reached | c2g instructions | c10 instructions |',
             '|---|--:|--:|--:|---|---|--:|--:|']
    notes = []
    for row in ROWS:
        own_ns = core.nanoseconds(row.name)
        peer_ns = peer.nanoseconds(row.peer) if peer else None
        ratio = '' if peer_ns is None else f'{own_ns / peer_ns:.2f}'
        target, reached = verdict(row, own_ns, peer_ns)
        own_count = peer_count = None
        if with_instructions and row.counts:
            own_count = core.instructions({row.name: row.counts})[row.name]
            if peer_ns is not None:
                peer_count = peer.instructions({row.peer: row.counts})[row.peer]
        lines.append(f'| {row.title} | {number(own_ns)} | {number(peer_ns)} | {ratio} | {target} '
                     f'| {"" if reached is None else "yes" if reached else "**no**"} '
                     f'| {number(own_count)} | {number(peer_count)} |')
        if reached is False and row.note:
            notes.append(f'- {row.title}: {row.note}')
    if notes:
        lines += ['', 'Missed:', ''] + notes
    return lines


def heading(core, peer):
    return f'c10 {peer.about["version"]}' if peer else 'c10 was not found'
