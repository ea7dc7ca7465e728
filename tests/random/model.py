# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""A slow and simple model of c2g's storage hierarchy: the memory rules of the design, and nothing else.

A method either raises Fault and changes nothing, or does what its namesake in c2g does. Tensors append what their signals would tell
to `events`. Nothing counts references: a World lists what it holds, and whoever asks how many tensors share a storage counts them.
"""

import math
import struct

MAX_INT64 = 2**63 - 1
MAX_SIZE = 2**64 - 1
NO_LIMIT = MAX_SIZE

# name: item size, format of struct
PLAIN = {
    'float': (4, 'f'), 'int32': (4, 'i'), 'bool': (1, '?'), 'uint8': (1, 'B'), 'int8': (1, 'b'), 'uint16': (2, 'H'),
    'int16': (2, 'h'), 'int64': (8, 'q'), 'float16': (2, 'e'), 'double': (8, 'd'), 'uint32': (4, 'I'), 'uint64': (8, 'Q'),
}
STRING = 'string'
INTEGERS = {name: code for name, (size, code) in PLAIN.items() if code in 'iBbHhqIQ'}


def item_size(data_type):
    if data_type is None:
        return 0
    return 8 if data_type == STRING else PLAIN[data_type][0]


def is_plain(data_type):
    return data_type != STRING


class Fault(Exception):
    """An error that c2g reports as a GError; `code` is the member of C2gError in small letters."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def count(dims):
    """Returns the product; raises Fault if it overflows."""
    if any(dim < 0 for dim in dims):
        raise Fault('shape')
    n = 1
    for dim in dims:
        n *= dim
    # One zero makes the product zero, whatever the other dimensions are.
    if n > MAX_INT64:
        raise Fault('range')
    return n


def byte_size(n_elements, data_type):
    n = n_elements * item_size(data_type)
    if n > MAX_SIZE:
        raise Fault('range')
    return n


