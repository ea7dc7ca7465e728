# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Tensors as arrays: what users of NumPy and PyTorch expect of one.

NumPy computes and prints. It is imported at the first use, so programs that need none of this need no NumPy.
"""

import math
import operator

from gi.module import get_introspection_module
from gi.repository import GLib, GObject

from .sharing import CPU, TYPESTRS, from_dlpack

C2g = get_introspection_module('C2g')

_FLOAT, _INT64, _STRING, _BFLOAT16 = C2g.DataType.FLOAT, C2g.DataType.INT64, C2g.DataType.STRING, C2g.DataType.BFLOAT16
_NOT_IN_NUMPY = (_STRING, _BFLOAT16)
_READ_WRITE, _NO_FLAGS = C2g.MapFlags.READ_WRITE, C2g.ConvertFlags.NONE

# Without what calls.py adds.
_convert = C2g.Tensor.convert

# What reads an element faster than get_element().
_READERS = dict.fromkeys((_FLOAT, C2g.DataType.DOUBLE, C2g.DataType.FLOAT16, _BFLOAT16), C2g.Tensor.get_value)
_READERS.update(dict.fromkeys((_INT64, C2g.DataType.INT32, C2g.DataType.UINT8, C2g.DataType.INT8), C2g.Tensor.get_int64))

# The names that differ from c2g's.
_NUMPY_NAMES = {'float32': 'float', 'float64': 'double', 'str': 'string'}

# NumPy's short names, with the byte order of this machine and without one.
_BY_CODE = {code: data_type for data_type, typestr in TYPESTRS.items() for code in (typestr, typestr[1:])}


def data_type_of(dtype):
    """Converts what NumPy and PyTorch call a dtype, or its name."""
    if dtype is None or type(dtype) is C2g.DataType:
        return dtype
    if isinstance(dtype, int):
        raise TypeError(f'expected an element type such as "float32", got {dtype}: C2g.Tensor(shape=…) takes dimensions')
    name = dtype
    if isinstance(dtype, type):
        import numpy
        name = numpy.dtype(dtype).name
    name = str(name).removeprefix('torch.')
    if name in _BY_CODE:
        return _BY_CODE[name]
    try:
        return C2g.DataType.from_name(_NUMPY_NAMES.get(name, name))
    except GLib.Error:
        raise TypeError(f'expected an element type, such as C2g.DataType.FLOAT, "float32" or numpy.float32, got {dtype!r}') from None


def device_of(device):
    if not isinstance(device, str):
        return device
    try:
        return C2g.Device.parse(device)
    except GLib.Error as error:
        error.message = f'device: {error.message}'
        raise


def _refuse(x):
    import reprlib
    raise TypeError(f'expected only text, or only numbers that fit into an element, got {reprlib.repr(x)}')


def _string_of(text):
    """Returns text as an element, NULs in it included."""
    return GLib.Bytes.new(text if isinstance(text, bytes) else text.encode())


def _new_strings(x):
    import numpy
    array = numpy.asarray(x, object)
    tensor = C2g.Tensor.new_sized(array.shape, None)
    tensor.allocate(_STRING)
    for i, item in enumerate(array.flat):
        if not isinstance(item, (str, bytes)):
            _refuse(x)
        tensor.set_element(i, _string_of(item))
    return tensor


def _asarray(x):
    """Returns an array of NumPy. One with a mask is refused, for the mask would be lost."""
    import numpy
    if isinstance(x, numpy.ma.MaskedArray):
        raise TypeError('elements that are masked have no value: fill them by filled(value)')
    return numpy.asarray(x)


def _is_list(x):
    return type(x) is float or isinstance(x, (list, tuple))


def _from_values(x):
    """Makes a tensor of a nested list, a number, text, or an array of any layout."""
    import numpy
    try:
        array = _asarray(x)
    except UnicodeDecodeError:
        # Text and bytes in one list.
        return _new_strings(x)
    if array.dtype.kind in 'USO':
        return _new_strings(x)
    # NumPy makes floats of integers for which it has no common type.
    is_rounded = _is_list(x) and array.dtype == float and array.size and abs(array).max() >= 2 ** 63
    if array.dtype.kind not in 'biuf' or is_rounded and all(isinstance(i, int) for i in numpy.asarray(x, object).flat):
        _refuse(x)
    return from_dlpack(array.astype(array.dtype.newbyteorder('='), copy=False))


def _shared(x, data_type, device):
    """Makes a tensor over the memory of x. As in NumPy it is a ValueError if that takes a copy."""
    try:
        # Bytes are text here, and strings have memory of c2g.
        if isinstance(x, bytes):
            raise TypeError('text is copied')
        tensor = x if isinstance(x, C2g.Tensor) else from_dlpack(x, None, False) if hasattr(x, '__dlpack__') else from_buffer(x)
    except (BufferError, TypeError) as error:
        raise ValueError(f'a tensor of this has to be a copy: {error}') from None
    if data_type not in (None, tensor.get_data_type()) or device not in (None, tensor.get_device()):
        raise ValueError('a tensor of another element type or on another device has to be a copy')
    return tensor


def as_tensor(x, dtype=None, device=None, copy=None):
    """Makes a tensor of an array, a tensor of another library, a nested list, a number or text.

    It shares the memory of an array where it can. With copy=True it has memory of c2g, which is aligned and accounted for;
    with copy=False an error is raised if a copy is needed.
    """
    data_type, device = data_type_of(dtype), device_of(device)
    if copy is False:
        return _shared(x, data_type, device)
    is_foreign = hasattr(x, '__dlpack__') and type(x).__module__.partition('.')[0] != 'numpy'
    tensor = given = x if isinstance(x, C2g.Tensor) else from_dlpack(x) if is_foreign else _from_values(x)
    # A list of Python's floats becomes a tensor of C2g.DataType.FLOAT, as PyTorch has it.
    if data_type is None and _is_list(x) and tensor.get_data_type() == C2g.DataType.DOUBLE:
        data_type = _FLOAT
    if data_type is not None and data_type != tensor.get_data_type():
        tensor = _convert(tensor, data_type, _NO_FLAGS)
    if device is not None and device != tensor.get_device():
        tensor = tensor.to_device(device)
    return tensor.clone() if copy and tensor is given else tensor


def from_numpy(array, copy=None):
    """Makes a tensor over the memory of an array, which is read-only if the array is."""
    return from_dlpack(_asarray(array), None, copy)


def from_buffer(buffer, dtype=None, shape=None, copy=None):
    """Makes a tensor over bytes, a bytearray, an array.array, a memoryview or whatever else is a buffer."""
    import numpy
    if dtype is None:
        array = numpy.asarray(memoryview(buffer))
    elif (typestr := TYPESTRS.get(data_type_of(dtype))) is not None:
        array = numpy.frombuffer(buffer, typestr)
    else:
        raise TypeError(f'expected an element type that NumPy has, got {dtype!r}')
    return from_dlpack(array if shape is None else array.reshape(shape), None, copy)


def dims_of(shape):
    """Returns the integers of a shape, which may be a single one. Other numbers are refused."""
    return [operator.index(n) for n in (shape if hasattr(shape, '__iter__') else (shape,))]


def _tensor_new(cls, data=None, dtype=None, shape=None, device=None):
    """C2g.Tensor(data) copies, as numpy.array() does. C2g.Tensor(shape=…) has undefined elements, as numpy.empty()."""
    if data is not None:
        tensor = as_tensor(data, dtype, device, copy=True)
        if shape is not None:
            tensor.reshape(dims_of(shape))
        return tensor
    device, data_type = device_of(device), data_type_of(dtype)
    if shape is None:
        tensor = C2g.Tensor.new_for_device(device) if device else C2g.Tensor.new()
        if data_type is not None:
            tensor.set_data_type(data_type)
        return tensor
    tensor = C2g.Tensor.new_sized(dims_of(shape), device)
    tensor.allocate(_FLOAT if data_type is None else data_type)
    return tensor


_tensor_new.__qualname__ = 'C2g.Tensor'


def array_of(self):
    """Returns an array over the tensor, or of its elements if NumPy has no such type."""
    import numpy
    data_type = self.get_data_type()
    if data_type == _BFLOAT16:
        self = self.convert(_FLOAT, _NO_FLAGS)
    elif data_type == _STRING:
        array = numpy.empty(self.get_dims(), object)
        array.flat = [_read(self, i) for i in range(array.size)]
        return array
    return numpy.asarray(self)


def _writable_array(self):
    """Returns an array that writes into the tensor, which leaves memory that is read-only."""
    import numpy
    array = numpy.asarray(self)
    if not array.flags.writeable:
        self.map(_READ_WRITE).unmap()
        array = numpy.asarray(self)
    return array


def _change(self, change):
    """Calls a function that changes an array: one over the tensor, or its elements if NumPy has no such type."""
    data_type = self.get_data_type()
    if data_type not in _NOT_IN_NUMPY:
        change(_writable_array(self))
        return
    array = array_of(self)
    change(array)
    self.copy_from(as_tensor(array, data_type))


def _numpy(self, copy=False):
    """Returns an array over the tensor, or a copy of it."""
    import numpy
    return numpy.array(self, copy=True) if copy else numpy.asarray(self)


def _tolist(self):
    """Returns the elements in nested lists."""
    return array_of(as_tensor(self, device=CPU)).tolist()


def _read(self, i):
    element = _READERS.get(self.get_data_type(), C2g.Tensor.get_element)(self, i)
    if element is None and not self.is_allocated():
        raise BufferError(f'the tensor has no data yet: {self.to_string(0)}')
    return _text_of_bytes(element.get_data()) if isinstance(element, GLib.Bytes) else element


def _text_of_bytes(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _astype(self, dtype, copy=True):
    """Returns the elements as another type. As in NumPy fractions are cut off, and integers wrap."""
    data_type = data_type_of(dtype)
    if data_type in (None, self.get_data_type()):
        return self.clone() if copy else self
    return self.convert(data_type, C2g.ConvertFlags.WRAP)


def _to(self, device):
    """Returns the tensor itself if it is on the device, otherwise a copy there."""
    return as_tensor(self, device=device)


def _item(self):
    """Returns the only element."""
    if self.get_n_elements() != 1:
        raise ValueError(f'only a tensor of one element is a number, this one has {self.get_n_elements()}')
    return _read(as_tensor(self, device=CPU), 0)


# Parts.

def _expand(index, n_dims):
    """Returns an index for every axis, and None for every new one; the rest is all of an axis."""
    index = index if isinstance(index, tuple) else (index,)
    if sum(i is Ellipsis for i in index) > 1:
        raise IndexError('expected a single ellipsis (...) in an index')
    n_indexed = sum(i is not None and i is not Ellipsis for i in index)
    if n_indexed > n_dims:
        raise IndexError(f'expected up to {n_dims} indices, as the tensor has {n_dims} dimensions, got {n_indexed}')
    at = next((k for k, i in enumerate(index) if i is Ellipsis), len(index))
    return index[:at] + (slice(None),) * (n_dims - n_indexed) + index[at + 1:]


def _is_number(x, kind):
    """Tells if x is a number of a kind that the module numbers names, which takes long to import."""
    import numbers
    return isinstance(x, getattr(numbers, kind))


def _range_of(i, n, axis):
    """Returns the first position and the number of positions on an axis; None if they do not follow each other."""
    if isinstance(i, slice):
        positions = range(*i.indices(n))
        return (positions.start, len(positions)) if positions.step == 1 or len(positions) < 2 else None
    if isinstance(i, bool) or not (isinstance(i, int) or _is_number(i, 'Integral')):
        return None
    if not -n <= i < n:
        raise IndexError(f'expected an index below {n} for axis {axis}, got {i}')
    return i % n, 1


def _find_part(dims, index):
    """Returns the first element and the dimensions of a part that lies in one piece, otherwise None."""
    # As in NumPy a bool adds an axis; it never lies in one piece.
    if any(isinstance(i, bool) for i in (index if isinstance(index, tuple) else (index,))):
        return None
    first, shape, sizes, axis = 0, [], [], 0
    for i in _expand(index, len(dims)):
        if i is None:
            shape.append(1)
            continue
        part = _range_of(i, dims[axis], axis)
        if part is None:
            return None
        first = first * dims[axis] + part[0]
        sizes.append((part[1], dims[axis]))
        if isinstance(i, slice):
            shape.append(part[1])
        axis += 1
    # Axes within one that is cut have to be whole.
    partial = [k for k, (n, whole) in enumerate(sizes) if n != whole]
    if partial and any(n > 1 for n, _ in sizes[:partial[-1]]):
        return None
    return first, shape


def _view(self, first, shape):
    """Returns a tensor over some of the elements."""
    dims, n = self.get_dims(), math.prod(shape)
    row = math.prod(dims[1:]) or 1
    if not dims or first % row or n % row:
        # The part begins or ends within a row.
        flat = C2g.Tensor.new_sized([math.prod(dims)], self.get_device())
        flat.share_data(self)
        self, row = flat, 1
    view = self.slice(first // row, (first + n) // row) if n else self.slice(0, 0)
    view.reshape(shape)
    return view


def _tensor_getitem(self, index):
    """Returns an element for an index of every axis. Otherwise a tensor over the same memory if the part lies in one
    piece, or else a copy."""
    part = _find_part(self.get_dims(), index)
    if part is None:
        part, data_type = array_of(self)[index], self.get_data_type()
        return as_tensor(part, data_type, copy=True) if data_type in _NOT_IN_NUMPY else from_numpy(part, copy=True)
    first, shape = part
    if shape or index is Ellipsis:
        return _view(self, first, shape)
    try:
        return _read(self, first)
    except GLib.Error:
        return _item(_view(self, first, []))


def _tensor_setitem(self, index, value):
    data_type, is_on_cpu = self.get_data_type(), self.get_device() == CPU
    if is_on_cpu and data_type not in _NOT_IN_NUMPY:
        _writable_array(self)[index] = value
        return
    part = _find_part(self.get_dims(), index)
    if data_type != _STRING and part is not None and (isinstance(value, (int, float)) or _is_number(value, 'Real')):
        _view(self, *part).fill(value)
    elif data_type == _STRING and part is not None and not part[1] and isinstance(value, (str, bytes)):
        self.set_element(part[0], _string_of(value))
    elif is_on_cpu:
        _change(self, lambda array: operator.setitem(array, index, _operand(value)))
    elif part is None:
        raise TypeError('expected indices of a part that lies in one piece')
    else:
        view, source = _view(self, *part), as_tensor(value, data_type)
        if source.get_dims() != view.get_dims():
            raise ValueError(f'expected values of shape {tuple(view.get_dims())}, got {tuple(source.get_dims())}')
        view.copy_from(source)


def _tensor_len(self):
    if self.get_n_dims() == 0:
        raise TypeError('a tensor without dimensions has no length')
    return self.get_dim(0)


def _tensor_iter(self):
    return (self[i] for i in range(len(self)))


# Text.

def _text(self, prefix):
    """Returns the elements as NumPy prints them, or None if they cannot be read without a copy."""
    try:
        import numpy
        return numpy.array2string(numpy.asarray(self), separator=', ', prefix=prefix)
    except (ImportError, TypeError, ValueError, BufferError):
        return None


def _tensor_repr(self):
    text = _text(self, 'C2g.Tensor(')
    if text is None:
        return f'<C2g.Tensor: {self.to_string(6)}>'
    return f"C2g.Tensor({text}, shape={tuple(self.get_dims())}, dtype='{C2g.DataType.get_name(self.get_data_type())}')"


def _tensor_str(self):
    return _text(self, '') or self.to_string(6)


# Arithmetic.

def _operand(x):
    return array_of(x) if isinstance(x, C2g.Tensor) else x


def _binary(operation):
    return lambda self, other: operation(array_of(self), _operand(other))


def _reflected(operation):
    return lambda self, other: operation(_operand(other), array_of(self))


def _in_place(operation):
    def call(self, other):
        _change(self, lambda array: operation(array, _operand(other)))
        return self

    return call


def _comparison(operation):
    """Compares elements. A tensor that has none, or that meets no array, is equal to itself only."""
    def call(self, other):
        is_text = isinstance(other, (str, bytes)) and self.get_data_type() != _STRING
        if other is None or is_text or isinstance(other, (GObject.Object, GObject.GBoxed)) and not isinstance(other, C2g.Tensor):
            return NotImplemented
        try:
            return operation(array_of(self), _operand(other))
        except (BufferError, TypeError):
            if any(isinstance(x, C2g.Tensor) and x.get_device() != CPU for x in (self, other)):
                raise
            return NotImplemented

    return call


def _unary(operation):
    return lambda self: operation(array_of(self))


def _shape(self):
    return tuple(self.get_dims())


def _tensor_contains(self, value):
    return value in array_of(self)


def _copied(self, memo=None):
    return self.clone()


def _unpickled(array, dtype, device):
    return as_tensor(array, dtype, device)


def _unpickled_without_data(dims, dtype, device):
    tensor = C2g.Tensor(dtype=dtype, device=device)
    if dims is not None:
        tensor.resize(dims)
    return tensor


def _tensor_reduce(self):
    data_type, device = self.get_data_type(), self.get_device().to_string()
    name = C2g.DataType.get_name(data_type) if data_type != C2g.DataType.UNDEFINED else None
    if not self.is_allocated():
        return _unpickled_without_data, (self.get_dims() if self.is_defined() else None, name, device)
    return _unpickled, (array_of(as_tensor(self, device=CPU)), name, device)


def _tensor_index(self):
    """As in NumPy only an integer without dimensions is an index: others pick several elements."""
    if self.get_n_dims() > 0:
        raise TypeError('only a tensor without dimensions is an index')
    return operator.index(_item(self))


_METHODS = {
    '__new__': _tensor_new, '__init__': lambda self, *arguments, **named: None,
    '__getitem__': _tensor_getitem, '__setitem__': _tensor_setitem, '__len__': _tensor_len, '__iter__': _tensor_iter,
    '__contains__': _tensor_contains, '__repr__': _tensor_repr, '__str__': _tensor_str,
    '__copy__': _copied, '__deepcopy__': _copied, '__reduce__': _tensor_reduce,
    '__bool__': lambda self: bool(_item(self)), '__int__': lambda self: int(_item(self)),
    '__float__': lambda self: float(_item(self)), '__index__': _tensor_index,
    '__format__': lambda self, spec: format(_item(self), spec) if spec else str(self),
    'numpy': _numpy, 'tolist': _tolist, 'item': _item, 'copy': C2g.Tensor.clone,
    'astype': _astype,
    'to': _to,
    'shape': property(_shape, lambda self, shape: self.reshape(dims_of(shape))),
    'dtype': property(C2g.Tensor.get_data_type), 'device': property(C2g.Tensor.get_device),
    'ndim': property(C2g.Tensor.get_n_dims), 'size': property(C2g.Tensor.get_n_elements),
    'nbytes': property(C2g.Tensor.get_n_bytes), 'itemsize': property(C2g.Tensor.get_item_size),
    'T': property(C2g.Tensor.transpose),
}

_OPERATIONS = {
    _binary: ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'matmul', 'and', 'or', 'xor', 'lshift', 'rshift'),
    _comparison: ('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
    _unary: ('neg', 'pos', 'abs', 'invert'),
}

for _make, _names in _OPERATIONS.items():
    for _name in _names:
        _METHODS[f'__{_name}__'] = _make(getattr(operator, f'__{_name}__'))
for _name in _OPERATIONS[_binary]:
    _METHODS[f'__r{_name}__'] = _reflected(getattr(operator, f'__{_name}__'))
    _METHODS[f'__i{_name}__'] = _in_place(getattr(operator, f'__i{_name}__'))

for _name, _method in _METHODS.items():
    setattr(C2g.Tensor, _name, _method)
