# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What Python gives to functions of c2g, and how coroutines wait for them.

PyGObject takes a Gio.File, a C2g.Device and a C2g.Tensor. Here a path, the name of a device and an array become them, by the
types of the arguments. Text that contains a NUL is refused, because PyGObject cuts it off.
"""

import functools
import os
import sys

from gi.module import get_introspection_module
from gi.repository import Gio, GLib

from .docs import document_class, imitate
from .tensor import as_tensor, data_type_of, device_of, dims_of

C2g = get_introspection_module('C2g')

_FUNCTION = type(vars(C2g.Device)['parse'])
_IN = vars(C2g.Device)['parse'].get_arguments()[0].get_direction()


def _file_of(path):
    return Gio.File.new_for_path(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else path


def _bytes_of(data):
    return GLib.Bytes.new(bytes(data)) if isinstance(data, (bytes, bytearray, memoryview)) else data


def _tensor_of(x):
    return x if x is None or isinstance(x, C2g.Tensor) else as_tensor(x)


def text_of(text):
    if isinstance(text, str) and '\0' in text:
        raise ValueError('there is a NUL in the text')
    return text


_CONVERSIONS = {
    'Gio.File': _file_of, 'GLib.Bytes': _bytes_of, 'C2g.DataType': data_type_of, 'C2g.Device': device_of, 'C2g.Tensor': _tensor_of,
    'utf8': text_of, 'filename': text_of, 'GObject.Value': text_of,
}

# What may be left out. PyGObject itself knows only what may be None at the end.
_CREATE = {'parent': None, 'device': None, 'flags': C2g.OptimizeFlags.ALL}
_LOAD = {**_CREATE, 'cancellable': None}
DEFAULTS = {
    ('Predictor', 'create'): _CREATE, ('Predictor', 'load'): _LOAD, ('Predictor', 'load_nets'): _LOAD,
    ('Predictor', 'load_async'): _LOAD, ('Predictor', 'load_nets_async'): _LOAD,
    ('Predictor', 'list_classes'): {'row': 0, 'n_max': 0},
    ('Tensor', 'allclose'): {'rtol': 1e-05, 'atol': 1e-08, 'equal_nan': False},
    ('Tensor', 'save_sound'): {'options': None, 'cancellable': None},
    ('Tensor', 'convert'): {'flags': C2g.ConvertFlags.NONE}, ('Tensor', 'convert_from'): {'flags': C2g.ConvertFlags.NONE},
}


def _list_of(convert, items):
    if isinstance(items, (str, os.PathLike)):
        raise TypeError(f'a list is expected here, such as [{items!r}], and not {items!r} alone')
    return [convert(item) for item in items] if isinstance(items, (list, tuple)) else items


def _conversion_for(kind):
    tag = kind.get_tag_as_string()
    if tag == 'array' and kind.get_param_type(0).get_tag_as_string() == 'gint64':
        return lambda items: items if items is None else dims_of(items)
    if tag == 'array':
        convert = _conversion_for(kind.get_param_type(0))
        return convert and functools.partial(_list_of, convert)
    if tag == 'interface':
        info = kind.get_interface()
        tag = f'{info.get_namespace()}.{info.get_name()}'
    return _CONVERSIONS.get(tag)


def _visible_arguments(function):
    """Returns the arguments that Python gives. Lengths of arrays and results are none of them."""
    arguments = function.get_arguments()
    lengths = {kind.get_array_length() for kind in (a.get_type() for a in arguments) if kind.get_tag_as_string() == 'array'}
    return [a for i, a in enumerate(arguments) if i not in lengths and a.get_direction() == _IN]


def _adapt(function, owner, name):
    """Wraps a function that takes what Python has a nicer form of. Returns any other function as it is."""
    arguments = _visible_arguments(function)
    names = [a.get_name() for a in arguments]
    conversions = [(i, names[i], convert) for i, a in enumerate(arguments) if (convert := _conversion_for(a.get_type()))]
    defaults = DEFAULTS.get((owner, name), {})
    if not conversions and not defaults:
        return function
    first = int(function.is_method() or function.is_constructor())

    def call(*given, **named):
        given = list(given)
        for i, argument, convert in conversions:
            if i + first < len(given):
                given[i + first] = convert(given[i + first])
            elif argument in named:
                named[argument] = convert(named[argument])
        for argument in names[len(given) - first:] if defaults else ():
            if argument in defaults:
                named.setdefault(argument, defaults[argument])
            elif argument not in named and argument not in ('callback', 'user_data'):
                raise TypeError(f'{name}() wants an argument “{argument}”')
        return function(*given, **named)

    return imitate(call, function)


def _wait(start, finish, given, named):
    """Starts what calls back, and waits for it in a main context of this thread."""
    context, results = GLib.MainContext.new(), []
    context.push_thread_default()
    try:
        start(*given, **named, callback=lambda source, result, *_: results.append(result))
        while not results:
            context.iteration(True)
    finally:
        context.pop_thread_default()
    return finish(*results)


def _iterates_glib(loop):
    """Tells whether an event loop of asyncio iterates GLib's main context, as those of PyGObject 3.50 and of gbulb do."""
    return any(kind.__module__.partition('.')[0] in ('gi', 'gbulb') for kind in type(loop).__mro__)


