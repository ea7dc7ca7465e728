#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Shares memory with PyTorch and CuPy by DLPack, both ways, in the format of TAP. c2g's C functions are called by ctypes,
so no bindings are needed. The first case has c2g itself on both sides.
"""

import ctypes
import importlib
import sys
import traceback

FLOAT = 1  # C2G_DATA_TYPE_FLOAT
CUDA = 2, 0  # kDLCUDA, device 0
N = 1 << 20
NAME, USED_NAME = b'dltensor', b'used_dltensor'

Pointer, Size = ctypes.c_void_p, ctypes.c_size_t
library = ctypes.CDLL('libc2g-1.so.0')
gobject = ctypes.CDLL('libgobject-2.0.so.0')


class Error(ctypes.Structure):
    _fields_ = [('domain', ctypes.c_uint32), ('code', ctypes.c_int), ('message', ctypes.c_char_p)]


def declare(name, result, *arguments):
    """Returns a function of c2g that raises its GError."""
    function = getattr(library, name)
    function.restype = result
    function.argtypes = [*arguments, ctypes.POINTER(ctypes.POINTER(Error))]

    def call(*values):
        error = ctypes.POINTER(Error)()
        returned = function(*values, ctypes.byref(error))
        if error:
            raise RuntimeError(f'{name}: {error.contents.message.decode()}')
        return returned
    return call


def declare_python(name, result, *arguments):
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = result, arguments
    return function


parse = declare('c2g_device_parse', Pointer, ctypes.c_char_p)
new_sized = declare('c2g_tensor_new_sized', Pointer, ctypes.POINTER(ctypes.c_int64), Size, Pointer)
allocate = declare('c2g_tensor_allocate', ctypes.c_int, Pointer, ctypes.c_int)
context_for = declare('c2g_context_for_device', Pointer, Pointer)
fill = declare('c2g_context_fill', ctypes.c_int, Pointer, Pointer, ctypes.c_double)
to_device = declare('c2g_tensor_to_device', Pointer, Pointer, Pointer)
get_value = declare('c2g_tensor_get_value', ctypes.c_double, Pointer, ctypes.c_int64)
to_dlpack = declare('c2g_tensor_to_dlpack', ctypes.c_uint64, Pointer, ctypes.c_int, Pointer, ctypes.c_int64)
from_dlpack = declare('c2g_tensor_new_from_dlpack', Pointer, ctypes.c_uint64, ctypes.c_int, Pointer)
new_capsule = declare_python('PyCapsule_New', ctypes.py_object, Pointer, ctypes.c_char_p, Pointer)
get_pointer = declare_python('PyCapsule_GetPointer', Pointer, ctypes.py_object, ctypes.c_char_p)
set_name = declare_python('PyCapsule_SetName', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
gobject.g_object_unref.restype, gobject.g_object_unref.argtypes = None, [Pointer]


class Tensor:
    """A tensor of c2g, as far as the protocol of DLPack needs it."""

    def __init__(self, pointer):
        self.pointer = pointer

    def __del__(self):
        gobject.g_object_unref(self.pointer)

    def __getitem__(self, index):
        near = Tensor(to_device(self.pointer, parse(b'cpu')))
        return get_value(near.pointer, index)

    def __dlpack__(self, stream=None, **_):
        # CUDA's number of the legacy default stream stands for the missing one.
        return new_capsule(to_dlpack(self.pointer, 0, None, 1 if stream is None else stream), NAME, None)

    def __dlpack_device__(self):
        return CUDA

    @classmethod
    def filled(cls, value):
        device = parse(b'cuda:0')
        tensor = cls(new_sized((ctypes.c_int64 * 1)(N), 1, device))
        allocate(tensor.pointer, FLOAT)
        fill(context_for(device), tensor.pointer, value)
        return tensor

    @classmethod
    def from_capsule(cls, capsule):
        tensor = cls(from_dlpack(get_pointer(capsule, NAME), 0, None))
        set_name(capsule, USED_NAME)
        return tensor


def check(is_true, what):
    if not is_true:
        raise AssertionError(what)


def check_itself():
    tensor = Tensor.filled(3.5)
    back = Tensor.from_capsule(tensor.__dlpack__())
    del tensor
    check(back[0] == back[N - 1] == 3.5, 'the memory is lost with its first owner')


def check_peer(module, arange):
    tensor = Tensor.filled(3.5)
    other = module.from_dlpack(tensor)
    check(float(other.sum()) == 3.5 * N, f'{module.__name__} reads other numbers')
    other[7] = 2
    check(float(other.sum()) == 3.5 * N - 1.5, f'{module.__name__} cannot write')
    check(tensor[7] == 2, 'the memory is a copy')
    del tensor
    check(float(other[N - 1]) == 3.5, 'the memory is lost with its first owner')

    back = Tensor.from_capsule(arange(module).__dlpack__())
    check(back[999] == 999, f'the memory of {module.__name__} has other numbers')


PEERS = {
    'torch': lambda torch: torch.arange(1000, dtype=torch.float32, device='cuda'),
    'cupy': lambda cupy: cupy.arange(1000, dtype=cupy.float32),
}


def is_missing(name):
    """Returns the reason why a package cannot be used, or None."""
    try:
        module = importlib.import_module(name)
        available = module.cuda.is_available()
    except Exception as error:  # A package that is installed and broken says so in many ways.
        return f'{name} cannot be used: {error}'
    return None if available else f'{name} finds no GPU'


def run(number, name, function, *arguments):
    try:
        function(*arguments)
    except Exception:
        print(*(f'# {line}' for line in traceback.format_exc().splitlines()), sep='\n')
        print(f'not ok {number} {name}', flush=True)
        return False
    print(f'ok {number} {name}', flush=True)
    return True


def main():
    print(f'1..{1 + len(PEERS)}')
    done = run(1, 'c2g', check_itself)
    for number, (name, arange) in enumerate(PEERS.items(), 2):
        reason = is_missing(name)
        if reason:
            print(f'ok {number} {name} # SKIP {reason.splitlines()[0]}')
        else:
            done = run(number, name, check_peer, importlib.import_module(name), arange) and done
    return 0 if done else 1


if __name__ == '__main__':
    sys.exit(main())
