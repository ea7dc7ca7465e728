# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What Python adds to C2g: tensors speak the protocols by which array libraries share memory.

The page Sharing memory of the manual says what each of them promises. Besides, this module mends what PyGObject 3.42 gets
wrong: boxed content of values, text with a NUL in it, and a name where a list wants a position. No signature changes.
"""

import atexit
import ctypes
import functools
import inspect
import re
import sys
import threading

import gi
from gi.repository import GLib, GObject

from ..module import get_introspection_module

C2g = get_introspection_module('C2g')

__all__ = ['from_dlpack']

_CPU = C2g.Device.cpu()

# DLPack's numbers of places.
_DL_CPU, _DL_CUDA, _DL_CUDA_HOST = 1, 2, 3

# Its numbers of element types, by the letters of array interfaces.
_DL_CODES = {'i': 0, 'u': 1, 'f': 2, 'c': 5, 'b': 6}
_DL_READ_ONLY = 1

_TYPESTR = re.compile(r'([<>|])([a-zA-Z])(\d+)')
_BYTE_ORDER = '<' if sys.byteorder == 'little' else '>'
_TYPESTRS = {C2g.DataType.BOOL: '|b1', C2g.DataType.INT8: '|i1', C2g.DataType.UINT8: '|u1'}
_TYPESTRS.update((data_type, _BYTE_ORDER + typestr) for data_type, typestr in (
    (C2g.DataType.FLOAT16, 'f2'), (C2g.DataType.FLOAT, 'f4'), (C2g.DataType.DOUBLE, 'f8'),
    (C2g.DataType.INT16, 'i2'), (C2g.DataType.INT32, 'i4'), (C2g.DataType.INT64, 'i8'),
    (C2g.DataType.UINT16, 'u2'), (C2g.DataType.UINT32, 'u4'), (C2g.DataType.UINT64, 'u8'),
))


def _python(name, result, *arguments):
    """A function of Python's own, apart from what others made of ctypes.pythonapi."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


def _address_of(name):
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value


def _immortal(thing):
    """Capsules and tensors keep the address of it, and may outlive this module."""
    _python('Py_IncRef', None, ctypes.py_object)(thing)
    return thing


