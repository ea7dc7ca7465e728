# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Shared by the checks of the c2g command: runs it, makes files for it, and prints TAP."""

import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import zipfile
from pathlib import Path

COMMAND, ROOT = sys.argv[1], Path(sys.argv[2])
DEMO = ROOT / 'examples' / 'models' / 'demo.minidb'
SHARED = ROOT.parent / 'shared'

TESTS = []

# The search for leaks at the end takes longer than most commands, whose memory is gone then. --slow searches all the same.
if 'C2G_TEST_QUICK' in os.environ:
    os.environ['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'


class Skip(Exception):
    pass


def skip_if_quick():
    """Skips a test that takes a sanitizer long, and whose code smaller tests run too."""
    if 'C2G_TEST_QUICK' in os.environ:
        raise Skip('C2G_TEST_QUICK is set')


def test(function):
    TESTS.append(function)
    return function


def run(*arguments, **environment):
    variables = {name: value for name, value in os.environ.items() if name not in ('NO_COLOR', 'LANGUAGE')}
    variables.update(LC_ALL='C.UTF-8', **environment)
    result = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, env=variables, timeout=60)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def run_on_terminal(*arguments, size=None, **environment):
    """Returns the output of the command on a terminal; `size` is its number of columns."""
    variables = {name: value for name, value in os.environ.items() if name not in ('NO_COLOR', 'COLUMNS')}
    variables.update(LC_ALL='C.UTF-8', TERM='xterm', **environment)
    try:
        terminal, end = pty.openpty()
    except OSError as error:
        raise Skip(f'no terminal to be had: {error}') from error
    if size is not None:
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack('4H', 25, size, 0, 0))
    with subprocess.Popen([COMMAND, *map(str, arguments)], stdout=end, env=variables) as process:
        os.close(end)
        output = b''
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            output += piece
    os.close(terminal)
    return process.returncode, output.decode()


def varint(value):
    result = bytearray()
    while value >= 0x80:
        result.append(0x80 | value & 0x7f)
        value >>= 7
    return bytes(result + bytes([value]))


def field(number, value):
    return varint(number << 3 | 2) + varint(len(value)) + value


def float_blob(name, values, n_elements=None, begin=0, device=b''):
    """Returns a blob. Its chunk begins at element `begin`, and may have fewer values than the shape."""
    n_elements = len(values) if n_elements is None else n_elements
    tensor = b'\x08' + varint(n_elements) + b'\x10\x01' + field(3, struct.pack(f'<{len(values)}f', *values)) + device
    if n_elements > len(values):
        tensor += field(11, b'\x08' + varint(begin) + b'\x10' + varint(begin + len(values)))
    return field(1, name) + field(2, b'Tensor') + field(3, tensor)


def string_blob(name, content):
    return field(1, name) + field(2, b'std::string') + field(4, content)


def minidb(records):
    return b''.join(struct.pack('<ii', len(key), len(value)) + key + value for key, value in records)


def npy(descr, shape, data, order=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple(shape)}, }}".encode()
    header += b' ' * (-(len(header) + 11) % 64) + b'\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header + data


def npz(arrays):
    """Returns an npz archive of the named npy files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, 'w') as archive:
        for name, array in arrays.items():
            archive.writestr(name + '.npy', array)
    return content.getvalue()


def safetensors(tensors, metadata=None):
    """Returns a safetensors file of the given names and (dtype, shape, data)."""
    header = {} if metadata is None else {'__metadata__': metadata}
    begin = 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {'dtype': dtype, 'shape': shape, 'data_offsets': [begin, begin + len(data)]}
        begin += len(data)
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    return struct.pack('<Q', len(text)) + text + b''.join(data for _, _, data in tensors.values())


class File:
    """A temporary file."""

    def __init__(self, content, name='file.pb'):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / name
        self.path.write_bytes(content)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        self.folder.cleanup()


class Folder:
    """A temporary folder for the files of one test."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def __truediv__(self, name):
        return self.path / name

    def add(self, name, content):
        (self.path / name).write_bytes(content)
        return self.path / name

    def list(self):
        return sorted(path.name for path in self.path.iterdir())


def main():
    print(f'1..{len(TESTS)}')
    failed = 0
    for number, function in enumerate(TESTS, 1):
        name = function.__name__.replace('_', '-')
        try:
            function()
        except Skip as reason:
            print(f'ok {number} {name} # SKIP {reason}')
        except Exception as error:
            failed += 1
            print(f'not ok {number} {name}')
            print(f'# {type(error).__name__}: {error}'.replace('\n', '\n# '))
        else:
            print(f'ok {number} {name}')
    return 1 if failed else 0