def _start_here(loop, start, finish, given, named):
    """Starts what calls back in the main context that the loop iterates, and returns the future of its result."""
    future = loop.create_future()

    def done(source, result, *_):
        try:
            outcome = finish(result)
        except Exception as error:
            # A traceback would keep this function, and so the future, until garbage is collected.
            tell, outcome = future.set_exception, error.with_traceback(None)
        else:
            tell = future.set_result
        if not future.done():
            tell(outcome)

    start(*given, **named, callback=done)
    return future


def _awaitable(start, names, finish, n_first):
    """Wraps a function NAME_async(): in a coroutine, without a callback, its result can be awaited.

    Whoever cancels the waiting cancels the work. Plain asyncio iterates no main context. So a thread with a context of its
    own waits for the callback.
    """
    position = n_first + names.index('cancellable') if 'cancellable' in names else None
    n_before_callback = n_first + names.index('callback')

    def call(*given, **named):
        # Importing asyncio takes long, and without it there is no coroutine.
        loop = sys.modules['asyncio']._get_running_loop() if 'asyncio' in sys.modules else None
        if 'callback' in named or len(given) > n_before_callback:
            return start(*given, **named)
        if loop is None:
            raise TypeError(f'{start.__name__}() wants a callback, or to be awaited in a coroutine that runs')
        is_given = position is not None and position < len(given)
        cancellable = (given[position] if is_given else named.get('cancellable')) or Gio.Cancellable()
        if is_given:
            given = (*given[:position], cancellable, *given[position + 1:])
        elif position is not None:
            named['cancellable'] = cancellable
        arguments = start, functools.partial(finish, *given[:n_first]), given, named
        future = _start_here(loop, *arguments) if _iterates_glib(loop) else loop.run_in_executor(None, _wait, *arguments)
        future.add_done_callback(lambda future: cancellable.cancel() if future.cancelled() else None)
        return future

    return imitate(call, start)


def _adapt_class(kind):
    """Adapts all functions of a class, and documents it."""
    functions = {name: function for name, function in vars(kind).items() if isinstance(function, _FUNCTION)}
    calls = {name: _adapt(function, kind.__name__, name) for name, function in functions.items()}
    for name in calls:
        if name.endswith('_async'):
            finish = name.removesuffix('async') + 'finish'
            names = [argument.get_name() for argument in _visible_arguments(functions[name])]
            calls[name] = _awaitable(calls[name], names, getattr(kind, finish), int(functions[finish].is_method()))
    for name, call in calls.items():
        function = functions[name]
        if call is not function:
            wrap = classmethod if function.is_constructor() else None if function.is_method() else staticmethod
            setattr(kind, name, wrap(call) if wrap else call)
    document_class(kind)


class _AdaptedModule(type(C2g)):
    """The module of a typelib, which makes classes when they are first used: all of them at once would make imports slow."""

    def __getattr__(self, name):
        made = super().__getattr__(name)
        if isinstance(made, type):
            _adapt_class(made)
        elif isinstance(made, _FUNCTION):
            made = vars(self)[name] = _adapt(made, None, name)
        return made


def adapt_module(module):
    """Adapts the functions of a namespace and of its classes, also of those that exist already."""
    for made in tuple(vars(module).values()):
        if isinstance(made, type):
            _adapt_class(made)
    module.__class__ = _AdaptedModule


adapt_module(C2g)
