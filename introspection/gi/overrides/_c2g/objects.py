# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Errors by their codes, predictors that are called like functions, mappings in a `with` statement, and objects that print
what they are."""

import itertools
import sys

from gi.module import get_introspection_module
from gi.repository import GLib, GObject

from .docs import imitate
from .sharing import CPU, lend_buffer
from .tensor import array_of, as_tensor, data_type_of, device_of

C2g = get_introspection_module('C2g')


_DOMAIN = GLib.quark_to_string(C2g.Error.quark())


def caught(*codes):
    """Names errors of c2g in `except C2g.caught(C2g.Error.SHAPE):`. Without codes it names all of them.

    Python calls this function while it looks for the handler of an exception.
    """
    error = sys.exc_info()[1]
    is_named = isinstance(error, GLib.Error) and error.domain == _DOMAIN and (not codes or error.code in codes)
    return GLib.Error if is_named else ()


def _similar(name, names):
    """Returns the end of an error, with the name that was meant if one is close."""
    # Only an error needs it, so that an import of c2g does not wait for it.
    import difflib
    return ''.join(f'. Did you mean “{s}”?' for s in difflib.get_close_matches(str(name), names, 1))


def _no_input(name, names):
    told = ', '.join(f'“{name}”' for name in names)
    return KeyError(f'there is no input “{name}”; the model has {told or "none"}' + _similar(name, names))


def _inputs_of(self, inputs):
    """Returns inputs that are given by name, or a single one, as a list."""
    if isinstance(inputs, (list, tuple)):
        return inputs
    if not isinstance(inputs, dict):
        return [inputs]
    names = self.get_inputs()
    for name in inputs:
        if name not in names:
            raise _no_input(name, names)
    first = list(itertools.takewhile(inputs.__contains__, names))
    if len(first) < len(inputs):
        raise KeyError(f'the input “{names[len(first)]}” is missing; set_input() sets single inputs for all later runs')
    return [inputs[name] for name in first]


def _with_names(run):
    def call(self, inputs, *arguments, **named):
        return run(self, _inputs_of(self, inputs), *arguments, **named)

    return imitate(call, run)


def _predictor_call(self, *inputs, **named):
    """Runs the model. Returns its output as an array of NumPy, or a tuple of arrays if there are several."""
    given = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], dict) else named or inputs
    outputs = tuple(array_of(as_tensor(tensor, device=CPU)) for tensor in self.run(given))
    return outputs[0] if len(outputs) == 1 else outputs


C2g.Predictor.run = _with_names(C2g.Predictor.run)
C2g.Predictor.run_async = _with_names(C2g.Predictor.run_async)
C2g.Predictor.__call__ = _predictor_call


def _mapping_buffer(self, _flags=0):
    """Returns a memoryview of the mapped memory, which it pins also when the mapping has ended."""
    owner, n_bytes = self.ref_bytes(), self.get_n_bytes()
    if n_bytes == 0:
        return memoryview(b'')
    return memoryview(lend_buffer(self.get_address(), n_bytes, owner, not self.get_flags() & C2g.MapFlags.WRITE)).cast('B')


def _enter_mapping(self):
    """Fails if the mapping has ended."""
    self.ref_bytes()
    return self


C2g.Mapping.memoryview = _mapping_buffer
# Python 3.12 and later: memoryview(mapping).
C2g.Mapping.__buffer__ = _mapping_buffer
# Fails after unmap(), as the length of a memoryview does after release().
C2g.Mapping.__len__ = lambda self: self.ref_bytes().get_size()
C2g.Mapping.__bool__ = lambda self: True
C2g.Mapping.__bytes__ = lambda self: bytes(self.memoryview())
C2g.Mapping.__array_interface__ = property(lambda self: {
    'version': 3, 'shape': (len(self),), 'typestr': '|u1', 'data': self.memoryview() or bytearray()})
C2g.Mapping.__enter__ = _enter_mapping
C2g.Mapping.__exit__ = lambda self, *error: self.unmap()


def _compare_by_name(kind, is_name, convert):
    """Makes values equal to what stands for them where functions take them, such as 'float32' and 'cpu'."""
    is_same = kind.__eq__

    def is_equal(self, other):
        try:
            return is_same(self, convert(other) if is_name(other) else other)
        except (TypeError, GLib.Error):
            return False

    kind.__eq__ = is_equal
    kind.__ne__ = object.__ne__


_compare_by_name(C2g.DataType, lambda x: isinstance(x, (str, type)) or hasattr(x, 'itemsize'), data_type_of)
_compare_by_name(C2g.Device, lambda x: isinstance(x, str), device_of)

# The two types that NumPy and PyTorch call by other names; BOOL, INT64, UINT8 and so on are the same.
C2g.DataType.FLOAT32 = C2g.DataType.FLOAT
C2g.DataType.FLOAT64 = C2g.DataType.DOUBLE

C2g.Device.__repr__ = lambda self: f"C2g.Device.parse('{self.to_string()}')"
C2g.Device.__str__ = C2g.Device.to_string


def _no_option(self, name):
    names = sorted(pspec.name.replace('-', '_') for pspec in self.list_properties())
    return AttributeError(f'{type(self).__name__} has no option “{name}”' + _similar(name, names))


def _option_of(self, name, value):
    """Returns the value of an option as its property takes it, which itself takes any text, and anything for a boolean.

    The size and the numbers of pictures are text there. Options of pictures that can be checked without the others are.
    """
    pspec = self.find_property(name)
    if pspec is None:
        raise _no_option(self, name)
    if pspec.value_type == GObject.TYPE_BOOLEAN and not isinstance(value, int) and type(value).__name__ not in ('bool', 'bool_'):
        raise TypeError(f'{name}: expected True or False, got {value!r}')
    if isinstance(value, str) and pspec.value_type.is_a(GObject.TYPE_ENUM):
        kinds = {kind.value_nick: kind for kind in pspec.enum_class.__enum_values__.values()}
        if value not in kinds:
            raise TypeError(f'{name}: expected one of {", ".join(kinds)}, got {value!r}' + _similar(value, list(kinds)))
        return kinds[value]
    if isinstance(value, str) and pspec.value_type == GObject.TYPE_STRV:
        raise TypeError(f'{name}: expected several texts, got {value!r}')
    if pspec.value_type == C2g.Device.__gtype__:
        return device_of(value)
    if not isinstance(self, C2g.PictureOptions):
        return value
    if name in ('size', 'mean', 'scale') and value is not None and not isinstance(value, str):
        if isinstance(value, bool) or not hasattr(value, '__iter__') and not hasattr(value, '__float__'):
            raise TypeError(f'{name}: expected text, a number or several of them, got {value!r}')
        if not hasattr(value, '__iter__'):
            value = (value,) * (2 if name == 'size' else 1)
        value = ('x' if name == 'size' else ',').join(map(str, value))
    if name in ('preset', 'size', 'channels', 'order') and isinstance(value, str):
        alone = C2g.PictureOptions()
        GObject.Object.set_property(alone, name, value)
        alone.check()
    return value


def _new_options(self, **named):
    GObject.Object.__init__(self)
    _set_options(self, **named)


def _get_option(self, name):
    if self.find_property(name) is None:
        raise _no_option(self, name)
    return self.get_property(name)


def _set_option(self, name, value):
    """Sets an option that is there, to a value that it takes."""
    GObject.Object.set_property(self, name, _option_of(self, name, value))


def _set_options(self, **named):
    """Sets options by their names."""
    for name, value in named.items():
        _set_option(self, name, value)


def _checked(setter, name):
    """Wraps set_NAME() of options, which by itself takes any value as a boolean, and splits a text into letters."""
    def call(self, *given, **named):
        if name in named:
            named[name] = _option_of(self, name, named[name])
        return setter(self, *(_option_of(self, name, value) for value in given), **named)

    return imitate(call, setter)


class _CheckedProperties:
    """The attribute `props` of options, which checks values as the options do."""

    def __init__(self, options, props):
        vars(self).update(_options=options, _props=props)

    def __getattr__(self, name):
        # copy() asks an object that has no attributes yet.
        if name.startswith('_'):
            raise AttributeError(name)
        return _get_option(self._options, name)

    def __setattr__(self, name, value):
        _set_option(self._options, name, value)

    def __dir__(self):
        return dir(self._props)

    def __iter__(self):
        return iter(self._props)

    def __len__(self):
        return len(self._props)


_PROPS = next(vars(kind)['props'] for kind in GObject.Object.__mro__ if 'props' in vars(kind))


class _PropertiesOfOptions:
    """Makes the attribute `props`. That of a class, which lists what there is, is PyGObject's."""

    def __get__(self, options, kind):
        props = _PROPS.__get__(options, kind)
        return props if options is None else _CheckedProperties(options, props)


