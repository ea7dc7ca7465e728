# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""NVCaffe's blobs."""

import math
import unittest

from gi.repository import GLib

from c2g_testing import CPU, C2g, TestCase, numbers_of

try:
    import numpy as np
except ImportError:
    np = None

FLOAT16, FLOAT, DOUBLE, INT32 = C2g.DataType.FLOAT16, C2g.DataType.FLOAT, C2g.DataType.DOUBLE, C2g.DataType.INT32
DATA, DIFF, BOTH = C2g.CaffeParts.DATA, C2g.CaffeParts.DIFF, C2g.CaffeParts.BOTH
NCHW, NHWC = C2g.CaffePacking.NCHW, C2g.CaffePacking.NHWC
Flags = C2g.CaffeProtoFlags


def written(data, diff=0, data_type=FLOAT, diff_type=FLOAT):
    """Creates a blob with these data, and a diff with one number everywhere."""
    blob = C2g.CaffeBlob.new(data_type, diff_type, [len(data)], None)
    tensor = blob.ref_mutable_data_tensor(data_type, CPU)
    for i, value in enumerate(data):
        tensor.set_value(i, value)
    blob.fill_diff(diff)
    return blob


def data_of(blob, data_type=DOUBLE):
    return numbers_of(blob.ref_data_tensor(data_type, None))


def diff_of(blob, data_type=DOUBLE):
    return numbers_of(blob.ref_diff_tensor(data_type, None))


