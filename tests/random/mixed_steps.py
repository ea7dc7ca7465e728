#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs the same random operations on a mixed tensor and on a model of it, and compares their visible state after each.

  mixed_steps.py [--steps N] [--seed N] [--length N]

The model knows every block of memory, who reads it and who holds it for writing. Memory is on the CPU only. A tensor is thrown
away after --length steps. Everything follows from the seed, which is printed.
"""

import argparse
import gc
import math
import random
import struct
import sys
import time

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

# name: format of struct, item size, range of an integer
TYPES = {'double': ('d', 8, None), 'float': ('f', 4, None), 'float16': ('e', 2, None), 'bool': ('?', 1, (0, 1)),
         'int8': ('b', 1, (-2**7, 2**7 - 1)), 'uint8': ('B', 1, (0, 2**8 - 1)), 'int32': ('i', 4, (-2**31, 2**31 - 1)),
         'uint32': ('I', 4, (0, 2**32 - 1)), 'int64': ('q', 8, (-2**63, 2**63 - 1))}
MEMBERS = {name: C2g.DataType.from_name(name) for name in TYPES}
NAMES = {member: name for name, member in MEMBERS.items()}
SPECIAL = [0.0, -0.0, 1.0, -1.5, 0.1, 65504.0, 65520.0, -1e6, 3e9, 1e300, -1e-300, math.inf, -math.inf, math.nan, 2.0**-24]


class Difference(Exception):
    pass


def size_of(name):
    return TYPES[name][1]


def as_float(value, code, limit):
    """Rounds to the nearest number of a floating-point type; large numbers stop at its limit."""
    if limit is not None and math.isfinite(value):
        value = max(-limit, min(limit, value))
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def convert(value, name):
    """Converts a number to another type by the rules of the manual."""
    code, _, bounds = TYPES[name]
    if name == 'bool':
        return value != 0
    if bounds is None:
        return float(value) if name == 'double' else as_float(float(value), code, 65504.0 if name == 'float16' else None)
    if isinstance(value, float) and math.isnan(value):
        return 0
    low, high = bounds
    return low if value <= low else high if value >= high else int(value)


def pack(values, name):
    return struct.pack(f'={len(values)}{TYPES[name][0]}', *values)


def unpack(data, name):
    return list(struct.unpack(f'={len(data) // size_of(name)}{TYPES[name][0]}', data))


def same(found, expected):
    """Compares bits, except that all NaNs are equal."""
    return len(found) == len(expected) and all(
        (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b)) for a, b in zip(found, expected))


class Block:
    """A block of memory and its values, of which there may be more than are in use."""

    def __init__(self, name, n):
        self.name = name
        self.n_bytes = n * size_of(name)
        self.values = [convert(0, name)] * n
        self.n_readers = 0
        self.n_holders = 0


class Projection:
    def __init__(self):
        self.block = None
        self.is_current = False
        self.is_valid = False


class Model:
    """The model of a mixed tensor, as the manual describes it."""

    def __init__(self, name, n):
        self.written = name
        self.n = n
        self.projections = {}
        self.signals = []

    def projection(self, name):
        return self.projections.setdefault(name, Projection())

    @property
    def master(self):
        projection = self.projections.get(self.written)
        return projection if projection is not None and projection.is_current else None

    @property
    def is_held(self):
        return self.master is not None and self.master.block.n_holders > 0

    def fresh(self, name, block):
        """Returns the block if it can be written in place, or another one."""
        usable = block is not None and block.n_bytes >= self.n * size_of(name) and block.n_readers == 0
        return block if usable else Block(name, self.n)

    def values(self, name):
        return self.projections[name].block.values[:self.n]

    def bring_up(self, name):
        projection, master = self.projection(name), self.master
        if projection is master or projection.is_valid and projection.is_current:
            return projection
        projection.block = self.fresh(name, projection.block)
        values = [0] * self.n if master is None else master.block.values[:self.n]
        projection.block.values[:self.n] = [convert(value, name) for value in values]
        projection.is_current = True
        if master is not None:
            self.signals.append((self.written, name))
        return projection

    def read(self, name):
        projection = self.bring_up(name)
        if not self.is_held or name == self.written:
            projection.is_valid = True
        return projection

    def can_write(self, name):
        return not self.is_held or name == self.written

    def write(self, name, keep=True):
        """Makes a type the master, in its own block."""
        projection = self.bring_up(name) if keep else self.projection(name)
        block = self.fresh(name, projection.block)
        if block is not projection.block and projection.block is not None and keep:
            block.values[:self.n] = projection.block.values[:self.n]
        projection.block, projection.is_current = block, True
        self.make_master(name)
        return projection

    def make_master(self, name):
        self.written = name
        self.projections[name].is_valid = True
        self.invalidate_others()

    def invalidate_others(self):
        others = [p for name, p in self.projections.items() if name != self.written and p.is_valid]
        for projection in others:
            projection.is_valid = False
        if others:
            self.signals.append('invalidated')

    def trim(self):
        self.invalidate_others()
        for name, projection in self.projections.items():
            if name != self.written:
                projection.block, projection.is_current = None, False

    def reshape(self, n):
        if n > self.n:
            self.invalidate_others()
        for name, projection in self.projections.items():
            if n != self.n and projection.block is not None and projection.block.n_bytes < n * size_of(name):
                projection.block, projection.is_current = None, False
        self.n = n


class World:
    """A mixed tensor, its model, and the holders of its memory."""

    def __init__(self, rng):
        self.rng = rng
        name = rng.choice(list(TYPES))
        n = rng.randint(0, 5)
        self.model = Model(name, n)
        self.mixed = C2g.MixedTensor.new(MEMBERS[name], [n], None)
        self.heard = []
        self.mixed.connect('converted', lambda _, *types: self.heard.append(tuple(NAMES[t] for t in types)))
        self.mixed.connect('invalidated', lambda _: self.heard.append('invalidated'))
        # Holders that write a block: the object that keeps it, the block, and its elements in use.
        self.holders = []
        # Holders that read a block: the object that keeps it, the block, and its former content.
        self.readers = []
        self.reporter = C2g.MemoryReporter.get_default()

    def expect(self, what, found, expected):
        if found != expected:
            raise Difference(f'{what}: {found}, expected {expected}')

    def fails(self, code, call, *arguments):
        try:
            call(*arguments)
        except GLib.Error as error:
            if error.matches(C2g.Error.quark(), code):
                return
            raise
        raise Difference(f'{call} did not fail')

    def random_values(self, name):
        values = [self.rng.choice(SPECIAL + [self.rng.uniform(-300, 300)]) for _ in range(self.model.n)]
        return [convert(value, name) for value in values]

    # The operations

    def step_write(self):
        name = self.rng.choice(list(TYPES))
        if not self.model.can_write(name):
            self.fails(C2g.Error.BUSY, self.mixed.ref_mutable_tensor, MEMBERS[name], None)
            return
        tensor = self.mixed.ref_mutable_tensor(MEMBERS[name], None)
        block = self.model.write(name).block
        if self.rng.random() < 0.8:
            values = self.random_values(name)
            tensor.set_bytes(GLib.Bytes.new(pack(values, name)))
            block.values[:self.model.n] = values
        if self.rng.random() < 0.4 and self.model.n > 0:
            keeper = tensor if self.rng.random() < 0.5 else tensor.map(C2g.MapFlags.READ_WRITE)
            block.n_holders += 1
            self.holders.append((keeper, block, self.model.n))

    def step_write_held(self):
        if not self.holders:
            return
        keeper, block, n = self.rng.choice(self.holders)
        i = self.rng.randrange(n)
        value = convert(self.rng.choice(SPECIAL), block.name)
        data = GLib.Bytes.new(pack([value], block.name))
        mapping = keeper if isinstance(keeper, C2g.Mapping) else keeper.map(C2g.MapFlags.READ_WRITE)
        mapping.write(i * size_of(block.name), data)
        block.values[i] = value

    def step_let_go(self):
        if self.holders:
            keeper, block, _ = self.holders.pop(self.rng.randrange(len(self.holders)))
            block.n_holders -= 1

    def step_grow_held(self):
        tensors = [i for i, (keeper, _, _) in enumerate(self.holders) if isinstance(keeper, C2g.Tensor)]
        if tensors:
            keeper, block, _ = self.holders.pop(self.rng.choice(tensors))
            keeper.extend(1000, 0, None)
            block.n_holders -= 1

    def step_read(self):
        name = self.rng.choice(list(TYPES))
        is_copy = self.model.is_held and name == self.model.written
        block = self.model.read(name).block
        tensor = self.mixed.ref_tensor(MEMBERS[name], None)
        expected = self.model.values(name)
        found = unpack(tensor.dup_bytes().get_data() or b'', name)
        if not same(found, expected):
            raise Difference(f'{name}: {found}, expected {expected}')
        if self.rng.random() < 0.3 and self.model.n > 0:
            if is_copy:
                block = Block(name, self.model.n)
            block.n_readers += 1
            self.readers.append((tensor if self.rng.random() < 0.5 else tensor.ref_bytes(), block, expected))

    def step_forget(self):
        if self.readers:
            self.readers.pop(self.rng.randrange(len(self.readers)))[1].n_readers -= 1

    def step_convert(self):
        name = self.rng.choice(list(TYPES))
        if not self.model.can_write(name):
            self.fails(C2g.Error.BUSY, self.mixed.set_data_type, MEMBERS[name])
            return
        self.mixed.set_data_type(MEMBERS[name])
        projection = self.model.projection(name)
        if self.model.master is not None:
            self.model.bring_up(name)
        elif not projection.is_valid:
            # There is nothing to convert, so the next read gives zeros.
            projection.is_current = False
        self.model.make_master(name)

    def step_set(self):
        value = self.rng.choice(SPECIAL)
        self.mixed.fill(value)
        projection = self.model.write(self.model.written, keep=False)
        projection.block.values[:self.model.n] = [convert(value, self.model.written)] * self.model.n

    def step_scale(self):
        factor = self.rng.choice([2.0, -0.5, 1024.0])
        self.mixed.scale(factor)
        block = self.model.write(self.model.written).block
        block.values[:self.model.n] = [convert(float(value) * factor, self.model.written)
                                       for value in block.values[:self.model.n]]

    def step_sums(self):
        found = [self.mixed.asum(), self.mixed.amax(), self.mixed.sumsq()]
        self.model.read(self.model.written)
        values = [abs(float(value)) for value in self.model.values(self.model.written)]
        expected = [0.0, math.nan if any(map(math.isnan, values)) else max(values, default=0.0), 0.0]
        for value in values:
            expected[0] += value
            expected[2] += value * value
        # The library adds in another order, so sums may differ in rounding.
        if not all(a == b or math.isclose(a, b, rel_tol=1e-12) or a != a and b != b for a, b in zip(found, expected)):
            raise Difference(f'sums: {found}, expected {expected}')

    def step_invalidate(self):
        self.mixed.invalidate_others()
        self.model.invalidate_others()

    def step_trim(self):
        self.mixed.trim()
        self.model.trim()

    def step_copy(self):
        if self.model.n == 0:
            return
        name = self.rng.choice(list(TYPES))
        values = self.random_values(name)
        self.mixed.copy_from(self.mixed)
        self.mixed.copy_from(self.mixed_of(name, values))
        block = self.model.write(self.model.written, keep=False).block
        block.values[:self.model.n] = [convert(value, self.model.written) for value in values]

    def tensor_of(self, name, values):
        tensor = C2g.Tensor.new_sized([len(values)], None)
        tensor.allocate(MEMBERS[name])
        tensor.set_bytes(GLib.Bytes.new(pack(values, name)))
        return tensor

    def mixed_of(self, name, values):
        mixed = C2g.MixedTensor()
        mixed.set_tensor(self.tensor_of(name, values))
        return mixed

    def step_set_tensor(self):
        if self.model.n == 0:
            return
        name = self.rng.choice(list(TYPES))
        values = self.random_values(name)
        tensor = self.tensor_of(name, values)
        if self.model.is_held:
            self.fails(C2g.Error.BUSY, self.mixed.set_tensor, tensor)
            return
        self.mixed.set_tensor(tensor)
        block = Block(name, self.model.n)
        block.values[:] = values
        projection = self.model.projection(name)
        projection.block, projection.is_current = block, True
        self.model.make_master(name)
        if self.rng.random() < 0.5:
            block.n_holders += 1
            self.holders.append((tensor, block, self.model.n))

    def step_reshape(self):
        n = self.rng.choice([0, 1, 2, 3, 5, 8, 13])
        grows = n > self.model.n
        self.mixed.reshape([n])
        self.model.reshape(n)
        self.check()
        # Elements that were added are undefined.
        if grows and self.model.master is not None:
            self.step_set()

    def step_wrong(self):
        self.fails(C2g.Error.TYPE, self.mixed.ref_tensor, C2g.DataType.STRING, None)
        self.fails(C2g.Error.SHAPE, self.mixed.reshape, [-1])
        self.fails(C2g.Error.RANGE, self.mixed.reshape, [2**62, 2**62])

    def check(self):
        model, mixed = self.model, self.mixed
        self.expect('signals', self.heard, model.signals)
        self.heard.clear()
        model.signals.clear()
        self.expect('the type written last', NAMES[mixed.get_data_type()], model.written)
        self.expect('dimensions', mixed.get_dims(), [model.n])
        self.expect('held', mixed.is_held(), model.is_held)
        blocks = {id(block): block.n_bytes for _, block, _ in self.holders + self.readers}
        for name, member in MEMBERS.items():
            projection = model.projections.get(name, Projection())
            n_bytes = projection.block.n_bytes if projection.block is not None else 0
            self.expect(f'{name} is valid', mixed.is_valid(member), projection.is_valid)
            self.expect(f'{name} has bytes', mixed.get_cpu_memory_use(member), n_bytes)
            self.expect(f'{name} has a head', mixed.get_head(member) != C2g.SyncedHead.UNINITIALIZED, projection.is_current)
            if projection.block is not None:
                blocks[id(projection.block)] = n_bytes
        self.expect('bytes in all', self.reporter.get_current_bytes(None), sum(blocks.values()))
        for keeper, block, values in self.readers:
            data = keeper.get_data() if isinstance(keeper, GLib.Bytes) else keeper.dup_bytes().get_data()
            if not same(unpack(data, block.name), values):
                raise Difference(f'a reader has {unpack(data, block.name)}, expected {values}')


STEPS = [name for name in dir(World) if name.startswith('step_')]
WEIGHTS = [6 if name in ('step_read', 'step_write') else 3 if name in ('step_write_held', 'step_let_go') else 1 for name in STEPS]


def run(n_steps, seed, length):
    rng = random.Random(seed)
    done = 0
    while done < n_steps:
        world = World(rng)
        names = []
        for _ in range(min(length, n_steps - done)):
            names.append(rng.choices(STEPS, WEIGHTS)[0])
            try:
                getattr(world, names[-1])()
                world.check()
            except Difference as difference:
                print(f'# step {done}, after {" ".join(name[5:] for name in names[-12:])}\n# {difference}')
                return False
            done += 1
        del world
        gc.collect()
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--steps', type=int, default=10000)
    parser.add_argument('--seed', type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument('--length', type=int, default=200)
    options = parser.parse_args()

    print(f'1..1\n# seed {options.seed}', flush=True)
    start = time.monotonic()
    done = run(options.steps, options.seed, options.length)
    print(f'{"ok" if done else "not ok"} 1 {options.steps} steps in {time.monotonic() - start:.1f} s')
    return 0 if done else 1


if __name__ == '__main__':
    sys.exit(main())