class Storage:
    """A block of memory. Its address is taken from c2g when it is first seen, and must not change."""

    def __init__(self, n_bytes, data=None, read_only=False):
        self.n_bytes = n_bytes
        # New memory is zero: the comparison runs with zero fill on.
        self.data = bytearray(n_bytes) if data is None else bytearray(data)
        self.read_only = read_only
        self.is_foreign = read_only
        self.strings = None
        self.address = None
        # The blob whose name the ledger has for the block.
        self.label = None

    def construct(self, data_type):
        if data_type == STRING:
            self.strings = [''] * (self.n_bytes // 8)

    def map(self, world, writable):
        if self.strings is not None:
            raise Fault('type')
        if writable and self.read_only:
            raise Fault('read-only')
        if writable and world.is_frozen(self):
            raise Fault('busy')
        return View(self, 0, self.n_bytes, writable, False)

    def reset(self, world):
        if world.n_tensors(self) > 0 or world.n_views(self) > 0:
            raise Fault('busy')
        self.__init__(0, b'')
        self.is_foreign = True
        self.address = 0


class View:
    """A mapping, or bytes over a block. It is frozen if the bytes must never change."""

    def __init__(self, storage, offset, n_bytes, writable, is_frozen):
        self.storage = storage
        self.offset = offset
        self.n_bytes = n_bytes
        self.writable = writable
        self.is_frozen = is_frozen
        self.frozen_contents = self.contents() if is_frozen else None

    def contents(self):
        return bytes(self.storage.data[self.offset:self.offset + self.n_bytes])

    def ref_bytes(self):
        """Bytes that change with the block."""
        storage = self.storage if self.n_bytes > 0 else Storage(0, b'', read_only=True)
        return View(storage, self.offset, self.n_bytes, False, False)

    def write(self, offset, data):
        if not self.writable:
            raise Fault('read-only')
        if offset + len(data) > self.n_bytes:
            raise Fault('range')
        start = self.offset + offset
        self.storage.data[start:start + len(data)] = data


class World:
    """All live objects, and the settings of the process."""

    def __init__(self):
        self.keep_on_shrink = True
        self.max_keep_on_shrink = NO_LIMIT
        self.max_bytes = NO_LIMIT

    # Set by the driver: lists of all tensors, all views, and all storages with other holders.
    def tensors(self):
        raise NotImplementedError

    def views(self):
        raise NotImplementedError

    def holders(self):
        raise NotImplementedError

    def n_tensors(self, storage):
        return sum(tensor.storage is storage for tensor in self.tensors())

    def n_views(self, storage):
        return sum(view.storage is storage for view in self.views())

    def n_mappings(self, storage):
        return sum(view.storage is storage and not view.is_frozen for view in self.views())

    def is_frozen(self, storage):
        return any(view.storage is storage and view.is_frozen for view in self.views())

    def use_count(self, storage):
        return self.n_tensors(storage) + sum(held is storage for held in self.holders())

    def storages(self):
        """All live objects."""
        found = {}
        for tensor in self.tensors():
            if tensor.storage is not None:
                found[id(tensor.storage)] = tensor.storage
        for view in self.views():
            found[id(view.storage)] = view.storage
        for storage in self.holders():
            found[id(storage)] = storage
        return list(found.values())

    def used_bytes(self):
        return sum(storage.n_bytes for storage in self.storages() if not storage.is_foreign)

    def allocate(self, n_bytes):
        # A size above 2^48 exceeds the memory of any machine.
        if self.used_bytes() + n_bytes > self.max_bytes or n_bytes > 2**48:
            raise Fault('no-memory')
        return Storage(n_bytes)


class Tensor:
    def __init__(self, world):
        self.world = world
        self.dims = None
        self.data_type = None
        self.storage = None
        self.offset = 0
        self.capacity = 0
        self.is_slice = False
        self.is_reserved = False
        self.had_block = False
        self.own_keep_on_shrink = None
        self.own_max_keep_on_shrink = None
        # The blob that names the memory: the one that the tensor was last put into.
        self.label = None
        self.events = []

    def set_label(self, label):
        old, self.label = self.label, label
        if self.storage is not None and (self.storage.label in (None, old) or self.storage.label.blob is None):
            self.storage.label = label

    # Queries

    @property
    def is_defined(self):
        return self.dims is not None

    @property
    def shape(self):
        return self.dims if self.is_defined else []

    @property
    def n_elements(self):
        return count(self.dims) if self.is_defined else 0

    @property
    def n_bytes(self):
        return self.n_elements * item_size(self.data_type)

    @property
    def is_allocated(self):
        return self.storage is not None

    @property
    def shares_data(self):
        return self.storage is not None and self.world.use_count(self.storage) > 1

    @property
    def keep_on_shrink(self):
        return self.world.keep_on_shrink if self.own_keep_on_shrink is None else self.own_keep_on_shrink

    @property
    def max_keep_on_shrink(self):
        return self.world.max_keep_on_shrink if self.own_max_keep_on_shrink is None else self.own_max_keep_on_shrink

    @property
    def is_immutable(self):
        """Returns True if the tensor must leave the block before it writes."""
        return self.storage is not None and (self.storage.read_only or self.world.is_frozen(self.storage))

    def check_readable(self):
        """A tensor without elements can be read without memory."""
        if not self.is_defined:
            raise Fault('shape')
        if self.storage is None and self.n_elements > 0:
            raise Fault('failed')

    def contents(self):
        """Returns the elements as bytes, or as a list of strings."""
        if self.storage is None:
            return [] if self.data_type == STRING else b''
        if self.data_type == STRING:
            first = self.offset // 8
            return self.storage.strings[first:first + self.n_elements]
        return bytes(self.storage.data[self.offset:self.offset + self.n_bytes])

    # Allocation and release

    def has_block_of(self, other):
        return (self.storage, self.offset, self.capacity) == (other.storage, other.offset, other.capacity)

    def set_block(self, storage, offset=0, capacity=None, is_slice=False):
        """Replaces the present block by another one, or by none."""
        if storage is None and self.storage is None:
            return
        old_capacity, had_block = self.capacity, self.had_block
        self.storage = storage
        self.offset = offset
        self.capacity = capacity if capacity is not None else storage.n_bytes if storage is not None else 0
        self.is_slice = is_slice
        self.is_reserved = False
        self.had_block = True
        # The first block is not announced by a signal.
        if had_block:
            self.events.append(('reallocated', old_capacity, self.capacity))

    def set_dims(self, dims):
        if dims != self.dims:
            self.dims = list(dims)
            self.events.append(('resized',))

    def set_type(self, data_type):
        if data_type != self.data_type:
            self.data_type = data_type
            self.events.append(('data-type',))

    def new_block(self, n_bytes, data_type):
        if n_bytes == 0:
            return None
        storage = self.world.allocate(n_bytes)
        storage.construct(data_type)
        storage.label = self.label
        return storage

    def put_contents(self, contents, data_type):
        """Writes elements from the first one on. All tensors that share the block see them."""
        if not contents:
            return
        if data_type == STRING:
            first = self.offset // 8
            self.storage.strings[first:first + len(contents)] = contents
        else:
            self.storage.data[self.offset:self.offset + len(contents)] = contents

    def move(self, n_bytes, is_reserved=False):
        """Moves to a block of the tensor's own, with the elements."""
        contents = self.contents()
        self.set_block(self.new_block(n_bytes, self.data_type))
        self.is_reserved = is_reserved
        self.put_contents(contents, self.data_type)

    def thaw(self):
        """Leaves a block that must never change."""
        if self.storage is not None and not self.storage.read_only and self.world.is_frozen(self.storage):
            self.move(self.capacity)

    def make_writable(self):
        if self.is_immutable:
            self.move(self.capacity)

    @property
    def is_alone(self):
        return self.world.use_count(self.storage) == 1 and self.world.n_views(self.storage) == 0

    @property
    def owns_block(self):
        return not self.is_slice and self.is_alone and not self.is_immutable

    def can_reuse(self, data_type, n_bytes):
        """Returns True if elements of this type may be in the present block; without a block, if none is needed."""
        if self.storage is None or n_bytes > self.capacity or self.is_immutable:
            return False
        if data_type == self.data_type:
            return True
        # A slice may begin at an address that is not aligned for larger elements.
        return (is_plain(data_type) and is_plain(self.data_type) and self.is_alone
                and self.offset % item_size(data_type) == 0)

    def would_free(self, n_bytes):
        if self.storage is None:
            return False
        if n_bytes > self.capacity:
            return True
        return not self.is_reserved and (not self.keep_on_shrink
                                         or self.capacity - n_bytes > self.max_keep_on_shrink)

    # Shape

    def resize(self, dims):
        n_elements = count(dims)
        n_bytes = byte_size(n_elements, self.data_type)
        if n_elements != self.n_elements and self.would_free(n_bytes):
            self.set_block(None)
        self.set_dims(dims)

    def resize_like(self, other):
        if not other.is_defined:
            raise Fault('shape')
        self.resize(list(other.dims))

    def reshape(self, dims):
        if count(dims) != self.n_elements or not self.is_defined:
            raise Fault('shape')
        self.set_dims(dims)

    def extend(self, n, growth_percent):
        if not self.shape:
            raise Fault('shape')
        if n < 0:
            raise Fault('range')
        if not (growth_percent >= 0 and math.isfinite(growth_percent)):
            raise Fault('invalid-argument')
        dims = [self.dims[0] + n] + self.dims[1:]
        if dims[0] > MAX_INT64:
            raise Fault('range')
        n_bytes = byte_size(count(dims), self.data_type)
        if self.storage is not None and (n_bytes > self.capacity or not self.owns_block):
            row = math.prod(dims[1:]) * item_size(self.data_type)
            grown = math.ceil(self.dims[0] * (1 + growth_percent / 100)) if growth_percent < 1e6 else dims[0]
            wanted = max(dims[0], grown) * row
            self.move(wanted if wanted <= MAX_SIZE else n_bytes, is_reserved=True)
        self.set_dims(dims)

    def reserve(self, dims):
        if self.data_type is None:
            raise Fault('type')
        n_bytes = max(byte_size(count(dims), self.data_type), self.n_bytes)
        if self.storage is None or not self.owns_block or n_bytes > self.capacity:
            self.move(n_bytes)
        self.is_reserved = self.storage is not None

    def shrink(self, outer_dim):
        if not self.shape:
            raise Fault('shape')
        if not 0 <= outer_dim <= self.dims[0]:
            raise Fault('range')
        self.set_dims([outer_dim] + self.dims[1:])

    def trim(self):
        if self.storage is not None and self.capacity != self.n_bytes and self.owns_block:
            self.move(self.n_bytes)

    # Memory

    def allocate(self, data_type):
        if not self.is_defined:
            raise Fault('shape')
        n_bytes = byte_size(self.n_elements, data_type)
        if data_type == self.data_type and self.storage is not None and not self.storage.read_only:
            self.make_writable()
        elif not self.can_reuse(data_type, n_bytes):
            self.set_block(self.new_block(n_bytes, data_type))
        self.set_type(data_type)

    def free_memory(self):
        self.set_block(None)

    def share_data(self, source):
        source.check_readable()
        if not self.is_defined or self.n_elements != source.n_elements:
            raise Fault('shape')
        if self is source:
            return
        source.thaw()
        if not self.has_block_of(source):
            self.set_block(source.storage, source.offset, source.capacity, source.is_slice)
        self.set_type(source.data_type)

    def share_bytes(self, data_type, data):
        if not self.is_defined:
            raise Fault('shape')
        if len(data) < byte_size(self.n_elements, data_type):
            raise Fault('range')
        if not is_plain(data_type):
            raise Fault('type')
        self.set_block(Storage(len(data), data, read_only=True))
        self.set_type(data_type)

    def share_storage(self, data_type, storage, offset):
        """Makes a new tensor over a part of a storage."""
        n_bytes = byte_size(self.n_elements, data_type)
        if (storage.strings is not None) != (data_type == STRING):
            raise Fault('type')
        if offset > storage.n_bytes or n_bytes > storage.n_bytes - offset:
            raise Fault('range')
        # Blocks are aligned to 64 bytes.
        if offset % item_size(data_type):
            raise Fault('invalid-argument')
        self.set_block(storage, offset, storage.n_bytes - offset, is_slice=offset > 0)
        self.set_type(data_type)

    def swap(self, other):
        if self is other:
            return
        same_block = self.has_block_of(other)
        for one, two in ((self, other), (other, self)):
            if one.dims != two.dims:
                one.events.append(('resized',))
            if one.data_type != two.data_type:
                one.events.append(('data-type',))
            if one.had_block and not same_block:
                one.events.append(('reallocated', one.capacity, two.capacity))
        for name in ('dims', 'data_type', 'storage', 'offset', 'capacity', 'is_slice', 'is_reserved', 'had_block',
                     'own_keep_on_shrink', 'own_max_keep_on_shrink'):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, theirs)
            setattr(other, name, mine)
        # A name belongs to a blob, so memory that moves to another tensor gets that tensor's name.
        for one in (self, other):
            if one.storage is not None and self.world.n_tensors(one.storage) == 1:
                one.storage.label = one.label

    def slice(self, begin, end):
        self.check_readable()
        if not self.shape:
            raise Fault('shape')
        if not 0 <= begin <= end <= self.dims[0]:
            raise Fault('range')
        self.thaw()
        part = Tensor(self.world)
        part.dims = [end - begin] + self.dims[1:]
        part.data_type = self.data_type
        if self.storage is not None:
            row = math.prod(self.dims[1:]) * item_size(self.data_type)
            part.set_block(self.storage, self.offset + begin * row, (end - begin) * row, is_slice=True)
        return part

    def copy_from(self, source):
        if source is self:
            return
        source.check_readable()
        n_bytes, contents = source.n_bytes, source.contents()
        frees = source.n_elements != self.n_elements and self.would_free(n_bytes)
        if source.data_type is None:
            if frees:
                self.set_block(None)
        else:
            if frees or not self.can_reuse(source.data_type, n_bytes):
                self.set_block(self.new_block(n_bytes, source.data_type))
            self.put_contents(contents, source.data_type)
            self.set_type(source.data_type)
        self.set_dims(list(source.dims))

    def clone(self):
        copy = Tensor(self.world)
        if self.storage is not None:
            copy.copy_from(self)
        copy.dims = None if self.dims is None else list(self.dims)
        copy.data_type = self.data_type
        copy.events.clear()
        return copy

    # Bytes and elements

    def check_plain(self):
        if self.data_type is None or not is_plain(self.data_type):
            raise Fault('type')

    def map(self, writable):
        self.check_readable()
        if self.n_elements > 0 or self.storage is not None and self.storage.strings is not None:
            self.check_plain()
        self.thaw()
        if writable:
            self.make_writable()
        storage = self.storage if self.storage is not None else Storage(0, b'', read_only=True)
        return View(storage, self.offset, self.n_bytes, writable, False)

    def ref_bytes(self):
        self.check_readable()
        if self.n_elements > 0:
            self.check_plain()
        world, storage = self.world, self.storage
        is_view = (storage is not None and is_plain(self.data_type) and self.n_bytes > 0
                   and (storage.read_only or world.n_tensors(storage) == 1 and world.n_mappings(storage) == 0))
        return View(storage if is_view else Storage(self.n_bytes, self.contents(), read_only=True),
                    self.offset if is_view else 0, self.n_bytes, False, True)

    def set_bytes(self, data):
        self.check_plain()
        if not self.is_defined or len(data) != self.n_bytes:
            raise Fault('shape')
        self.allocate(self.data_type)
        self.put_contents(data, self.data_type)

    def check_index(self, index):
        self.check_readable()
        if not 0 <= index < self.n_elements:
            raise Fault('range')

    def get_number(self, index):
        self.check_index(index)
        if not is_plain(self.data_type):
            raise Fault('type')
        size, code = PLAIN[self.data_type]
        start = self.offset + index * size
        value = self.storage.data[start:start + size]
        return bool(value[0]) if code == '?' else struct.unpack(code, value)[0]

    def get_integer(self, index):
        number = self.get_number(index)
        if not (math.isfinite(number) and -2**63 <= int(number) < 2**63):
            raise Fault('range')
        return int(number)

    def set_element(self, index, value):
        """Converts a number or a string to the element type. A number must fit, or is rounded."""
        self.check_index(index)
        if isinstance(value, str) != (self.data_type == STRING):
            raise Fault('type')
        if self.data_type == STRING:
            self.make_writable()
            self.put_one(index, [value])
            return
        size, code = PLAIN[self.data_type]
        if code == '?':
            if value not in (0, 1):
                raise Fault('range')
            value = bool(value)
        elif self.data_type in INTEGERS:
            if value != value or math.isinf(value) or value != int(value):
                raise Fault('range')
            value = int(value)
        try:
            item = struct.pack(code, value)
        except (struct.error, OverflowError):
            raise Fault('range') from None
        self.make_writable()
        start = self.offset + index * size
        self.storage.data[start:start + size] = item

    def put_one(self, index, strings):
        first = self.offset // 8 + index
        self.storage.strings[first:first + 1] = strings

    # Axes

    def canonical_axis(self, axis):
        n = len(self.shape)
        if not -n <= axis < n:
            raise Fault('shape')
        return axis + n if axis < 0 else axis

    def get_dim(self, axis):
        return self.dims[self.canonical_axis(axis)]

    def size_from_dim(self, axis):
        self.check_axis(axis, len(self.shape))
        return count(self.shape[axis:])

    def size_to_dim(self, axis):
        self.check_axis(axis, len(self.shape))
        return count(self.shape[:axis])

    def size_between_dims(self, first, second):
        first, second = min(first, second), max(first, second)
        self.check_axis(first, len(self.shape) - 1)
        self.check_axis(second, len(self.shape) - 1)
        return count(self.shape[first + 1:second])

    def check_axis(self, axis, last):
        if not 0 <= axis <= last:
            raise Fault('shape')
