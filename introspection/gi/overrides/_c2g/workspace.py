# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Workspaces as mappings from names to content, and the content of blobs.

This module also works around a fault of PyGObject 3.42 with boxed content of values.
"""

from collections.abc import ItemsView, MutableMapping, ValuesView

from gi.module import get_introspection_module
from gi.repository import GLib, GObject

from .calls import text_of
from .sharing import CPU
from .tensor import array_of, as_tensor

C2g = get_introspection_module('C2g')

# Stands for an argument that was not given: None is content.
_NO_DEFAULT = object()


def _content_of(value):
    """Reads a value that Python has allocated: PyGObject 3.42 frees the boxed content of one that C has allocated."""
    content = value.get_value()
    return None if value.g_type == GObject.TYPE_POINTER and content == 0 else content


def _blob_get_value(self):
    """Returns a copy of the content, which stays valid."""
    value = GObject.Value()
    self.copy_value(value)
    return _content_of(value)


def _tensor_get_element(self, index):
    """Returns a copy of an element of any type; None if there is no such element."""
    value = GObject.Value()
    try:
        self.copy_element(index, value)
    except GLib.Error:
        return None
    return _content_of(value)


class _BlobProperties:
    """The properties of a blob. Reads `value` in another way, because PyGObject 3.42 leaks a copy at each read."""

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
    """Returns the value of a property."""
    return self.get_value() if name == 'value' else GObject.Object.get_property(self, name)


_PROPERTIES = next(vars(kind)['props'] for kind in GObject.Object.__mro__ if 'props' in vars(kind))

C2g.Blob.get_value = _blob_get_value
C2g.Blob.get_property = _blob_get_property
C2g.Blob.props = property(_BlobProperties)
C2g.Tensor.get_element = _tensor_get_element


def _blob_get_natural(self):
    """The content: a tensor, text, another object, or None if there is none."""
    held = self.get_object()
    return self.get_value() if held is None else held


def _content_for(x):
    """Returns what a blob holds for it: objects and text as they are, for numbers, lists and arrays a new tensor."""
    if isinstance(x, bytes):
        return GLib.Bytes.new(x)
    is_content = isinstance(x, (GObject.Object, GObject.Value, GObject.GBoxed, str, type(None)))
    return text_of(x) if is_content else as_tensor(x, copy=True)


def _blob_set_natural(self, content):
    self.set_value(_content_for(content))


def _blob_repr(self):
    return f'<C2g.Blob {self.get_name()!r}: {self.value!r}>'


C2g.Blob.value = property(_blob_get_natural, _blob_set_natural)
C2g.Blob.__repr__ = _blob_repr


def _workspace_getitem(self, name):
    """Returns the content of a blob by its name, or a blob by its position."""
    n = self.get_n_items()
    if isinstance(name, slice):
        return [self.get_item(i) for i in range(*name.indices(n))]
    if not isinstance(name, int):
        return _find(self, name).value
    if not -n <= name < n:
        raise IndexError(f'expected a position below {n}, got {name}')
    return self.get_item(name % n)


def _find(self, name):
    _check_name(name)
    try:
        return self.get_blob(name)
    except GLib.Error as error:
        raise KeyError(error.message) from None


def _check_name(name):
    if not isinstance(name, str):
        raise TypeError(f'expected the name of a blob, got {name!r}')


def _workspace_setitem(self, name, content):
    _check_name(name)
    content = _content_for(content)
    self.create_blob(name).set_value(content)


def _workspace_delitem(self, name):
    _check_name(name)
    if not self.remove_blob(name):
        raise KeyError(f'the workspace itself has no blob “{name}”')


def _workspace_contains(self, name):
    """Tells whether there is a blob of a name, or a blob is one of the workspace's own."""
    return name in tuple(self[:]) if isinstance(name, C2g.Blob) else isinstance(name, str) and self.has_blob(name)


def _workspace_get(self, name, default=None):
    """Returns the content of a blob, also of the parent's, or the default if there is none."""
    blob = self.lookup_blob(name) if isinstance(name, str) else None
    return default if blob is None else blob.value


class _Items(ItemsView):
    """The names and the content of blobs, but of none that goes in the meantime."""

    def __iter__(self):
        for name in self._mapping:
            if (blob := self._mapping.lookup_blob(name)) is not None:
                yield name, blob.value


class _Values(ValuesView):
    def __iter__(self):
        return (content for _, content in _Items(self._mapping))


def _workspace_items(self):
    """Returns a view of the names and the content of all blobs."""
    return _Items(self)


def _workspace_values(self):
    """Returns a view of the content of all blobs."""
    return _Values(self)


def _workspace_setdefault(self, name, default=None):
    """Returns the content of a blob, which is made with the default if there is none."""
    if name not in self:
        self[name] = default
    return self[name]


def _workspace_pop(self, name, default=_NO_DEFAULT):
    """Removes one of the workspace's own blobs, and returns its content."""
    blob = self.lookup_blob(name) if isinstance(name, str) else None
    if blob is not None and self.remove_blob(name):
        return blob.value
    if default is _NO_DEFAULT:
        raise KeyError(f'the workspace itself has no blob “{name}”')
    return default


def _workspace_popitem(self):
    """Removes the newest of the workspace's own blobs, and returns its name and its content."""
    names = self.list_local_blobs()
    if not names:
        raise KeyError('the workspace itself has no blobs')
    return names[-1], self.pop(names[-1])


def _workspace_feed(self, name, array):
    """Copies an array into the tensor of a blob, which stays the same object on the same device. Makes one if there is none."""
    blob = self.create_blob(name)
    tensor = blob.value if isinstance(blob.value, C2g.Tensor) else blob.ensure_tensor(None)
    tensor.copy_from(as_tensor(array))


def _workspace_fetch(self, name):
    """Returns a copy of the tensor of a blob as an array of NumPy, and other content as it is."""
    content = self[name]
    return array_of(as_tensor(content, device=CPU)).copy() if isinstance(content, C2g.Tensor) else content


def _workspace_repr(self):
    return f'<C2g.Workspace: {", ".join(self) or "no blobs"}>'


_METHODS = {
    '__getitem__': _workspace_getitem, '__setitem__': _workspace_setitem, '__delitem__': _workspace_delitem,
    '__contains__': _workspace_contains, '__iter__': lambda self: iter(self.list_blobs()),
    '__len__': lambda self: len(self.list_blobs()), '__repr__': _workspace_repr, 'feed': _workspace_feed, 'fetch': _workspace_fetch,
    'items': _workspace_items, 'values': _workspace_values, 'get': _workspace_get,
    'setdefault': _workspace_setdefault, 'pop': _workspace_pop, 'popitem': _workspace_popitem,
}
_METHODS.update((name, getattr(MutableMapping, name)) for name in ('keys', 'update'))

for _name, _method in _METHODS.items():
    setattr(C2g.Workspace, _name, _method)
MutableMapping.register(C2g.Workspace)
