# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""NVCaffe's memory."""

from gi.repository import GLib

from c2g_testing import CPU, C2g, TestCase

Head = C2g.SyncedHead


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
        memory.resize(2)
        self.assertEqual((memory.dup_bytes().get_data(), memory.get_cpu_memory_use(True)), (b'ab', 4))
        memory.resize(8)
        self.assertEqual((memory.get_head(), memory.get_cpu_memory_use(False)), (Head.UNINITIALIZED, 0))
        self.assertFails(C2g.Error.RANGE, memory.resize, 2 ** 64 - 1)
        absent = C2g.SyncedMemory.new(4, C2g.Device.parse('cuda:1000'))
        self.assertFails(C2g.Error.DEVICE, absent.push, None)
        self.assertEqual((absent.get_head(), absent.get_gpu_memory_use(False)), (Head.UNINITIALIZED, 0))
        self.assertEqual(C2g.SyncedMemory.new(1, CPU).get_device(), C2g.Device.parse('cuda'))