class CaffeBlobs(TestCase):
    def test_25_1_blob(self):
        blob = C2g.CaffeBlob.new(FLOAT16, FLOAT, [2, 3], C2g.Device.parse('cuda:1'))
        self.assertEqual((blob.get_dims(), blob.get_n_elements(), blob.is_empty()), ([2, 3], 6, False))
        self.assertEqual((blob.props.data.get_data_type(), blob.props.diff.get_data_type()), (FLOAT16, FLOAT))
        self.assertIs(blob.get_data(), blob.props.data)
        self.assertIs(blob.get_diff(), blob.props.diff)
        self.assertEqual((blob.get_device(), blob.get_name()), (C2g.Device.parse('cuda:1'), None))
        self.assertEqual((data_of(blob), diff_of(blob)), ([0] * 6, [0] * 6))
        named = C2g.CaffeBlob(name='conv1')
        self.assertTrue(named.is_empty())
        named.reshape([2], BOTH)
        named.ref_diff_tensor(FLOAT16, None)
        self.assertIn('conv1/diff/float16@cpu', C2g.MemoryReporter.get_default().dup_report())
        self.assertEqual(named.to_string().splitlines()[:2], ['2 (2)', 'data: [2] of float'])
        typed = C2g.CaffeBlob(name='conv1', data_type=FLOAT16, diff_type=FLOAT)
        self.assertEqual((typed.get_data().get_data_type(), typed.get_diff().get_data_type()), (FLOAT16, FLOAT))
        self.assertEqual((typed.props.data_type, typed.props.diff_type), (FLOAT16, FLOAT))
        typed.get_data().set_data_type(DOUBLE)
        self.assertEqual((typed.props.data_type, typed.props.diff_type), (DOUBLE, FLOAT))
        self.assertFails(C2g.Error.TYPE, C2g.CaffeBlob.new, FLOAT, C2g.DataType.STRING, [1], None)
        self.assertFails(C2g.Error.SHAPE, C2g.CaffeBlob.new, FLOAT, FLOAT, [-1], None)
        self.assertFails(C2g.Error.RANGE, C2g.CaffeBlob.new, FLOAT, FLOAT, [2 ** 62, 4], None)

    def test_25_2_shape(self):
        blob = C2g.CaffeBlob.new(FLOAT, FLOAT, [2, 3, 4, 5], None)
        reshaped = []
        blob.connect('reshaped', lambda blob: reshaped.append(blob.get_dims()))
        self.assertEqual((blob.get_num(), blob.get_channels(), blob.get_height(), blob.get_width()), (2, 3, 4, 5))
        self.assertEqual((blob.canonical_axis(-1), blob.get_dim(-1), blob.count(1, 3), blob.count(2, -1)), (3, 5, 12, 20))
        self.assertEqual((blob.offset([1, 2, 3, 4]), blob.offset([1])), (119, 60))
        self.assertEqual(blob.dup_shape_string(), '2 3 4 5 (120)')
        shape = blob.ref_gpu_shape()
        self.assertEqual(shape.dup_bytes().get_data(), b''.join(n.to_bytes(4, 'little') for n in (2, 3, 4, 5)))
        self.assertFails(C2g.Error.SHAPE, blob.canonical_axis, 4)
        self.assertFails(C2g.Error.SHAPE, blob.get_dim, -5)
        self.assertFails(C2g.Error.SHAPE, blob.count, 3, 1)
        self.assertFails(C2g.Error.RANGE, blob.offset, [2])
        blob.reshape([1] * 40, BOTH)
        self.assertFails(C2g.Error.SHAPE, blob.get_num)
        blob.reshape_like(C2g.CaffeBlob.new(FLOAT, FLOAT, [2, 3], None))
        self.assertEqual(reshaped, [[1] * 40, [2, 3]])
        blob.reshape([7], DATA)
        self.assertFails(C2g.Error.SHAPE, blob.ref_diff_tensor, FLOAT, None)
        blob.reshape([7], DIFF)
        self.assertEqual(diff_of(blob), [0] * 7)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, blob.reshape, [8], C2g.CaffeParts.NONE)
        self.assertEqual(blob.get_dims(), [7])

    def test_25_3_elements(self):
        blob = written([math.pi, 1e6], 2, DOUBLE)
        self.assertEqual(data_of(blob, FLOAT16), [3.140625, 65504])
        self.assertEqual((data_of(blob), data_of(blob, INT32)), ([math.pi, 1e6], [3, 1000000]))
        self.assertEqual((blob.data_at([1]), blob.diff_at([1])), (1e6, 2))
        blob.set_value_at(BOTH, [0], 5)
        blob.set_value_at(DIFF, [1], 6)
        self.assertEqual((data_of(blob), diff_of(blob)), ([5, 1e6], [5, 6]))
        blob.ref_mutable_diff_tensor(FLOAT16, None).set_value(0, 7)
        self.assertEqual((blob.diff_at([0]), blob.props.diff.get_data_type()), (7, FLOAT16))
        self.assertFails(C2g.Error.RANGE, blob.data_at, [2])
        self.assertFails(C2g.Error.SHAPE, blob.diff_at, [0, 0])
        self.assertFails(C2g.Error.RANGE, blob.set_value_at, DATA, [-1], 0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, blob.set_value_at, C2g.CaffeParts.NONE, [0], 0)

    def test_25_4_arithmetic(self):
        blob = written([1, -2, 3], 0.5, FLOAT, FLOAT16)
        self.assertEqual((blob.asum_data(), blob.sumsq_data(), blob.amax_data()), (6, 14, 3))
        self.assertEqual((blob.asum_diff(), blob.sumsq_diff(), blob.amax_diff()), (1.5, 0.75, 0.5))
        blob.update()
        self.assertEqual((data_of(blob), diff_of(blob)), ([0.5, -2.5, 2.5], [0.5] * 3))
        blob.scale_data(2)
        blob.scale_diff(-4)
        self.assertEqual((data_of(blob), diff_of(blob)), ([1, -5, 5], [-2] * 3))
        blob.fill_data(1)
        blob.fill_diff(2 ** -16)
        blob.update()
        self.assertEqual((data_of(blob), blob.props.data.get_data_type()), ([1 - 2 ** -16] * 3, FLOAT))

    def test_25_5_copies(self):
        source, target = written([1, 2, 3], 4), written([0, 0, 0], 0, FLOAT16, DOUBLE)
        target.copy_from(source, DATA)
        self.assertEqual((data_of(target), diff_of(target)), ([1, 2, 3], [0] * 3))
        target.copy_from(source, DIFF)
        self.assertEqual((diff_of(target), target.props.data.get_data_type()), ([4] * 3, FLOAT16))
        self.assertFails(C2g.Error.SHAPE, target.copy_from, written([1]), BOTH)
        pictures = written(range(6))
        pictures.reshape([1, 2, 1, 3], BOTH)
        pixels = C2g.CaffeBlob.new(FLOAT, FLOAT, [1, 2, 1, 3], None)
        pixels.repack_from(pictures, DATA, NCHW, NHWC)
        self.assertEqual(data_of(pixels), [0, 3, 1, 4, 2, 5])
        pixels.repack_from(pixels, DATA, NHWC, NCHW)
        self.assertEqual(data_of(pixels), [0, 1, 2, 3, 4, 5])

    def test_25_6_sharing(self):
        bottom, top = written([1, 2, 3, 4], 5), C2g.CaffeBlob.new(FLOAT, FLOAT, [2, 2], None)
        notified = []
        top.connect('notify::data', lambda top, pspec: notified.append(pspec.name))
        for _ in range(2):
            top.share_data(bottom)
        top.share_diff(bottom)
        self.assertEqual(notified, ['data'])
        self.assertIs(top.props.data, bottom.props.data)
        self.assertEqual(top.ref_data_tensor(FLOAT, None).get_dims(), [2, 2])
        top.set_value_at(DATA, [1, 1], 9)
        self.assertEqual((data_of(bottom), diff_of(top)), ([1, 2, 3, 9], [5] * 4))
        self.assertIn('the other blob shares them already', self.assertFails(C2g.Error.INVALID_ARGUMENT, bottom.share_data, top))
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, top.share_tensor, DATA, top.props.diff)
        self.assertEqual(message, 'The data cannot share the elements of the other part')
        self.assertFails(C2g.Error.SHAPE, top.share_data, written([1]))
        top.reshape([2], BOTH)
        self.assertEqual((top.asum_data(), data_of(bottom)), (3, [1, 2, 3, 9]))
        top.reshape([5], BOTH)
        self.assertEqual((data_of(top), len(notified)), ([0] * 5, 2))
        other = C2g.CaffeBlob.new(FLOAT, FLOAT, [4], None)
        other.share_tensor(DATA, bottom.props.diff)
        self.assertEqual(data_of(other), [5] * 4)

    def test_25_7_messages(self):
        blob = written([1, 2, 3], 4, FLOAT16)
        for flags, data_type in ((Flags.DIFF, FLOAT16), (Flags.DIFF | Flags.BVLC, FLOAT)):
            proto = blob.to_proto(flags)
            other = C2g.CaffeBlob()
            self.assertTrue(blob.shape_equals(proto) and not other.shape_equals(proto))
            self.assertFails(C2g.Error.SHAPE, other.from_proto, proto, False)
            other.from_proto(proto, True)
            self.assertEqual((data_of(other), diff_of(other)), ([1, 2, 3], [4] * 3))
            self.assertEqual(other.props.data.get_data_type(), data_type)
        self.assertFails(C2g.Error.NOT_SUPPORTED, written([1], 0, C2g.DataType.INT8).to_proto, Flags.NONE)
        damaged = [
            b'\x3a\x03\x0a\x01\x02\x62\x04\x00\x00\x00\x00',  # raw data without a type
            b'\x3a\x03\x0a\x01\x02\x50\x02\x62\x03\x00\x00\x00',  # raw data that are cut off
            b'\x3a\x03\x0a\x01\x02\x2a\x04\x00\x00\x80\x3f',  # one number for two elements
            b'\x3a\x03\x0a\x01',
        ]
        for proto in damaged:
            self.assertFails(C2g.Error.CORRUPT, blob.from_proto, GLib.Bytes.new(proto), True)
        message = self.assertFails(C2g.Error.CORRUPT, blob.from_proto, GLib.Bytes.new(b'name: "LeNet"'), True)
        self.assertTrue(message.startswith('Expected a BlobProto of Caffe: '), message)
        self.assertEqual((data_of(blob), blob.props.data.get_data_type()), ([1, 2, 3], FLOAT16))

    def test_25_8_locked_type(self):
        blob = C2g.CaffeTBlob.new(FLOAT16, [2], None)
        self.assertIsInstance(blob, C2g.CaffeBlob)
        self.assertEqual((blob.get_data_type(), C2g.CaffeTBlob().get_data_type()), (FLOAT16, FLOAT))
        blob.fill_data(1)
        self.assertEqual(data_of(blob, DOUBLE), [1, 1])
        message = self.assertFails(C2g.Error.TYPE, blob.ref_mutable_data_tensor, FLOAT, None)
        self.assertIn('float16', message)
        self.assertFails(C2g.Error.TYPE, blob.share_data, written([1, 2]))
        plain = written([1, 2])
        plain.share_data(blob)
        self.assertFails(C2g.Error.TYPE, plain.ref_mutable_data_tensor, FLOAT, None)
        blob.from_proto(written([3, 1e6]).to_proto(Flags.NONE), True)
        self.assertEqual((data_of(plain), blob.get_data_type()), ([3, 65504], FLOAT16))
        self.assertFails(C2g.Error.TYPE, C2g.CaffeTBlob.new, C2g.DataType.STRING, [1], None)

    @unittest.skipIf(np is None, 'there is no NumPy')
    def test_25_9_numpy(self):
        blob = C2g.CaffeBlob.new(FLOAT, FLOAT16, [2, 3], None)
        weights = np.asarray(blob.ref_mutable_data_tensor(FLOAT, CPU))
        for value in (1, 2):
            weights[:] = value
            self.assertEqual(np.asarray(blob.ref_data_tensor(FLOAT16, CPU)).tolist(), [[value] * 3] * 2)
        self.assertFails(C2g.Error.BUSY, blob.ref_mutable_data_tensor, FLOAT16, CPU)
        proto = blob.to_proto(Flags.NONE)
        self.assertFails(C2g.Error.BUSY, blob.from_proto, proto, True)
        np.asarray(blob.ref_mutable_diff_tensor(FLOAT16, CPU))[:] = 0.25
        blob.update()
        self.assertEqual(weights.tolist(), [[1.75] * 3] * 2)
        del weights
        self.assertFalse(blob.props.data.is_held())
        blob.from_proto(proto, True)
        self.assertEqual(blob.data_at([1, 2]), 2)
