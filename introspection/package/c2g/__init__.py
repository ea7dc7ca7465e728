# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Tensors, blobs and workspaces, by an installed library of c2g.

`import c2g` finds the library, and c2g then has all that the namespace C2g has: `c2g.Tensor([1, 2])`. From then on
`from gi.repository import C2g` works, too, and so do C2gCuda and C2gGst.

The library is looked for where GObject Introspection looks. If it is not there, it is where pkg-config says, beside the
command c2g, in the prefix that this package lies in, or in /usr/local.
"""

import os
import shutil
import subprocess
from pathlib import Path

try:
    import gi
except ImportError:
    raise ImportError('c2g needs PyGObject, which is python3-gi in Debian and PyGObject for pip') from None


def _folders():
    """Yields the folders with c2g's typelibs."""
    pkg_config = shutil.which(os.environ.get('PKG_CONFIG', 'pkg-config'))
    if pkg_config:
        said = subprocess.run([pkg_config, '--variable=libdir', 'c2g-1'], capture_output=True, text=True).stdout.strip()
        yield from Path(said).glob('girepository-1.0') if said else ()
    command = shutil.which('c2g')
    prefixes = [Path(command).resolve().parents[1]] if command else []
    # This file is PREFIX/lib/python3/dist-packages/c2g/__init__.py.
    for prefix in (*prefixes, *Path(__file__).resolve().parents[4:5], Path('/usr/local')):
        for pattern in ('lib*', 'lib/*'):
            yield from (path.parent for path in prefix.glob(f'{pattern}/girepository-1.0/C2g-1.typelib'))


def _find():
    repository = gi.Repository.get_default()
    paths = repository
    if not hasattr(paths, 'prepend_search_path'):
        # PyGObject before 3.52 has this in the typelib alone.
        gi.require_version('GIRepository', '2.0')
        from gi.repository import GIRepository
        paths = GIRepository.Repository
    if not repository.enumerate_versions('C2g'):
        folder = next(_folders(), None)
        if folder is None:
            raise ImportError('The library c2g was not found: install it, and add its folder lib/pkgconfig to PKG_CONFIG_PATH, '
                              'or lib/girepository-1.0 to GI_TYPELIB_PATH', name='c2g')
        paths.prepend_search_path(str(folder))
    repository.require('C2g', '1')
    paths.prepend_library_path(str(Path(repository.get_typelib_path('C2g')).parents[1]))
    gi.require_version('C2g', '1')


_find()
from gi.repository import C2g as _C2g  # noqa: E402

__version__ = _C2g.VERSION_STRING


def __getattr__(name):
    return getattr(_C2g, name)


def __dir__():
    return sorted({*globals(), *dir(_C2g)})
