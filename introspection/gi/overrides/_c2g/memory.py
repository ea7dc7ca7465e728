# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The protocols by which array libraries share memory: DLPack and the array interfaces.

The page Sharing memory of the manual describes them.
"""

import atexit
import ctypes
import functools
import math
import re
import sys
import threading

import gi
from gi.module import get_introspection_module
from gi.repository import GLib

from .sharing import BYTE_ORDER, CPU, TYPESTRS, to_array_struct

C2g = get_introspection_module('C2g')

# DLPack's device types.
_DL_CPU, _DL_CUDA, _DL_CUDA_HOST = 1, 2, 3

# DLPack's type codes, by the letters of array interfaces.
_DL_CODES = {'i': 0, 'u': 1, 'f': 2, 'c': 5, 'b': 6}
_DL_READ_ONLY = 1

_TYPESTR = re.compile(r'([<>|])([a-zA-Z])(\d+)')


def _python(name, result, *arguments):
    """Returns a function of Python's C API as another object, because ctypes.pythonapi is shared with other modules."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


def _address_of(name):
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value


def _immortal(thing):
    """Takes a reference that is never dropped: capsules and tensors hold its address, and may outlive this module."""
    _python('Py_IncRef', None, ctypes.py_object)(thing)
    return thing


_capsule_new = _python('PyCapsule_New', ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_capsule_is_valid = _python('PyCapsule_IsValid', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_capsule_get_pointer = _python('PyCapsule_GetPointer', ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_capsule_set_name = _python('PyCapsule_SetName', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_capsule_destructor = C2g.dlpack_get_capsule_destructor(_address_of('PyCapsule_IsValid'),
                                                        _address_of('PyCapsule_GetPointer'))

# NumPy 1.24 crashes on an array interface with more dimensions; no later version has larger arrays.
_MAX_NUMPY_DIMS = 64

# Names of capsules before and after they are consumed, indexed by whether the structure has a version.
_NAMES = tuple(_immortal(name) for name in (b'dltensor', b'dltensor_versioned'))
_USED_NAMES = tuple(_immortal(name) for name in (b'used_dltensor', b'used_dltensor_versioned'))

# Protects checking and renaming a capsule: other threads may run between the two calls.
_CONSUMING = threading.RLock()

_VERSIONED = C2g.DlpackFlags.VERSIONED

# Indexed by whether the structure has a version, and by copy.
_FLAGS = tuple({None: flags, True: flags | C2g.DlpackFlags.COPY, False: flags | C2g.DlpackFlags.NO_COPY}
               for flags in (C2g.DlpackFlags(0), _VERSIONED))

_ERRORS = {
    C2g.Error.TYPE: BufferError, C2g.Error.DEVICE: BufferError, C2g.Error.NOT_SUPPORTED: BufferError,
    C2g.Error.READ_ONLY: BufferError, C2g.Error.SHAPE: BufferError, C2g.Error.RANGE: BufferError, C2g.Error.FAILED: BufferError,
    C2g.Error.INVALID_ARGUMENT: ValueError, C2g.Error.NO_MEMORY: MemoryError,
}


def _protocol_error(error):
    """Converts an error of c2g to the exception that the protocols require."""
    kind = _ERRORS.get(error.code) if error.matches(C2g.Error.quark(), error.code) else None
    return error if kind is None else kind(error.message)


def _device_for(dl_device):
    kind, index = dl_device
    if kind == _DL_CPU:
        return CPU
    if kind == _DL_CUDA:
        return C2g.Device.new(C2g.DeviceType.CUDA, index)
    raise BufferError(f'expected the device (1, 0) or (2, index), got ({int(kind)}, {int(index)})')


def _check_copy(copy):
    if copy is not None and not isinstance(copy, bool):
        raise ValueError(f'copy is True, False or None, not {copy!r}')


def _tensor_dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """Exports the elements as a DLPack capsule: a live view of the tensor's memory, which it pins."""
    _check_copy(copy)
    if stream == 0:
        raise ValueError('stream 0 is not allowed: 1 is the legacy default stream, 2 that of the thread')
    versioned = max_version is not None and max_version[0] >= 1
    try:
        managed = self.to_dlpack(_FLAGS[versioned][copy], None if dl_device is None else _device_for(dl_device),
                                 0 if stream is None else stream)
    except GLib.Error as error:
        raise _protocol_error(error) from None
    return _capsule_new(managed, _NAMES[versioned], _capsule_destructor)


def _tensor_dlpack_device(self):
    """The DLPack device of the elements: (1, 0) for the CPU, (2, index) for a CUDA device."""
    device = self.get_device()
    return (_DL_CPU, 0) if device == CPU else (_DL_CUDA, device.get_index())


def _capsule_of(x, stream, copy):
    """Requests a capsule of DLPack 1, or of an older version if the producer does not know that argument.

    It never requests a copy: c2g makes copies itself.
    """
    arguments = {} if stream is None else {'stream': stream}
    more = {'copy': False} if copy is False else {}
    try:
        return x.__dlpack__(max_version=(1, 1), **more, **arguments)
    except TypeError:
        pass
    return x.__dlpack__(**arguments)


def _stream_for(dl_device, context):
    kind, index = dl_device
    if kind not in (_DL_CPU, _DL_CUDA, _DL_CUDA_HOST):
        raise BufferError(f'expected memory of the CPU or of CUDA, got DLPack’s device type {int(kind)}')
    return C2g.dlpack_get_stream(_device_for(dl_device), context) if kind == _DL_CUDA else None


def _consume(capsule):
    """Consumes a capsule. Returns whether its structure has a version, and the address."""
    with _CONSUMING:
        for versioned, name in enumerate(_NAMES):
            if _capsule_is_valid(capsule, name):
                managed = _capsule_get_pointer(capsule, name)
                # From here on only new_from_dlpack() releases the structure, also if it fails.
                _capsule_set_name(capsule, _USED_NAMES[versioned])
                return versioned, managed
    raise TypeError(f'expected what has __dlpack__, or a DLPack capsule that nobody has consumed, got {capsule!r}')


class _Managed(ctypes.Structure):
    """DLManagedTensorVersioned of DLPack."""

    _fields_ = (('major', ctypes.c_uint32), ('minor', ctypes.c_uint32), ('context', ctypes.c_void_p),
                ('deleter', ctypes.c_void_p), ('flags', ctypes.c_uint64), ('data', ctypes.c_void_p),
                ('device_type', ctypes.c_int32), ('device_id', ctypes.c_int32), ('n_dims', ctypes.c_int32),
                ('code', ctypes.c_uint8), ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16),
                ('shape', ctypes.c_void_p), ('strides', ctypes.c_void_p), ('byte_offset', ctypes.c_uint64))


# The shared objects, by the address of their structure. Tensors may release them in any thread.
_LENT = {}
_give_back = _immortal(ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_LENT.pop))


@atexit.register
def _keep_lent():
    """Removes the deleters at exit, because tensors may outlive the interpreter."""
    for managed, *_ in tuple(_LENT.values()):
        _immortal(managed).deleter = None


def _cuda():
    try:
        gi.require_version('C2gCuda', '1')
        from gi.repository import C2gCuda
    except (ImportError, ValueError) as error:
        raise BufferError(str(error)) from None
    return C2gCuda


def _wait_for(stream, device, context):
    """Makes later work of the context wait for the stream of an array interface."""
    if stream == 0:
        raise ValueError('stream 0 is not allowed: 1 is the legacy default stream, 2 that of the thread')
    if stream is None:
        return
    # The per-thread stream of the producer is not accessible here, but the legacy stream waits for it.
    theirs = _cuda().Stream.new_from_handle(device, 1 if stream == 2 else stream)
    if isinstance(context, _cuda().Context):
        context.get_stream().wait(theirs)
    else:
        theirs.finish()


def _device_of_interface(interface, context):
    """Returns the device of a CUDA array interface, after waiting for its stream."""
    address = interface['data'][0]
    # An empty array has the address 0, so its device is not known.
    device = _cuda().find_device(address) if address else context.get_device() if context else C2g.Device.parse('cuda')
    _wait_for(interface.get('stream'), device, context)
    return device


def _lend(x, interface, find_device):
    """Returns the address of a DLPack structure over an object that has only an array interface.

    The structure holds x until the tensor releases it.
    """
    address, read_only = interface['data']
    shape, strides, typestr = interface['shape'], interface.get('strides'), interface['typestr']
    order, kind, size = match.groups() if (match := _TYPESTR.fullmatch(typestr)) else ('', '', 0)
    size = int(size)
    if order not in ('|', BYTE_ORDER) or kind not in _DL_CODES or size == 0 or interface.get('mask') is not None:
        raise BufferError(f'elements of type {typestr}, or some that are masked, cannot be shared')
    if strides is not None and len(strides) != len(shape):
        raise BufferError(f'there are {len(strides)} strides for {len(shape)} dimensions')
    if strides is not None and any(stride % size for stride in strides):
        raise BufferError(f'strides of {strides} bytes lie between elements of {size}')

    device = find_device()
    numbers = (ctypes.c_int64 * (2 * len(shape) + 1))(*shape, *(stride // size for stride in strides or ()))
    managed = _Managed(1, 0, None, ctypes.cast(_give_back, ctypes.c_void_p), _DL_READ_ONLY if read_only else 0, address,
                       _DL_CPU if device == CPU else _DL_CUDA, device.get_index(), len(shape), _DL_CODES[kind], 8 * size, 1,
                       ctypes.addressof(numbers),
                       None if strides is None else ctypes.addressof(numbers) + 8 * len(shape))
    _LENT[ctypes.addressof(managed)] = managed, numbers, x
    return ctypes.addressof(managed)


def _export_of(x, context, copy):
    """Returns whether the DLPack structure of an object has a version, and the structure's address."""
    if not hasattr(x, '__dlpack__'):
        if not hasattr(x, '__cuda_array_interface__'):
            return _consume(x)
        interface = x.__cuda_array_interface__
        return True, _lend(x, interface, lambda: _device_of_interface(interface, context))
    try:
        return _consume(_capsule_of(x, _stream_for(x.__dlpack_device__(), context), copy))
    except BufferError:
        # NumPy before 2.1 exports no booleans and no read-only array, but its array interface knows both.
        interface = getattr(x, '__array_interface__', {})
        if not isinstance(interface.get('data'), tuple):
            raise
        return True, _lend(x, interface, lambda: CPU)


def from_dlpack(x, context=None, copy=None):
    """See sharing.from_dlpack()."""
    _check_copy(copy)
    if context is not None and not isinstance(context, C2g.Context):
        raise TypeError(f'context is a C2g.Context, not {type(context).__name__}')
    try:
        versioned, managed = _export_of(x, context, copy)
        return C2g.Tensor.new_from_dlpack(managed, _FLAGS[versioned][copy], context)
    except GLib.Error as error:
        raise _protocol_error(error) from None


@functools.lru_cache
def _bytes_at(n_bytes):
    """Cached, because creating a class takes longer than the rest of an export."""
    return (ctypes.c_char * n_bytes).from_address


def lend_buffer(address, n_bytes, owner, read_only):
    """Returns a buffer over memory that the owner pins."""
    buffer = _bytes_at(n_bytes)(address)
    buffer.owner = owner
    return memoryview(buffer).toreadonly() if read_only else buffer


def _tensor_array_struct(self):
    """What NumPy asks for: a live view that pins the memory; it is read-only if the memory is."""
    try:
        return _capsule_new(to_array_struct(self), None, _capsule_destructor)
    except GLib.Error as error:
        raise _array_error(self, error) from None


def _tensor_array_interface(self):
    """The same for others than NumPy, in Python's types."""
    if self.get_n_dims() > _MAX_NUMPY_DIMS:
        raise BufferError(f'arrays have at most {_MAX_NUMPY_DIMS} dimensions, the tensor has {self.get_n_dims()}')
    owner, typestr, shape = _tensor_array_struct(self), _typestr(self), tuple(self.get_dims())
    n_bytes = math.prod(shape) * int(typestr[2:])
    # NumPy gives the address 0 another meaning.
    data = lend_buffer(self.get_address(), n_bytes, owner, _is_read_only(self)) if n_bytes else bytearray()
    return {'version': 3, 'shape': shape, 'typestr': typestr, 'data': data}


def _typestr(self):
    typestr = TYPESTRS.get(self.get_data_type())
    if typestr is None:
        raise _no_typestr(self)
    return typestr


def _no_typestr(self):
    meta = self.get_type_meta()
    return TypeError(f'array interfaces have no elements of type “{meta.get_name() if meta else "undefined"}”')


def _array_error(self, error):
    return _no_typestr(self) if error.matches(C2g.Error.quark(), C2g.Error.TYPE) else _protocol_error(error)


def _is_read_only(self):
    storage = self.get_storage()
    return storage is not None and storage.is_read_only()


def _tensor_cuda_array_interface(self):
    """The CUDA array interface; only for tensors on a CUDA device.

    It does not keep the memory alive; DLPack does. The consumer must wait for the legacy default stream.
    """
    if self.get_device() == CPU:
        raise AttributeError('only a tensor on a CUDA device has __cuda_array_interface__')
    typestr, address = _typestr(self), self.get_address()
    if address == 0 and self.get_n_elements() > 0:
        raise ValueError(f'the tensor has no data yet: its {self.get_n_elements()} elements were not allocated')
    try:
        self.lend_to_stream(1)
    except GLib.Error as error:
        raise _protocol_error(error) from None
    return {'version': 3, 'shape': tuple(self.get_dims()), 'typestr': typestr, 'strides': None, 'stream': 1,
            'data': (address, _is_read_only(self))}


C2g.Tensor.__dlpack__ = _tensor_dlpack
C2g.Tensor.__dlpack_device__ = _tensor_dlpack_device
# NumPy before 1.23 lets go of the capsule at once, and so of the memory. Without this it takes the array interface.
if 'numpy' in sys.modules and tuple(map(int, sys.modules['numpy'].__version__.split('.')[:2])) < (1, 23):
    del C2g.Tensor.__array_struct__
else:
    C2g.Tensor.__array_struct__ = property(_tensor_array_struct)
C2g.Tensor.__array_interface__ = property(_tensor_array_interface)
C2g.Tensor.__cuda_array_interface__ = property(_tensor_cuda_array_interface)
