# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""NVCaffe's memory."""

import threading
import unittest

from gi.repository import GLib

from c2g_testing import CPU, C2g, TestCase, numbers_of

try:
    import numpy as np
except ImportError:
    np = None

Head = C2g.SyncedHead
FLOAT16, FLOAT, DOUBLE, INT32 = C2g.DataType.FLOAT16, C2g.DataType.FLOAT, C2g.DataType.DOUBLE, C2g.DataType.INT32


def written(values, data_type=FLOAT):
    """Creates a mixed tensor with these numbers."""
    mixed = C2g.MixedTensor.new(data_type, [len(values)], None)
    tensor = mixed.ref_mutable_tensor(data_type, CPU)
    for i, value in enumerate(values):
        tensor.set_value(i, value)
    return mixed


def read(mixed, data_type):
    return numbers_of(mixed.ref_tensor(data_type, None))


class SyncedMemories(TestCase):
    def test_24_1_synced_memory(self):
        memory = C2g.SyncedMemory.new(4, None)
        heads = []
        memory.connect('head-changed', lambda memory, *change: heads.append(change))
        self.assertEqual(memory.get_head(), Head.UNINITIALIZED)
        self.assertEqual(memory.dup_bytes().get_data(), bytes(4))
        self.assertEqual(heads, [(Head.UNINITIALIZED, Head.AT_CPU)])
        self.assertTrue(memory.is_cpu_head() and not memory.is_gpu_head())
        memory.set_bytes(GLib.Bytes.new(b'abcd'))
        self.assertEqual(memory.dup_bytes().get_data(), b'abcd')
        self.assertEqual(len(heads), 1)
        self.assertFails(C2g.Error.SHAPE, memory.set_bytes, GLib.Bytes.new(b'abc'))
        self.assertEqual(memory.dup_bytes().get_data(), b'abcd')

    def test_24_2_size_and_marks(self):
        memory = C2g.SyncedMemory(n_bytes=4, name='data', device=C2g.Device.parse('cuda:1'))
        self.assertEqual((memory.get_n_bytes(), memory.props.n_bytes, memory.get_name()), (4, 4, 'data'))
        self.assertEqual(memory.to_string(), 'data: 4 bytes, uninitialized, invalid; cpu 0, cuda:1 0')
        memory.set_bytes(GLib.Bytes.new(b'abcd'))
        self.assertTrue(memory.is_valid())
        self.assertIn('data@cpu', C2g.MemoryReporter.get_default().dup_report())
        memory.invalidate()
        self.assertFalse(memory.is_valid())
        memory.validate()
        self.assertTrue(memory.is_valid())
        self.assertEqual([memory.asum(C2g.DataType.UINT8, 4), memory.amax(C2g.DataType.UINT8, 4)], [394, 100])
        self.assertEqual(memory.sumsq(C2g.DataType.INT8, 1), 97 ** 2)
        self.assertFails(C2g.Error.RANGE, memory.asum, FLOAT, 2)
        self.assertFails(C2g.Error.TYPE, memory.amax, C2g.DataType.STRING, 0)
        memory.resize(2)
        self.assertEqual((memory.dup_bytes().get_data(), memory.get_cpu_memory_use(True)), (b'ab', 4))
        memory.resize(8)
        self.assertEqual((memory.get_head(), memory.get_cpu_memory_use(False)), (Head.UNINITIALIZED, 0))
        memory.resize(2 ** 64 - 1)
        self.assertFails(C2g.Error.NO_MEMORY, memory.dup_bytes)
        absent = C2g.SyncedMemory.new(4, C2g.Device.parse('cuda:1000'))
        self.assertFails(C2g.Error.DEVICE, absent.push, None)
        self.assertEqual((absent.get_head(), absent.get_gpu_memory_use(False)), (Head.UNINITIALIZED, 0))
        self.assertEqual(C2g.SyncedMemory.new(1, CPU).get_device(), C2g.Device.parse('cuda'))