def _show_options(self):
    """Returns the call that makes such options: those that differ from the defaults."""
    values = {pspec.name.replace('-', '_'): (self.get_property(pspec.name), pspec.default_value)
              for pspec in self.list_properties()}
    named = (f'{name}={value!r}' for name, (value, default) in values.items() if value not in (default, []))
    return f'C2g.{type(self).__name__}({", ".join(named)})'


# Without these, an option that is misspelled would become an attribute of the Python object alone.
for _options in (C2g.LoadOptions, C2g.PictureOptions, C2g.SaveOptions, C2g.SoundOptions):
    _options.__init__ = _new_options
    _options.__getattr__ = _get_option
    for _name, _setter in tuple(vars(_options).items()):
        if _name.startswith('set_') and _options.find_property(_name.removeprefix('set_')):
            setattr(_options, _name, _checked(_setter, _name.removeprefix('set_')))
    _options.__setattr__ = _options.set_property = _set_option
    _options.set_properties = _set_options
    _options.props = _PropertiesOfOptions()
    _options.__repr__ = _show_options
C2g.PictureOptions.new = staticmethod(imitate(lambda preset=None: C2g.PictureOptions(preset=preset), C2g.PictureOptions.new))

C2g.ClassScore.index = property(lambda self: self.get_index())
C2g.ClassScore.score = property(lambda self: self.get_score())
C2g.ClassScore.label = property(lambda self: self.get_label())
C2g.ClassScore.__repr__ = lambda self: f'C2g.ClassScore.new({self.index}, {self.score!r}, {self.label!r})'
C2g.Predictor.__repr__ = lambda self: f'<C2g.Predictor: {", ".join(self.get_inputs())} -> {", ".join(self.get_outputs())}>'
