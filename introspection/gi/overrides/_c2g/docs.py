# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Docstrings from the documentation in the GIR, which is read when somebody first looks at one.

The GIR is that of the library which is in use. If it is not installed, there are PyGObject's docstrings. make-stubs uses
this module without PyGObject.
"""

import functools
import os
import re

_CORE, _C, _GLIB = (f'{{http://www.gtk.org/introspection/{name}/1.0}}' for name in ('core', 'c', 'glib'))
_WORDS = {'NULL': 'None', 'TRUE': 'True', 'FALSE': 'False'}


def plain(text, names=_WORDS):
    """Returns documentation without gi-docgen's marks and without code of other languages, with Python's names."""
    text = re.sub(r'```(?!python)\w+\n.*?```\n*', '', text, flags=re.S)
    text = re.sub(r'\[\w+@([\w.:-]+)\]', r'`\1`', text)
    text = re.sub(r'[@%#](?=\w)', '', text)
    return re.sub(r'\b(?:NULL|TRUE|FALSE|C2G_\w+|c2g_\w+)\b', lambda match: names.get(match[0], match[0]), text)


class _Gir:
    """The documentation in a GIR, by names such as Tensor.resize and Operator.do_run."""

    def __init__(self, path):
        from xml.etree import ElementTree
        self.elements, self.names = {}, dict(_WORDS)
        self.space = ElementTree.parse(path).getroot().find(_CORE + 'namespace')
        for kind in self.space:
            self._add(kind, kind.get('name'))
            for member in kind:
                name = member.get('shadows') or member.get('name')
                if member.tag in (_CORE + 'member', _CORE + 'virtual-method'):
                    name = name.upper() if member.tag == _CORE + 'member' else f'do_{name}'
                self._add(member, f'{kind.get("name")}.{name}')

    def _add(self, element, name):
        self.elements[name] = element
        self.names[element.get(_C + 'identifier')] = f'{self.space.get("name")}.{name}'

    def _text(self, element):
        return plain(element.findtext(_CORE + 'doc', '').strip(), self.names)

    def _listed(self, title, elements, name_of=lambda element: element.get('name')):
        """Returns a section with a paragraph for each element that is documented."""
        said = [f'{name_of(element)}: {text}' for element in elements if (text := self._text(element))]
        return [title, *said] if said else []

    def doc_of(self, name):
        """Returns the documentation of a function or a type, with that of what has no docstring of its own. Else nothing."""
        element = self.elements.get(name)
        if element is None:
            return ''
        parameters = element.findall(f'{_CORE}parameters/{_CORE}parameter')
        # Python gives no lengths of arrays and no data of callbacks.
        hidden = {int(i) for array in element.iter(_CORE + 'array') if (i := array.get('length'))}
        hidden |= {int(i) for parameter in parameters for i in (parameter.get('closure'), parameter.get('destroy')) if i}
        returned = element.find(_CORE + 'return-value')
        result = self._text(returned) if returned is not None else ''
        return '\n\n'.join(filter(None, [
            self._text(element), *self._listed('Arguments:', [p for i, p in enumerate(parameters) if i not in hidden]),
            result and f'Returns: {result}',
            *self._listed('Values:', element.findall(_CORE + 'member'), lambda member: member.get('name').upper()),
            *self._listed('Properties:', element.findall(_CORE + 'property')),
            *self._listed('Signals:', element.findall(_GLIB + 'signal')),
        ]))


_read = functools.lru_cache(_Gir)


def _find_gir(namespace):
    """Returns the GIR beside the typelib, as in a build, or below the prefix that the typelib was installed to."""
    # Imports of c2g do not wait for these.
    from pathlib import Path
    import gi
    typelib = Path(gi.Repository.get_default().get_typelib_path(namespace))
    shares = [folder / 'share' for folder in typelib.parents[2:5]] + [Path(folder) for folder in os.environ.get('XDG_DATA_DIRS', '').split(':')]
    girs = [folder / f'{typelib.stem}.gir' for folder in (typelib.parent, *(share / 'gir-1.0' for share in shares))]
    return next((gir for gir in girs if gir.exists()), None)


def _doc_for(namespace, name):
    """Returns the documentation of a function or a type; nothing if there is none."""
    gir = _find_gir(namespace)
    return _read(gir).doc_of(name) if gir else ''


class Doc(str):
    """A docstring that is made when somebody shows it.

    PyGObject makes its docstrings late, but those of Python's functions are text. inspect.getdoc(), which help() and editors
    use, begins with expandtabs().
    """

    def __new__(cls, name, make):
        doc = super().__new__(cls, name)
        doc._make = make
        return doc

    def __str__(self):
        return self._make()

    def __repr__(self):
        return repr(str(self))

    def expandtabs(self, tabsize=8):
        return str(self).expandtabs(tabsize)


def imitate(call, function):
    """Gives a function the name and the docstring of the one that it wraps."""
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__ if hasattr(function, '__code__') else Doc(function.__name__, lambda: function.__doc__)
    return call


def document_class(kind):
    """Gives a docstring to a class that has none, because PyGObject makes none for it: enumerations and flags."""
    if type(kind) is type and '__info__' in vars(kind) and kind.__doc__ is None:
        kind.__doc__ = Doc(kind.__name__, lambda: _doc_for(kind.__info__.get_namespace(), kind.__name__))


def _valid(said, info, defaults):
    """Returns PyGObject's signature as valid Python: arguments have a default only if all behind them do, the length of an array
    is no result, and several results are a tuple."""
    head, _, results = said.partition(' -> ')
    name, _, given = head[:-1].partition('(')
    arguments, may_lack = [], True
    for argument in reversed(given.split(', ') if given else ()):
        argument, may_be_none, _ = argument.partition('=')
        name_alone, is_typed, _ = argument.partition(':')
        may_lack = may_lack and bool(may_be_none or name_alone in defaults)
        default = '=None' if defaults.get(name_alone) is None else '=...'
        arguments.insert(0, argument + (default if may_lack else ' | None' if may_be_none and is_typed else ''))
    returned = info.get_return_type()
    length = returned.get_array_length() if returned.get_tag_as_string() == 'array' else -1
    hidden = info.get_arguments()[length].get_name() if length >= 0 else None
    kinds = [result.rpartition(':')[2] for result in results.split(', ') if result and result.partition(':')[0] != hidden]
    result = f' -> tuple[{", ".join(kinds)}]' if len(kinds) > 1 else f' -> {kinds[0]}' if kinds else ''
    return f'{name}({", ".join(arguments)}){result}'


def document(defaults):
    """Lets PyGObject make docstrings of the documentation. The defaults are those that the overrides give to arguments."""
    from gi import docstring
    from gi._gi import CallableInfo, VFuncInfo
    signature_of = docstring.get_doc_string_generator()

    def generate(info):
        said, namespace = signature_of(info), info.get_namespace()
        if not namespace.startswith('C2g'):
            return said
        owner = info.get_container()
        prefix = 'do_' if isinstance(info, VFuncInfo) else ''
        if isinstance(info, CallableInfo):
            said = _valid(said, info, defaults.get((owner and owner.get_name(), info.get_name()), {}))
        doc = _doc_for(namespace, f'{owner.get_name()}.{prefix}{info.get_name()}' if owner else info.get_name())
        # What PyGObject says of a class are its constructors, which help() shows anyway.
        return f'{said}\n\n{doc}' if doc and isinstance(info, CallableInfo) else doc or said

    docstring.set_doc_string_generator(generate)
