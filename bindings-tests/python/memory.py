# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The reporter, the settings and the built-in allocators."""

import asyncio
import csv
import io
import pathlib
import struct
import tempfile

from gi.repository import Gio

from c2g_testing import CPU, C2g, GLib, TestCase, new_tensor


class Memory(TestCase):
    def test_10_1_numbers(self):
        reporter = self.reporter
        n_blocks, current = self.live()
        total = reporter.get_total_bytes(None)
        reporter.reset_peak()
        self.assertEqual(reporter.get_peak_bytes(None), current)
        tensors = [new_tensor([100]), new_tensor([50])]
        self.assertEqual(self.live(), (n_blocks + 2, current + 600))
        self.assertEqual(reporter.get_total_bytes(CPU), total + 600)
        del tensors[0]
        self.assertEqual((self.live(), reporter.get_peak_bytes(None)), ((n_blocks + 1, current + 200),
                                                                        current + 600))
        cuda = C2g.Device.parse('cuda:7')
        self.assertEqual([read(cuda) for read in (reporter.get_current_bytes, reporter.get_peak_bytes,
                                                  reporter.get_total_bytes, reporter.get_n_blocks,
                                                  reporter.get_cached_bytes)], [0] * 5)

    def test_10_2_blocks(self):
        workspace = C2g.Workspace()
        small, large = new_tensor([10]), new_tensor([1000])
        workspace.create_blob('weights').set_object(large)
        blocks = self.reporter.list_blocks(CPU)
        self.assertEqual([(block.get_n_bytes(), block.get_name(), block.get_address(), block.get_device())
                          for block in blocks],
                         [(4000, 'weights', large.get_address(), CPU), (40, None, small.get_address(), CPU)])
        self.check_sum()
        del large, workspace
        self.assertEqual(blocks[0].get_name(), 'weights')
        self.assertEqual(len(self.reporter.list_blocks(None)), 1)

    def test_10_3_report(self):
        workspace = C2g.Workspace()
        workspace.create_blob('weights').set_object(new_tensor([1000]))
        for report in (self.reporter.dup_report(), workspace.dup_report()):
            self.assertIn('4000', report)
            self.assertIn('weights', report)
            self.assertIn('cpu', report)

    def test_10_5_external(self):
        workspace = C2g.Workspace()
        before = self.live()
        external = self.reporter.get_external_bytes(None)
        tensor = C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [1000], GLib.Bytes.new(bytes(4000)))
        workspace.create_blob('frame').set_object(tensor)
        self.assertEqual((self.live(), self.reporter.get_external_bytes(CPU)), (before, external + 4000))
        self.assertEqual([block.get_n_bytes() for block in self.reporter.list_external_blocks(None)
                          if block.get_name() == 'frame'], [4000])
        for report in (self.reporter.dup_report(), workspace.dup_report()):
            self.assertRegex(report, '4000.*external.*frame')
        del tensor, workspace
        self.assertEqual(self.reporter.get_external_bytes(None), external)

    def test_10_4_settings(self):
        settings = C2g.Settings.get_default()
        heard = self.count_notify(settings, 'keep-on-shrink')
        self.addCleanup(settings.set_keep_on_shrink, True)
        self.addCleanup(settings.set_zero_fill, False)
        self.addCleanup(settings.set_max_keep_on_shrink, settings.get_max_keep_on_shrink())
        settings.set_keep_on_shrink(True)
        settings.props.keep_on_shrink = False
        self.assertEqual(len(heard), 1)
        tensor = new_tensor([100])
        tensor.resize([50])
        self.assertFalse(tensor.is_allocated())
        settings.set_keep_on_shrink(True)
        settings.set_max_keep_on_shrink(100)
        tensor.allocate(C2g.DataType.FLOAT)
        tensor.resize([40])
        self.assertTrue(tensor.is_allocated())
        tensor.resize([10])
        self.assertFalse(tensor.is_allocated())
        settings.set_zero_fill(True)
        self.assertEqual(new_tensor([100]).dup_bytes().get_data(), bytes(400))

    def test_10_6_tuning(self):
        """An operator measures, names the code that it chose, and the choice comes into a file."""
        settings = C2g.Settings.get_default()
        self.addCleanup(settings.set_tune, False)
        workspace = C2g.Workspace()
        workspace['X'] = C2g.Tensor([[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]], C2g.DataType.FLOAT)
        workspace['W'] = C2g.Tensor([[[[1, 1], [1, 1]]]], C2g.DataType.FLOAT)
        definition = C2g.OperatorDef.new('Conv')
        definition.set_inputs(['X', 'W'])
        definition.set_outputs(['Y'])
        definition.set_int('kernel', 2)
        op = C2g.Operator.create(definition, workspace)
        self.assertIsNone(op.get_implementation())
        settings.props.tune = True
        op.run()
        self.assertTrue(op.get_implementation())
        self.assertEqual(workspace['Y'].dup_bytes().get_data(), struct.pack('4f', 12, 16, 24, 28))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'tuning'
            settings.save_tuning(path)
            settings.load_tuning(path)
            path.write_text('something else')
            self.assertFails(C2g.Error.CORRUPT, settings.load_tuning, path)

    def test_10_7_tuning_in_the_background(self):
        settings = C2g.Settings.get_default()

        async def use(folder):
            path = pathlib.Path(folder) / 'tuning'
            done = [await settings.save_tuning_async(path), await settings.load_tuning_async(path)]
            path.write_text('something else')
            with self.assertRaises(GLib.Error) as caught:
                await settings.load_tuning_async(path)
            return done, caught.exception

        with tempfile.TemporaryDirectory() as folder:
            done, error = asyncio.run(use(folder))
        self.assertEqual(done, [True, True])
        self.assertTrue(error.matches(C2g.Error.quark(), C2g.Error.CORRUPT))


