# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Builds the Python package c2g for pip and `python3 -m build`, as PEP 517 says, with nothing but Python.

The package is pure Python: the module c2g, which finds an installed library, the overrides, and the type stubs, which
make-stubs writes from the golden GIRs.
"""

import base64
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / 'introspection'
PROJECT = tomllib.loads((ROOT / 'pyproject.toml').read_text())['project']
VERSION = re.search(r"^  version: '(.*)'", (ROOT / 'meson.build').read_text(), re.M)[1]
FULL_NAME = f'{PROJECT["name"]}-{VERSION}'

# All that a wheel is made of. A source distribution has these files and no other.
SOURCES = ('COPYING', 'README.md', 'meson.build', 'pyproject.toml', 'introspection/*.expected.gir', 'introspection/gi/**/*.py',
           'introspection/make-stubs', 'introspection/stubs/*.pyi', 'introspection/package/*.py', 'introspection/package/c2g/*py*')


def _sources(*patterns):
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())


def _metadata():
    lines = ['Metadata-Version: 2.1', f'Name: {PROJECT["name"]}', f'Version: {VERSION}', f'Summary: {PROJECT["description"]}',
             f'License: {PROJECT["license"]["text"]}', f'Requires-Python: {PROJECT["requires-python"]}']
    for extra, packages in PROJECT['optional-dependencies'].items():
        lines += [f'Provides-Extra: {extra}', *(f'Requires-Dist: {package}; extra == "{extra}"' for package in packages)]
    return '\n'.join([*lines, 'Description-Content-Type: text/markdown', '', (ROOT / 'README.md').read_text()])


def _stubs(gir):
    additions = FOLDER / 'stubs' / gir.name.replace('-1.expected.gir', '.pyi')
    command = [sys.executable, FOLDER / 'make-stubs', gir, *([additions] if additions.exists() else [])]
    return f'gi-stubs/repository/{additions.name}', subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {str(path.relative_to(base)): path.read_bytes() for base, pattern in (
        (FOLDER, 'introspection/gi/**/*.py'), (FOLDER / 'package', 'introspection/package/c2g/*py*')) for path in _sources(pattern)}
    files.update(_stubs(gir) for gir in FOLDER.glob('*.expected.gir'))
    info = f'{FULL_NAME}.dist-info'
    files[f'{info}/COPYING'] = (ROOT / 'COPYING').read_bytes()
    files[f'{info}/METADATA'] = _metadata().encode()
    files[f'{info}/WHEEL'] = b'Wheel-Version: 1.0\nGenerator: c2g\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
    record = ''.join(f'{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()},{len(data)}\n'
                     for name, data in files.items())
    files[f'{info}/RECORD'] = f'{record}{info}/RECORD,,\n'.encode()
    wheel = f'{FULL_NAME}-py3-none-any.whl'
    with zipfile.ZipFile(Path(wheel_directory) / wheel, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # Without a time of its own, so that equal sources make equal wheels.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    def add(archive, name, data, mode=0o644):
        member = tarfile.TarInfo(f'{FULL_NAME}/{name}')
        member.size, member.mode = len(data), mode
        archive.addfile(member, io.BytesIO(data))

    with tarfile.open(Path(sdist_directory) / f'{FULL_NAME}.tar.gz', 'w:gz', format=tarfile.PAX_FORMAT) as archive:
        add(archive, 'PKG-INFO', _metadata().encode())
        for path in _sources(*SOURCES):
            add(archive, path.relative_to(ROOT), path.read_bytes(), path.stat().st_mode & 0o777)
    return f'{FULL_NAME}.tar.gz'
