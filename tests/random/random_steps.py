#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs the same random operations on c2g and on the model, and compares their visible state after each.

  random_steps.py [--steps N] [--seed N] [--length N]

Valid and invalid operations, allocation failures among them, in worlds of a few tensors, views, blobs and workspaces. A world is
thrown away after --length steps. Everything follows from the seed, which is printed; at the first difference the steps are cut down to
those that matter, and printed as the calls they made. Without --steps there are 20 000, or 100 000 with C2G_TEST_SLOW.

An operation is a name and a seed of its own: what it does follows from these and from the model's state, so that leaving others out
leaves it meaningful.
"""

import argparse
import os
import random
import sys
import time

import model
from model import STRING, Fault
from random_world import (
    DATA_TYPES, LIMITED, N_HELD, N_TENSORS, N_VIEWS, NAMES, TYPES, C2g, Difference, GLib, World,
)

from gi.repository import GObject


class Operations:
    """The operations on a world. Each is a method, which is chosen by its name."""

    def __init__(self, world, rng):
        self.world = world
        self.rng = rng

    # Choosing

    def tensor(self):
        return self.rng.choice(self.world.slots)

    def type(self):
        # A few types are chosen most of the time, so that equal types meet.
        return self.rng.choice(['float', 'int32', 'double', 'uint8'] if self.rng.random() < 0.7 else TYPES)

    def dim(self):
        return self.rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 8])

    def dims(self):
        if self.rng.random() < 0.04:
            return self.rng.choice([[-1], [2, -3], [2**40, 2**40], [2**62, 4], [2**62], [0, -1], [2**63 - 1], [-2**63, 2]])
        return [self.dim() for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3, 7]))]

    def bytes(self, n):
        return self.rng.randbytes(n)

    def call(self, twin, text, on_model, on_real):
        return self.world.both(f'{self.world.name_of(twin)}.{text}', on_model, on_real)

    def plain(self, twin, method, *args):
        """Calls the same method with the same numbers on both; most operations are of this kind."""
        real = self.world.real[twin]
        return self.call(twin, f'{method} ({", ".join(map(repr, args))})',
                         lambda: getattr(twin, method)(*args), lambda: getattr(real, method)(*args))

    def put(self, real, twin):
        """A new tensor replaces an old one."""
        world = self.world
        i = self.rng.randrange(N_TENSORS)
        world.log.append(f'  which is t{i} now')
        world.slots[i] = world.adopt(real, twin)

    def compare_results(self, ok, expected, got):
        if ok and expected != got:
            raise Difference(f'{self.world.log[-1]} gives {got!r}, should give {expected!r}')

    # Tensors: making

    def new(self):
        self.world.log.append('new ()')
        self.put(C2g.Tensor.new(), model.Tensor(self.world))

    def new_sized(self):
        dims = self.dims()
        twin = model.Tensor(self.world)
        ok, _, real = self.world.both(f'new_sized ({dims})', lambda: twin.resize(dims),
                                      lambda: C2g.Tensor.new_sized(dims, None))
        if ok:
            twin.events.clear()
            self.put(real, twin)

    def new_scalar(self):
        data_type, value = self.type(), self.rng.randrange(100)
        twin = model.Tensor(self.world)

        def make():
            twin.resize([])
            twin.allocate(data_type)
            twin.set_element(0, value)
            twin.events.clear()

        ok, _, real = self.world.both(f'new_scalar ({data_type}, {value})', make,
                                      lambda: C2g.Tensor.new_scalar(DATA_TYPES[data_type], value))
        if ok:
            self.put(real, twin)

    def new_from_bytes(self):
        data_type, dims = self.type(), self.dims()
        n = max(0, min(500, abs(model.math.prod(dims)))) * model.item_size(data_type)
        data = self.bytes(n if self.rng.random() < 0.9 else n + 1)
        twin = model.Tensor(self.world)
        ok, _, real = self.world.both(f'new_from_bytes ({data_type}, {dims}, {len(data)} bytes)',
                                      lambda: (twin.resize(dims), twin.share_bytes(data_type, data)),
                                      lambda: C2g.Tensor.new_from_bytes(DATA_TYPES[data_type], dims, GLib.Bytes.new(data)))
        if ok:
            twin.events.clear()
            self.put(real, twin)

    def new_from_storage(self):
        world = self.world
        held = world.holders()
        if not held:
            return
        storage = self.rng.choice(held)
        data_type, dims = self.type(), self.dims()
        offset = self.rng.choice([0, 0, 0, 4, 8, 64, 1, -1 % 2**64])
        twin = model.Tensor(world)
        ok, _, real = world.both(f'new_from_storage ({data_type}, {dims}, {world.name_of(storage)}, {offset})',
                                 lambda: (twin.resize(dims), twin.share_storage(data_type, storage, offset)),
                                 lambda: C2g.Tensor.new_from_storage(DATA_TYPES[data_type], dims, world.real[storage], offset))
        if ok:
            twin.events.clear()
            self.put(real, twin)

    # Tensors: shape

    def resize(self):
        self.plain(self.tensor(), 'resize', self.dims())

    def resize_like(self):
        tensor, other = self.tensor(), self.tensor()
        real = self.world.real
        self.call(tensor, f'resize_like ({self.world.name_of(other)})',
                  lambda: tensor.resize_like(other), lambda: real[tensor].resize_like(real[other]))

    def reshape(self):
        tensor = self.tensor()
        n = tensor.n_elements
        dims = self.dims()
        if self.rng.random() < 0.8 and 0 < n < 1000:
            divisor = self.rng.choice([d for d in range(1, n + 1) if n % d == 0])
            dims = self.rng.choice([[n], [divisor, n // divisor], [1, divisor, n // divisor]])
        self.plain(tensor, 'reshape', dims)

    def extend(self):
        tensor = self.tensor()
        n = self.rng.choice([0, 1, 1, 2, 5, -2, 2**62]) if self.rng.random() < 0.3 else 1
        percent = self.rng.choice([0.0, 0.0, 40.0, 100.0, 250.0])
        if self.rng.random() < 0.02:
            percent = self.rng.choice([-1.0, float('nan'), float('inf'), 1e300])
        real = self.world.real[tensor]
        self.call(tensor, f'extend ({n}, {percent})', lambda: tensor.extend(n, percent),
                  lambda: real.extend(n, percent, None))

    def reserve(self):
        tensor = self.tensor()
        dims = self.dims()
        if tensor.shape and tensor.dims[0] < 1000 and self.rng.random() < 0.5:
            dims = [tensor.dims[0] + self.rng.randrange(4)] + tensor.dims[1:]
        self.plain(tensor, 'reserve', dims)

    def shrink(self):
        tensor = self.tensor()
        outer = self.rng.randrange(tensor.shape[0] + 1) if tensor.shape and tensor.shape[0] < 1000 else 0
        if self.rng.random() < 0.1:
            outer = self.rng.choice([-1, 100, 2**62])
        self.plain(tensor, 'shrink', outer)

    def trim(self):
        self.plain(self.tensor(), 'trim')

    # Tensors: memory

    def allocate(self):
        tensor, data_type = self.tensor(), self.type()
        if tensor.data_type is not None and self.rng.random() < 0.5:
            data_type = tensor.data_type
        real = self.world.real[tensor]
        # This is an alias of a type, and a type that no element can have.
        if self.rng.random() < 0.03:
            self.call(tensor, 'allocate (undefined)', lambda: self.fault('type'),
                      lambda: real.allocate(C2g.DataType.UNDEFINED))
            return
        number = C2g.DataType.BYTE if data_type == 'uint8' and self.rng.random() < 0.2 else DATA_TYPES[data_type]
        self.call(tensor, f'allocate ({data_type})', lambda: tensor.allocate(data_type), lambda: real.allocate(number))

    def fault(self, code):
        raise Fault(code)

    # The most common pair is listed twice, so that it is chosen more often.
    def resize_and_allocate(self):
        tensor = self.tensor()
        ok, _, _ = self.plain(tensor, 'resize', self.dims())
        if ok:
            data_type = tensor.data_type or self.type()
            self.call(tensor, f'allocate ({data_type})', lambda: tensor.allocate(data_type),
                      lambda: self.world.real[tensor].allocate(DATA_TYPES[data_type]))

    def free_memory(self):
        self.plain(self.tensor(), 'free_memory')

    def share_data(self):
        world = self.world
        tensor, source = self.tensor(), self.tensor()
        if source.is_defined and self.rng.random() < 0.8:
            self.plain(tensor, 'resize', list(source.shape))
        self.call(tensor, f'share_data ({world.name_of(source)})', lambda: tensor.share_data(source),
                  lambda: world.real[tensor].share_data(world.real[source]))

    def share_bytes(self):
        tensor, data_type = self.tensor(), self.type()
        n = tensor.n_elements * model.item_size(data_type)
        data = self.bytes(min(n, 4096) + self.rng.choice([0, 0, 0, 16, -1 if n else 0]))
        self.call(tensor, f'share_bytes ({data_type}, {len(data)} bytes)', lambda: tensor.share_bytes(data_type, data),
                  lambda: self.world.real[tensor].share_bytes(DATA_TYPES[data_type], GLib.Bytes.new(data)))

    def swap(self):
        tensor, other = self.tensor(), self.tensor()
        self.call(tensor, f'swap ({self.world.name_of(other)})', lambda: tensor.swap(other),
                  lambda: self.world.real[tensor].swap(self.world.real[other]))

    def slice(self):
        tensor = self.tensor()
        n = tensor.shape[0] if tensor.shape and tensor.shape[0] < 1000 else 1
        begin, end = sorted([self.rng.randrange(n + 1), self.rng.randrange(n + 1)])
        if self.rng.random() < 0.1:
            begin, end = self.rng.choice([(-1, 0), (1, 0), (0, n + 1), (-2**62, 2**62)])
        ok, twin, real = self.plain(tensor, 'slice', begin, end)
        if ok:
            self.put(real, twin)

    def copy_from(self):
        world = self.world
        tensor, source = self.tensor(), self.tensor()
        self.call(tensor, f'copy_from ({world.name_of(source)})', lambda: tensor.copy_from(source),
                  lambda: world.real[tensor].copy_from(world.real[source], None))

    def clone(self):
        tensor = self.tensor()
        real = self.world.real[tensor]
        if self.rng.random() < 0.5:
            ok, twin, new = self.call(tensor, 'clone ()', tensor.clone, lambda: real.clone(None))
        else:
            ok, twin, new = self.call(tensor, 'to_device (cpu)', tensor.clone, lambda: real.to_device(C2g.Device.cpu()))
        if ok:
            self.put(new, twin)

    # Tensors: elements

    def set_bytes(self):
        tensor = self.tensor()
        n = min(tensor.n_bytes, 4096)
        data = self.bytes(n if self.rng.random() < 0.9 else n + 3)
        if tensor.data_type == 'bool':
            data = bytes(byte & 1 for byte in data)
        self.call(tensor, f'set_bytes ({len(data)} bytes)', lambda: tensor.set_bytes(data),
                  lambda: self.world.real[tensor].set_bytes(GLib.Bytes.new(data)))

    def index(self, tensor):
        n = min(tensor.n_elements, 1000)
        if n == 0 or self.rng.random() < 0.05:
            return self.rng.choice([-1, n, 2**62])
        return self.rng.randrange(n)

    def set_value(self):
        tensor, value = self.tensor(), self.rng.choice([0.0, 1.0, 2.5, 77.0, 300.0, -1.0, 1e30, float('nan')])
        index = self.index(tensor)
        self.call(tensor, f'set_value ({index}, {value})', lambda: tensor.set_element(index, value),
                  lambda: self.world.real[tensor].set_value(index, value))

    def set_int64(self):
        tensor = self.tensor()
        index, value = self.index(tensor), self.rng.choice([0, 1, 2, 77, 300, -1, 2**40, -2**63])
        self.call(tensor, f'set_int64 ({index}, {value})', lambda: tensor.set_element(index, value),
                  lambda: self.world.real[tensor].set_int64(index, value))

    def set_element(self):
        tensor = self.tensor()
        index = self.index(tensor)
        value = self.rng.choice(['', 'x', 'tensor', 7] if tensor.data_type == STRING else [0, 1, 77, 300, -1, 2.5, 'x'])
        self.call(tensor, f'set_element ({index}, {value!r})', lambda: tensor.set_element(index, value),
                  lambda: self.world.real[tensor].set_element(index, value))

    def get_value(self):
        tensor = self.tensor()
        index = self.index(tensor)
        ok, expected, got = self.call(tensor, f'get_value ({index})', lambda: tensor.get_number(index),
                                      lambda: self.world.real[tensor].get_value(index))
        if ok and not (expected != expected and got != got):
            self.compare_results(ok, float(expected), got)

    def get_int64(self):
        tensor = self.tensor()
        index = self.index(tensor)
        ok, expected, got = self.call(tensor, f'get_int64 ({index})', lambda: tensor.get_integer(index),
                                      lambda: self.world.real[tensor].get_int64(index))
        self.compare_results(ok, expected, got)

    # Tensors: axes

    def axes(self):
        tensor = self.tensor()
        axis, other = self.rng.randrange(-8, 9), self.rng.randrange(-2, 9)
        self.compare_results(*self.plain(tensor, 'canonical_axis', axis))
        self.compare_results(*self.plain(tensor, 'get_dim', axis))
        self.compare_results(*self.plain(tensor, 'size_from_dim', axis))
        self.compare_results(*self.plain(tensor, 'size_to_dim', axis))
        self.compare_results(*self.plain(tensor, 'size_between_dims', axis, other))

    # Policies

    def keep_on_shrink(self):
        tensor, value = self.tensor(), self.rng.random() < 0.5
        self.world.log.append(f'{self.world.name_of(tensor)}.set_keep_on_shrink ({value})')
        tensor.own_keep_on_shrink = value
        self.world.real[tensor].set_keep_on_shrink(value)

    def max_keep_on_shrink(self):
        tensor, value = self.tensor(), self.rng.choice([0, 16, 64, model.NO_LIMIT])
        self.world.log.append(f'{self.world.name_of(tensor)}.set_max_keep_on_shrink ({value})')
        tensor.own_max_keep_on_shrink = value
        self.world.real[tensor].set_max_keep_on_shrink(value)

    def settings(self):
        world = self.world
        world.keep_on_shrink = self.rng.random() < 0.8
        world.max_keep_on_shrink = self.rng.choice([32, 256, model.NO_LIMIT, model.NO_LIMIT])
        world.log.append(f'settings: {world.keep_on_shrink}, {world.max_keep_on_shrink}')
        world.settings.set_keep_on_shrink(world.keep_on_shrink)
        world.settings.set_max_keep_on_shrink(world.max_keep_on_shrink)

    def limit(self):
        world = self.world
        world.max_bytes = self.rng.choice([0, world.used_bytes(), world.used_bytes() + 64, model.NO_LIMIT, model.NO_LIMIT,
                                           model.NO_LIMIT, model.NO_LIMIT])
        world.log.append(f'limit: {world.max_bytes} bytes')
        LIMITED.set_max_bytes(world.max_bytes)

    # Views and storages

    def put_view(self, real, twin):
        i = self.rng.randrange(N_VIEWS)
        self.world.log.append(f'  which is v{i} now')
        self.world.view_slots[i] = twin
        self.world.real[twin] = real

    def map(self):
        tensor = self.tensor()
        writable = self.rng.random() < 0.6
        flags = C2g.MapFlags.READ_WRITE if writable else C2g.MapFlags.READ
        ok, twin, real = self.call(tensor, f'map ({"read, write" if writable else "read"})', lambda: tensor.map(writable),
                                   lambda: self.world.real[tensor].map(flags))
        if ok:
            self.put_view(real, twin)

    def ref_bytes(self):
        ok, twin, real = self.plain(self.tensor(), 'ref_bytes')
        if ok:
            self.put_view(real, twin)

    def view(self):
        found = [view for view in self.world.view_slots if view is not None]
        return self.rng.choice(found) if found else None

    def mapping(self):
        found = [view for view in self.world.view_slots if isinstance(self.world.real.get(view), C2g.Mapping)]
        return self.rng.choice(found) if found else None

    def write_mapping(self):
        view = self.mapping()
        if view is None:
            return
        n = self.rng.randrange(view.n_bytes + 2)
        offset = self.rng.randrange(view.n_bytes - n + 1) if n <= view.n_bytes else 0
        data = bytes(byte & 1 for byte in self.bytes(n))
        self.call(view, f'write ({offset}, {n} bytes)', lambda: view.write(offset, data),
                  lambda: self.world.real[view].write(offset, GLib.Bytes.new(data)))

    def drop_view(self):
        i = self.rng.randrange(N_VIEWS)
        view = self.world.view_slots[i]
        if view is None:
            return
        self.world.log.append(f'drop v{i}')
        self.world.view_slots[i] = None
        real = self.world.real.pop(view)
        if isinstance(real, C2g.Mapping) and self.rng.random() < 0.5:
            real.unmap()

    def hold_storage(self):
        tensor, i = self.tensor(), self.rng.randrange(N_HELD)
        if tensor.storage is None or tensor.storage in self.world.held_slots:
            return
        self.world.log.append(f's{i} = {self.world.name_of(tensor)}.get_storage ()')
        self.world.held_slots[i] = tensor.storage
        self.world.real[tensor.storage] = self.world.real[tensor].get_storage()

    def new_storage(self):
        i, n = self.rng.randrange(N_HELD), self.rng.choice([0, 16, 64, 200])
        self.world.log.append(f'let go of s{i}')
        self.world.held_slots[i] = None
        self.world.forget_the_dead()
        ok, twin, real = self.world.both(f's{i} = storage_new ({n})', lambda: self.world.allocate(n),
                                         lambda: C2g.Storage.new(C2g.Device.cpu(), n, None))
        if ok:
            self.world.held_slots[i] = twin
            self.world.real[twin] = real

    def map_storage(self):
        world = self.world
        held = world.holders()
        if not held:
            return
        storage = self.rng.choice(held)
        writable = self.rng.random() < 0.6
        flags = C2g.MapFlags.READ_WRITE if writable else C2g.MapFlags.READ
        ok, twin, real = self.call(storage, f'map ({"read, write" if writable else "read"})',
                                   lambda: storage.map(world, writable), lambda: world.real[storage].map(flags))
        if ok:
            self.put_view(real, twin)

    def reset_storage(self):
        held = self.world.holders()
        if not held:
            return
        storage = self.rng.choice(held)
        self.call(storage, 'reset ()', lambda: storage.reset(self.world), self.world.real[storage].reset)

    def ref_bytes_of_mapping(self):
        view = self.mapping()
        if view is None:
            return
        ok, twin, real = self.plain(view, 'ref_bytes')
        if ok:
            self.put_view(real, twin)

    def drop_storage(self):
        i = self.rng.randrange(N_HELD)
        self.world.log.append(f'let go of s{i}')
        self.world.held_slots[i] = None

    # Blobs

    def blob(self):
        return self.rng.choice(self.world.all_blobs() if self.rng.random() < 0.5 else self.world.blob_slots)

    def blob_set(self):
        blob = self.blob()
        real = self.world.real
        content = self.rng.choice([self.tensor(), self.tensor(), self.rng.randrange(1000), 2.5, 'text'])
        if isinstance(content, model.Tensor):
            self.call(blob, f'set_object ({self.world.name_of(content)})', lambda: blob.set(content),
                      lambda: real[blob].set_object(real[content]))
        else:
            self.call(blob, f'set_value ({content!r})', lambda: blob.set(content), lambda: real[blob].set_value(content))

    def blob_reset(self):
        blob = self.blob()
        self.call(blob, 'reset ()', lambda: blob.set(None), lambda: self.world.real[blob].reset())

    def blob_swap(self):
        blob, other = self.blob(), self.blob()
        method = self.rng.choice(['swap', 'move_from'])
        self.call(blob, f'{method} ({self.world.name_of(other)})', lambda: getattr(blob, method)(other),
                  lambda: getattr(self.world.real[blob], method)(self.world.real[other]))

    def blob_steal(self):
        blob = self.blob()
        ok, twin, real = self.call(blob, 'steal_object ()', blob.steal, lambda: self.world.real[blob].steal_object())
        self.compare_results(True, self.world.real[twin] if twin is not None else None, real)
        if twin is not None:
            self.world.slots[self.rng.randrange(N_TENSORS)] = twin

    def blob_get_tensor(self):
        blob = self.blob()
        ok, twin, real = self.plain(blob, 'get_tensor')
        if ok:
            self.compare_results(True, self.world.real[twin], real)
            self.world.slots[self.rng.randrange(N_TENSORS)] = twin

    def blob_ensure_tensor(self):
        blob = self.blob()
        was = blob.content
        real = self.world.real[blob]
        self.world.log.append(f'{self.world.name_of(blob)}.ensure_tensor ()')
        tensor = real.ensure_tensor(None)
        if not isinstance(was, model.Tensor):
            blob.set(self.world.adopt(tensor, model.Tensor(self.world)))

    def blob_ensure(self):
        blob = self.blob()
        wanted, make = self.rng.choice([('gint', int), ('gdouble', float), ('gchararray', str),
                                        ('C2gTensor', lambda: model.Tensor(self.world))])
        ok, expected, got = self.call(blob, f'ensure ({wanted})', lambda: blob.ensure(wanted, make),
                                      lambda: self.world.real[blob].ensure(GObject.GType.from_name(wanted)))
        self.compare_results(ok, (True, expected), tuple(got))
        if isinstance(blob.content, model.Tensor) and blob.content not in self.world.real:
            self.world.adopt(self.world.real[blob].get_object(), blob.content)

    # Workspaces

    def workspace(self):
        return self.rng.choice(self.world.workspaces)

    def name(self):
        return self.rng.choice(NAMES)

    def check_blob(self, ok, twin, real):
        """Returns the known blob for one that a workspace returned, or adds it."""
        if ok and twin not in self.world.real:
            self.world.adopt(real, twin)
        elif ok:
            self.compare_results(True, self.world.real[twin], real)

    def create_blob(self):
        workspace, name = self.workspace(), self.name()
        real = self.world.real[workspace]
        if self.rng.random() < 0.7:
            self.check_blob(*self.call(workspace, f'create_blob ({name})', lambda: workspace.create(name),
                                       lambda: real.create_blob(name)))
        else:
            self.check_blob(*self.call(workspace, f'create_local_blob ({name})', lambda: workspace.create_local(name),
                                       lambda: real.create_local_blob(name)))

    def get_blob(self):
        workspace, name = self.workspace(), self.name()
        self.check_blob(*self.call(workspace, f'get_blob ({name})', lambda: workspace.get(name),
                                   lambda: self.world.real[workspace].get_blob(name)))

    def remove_blob(self):
        workspace, name = self.workspace(), self.name()
        self.compare_results(*self.call(workspace, f'remove_blob ({name})', lambda: workspace.remove(name),
                                        lambda: self.world.real[workspace].remove_blob(name)))

    def rename_blob(self):
        workspace, old, new = self.workspace(), self.name(), self.name()
        self.call(workspace, f'rename_blob ({old}, {new})', lambda: workspace.rename(old, new),
                  lambda: self.world.real[workspace].rename_blob(old, new))

    def add_blob_mapping(self):
        workspace, parent = self.workspace(), self.workspace()
        n = self.rng.choice([1, 1, 2])
        names, there = [self.name() for _ in range(n)], [self.name() for _ in range(n)]
        skip = self.rng.random() < 0.5
        real = self.world.real
        self.call(workspace, f'add_blob_mapping ({self.world.name_of(parent)}, {names}, {there}, {skip})',
                  lambda: workspace.add_mapping(parent, names, there, skip),
                  lambda: real[workspace].add_blob_mapping(real[parent], names, there, skip))

    def copy_forwarded_tensors(self):
        workspace = self.workspace()
        names = [self.name() for _ in range(self.rng.choice([1, 2]))]
        real = self.world.real
        before = {name: (blob, blob.content) for name, blob in workspace.blobs.items()}
        ok, _, _ = self.call(workspace, f'copy_forwarded_tensors ({names})', lambda: workspace.copy_forwarded(names),
                             lambda: real[workspace].copy_forwarded_tensors(names))
        if not ok:
            return
        for name, blob in workspace.blobs.items():
            if name not in before:
                self.world.adopt(real[workspace].get_blob(name), blob)
                blob.events.clear()
            if blob.content not in real and isinstance(blob.content, model.Tensor):
                self.world.adopt(real[blob].get_tensor(), blob.content)

    def clear(self):
        if self.rng.random() < 0.1:
            workspace = self.workspace()
            self.call(workspace, 'clear ()', workspace.clear, self.world.real[workspace].clear)


OPERATIONS = [name for name in vars(Operations) if not name.startswith('_') and name not in (
    'tensor', 'type', 'dim', 'dims', 'bytes', 'call', 'plain', 'put', 'compare_results', 'fault', 'index', 'put_view', 'view',
    'mapping', 'blob', 'workspace', 'name', 'check_blob')] + ['resize_and_allocate', 'set_bytes', 'map', 'create_blob']


def run(steps):
    """Runs the steps in a new world. Returns the number of the step that failed, the reason, and the calls."""
    world = World()
    try:
        for i, (name, seed) in enumerate(steps):
            getattr(Operations(world, random.Random(seed)), name)()
            world.compare()
        world.close()
    except Difference as difference:
        world.real.clear()
        return i, str(difference), world.log
    return None


def cut_down(steps, i):
    """Removes steps that the failure does not need, in ever smaller pieces."""
    steps = steps[:i + 1]
    size = len(steps) // 2
    while size > 0:
        start = 0
        while start < len(steps):
            fewer = steps[:start] + steps[start + size:]
            failure = run(fewer) if fewer else None
            if failure:
                steps = fewer[:failure[0] + 1]
            else:
                start += size
        size //= 2
    return steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--steps', type=int, default=100000 if os.environ.get('C2G_TEST_SLOW') else 20000)
    parser.add_argument('--seed', type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument('--length', type=int, default=250)
    options = parser.parse_args()

    print(f'# seed {options.seed}, {options.steps} steps in worlds of {options.length}', flush=True)
    rng = random.Random(options.seed)
    done, start = 0, time.monotonic()
    while done < options.steps:
        steps = [(rng.choice(OPERATIONS), rng.randrange(2**32)) for _ in range(min(options.length, options.steps - done))]
        failure = run(steps)
        if failure:
            steps = cut_down(steps, failure[0])
            _, why, log = run(steps)
            print(f'# after {done + failure[0] + 1} steps; these are enough:')
            print('\n'.join(f'#   {line}' for line in log))
            print(f'# {why}')
            print('1..1\nnot ok 1 - c2g and the model agree')
            return 1
        done += len(steps)
    print(f'# {done} steps in {time.monotonic() - start:.1f} s')
    print('1..1\nok 1 - c2g and the model agree')
    return 0


if __name__ == '__main__':
    sys.exit(main())
