# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The version of these overrides, which is that of the library that they are for."""

import os

from gi.module import get_introspection_module

VERSION = '0.1.0'


def _check_version(library):
    """Fails with the versions where those differ. Otherwise some function that is not there would fail, now or later."""
    if VERSION != library.VERSION_STRING or VERSION != library.get_version_string():
        raise ImportError(f'the overrides of Python in {os.path.dirname(__file__)} are those of c2g {VERSION}, but the library is '
                          f'c2g {library.get_version_string()} and the typelib {library.__path__[0]} is that of c2g '
                          f'{library.VERSION_STRING}: install all of one version', name='c2g')


_check_version(get_introspection_module('C2g'))