class MixedTensors(TestCase):
    def test_24_3_mixed_tensor(self):
        mixed = C2g.MixedTensor.new(FLOAT16, [2, 3], C2g.Device.parse('cuda:1'))
        self.assertEqual((mixed.get_data_type(), mixed.get_dims(), mixed.get_n_elements()), (FLOAT16, [2, 3], 6))
        self.assertEqual((mixed.get_device(), mixed.get_name()), (C2g.Device.parse('cuda:1'), None))
        self.assertEqual(mixed.get_head(FLOAT16), Head.UNINITIALIZED)
        self.assertEqual(read(mixed, DOUBLE), [0] * 6)
        self.assertEqual((mixed.get_head(DOUBLE), mixed.get_head(FLOAT16)), (Head.AT_CPU, Head.UNINITIALIZED))
        named = C2g.MixedTensor(name='conv1/data')
        named.reshape([])
        self.assertEqual((named.get_dims(), named.get_n_elements()), ([], 1))
        self.assertEqual(read(named, FLOAT), [0])
        self.assertIn('conv1/data/float@cpu', C2g.MemoryReporter.get_default().dup_report())
        self.assertEqual(named.to_string().splitlines()[0], '[] of float')
        workspace = C2g.Workspace()
        blob = workspace.create_blob('conv2')
        blob.set_object(mixed)
        self.assertEqual(blob.get_n_bytes(), 48)
        self.assertRegex(workspace.dup_report(), r'48 +100\.0% +cpu +conv2/double@cpu\n')
        self.assertEqual(C2g.MixedTensor(data_type=INT32).props.data_type, INT32)
        self.assertFails(C2g.Error.TYPE, C2g.MixedTensor.new, C2g.DataType.STRING, [1], None)
        self.assertFails(C2g.Error.SHAPE, C2g.MixedTensor.new, FLOAT, [-1], None)
        self.assertFails(C2g.Error.RANGE, C2g.MixedTensor.new, FLOAT, [2 ** 62, 4], None)
        self.assertFails(C2g.Error.TYPE, named.ref_tensor, C2g.DataType.UNDEFINED, None)
        self.assertFails(C2g.Error.DEVICE, named.ref_tensor, FLOAT, C2g.Device.parse('cuda:1'))

    def test_24_4_conversions(self):
        values = [1 / 3, 1e300, -1e-300, float('-inf')]
        mixed = written(values, DOUBLE)
        converted = []
        mixed.connect('converted', lambda mixed, *types: converted.append(types))
        for _ in range(3):
            self.assertEqual(read(mixed, FLOAT16), [0.333251953125, 65504, 0, float('-inf')])
        self.assertEqual(converted, [(DOUBLE, FLOAT16)])
        self.assertTrue(mixed.is_valid(FLOAT16) and not mixed.is_valid(INT32))
        self.assertEqual(read(mixed, INT32), [0, 2 ** 31 - 1, 0, -2 ** 31])
        self.assertEqual(read(mixed, DOUBLE), values)
        self.assertEqual(mixed.get_data_type(), DOUBLE)

    def test_24_5_holders(self):
        mixed = written([1])
        invalidated = []
        mixed.connect('invalidated', lambda mixed: invalidated.append(True))
        self.assertEqual(read(mixed, FLOAT16), [1])
        writer = mixed.ref_mutable_tensor(FLOAT, None)
        self.assertTrue(mixed.is_held())
        self.assertEqual(invalidated, [True])
        for value in (2, 3):
            writer.set_value(0, value)
            self.assertEqual((read(mixed, FLOAT16), read(mixed, FLOAT)), ([value], [value]))
        message = self.assertFails(C2g.Error.BUSY, mixed.ref_mutable_tensor, FLOAT16, None)
        self.assertIn('float', message)
        self.assertFails(C2g.Error.BUSY, mixed.set_data_type, DOUBLE)
        mapping = writer.map(C2g.MapFlags.READ_WRITE)
        del writer
        self.assertTrue(mixed.is_held())
        mapping.unmap()
        self.assertFalse(mixed.is_held())
        mixed.ref_mutable_tensor(FLOAT16, None).set_value(0, 4)
        self.assertEqual((read(mixed, FLOAT), mixed.get_data_type()), ([4], FLOAT16))
        tensor = C2g.Tensor.new_scalar(INT32, 5)
        mixed.set_tensor(tensor)
        self.assertEqual((mixed.get_dims(), mixed.get_data_type(), mixed.is_held()), ([], INT32, True))
        tensor.set_value(0, 6)
        self.assertEqual(read(mixed, FLOAT16), [6])
        self.assertFails(C2g.Error.BUSY, mixed.set_tensor, tensor)
        del tensor
        self.assertFalse(mixed.is_held())
        message = self.assertFails(C2g.Error.TYPE, mixed.set_tensor, C2g.Tensor())
        self.assertEqual(message, 'The tensor has no element type yet')

    def test_24_6_readers(self):
        mixed = written([1])
        tensors = [mixed.ref_tensor(data_type, None) for data_type in (FLOAT16, FLOAT)]
        every_bytes = [tensor.ref_bytes() for tensor in tensors]
        mixed.ref_mutable_tensor(FLOAT, None).set_value(0, 2)
        self.assertEqual(read(mixed, FLOAT16), [2])
        self.assertEqual([numbers_of(tensor) for tensor in tensors], [[1], [1]])
        self.assertEqual([b.get_data() for b in every_bytes], [b'\x00\x3c', b'\x00\x00\x80\x3f'])
        self.assertTrue(all(tensor.get_storage().is_read_only() for tensor in tensors))
        tensors[0].set_value(0, 5)
        self.assertEqual((numbers_of(tensors[0]), read(mixed, FLOAT16)), ([5], [2]))

    def test_24_7_arithmetic_and_shapes(self):
        mixed = written([1, -2, 3, -4])
        self.assertEqual((mixed.asum(), mixed.amax(), mixed.sumsq()), (10, 4, 30))
        mixed.scale(0.5)
        self.assertEqual(read(mixed, FLOAT), [0.5, -1, 1.5, -2])
        mixed.axpy(2, written([1, 2, 3, 4], FLOAT16))
        self.assertEqual((read(mixed, FLOAT), mixed.get_data_type()), ([2.5, 3, 7.5, 6], FLOAT))
        mixed.axpy(-2, written([1, 2, 3, 4], INT32))
        self.assertFails(C2g.Error.SHAPE, mixed.axpy, 1, written([1]))
        mixed.set_data_type(INT32)
        self.assertEqual((read(mixed, FLOAT), mixed.get_data_type()), ([0, -1, 1, -2], INT32))
        mixed.fill(1e10)
        self.assertEqual(read(mixed, INT32), [2 ** 31 - 1] * 4)
        self.assertTrue(mixed.invalidate_others())
        self.assertFalse(mixed.is_valid(FLOAT))
        mixed.reshape([2, 1])
        self.assertEqual((read(mixed, INT32), mixed.get_cpu_memory_use(INT32)), ([2 ** 31 - 1] * 2, 16))
        mixed.reshape([8])
        self.assertEqual((read(mixed, INT32), read(mixed, FLOAT16)), ([0] * 8, [0] * 8))
        self.assertEqual([mixed.get_cpu_memory_use(t) for t in (INT32, FLOAT16, DOUBLE)], [32, 16, 0])
        self.assertEqual(mixed.get_gpu_memory_use(INT32), 0)
        self.assertFails(C2g.Error.SHAPE, mixed.reshape, [-1])
        mixed.copy_from(written([1e9] * 8, DOUBLE))
        self.assertEqual((read(mixed, FLOAT16), mixed.get_data_type()), ([65504] * 8, INT32))
        self.assertFails(C2g.Error.SHAPE, mixed.copy_from, written([1]))
        self.assertTrue(mixed.copy_from(mixed) and mixed.trim())
        self.assertEqual([mixed.get_cpu_memory_use(t) for t in (INT32, FLOAT16)], [32, 0])
        self.assertEqual(read(mixed, DOUBLE), [1e9] * 8)

    @unittest.skipIf(np is None, 'there is no NumPy')
    def test_24_8_numpy(self):
        mixed = written([1, 2, 3])
        array = np.asarray(mixed.ref_mutable_tensor(FLOAT, CPU))
        self.assertEqual(np.asarray(mixed.ref_tensor(FLOAT16, CPU)).tolist(), [1, 2, 3])
        array += 1
        halves = np.asarray(mixed.ref_tensor(FLOAT16, CPU))
        self.assertEqual((halves.tolist(), halves.dtype), ([2, 3, 4], np.float16))
        self.assertFalse(halves.flags.writeable)
        self.assertTrue(mixed.is_held())
        view = array[1:]
        del array
        view[:] = 7
        self.assertEqual(np.asarray(mixed.ref_tensor(FLOAT16, CPU)).tolist(), [2, 7, 7])
        self.assertFails(C2g.Error.BUSY, mixed.ref_mutable_tensor, DOUBLE, CPU)
        self.assertEqual(halves.tolist(), [2, 3, 4])
        imported = np.from_dlpack(mixed.ref_mutable_tensor(FLOAT, CPU))
        del view
        self.assertTrue(mixed.is_held())
        del imported
        self.assertFalse(mixed.is_held())
        self.assertEqual(np.asarray(mixed.ref_tensor(DOUBLE, CPU)).tolist(), [2, 7, 7])
        array = np.arange(4, dtype=np.float32)
        mixed.set_tensor(C2g.from_dlpack(array))
        array[0] = 9
        self.assertEqual((read(mixed, FLOAT16), read(mixed, FLOAT)), ([9, 1, 2, 3], [9, 1, 2, 3]))

    @unittest.skipIf(np is None, 'there is no NumPy')
    def test_24_10_foreign(self):
        array = np.arange(4, dtype=np.float32)
        mixed = C2g.MixedTensor.new(DOUBLE, [1], None)
        mixed.set_tensor(C2g.from_dlpack(array))
        reader = mixed.ref_tensor(FLOAT, CPU)
        for value in (5, 6, 7):
            array[0] = value
            self.assertEqual(read(mixed, FLOAT16), [value, 1, 2, 3])
            self.assertEqual(read(mixed, FLOAT), [value, 1, 2, 3])
        self.assertEqual(numbers_of(reader), [0, 1, 2, 3])
        self.assertTrue(mixed.is_held() and not mixed.is_valid(FLOAT16))
        mixed.ref_mutable_tensor(FLOAT16, CPU).set_value(0, 8)
        array[0] = 9
        self.assertEqual((read(mixed, FLOAT16)[0], read(mixed, DOUBLE)[0], mixed.is_held()), (8, 8, False))

    def test_24_9_threads(self):
        mixed = written([1, 2])
        results = []

        def run():
            results.append(all(read(mixed, t) == [1, 2] for _ in range(200) for t in (FLOAT16, INT32, DOUBLE)))

        readers = [threading.Thread(target=run) for _ in range(2)]
        for thread in readers:
            thread.start()
        for thread in readers:
            thread.join()
        self.assertEqual(results, [True, True])
