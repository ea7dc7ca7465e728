# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What of sharing memory is there before the module memory is imported.

That module needs ctypes, which takes longer to import than the rest of c2g. So it is imported when a tensor is first shared;
then it replaces the methods of tensors that are made here.
"""

import functools
import sys

from gi.module import get_introspection_module

C2g = get_introspection_module('C2g')

CPU = C2g.Device.cpu()

BYTE_ORDER = '<' if sys.byteorder == 'little' else '>'
TYPESTRS = {C2g.DataType.BOOL: '|b1', C2g.DataType.INT8: '|i1', C2g.DataType.UINT8: '|u1'}
TYPESTRS.update((data_type, BYTE_ORDER + typestr) for data_type, typestr in (
    (C2g.DataType.FLOAT16, 'f2'), (C2g.DataType.FLOAT, 'f4'), (C2g.DataType.DOUBLE, 'f8'),
    (C2g.DataType.INT16, 'i2'), (C2g.DataType.INT32, 'i4'), (C2g.DataType.INT64, 'i8'),
    (C2g.DataType.UINT16, 'u2'), (C2g.DataType.UINT32, 'u4'), (C2g.DataType.UINT64, 'u8'),
))

# Without what calls.py adds, which would make exports slower.
to_array_struct = C2g.Tensor.to_array_struct


@functools.lru_cache(None)
def _memory():
    from . import memory
    return memory


def from_dlpack(x, context=None, copy=None):
    """Makes a tensor that shares the memory of x: an array of another library, also one on a GPU that has only
    __cuda_array_interface__, or a DLPack capsule.

    On a GPU, work of the context waits for pending work on the memory; without a context this function waits. With
    copy=True the memory is copied; with copy=False an error is raised if a copy is needed.
    """
    return _memory().from_dlpack(x, context, copy)


def lend_buffer(address, n_bytes, owner, read_only):
    """Returns a buffer over memory that the owner pins."""
    return _memory().lend_buffer(address, n_bytes, owner, read_only)


def _late_method(name):
    def call(self, *arguments, **named):
        _memory()
        return getattr(self, name)(*arguments, **named)

    return call


def _late_property(name):
    def get(self):
        _memory()
        return getattr(self, name)

    return property(get)


for _name in ('__dlpack__', '__dlpack_device__'):
    setattr(C2g.Tensor, _name, _late_method(_name))
for _name in ('__array_struct__', '__array_interface__', '__cuda_array_interface__'):
    setattr(C2g.Tensor, _name, _late_property(_name))
C2g.Tensor.from_dlpack = staticmethod(from_dlpack)