_capsule_new = _python('PyCapsule_New', ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_capsule_is_valid = _python('PyCapsule_IsValid', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_capsule_get_pointer = _python('PyCapsule_GetPointer', ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_capsule_set_name = _python('PyCapsule_SetName', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_capsule_destructor = C2g.dlpack_get_capsule_destructor(_address_of('PyCapsule_IsValid'),
                                                        _address_of('PyCapsule_GetPointer'))

# NumPy 1.24 ends the process when an array interface has more dimensions; no later version has arrays of more.
_MAX_NUMPY_DIMS = 64

_READ, _READ_WRITE = C2g.MapFlags.READ, C2g.MapFlags.READ_WRITE

# By whether there is a version: what a capsule is called, and once it was consumed.
_NAMES = tuple(_immortal(name) for name in (b'dltensor', b'dltensor_versioned'))
_USED_NAMES = tuple(_immortal(name) for name in (b'used_dltensor', b'used_dltensor_versioned'))

# Other threads run between two of Python's functions.
_CONSUMING = threading.RLock()

# By whether there is a version, and by copy.
_FLAGS = tuple({None: flags, True: flags | C2g.DlpackFlags.COPY, False: flags | C2g.DlpackFlags.NO_COPY}
               for flags in (C2g.DlpackFlags(0), C2g.DlpackFlags.VERSIONED))

_ERRORS = {
    C2g.Error.TYPE: BufferError, C2g.Error.DEVICE: BufferError, C2g.Error.NOT_SUPPORTED: BufferError,
    C2g.Error.READ_ONLY: BufferError, C2g.Error.SHAPE: BufferError, C2g.Error.RANGE: BufferError, C2g.Error.FAILED: BufferError,
    C2g.Error.INVALID_ARGUMENT: ValueError, C2g.Error.NO_MEMORY: MemoryError,
}


def _protocol_error(error):
    """The exception that the protocols have for an error of c2g."""
    kind = _ERRORS.get(error.code) if error.matches(C2g.Error.quark(), error.code) else None
    return error if kind is None else kind(error.message)


def _device_for(dl_device):
    kind, index = dl_device
    if kind == _DL_CPU:
        return _CPU
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
    """Where the elements are: (1, 0) for the CPU, (2, index) for a CUDA device."""
    device = self.get_device()
    return (_DL_CPU, 0) if device == _CPU else (_DL_CUDA, device.get_index())


def _capsule_of(x, stream, copy):
    """Asks for DLPack 1, and for what came before it if that is not known.

    What has to be copied c2g copies itself.
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
    """Whether the structure of a capsule has a version, and its address, which nobody else gets from then on."""
    with _CONSUMING:
        for versioned, name in enumerate(_NAMES):
            if _capsule_is_valid(capsule, name):
                managed = _capsule_get_pointer(capsule, name)
                # From here on nobody but the tensor releases it, whether it comes to be or not.
                _capsule_set_name(capsule, _USED_NAMES[versioned])
                return versioned, managed
    raise TypeError(f'expected what has __dlpack__, or a DLPack capsule that nobody has consumed, got {capsule!r}')


class _Managed(ctypes.Structure):
    """DLPack's structure with a version."""

    _fields_ = (('major', ctypes.c_uint32), ('minor', ctypes.c_uint32), ('context', ctypes.c_void_p),
                ('deleter', ctypes.c_void_p), ('flags', ctypes.c_uint64), ('data', ctypes.c_void_p),
                ('device_type', ctypes.c_int32), ('device_id', ctypes.c_int32), ('n_dims', ctypes.c_int32),
                ('code', ctypes.c_uint8), ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16),
                ('shape', ctypes.c_void_p), ('strides', ctypes.c_void_p), ('byte_offset', ctypes.c_uint64))


# What tensors lie over, by the addresses of the structures, which may go in any thread.
_LENT = {}
_give_back = _immortal(ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_LENT.pop))


@atexit.register
def _keep_lent():
    """Tensors may outlive the interpreter, and then there is nobody to give anything back to."""
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
    """The stream of an array interface comes before what the context does next."""
    if stream == 0:
        raise ValueError('stream 0 is not allowed: 1 is the legacy default stream, 2 that of the thread')
    if stream is None:
        return
    # The thread's own can be named by nobody else, but the legacy one waits for it.
    theirs = _cuda().Stream.new_from_handle(device, 1 if stream == 2 else stream)
    if isinstance(context, _cuda().Context):
        context.get_stream().wait(theirs)
    else:
        theirs.finish()


def _lend(x, context):
    """The address of a structure over what has the CUDA array interface alone, which holds x until it is given back."""
    interface = x.__cuda_array_interface__
    address, read_only = interface['data']
    shape, strides, typestr = interface['shape'], interface.get('strides'), interface['typestr']
    order, kind, size = match.groups() if (match := _TYPESTR.fullmatch(typestr)) else ('', '', 0)
    size = int(size)
    if order not in ('|', _BYTE_ORDER) or kind not in _DL_CODES or size == 0 or interface.get('mask') is not None:
        raise BufferError(f'elements of type {typestr}, or some that are masked, cannot be shared')
    if strides is not None and len(strides) != len(shape):
        raise BufferError(f'there are {len(strides)} strides for {len(shape)} dimensions')
    if strides is not None and any(stride % size for stride in strides):
        raise BufferError(f'strides of {strides} bytes lie between elements of {size}')

    # Nothing is at no address, and anywhere.
    device = _cuda().find_device(address) if address else context.get_device() if context else C2g.Device.parse('cuda')
    _wait_for(interface.get('stream'), device, context)
    numbers = (ctypes.c_int64 * (2 * len(shape) + 1))(*shape, *(stride // size for stride in strides or ()))
    managed = _Managed(1, 0, None, ctypes.cast(_give_back, ctypes.c_void_p), _DL_READ_ONLY if read_only else 0, address,
                       _DL_CUDA, device.get_index(), len(shape), _DL_CODES[kind], 8 * size, 1,
                       ctypes.addressof(numbers),
                       None if strides is None else ctypes.addressof(numbers) + 8 * len(shape))
    _LENT[ctypes.addressof(managed)] = managed, numbers, x
    return ctypes.addressof(managed)


def from_dlpack(x, context=None, copy=None):
    """Makes a tensor over the memory of x: an array of another library, also one on a GPU that has no more than
    __cuda_array_interface__, or a DLPack capsule.

    On a GPU the context says in which order of work the memory is used; without one it is waited for. With copy=True
    the memory is copied; with copy=False it is an error if it would have to be.
    """
    _check_copy(copy)
    if context is not None and not isinstance(context, C2g.Context):
        raise TypeError(f'context is a C2g.Context, not {type(context).__name__}')
    try:
        if hasattr(x, '__dlpack__'):
            versioned, managed = _consume(_capsule_of(x, _stream_for(x.__dlpack_device__(), context), copy))
        elif hasattr(x, '__cuda_array_interface__'):
            versioned, managed = True, _lend(x, context)
        else:
            versioned, managed = _consume(x)
        return C2g.Tensor.new_from_dlpack(managed, _FLAGS[versioned][copy], context)
    except GLib.Error as error:
        raise _protocol_error(error) from None


def _typestr(self):
    data_type = self.get_data_type()
    if data_type not in _TYPESTRS:
        meta = self.get_type_meta()
        raise TypeError(f'array interfaces have no elements of type “{meta.get_name() if meta else "undefined"}”')
    return _TYPESTRS[data_type]


def _is_read_only(self):
    storage = self.get_storage()
    return storage is not None and storage.is_read_only()


@functools.lru_cache
def _buffer_type(n_bytes):
    """To make a class takes longer than all the rest."""
    return ctypes.c_char * n_bytes


def _buffer(tensor, read_only):
    """The elements as a buffer that holds a mapping of them."""
    try:
        mapping = tensor.map(_READ if read_only else _READ_WRITE)
    except GLib.Error as error:
        raise _protocol_error(error) from None
    n_bytes = mapping.get_n_bytes()
    # An address of 0 means something else to NumPy.
    if n_bytes == 0:
        return bytearray()
    buffer = _buffer_type(n_bytes).from_address(mapping.get_address())
    buffer.mapping = mapping
    return memoryview(buffer).toreadonly() if read_only else buffer


def _tensor_array_interface(self):
    """NumPy's array interface: a live view that pins the memory; read-only memory is shown as such."""
    typestr, shape = _typestr(self), tuple(self.get_dims())
    if len(shape) > _MAX_NUMPY_DIMS:
        raise BufferError(f'arrays have at most {_MAX_NUMPY_DIMS} dimensions, the tensor has {len(shape)}')
    return {'version': 3, 'shape': shape, 'typestr': typestr, 'data': _buffer(self, _is_read_only(self))}


def _tensor_cuda_array_interface(self):
    """The CUDA array interface, of which only memory on a CUDA device has one.

    It keeps nothing alive: DLPack does. The stream that the consumer has to wait for is the legacy default one.
    """
    if self.get_device() == _CPU:
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
C2g.Tensor.__array_interface__ = property(_tensor_array_interface)
C2g.Tensor.__cuda_array_interface__ = property(_tensor_cuda_array_interface)
C2g.Tensor.from_dlpack = staticmethod(from_dlpack)


def _content_of(value):
    """PyGObject 3.42 frees the boxed content of a value that C allocated for it; of its own values it makes copies."""
    content = value.get_value()
    return None if value.g_type == GObject.TYPE_POINTER and content == 0 else content


def _blob_get_value(self):
    """A copy of what the blob holds, which lives as long as Python wants it."""
    value = GObject.Value()
    self.copy_value(value)
    return _content_of(value)


def _tensor_get_element(self, index):
    """A copy of an element of any type, None where there is no such element."""
    value = GObject.Value()
    try:
        self.copy_element(index, value)
    except GLib.Error:
        return None
    return _content_of(value)


class _BlobProperties:
    """The properties of a blob: PyGObject 3.42 leaks one copy of the value at each look."""

    def __init__(self, blob):
        vars(self).update(blob=blob, properties=_PROPERTIES.__get__(blob, type(blob)))

    def __getattr__(self, name):
        return self.blob.get_value() if name == 'value' else getattr(self.properties, name)

    def __setattr__(self, name, value):
        setattr(self.properties, name, value)

    def __dir__(self):
        return dir(self.properties)

    def __iter__(self):
        return iter(self.properties)


def _blob_get_property(self, name):
    return self.get_value() if name == 'value' else GObject.Object.get_property(self, name)


_PROPERTIES = inspect.getattr_static(GObject.Object, 'props')

C2g.Blob.get_value = _blob_get_value
C2g.Blob.get_property = _blob_get_property
C2g.Blob.props = property(_BlobProperties)
C2g.Tensor.get_element = _tensor_get_element


_list_item = C2g.Workspace.__getitem__


def _workspace_item(self, index):
    """A blob by its position. PyGObject's own lists answer a name with an empty TypeError."""
    if isinstance(index, str):
        raise KeyError(f'{index}: a workspace is a list of blobs, and get_blob() finds one by its name')
    return _list_item(self, index)


C2g.Workspace.__getitem__ = _workspace_item


def _has_nul(argument):
    if isinstance(argument, str):
        return '\0' in argument
    return isinstance(argument, (list, tuple)) and any(map(_has_nul, argument))


def _refuse_nul(function):
    """PyGObject would cut the text off at a NUL, and two names would become one."""
    def call(*arguments, **named):
        if any(map(_has_nul, arguments)) or any(map(_has_nul, named.values())):
            raise ValueError('there is a NUL in the text')
        return function(*arguments, **named)

    return functools.update_wrapper(call, function, ('__name__', '__doc__'), ())


def _is_text(kind):
    tag = kind.get_tag_as_string()
    return tag in ('utf8', 'filename') or (tag == 'array' and _is_text(kind.get_param_type(0)))


def _takes_text(function):
    return any(_is_text(argument.get_type()) for argument in function.get_arguments())


def _guard(kind):
    """Lets none of the functions of a class take text with a NUL."""
    for name, function in tuple(vars(kind).items()):
        if not isinstance(function, _FUNCTION) or not _takes_text(function):
            continue
        guarded = _refuse_nul(function)
        if function.is_constructor():
            guarded = classmethod(guarded)
        elif not function.is_method():
            guarded = staticmethod(guarded)
        setattr(kind, name, guarded)


_FUNCTION = type(vars(C2g.Device)['parse'])

for _name in dir(C2g):
    if isinstance(_kind := getattr(C2g, _name), type):
        _guard(_kind)
