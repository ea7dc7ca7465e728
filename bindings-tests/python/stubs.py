# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The type stubs, compared with the modules that they describe. The folder of the stubs is in C2G_STUBS."""

import ast
import importlib
import os
import unittest
from pathlib import Path

import gi
from c2g_testing import GLib, TestCase  # noqa: F401

# What Python and PyGObject give to every class.
COMMON = {'__class__', '__dict__', '__doc__', '__gdoc__', '__gtype__', '__gsignals__', '__info__', '__module__', '__weakref__', '__repr__',
          '__str__', '__ne__', '__hash__', '__new__', '__init__', '__reduce__', '__abstractmethods__', 'props', 'Props', '__getattr__',
          '__setattr__', 'get_property', 'set_properties', 'set_property', '__enum_values__', '__flags_values__', 'parent_instance'}
# Python finds these of arithmetic and of comparisons by the operators.
OPERATORS = {f'__{prefix}{name}__' for prefix in ('', 'r', 'i')
             for name in ('add sub mul truediv floordiv mod pow matmul and or xor lshift rshift '
                          'eq lt le gt ge neg pos abs invert').split()}


def names_in(nodes):
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


class Stubs(TestCase):
    def compare(self, namespace):
        tree = ast.parse((Path(os.environ['C2G_STUBS']) / f'{namespace}.pyi').read_text())
        gi.require_version(namespace, '1')
        module = importlib.import_module(f'gi.repository.{namespace}')
        stubs = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != '_'}
        missing = [name for name in names_in(tree.body) if name[0] != '_' and not hasattr(module, name)]
        for name in dir(module):
            there = getattr(module, name, None)
            if isinstance(there, type) and hasattr(there, '__gtype__') and not name.endswith(('Class', 'Interface')):
                self.assertIn(name, stubs)
        for name, stub in stubs.items():
            there, told = getattr(module, name), set(names_in(stub.body))
            options = {pspec.name.replace('-', '_') for pspec in there.list_properties()} if name.endswith('Options') else set()
            # PyGObject shows no virtual functions of interfaces, which classes define.
            told_only = options | COMMON | {member for member in told if member.startswith('do_') and there.__gtype__.is_interface()}
            missing += [f'{name}.{member}' for member in told - told_only if not hasattr(there, member)]
            had = {member for member in vars(there) if not member.startswith('_') or member.endswith('__')}
            missing += [f'{name}.{member} in the stubs' for member in had - told - COMMON - OPERATORS]
        self.assertEqual(missing, [])
        return stubs

    @unittest.skipUnless('C2G_STUBS' in os.environ, 'C2G_STUBS is not set')
    def test_1_12_same_names(self):
        self.assertGreater(len(self.compare('C2g')), 60)
        for namespace in ('C2gGst', 'C2gCuda'):
            if (Path(os.environ['C2G_STUBS']) / f'{namespace}.pyi').exists():
                try:
                    gi.require_version(namespace, '1')
                except ValueError:
                    continue
                self.compare(namespace)