class Allocators(TestCase):
    def test_11_1_stack(self):
        tracking = C2g.TrackingAllocator.new(None)
        pool = C2g.PoolAllocator.new(tracking)
        limiting = C2g.LimitingAllocator.new(pool, 1000)
        storage = limiting.allocate(600, None)
        self.assertEqual((storage.get_n_bytes(), limiting.get_used_bytes()), (600, 600))
        self.assertEqual(storage.get_allocator(), pool)
        self.assertIn('1000', self.assertFails(C2g.Error.NO_MEMORY, limiting.allocate, 401, None))
        limiting.set_max_bytes(2000)
        second = limiting.allocate(401, None)
        self.assertEqual((tracking.get_n_blocks(), tracking.get_n_allocations(), tracking.get_n_failures()),
                         (2, 2, 0))
        del storage, second
        self.assertEqual(limiting.get_used_bytes(), 0)
        self.assertGreaterEqual(pool.get_cached_bytes(), 1001)
        self.assertEqual(self.reporter.get_cached_bytes(CPU), pool.get_cached_bytes())
        self.assertEqual(tracking.get_current_bytes(), tracking.get_peak_bytes())
        self.assertGreaterEqual(limiting.trim(0), 1001)
        self.assertEqual((pool.get_cached_bytes(), tracking.get_current_bytes()), (0, 0))
        tracking.reset_peak()
        self.assertEqual(tracking.get_peak_bytes(), 0)
        self.assertIs(limiting.get_upstream(), pool)
        self.assertIs(limiting.props.upstream, pool)

    def test_11_2_failure_callback(self):
        limiting = C2g.LimitingAllocator.new(None, 100)
        calls = []

        def make_room(allocator, n_bytes, n_tries):
            calls.append((allocator, n_bytes, n_tries))
            if n_tries == 2:
                limiting.set_max_bytes(500)
            return n_tries < 3

        allocator = C2g.FailureCallbackAllocator.new(limiting, make_room)
        self.assertEqual(allocator.allocate(400, None).get_n_bytes(), 400)
        self.assertEqual(calls, [(allocator, 400, 1), (allocator, 400, 2)])
        self.assertFails(C2g.Error.NO_MEMORY, allocator.allocate, 600, None)
        self.assertEqual(len(calls), 5)

    def test_11_3_log(self):
        stream = Gio.MemoryOutputStream.new_resizable()
        allocator = C2g.LoggingAllocator.new(C2g.LimitingAllocator.new(None, 100), stream)
        storage = allocator.allocate(10, None)
        address = storage.get_address()
        del storage
        self.assertFails(C2g.Error.NO_MEMORY, allocator.allocate, 101, None)
        self.assertTrue(allocator.check())
        stream.close(None)
        lines = list(csv.DictReader(io.StringIO(stream.steal_as_bytes().get_data().decode())))
        self.assertEqual([(line['action'], int(line['address'], 16), int(line['bytes']), line['device'])
                          for line in lines],
                         [('allocate', address, 10, 'cpu'), ('release', address, 10, 'cpu'),
                          ('fail', 0, 101, 'cpu')])
        self.assertEqual(allocator.allocate(1, None).get_n_bytes(), 1)
        with self.assertRaises(GLib.Error) as caught:
            allocator.check()
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CLOSED))

    def test_11_4_alignment_and_zeros(self):
        allocator = C2g.CpuAllocator.new_aligned(4096)
        self.assertEqual(allocator.get_alignment(), 4096)
        self.assertEqual(allocator.allocate(10, None).get_address() % 4096, 0)
        self.assertEqual(C2g.CpuAllocator.new().get_alignment(), 64)
        for alignment in (0, 3, 2 ** 31):
            self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.CpuAllocator.new_aligned, alignment)
        allocator.set_zero_fill(True)
        mapping = allocator.allocate(100, None).map(C2g.MapFlags.READ)
        self.assertEqual(bytes(mapping.get_data()), bytes(100))
        self.assertEqual(allocator.allocate(0, None).get_address(), 0)

    def test_11_5_default(self):
        tracking = C2g.TrackingAllocator.new(None)
        self.assertTrue(C2g.Allocator.set_default(CPU, tracking))
        try:
            self.assertIs(C2g.Allocator.get_default(CPU), tracking)
            tensor = new_tensor([100])
        finally:
            C2g.Allocator.set_default(CPU, None)
        self.assertIsNot(C2g.Allocator.get_default(CPU), tracking)
        self.assertEqual(tracking.get_current_bytes(), 400)
        tensor.free_memory()
        self.assertEqual(tracking.get_current_bytes(), 0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Allocator.set_default,
                         C2g.Device.parse('cuda'), tracking)

    def test_5_7_pressure(self):
        limiting = C2g.LimitingAllocator.new(None, 100)
        heard = self.record(limiting, 'pressure')
        self.assertEqual(limiting.allocate(100, None).get_n_bytes(), 100)
        self.assertFails(C2g.Error.NO_MEMORY, limiting.allocate, 101, None)
        self.assertEqual(heard, [(101,)])
