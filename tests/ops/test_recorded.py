# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares operators with results that the real Caffe2 recorded in its own tests, for the same inputs.

The recordings lie beside the repository; without them every case is skipped.
"""

import io
import unittest
import zipfile
from pathlib import Path

from ops_testing import C2g, GLib, OpTestCase, numpy, run_definition

CASES = Path(__file__).resolve().parents[3] / 'shared' / 'models' / 'recorded_ops'


def load(path):
    with zipfile.ZipFile(path) as archive:
        op = C2g.OperatorDef.new_from_bytes(GLib.Bytes.new(archive.read('op.pb')))
        arrays = numpy.load(io.BytesIO(archive.read('inout.npz')), allow_pickle=True, encoding='bytes')
        return op, list(arrays['inputs']), list(arrays['outputs'])


class Recorded(OpTestCase):
    def compare(self, found, expected):
        for one, other in zip(found, expected):
            other = numpy.asarray(other)
            if other.dtype.kind in 'OSU':
                texts = [text.decode() if isinstance(text, bytes) else text for text in other.flat]
                self.assertEqual(list(one.flat), texts)
            else:
                self.assertClose(one, other)


def add_case(path):
    def test(self):
        op, inputs, outputs = load(path)
        found = run_definition(op, inputs, 1)
        self.assertEqual(len(found), len(outputs))
        self.compare(found, outputs)

    setattr(Recorded, f'test_{path.stem}', test)


if CASES.is_dir():
    for case in sorted(CASES.glob('*.zip')):
        add_case(case)
else:
    class NoRecordings(unittest.TestCase):
        def test_skipped(self):
            self.skipTest(f'{CASES.name} does not lie beside the repository')
