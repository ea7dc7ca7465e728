# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Streams, events, contexts and allocators of GPUs, or of the fake runtime."""

import base64
import csv
import ctypes
import gc
import io
import pickle
import pickletools
import subprocess
import sys
import tempfile
import time
import unittest
import weakref
from pathlib import Path

import gi

from gi.repository import Gio, GObject

from c2g_testing import CPU, C2g, GLib, TestCase, new_floats, numbers_of

MIB = 1 << 20
NO_LIMIT = GLib.MAXUINT64
DONE = C2g.EventStatus.SUCCESS

try:
    gi.require_version('C2gCuda', '1')
    from gi.repository import C2gCuda
except (ImportError, ValueError) as error:
    raise unittest.SkipTest(str(error)) from None

CUDA = C2g.Device.parse('cuda:0')
ABSENT = C2g.Device.parse('cuda:15')

try:
    C2g.Context.for_device(CUDA)
except GLib.Error as error:
    raise unittest.SkipTest(error.message) from None


def count_faults():
    """Returns the number of ordering faults that the fake runtime found; 0 on a GPU, where they are not detected."""
    # Its symbol is visible through the library if the library runs on the fake runtime.
    runtime = ctypes.CDLL('libc2g-cuda-1.so.0')
    return runtime.fake_cuda_get_n_faults() if hasattr(runtime, 'fake_cuda_get_n_faults') else 0


class CudaTestCase(TestCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(lambda: self.assertEqual(count_faults(), 0))

    def new_far(self, *numbers, context=None):
        far = C2g.Tensor.new_for_device(CUDA)
        far.copy_from(new_floats(*numbers), context)
        return far

    def assertNear(self, far, *numbers):
        self.assertEqual(numbers_of(far.to_device(CPU)), list(numbers))


class Types(CudaTestCase):
    def test_23_1_constructors(self):
        stream = C2gCuda.Stream.new('cuda:0')
        storage = C2gCuda.CachingAllocator.new(CUDA).allocate(1000, None)
        tensor = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [10], storage, 0)
        made = {
            C2gCuda.AsyncAllocator: [C2gCuda.AsyncAllocator.new(CUDA),
                                     C2gCuda.AsyncAllocator.new_with_limit(CUDA, MIB)],
            C2gCuda.CachingAllocator: [C2gCuda.CachingAllocator.new(CUDA)],
            C2gCuda.Context: [C2gCuda.Context.new(CUDA), C2gCuda.Context.new_for_stream(stream)],
            C2gCuda.Event: [C2gCuda.Event.new(CUDA), C2gCuda.Event.new_with_timing(CUDA),
                            C2gCuda.Event.new_from_handle(CUDA, C2gCuda.Event.new(CUDA).get_handle())],
            C2gCuda.IpcExport: [C2gCuda.IpcExport.new(storage, None),
                                C2gCuda.IpcExport.new_for_tensor(tensor, C2gCuda.Context.new_for_stream(stream))],
            C2gCuda.PinnedAllocator: [C2gCuda.PinnedAllocator.new(), C2gCuda.PinnedAllocator(),
                                      C2gCuda.PinnedAllocator.get_staging()],
            C2gCuda.Stream: [stream, C2gCuda.Stream.new_with_priority(CUDA, -1),
                             C2gCuda.Stream.new_from_handle(CUDA, stream.get_handle())],
        }
        for kind, instances in made.items():
            for instance in instances:
                self.assertIsInstance(instance, kind)
        named = [getattr(C2gCuda, name) for name in dir(C2gCuda)]
        self.assertEqual({kind for kind in named if isinstance(kind, type) and issubclass(kind, GObject.Object)},
                         set(made))

    def test_23_2_absent_devices(self):
        for make in (C2gCuda.Stream.new, C2gCuda.Event.new, C2gCuda.Event.new_with_timing, C2gCuda.Context.new,
                     C2gCuda.AsyncAllocator.new, C2gCuda.CachingAllocator.new, C2g.Context.for_device,
                     new_floats(1).to_device):
            with self.subTest(make=make):
                self.assertIn('cuda:15', self.assertFails(C2g.Error.DEVICE, make, ABSENT))
        for make in (C2gCuda.Stream.new, C2gCuda.Event.new, C2gCuda.Context.new, C2gCuda.AsyncAllocator.new,
                     C2gCuda.CachingAllocator.new):
            with self.subTest(make=make):
                self.assertIn('cpu', self.assertFails(C2g.Error.DEVICE, make, CPU))
        self.assertFails(C2g.Error.DEVICE, C2gCuda.Stream.new_from_handle, CPU, 0)

    def test_23_3_bare_constructors(self):
        """Instances of the bare constructors, which have no device, refuse every call."""
        for kind in (C2gCuda.AsyncAllocator, C2gCuda.CachingAllocator):
            allocator = kind()
            self.assertIn('_new', self.assertFails(C2g.Error.NOT_SUPPORTED, allocator.allocate, 1, None))
            self.assertEqual((allocator.trim(0), allocator.get_peak_bytes()), (0, 0))


class Order(CudaTestCase):
    def test_23_4_streams(self):
        stream, other = C2gCuda.Stream.new(CUDA), C2gCuda.Stream.new_with_priority(CUDA, 100)
        self.assertEqual((stream.get_device(), stream.props.device), (CUDA, CUDA))
        self.assertNotEqual(stream.get_handle(), other.props.handle)
        self.assertFalse(stream.is_foreign())
        same = C2gCuda.Stream.new_from_handle(CUDA, stream.get_handle())
        self.assertEqual((same.get_handle(), same.is_foreign()), (stream.get_handle(), True))
        self.assertEqual(C2gCuda.Stream.new_from_handle(CUDA, 0).get_handle(), 0)
        message = self.assertFails(C2g.Error.NOT_SUPPORTED, C2gCuda.Stream.new_from_handle, CUDA, 2)
        self.assertIn('cudaStreamPerThread', message)
        self.assertEqual(stream.query(), DONE)
        far = self.new_far(1, 2, context=C2gCuda.Context.new_for_stream(stream))
        self.assertTrue(other.wait(stream))
        self.assertTrue(other.finish())
        self.assertEqual((stream.query(), other.query()), (DONE, DONE))
        self.assertNear(far, 1, 2)

    def test_23_5_events(self):
        stream, other = C2gCuda.Stream.new(CUDA), C2gCuda.Stream.new(CUDA)
        start, end = C2gCuda.Event.new_with_timing(CUDA), C2gCuda.Event.new_with_timing(CUDA)
        self.assertEqual((start.get_device(), start.is_foreign(), start.query()), (CUDA, False, DONE))
        self.assertFails(C2g.Error.DEVICE, end.get_elapsed, start)
        start.record(stream)
        far = self.new_far(1, 2, context=C2gCuda.Context.new_for_stream(stream))
        end.record(stream)
        self.assertTrue(end.wait(other))
        self.assertTrue(end.finish())
        self.assertEqual((end.query(), start.query()), (DONE, DONE))
        self.assertGreaterEqual(end.get_elapsed(start).milliseconds, 0)
        same = C2gCuda.Event.new_from_handle(CUDA, end.props.handle)
        self.assertEqual((same.get_handle(), same.is_foreign(), same.query()), (end.get_handle(), True, DONE))
        plain = C2gCuda.Event.new(CUDA)
        plain.record(stream)
        plain.finish()
        self.assertFails(C2g.Error.DEVICE, plain.get_elapsed, start)
        self.assertNear(far, 1, 2)

    def test_23_6_contexts(self):
        stream = C2gCuda.Stream.new(CUDA)
        context, other = C2gCuda.Context.new_for_stream(stream), C2gCuda.Context.new(CUDA)
        self.assertIs(context.get_stream(), stream)
        self.assertIs(context.props.stream, stream)
        self.assertNotEqual(other.get_stream().get_handle(), stream.get_handle())
        self.assertIsInstance(C2g.Context.for_device(CUDA), C2gCuda.Context)
        self.assertEqual(other.get_device(), CUDA)
        for wanted in (True, False):
            other.set_tf32_products(wanted)
            other.props.tf32_convolutions = wanted
            self.assertEqual((other.props.tf32_products, other.get_tf32_convolutions()), (wanted, wanted))

        far, event = self.new_far(1, 2, 3, context=context), C2g.Event.new(CUDA)
        context.record(event)
        self.assertTrue(other.wait(event))
        copy = far.clone(other)
        other.fill(far, 7)
        self.assertTrue(other.finish())
        self.assertTrue(event.is_finished())
        self.assertNear(copy, 1, 2, 3)
        self.assertNear(far, 7, 7, 7)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, context.record, C2g.Event.new(CPU))

    def test_23_7_random(self):
        context, other = C2gCuda.Context.new(CUDA), C2gCuda.Context.new(CUDA)
        drawn = []
        for drawing in (context, other):
            drawing.seed(42)
            far = self.new_far(*[0] * 1000, context=drawing)
            drawing.fill_uniform(far, -1, 1)
            drawing.finish()
            drawn.append(numbers_of(far.to_device(CPU)))
        self.assertEqual(drawn[0], drawn[1])
        self.assertTrue(all(-1 <= x < 1 for x in drawn[0]))
        context.fill_normal(far, 5, 0.5)
        context.finish()
        self.assertTrue(4.8 < sum(numbers_of(far.to_device(CPU))) / 1000 < 5.2)


class Tensors(CudaTestCase):
    def test_23_8_there_and_back(self):
        near = new_floats(1, 2, 3, 4)
        near.reshape([2, 2])
        far = near.to_device(CUDA)
        self.assertEqual((far.get_device(), far.get_dims()), (CUDA, [2, 2]))
        self.assertNotEqual(far.get_address(), near.get_address())
        back = far.to_device(CPU)
        self.assertEqual((back.get_dims(), numbers_of(back)), ([2, 2], [1, 2, 3, 4]))
        self.assertNear(far.slice(1, 2), 3, 4)
        far.extend(1, 50, None)
        self.assertEqual(far.get_dims(), [3, 2])
        self.assertEqual(numbers_of(far.to_device(CPU))[:4], [1, 2, 3, 4])
        strings = C2g.Tensor.new_sized([1], CUDA)
        self.assertFails(C2g.Error.NOT_SUPPORTED, strings.allocate, C2g.DataType.STRING)

    def test_23_9_no_reach(self):
        far = self.new_far(1)
        for reach in (lambda: far.get_value(0), lambda: far.map(C2g.MapFlags.READ),
                      lambda: far.get_storage().map(C2g.MapFlags.READ)):
            with self.subTest(reach=reach):
                self.assertIn('cuda:0', self.assertFails(C2g.Error.DEVICE, reach))
        self.assertFails(C2g.Error.DEVICE, far.copy_from, new_floats(1), C2gCuda.Context.new(second_device(self)))

    def test_23_10_blobs(self):
        workspace = C2g.Workspace()
        workspace.create_blob('far').set_object(self.new_far(1, 2))
        block, = self.reporter.list_blocks(CUDA)
        self.assertEqual((block.get_name(), block.get_device(), block.get_n_bytes()), ('far', CUDA, 8))
        self.assertEqual(self.reporter.get_current_bytes(CUDA), 8)
        folder = tempfile.TemporaryDirectory(prefix='c2g-cuda-')
        self.addCleanup(folder.cleanup)
        file = Gio.File.new_for_path(folder.name + '/far.minidb')
        workspace.save_checkpoint(file, None, None)
        for keep_device, device in ((False, CPU), (True, CUDA)):
            loaded = C2g.Workspace()
            loaded.load_checkpoint(file, C2g.LoadOptions(keep_device=keep_device), None)
            tensor = loaded.get_blob('far').get_object()
            self.assertEqual(tensor.get_device(), device)
            self.assertNear(tensor, 1, 2)

    def test_23_11_nets(self):
        text = """
            name: 'net' type: '%s' device_option { device_type: 1 }
            op { type: 'CopyCPUToGPU' input: 'x' output: 'far' }
            op { type: 'Relu' input: 'far' output: 'far' }
            op { type: 'Add' input: 'far' input: 'far' output: 'sum' }
            op { type: 'CopyGPUToCPU' input: 'sum' output: 'near' }"""
        for kind in ('simple', 'dag'):
            workspace = C2g.Workspace()
            workspace.create_blob('x').set_object(new_floats(-1, 0, 2))
            net = workspace.create_net(C2g.NetDef.new_from_text(text % kind), False)
            net.run(None)
            self.assertEqual(numbers_of(workspace.get_blob('near').get_object()), [0, 0, 4])
            self.assertEqual(workspace.get_blob('sum').get_object().get_device(), CUDA)
        far = "op { type: 'Relu' input: 'x' output: 'y' device_option { device_type: 1 } }"
        message = self.assertFails(C2g.Error.DEVICE, workspace.run_net_once, C2g.NetDef.new_from_text(far), None)
        self.assertIn('“x”', message)
        absent = "op { type: 'Relu' input: 'x' output: 'y' device_option { device_type: 1 cuda_gpu_id: 15 } }"
        self.assertIn('cuda:15', self.assertFails(C2g.Error.DEVICE, workspace.run_net_once,
                                                  C2g.NetDef.new_from_text(absent), None))

    def test_23_25_graphs(self):
        text = "device_option { device_type: 1 } op { type: 'Relu' input: 'x' output: 'y' }"
        workspace, stats = C2g.Workspace(), C2g.StatRegistry.get_default()
        workspace.create_blob('x').set_object(self.new_far(-1, 0, 2))
        net = workspace.create_net(C2g.NetDef.new_from_text(text), False)
        self.assertFalse(net.get_device_graph())
        net.props.device_graph = True
        self.assertTrue(net.get_device_graph())
        before = stats.get_value('net/graph_runs')
        for i in range(4):
            workspace.get_blob('x').get_object().copy_from(new_floats(-1, i, 2), None)
            net.run(None)
            self.assertNear(workspace.get_blob('y').get_object(), 0, i, 2)
        self.assertEqual(stats.get_value('net/graph_runs') - before, 2)
        net.set_device_graph(False)
        self.assertFalse(net.props.device_graph)

    def test_23_29_half(self):
        init = C2g.NetDef.new_from_text("""
            op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 1 ints: 3 }
                 arg { name: 'values' floats: 1 floats: 2 floats: 1 } }
            op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 2049 } }""")
        predict = C2g.NetDef.new_from_text("""
            external_input: 'x' external_input: 'w' external_input: 'b' external_output: 'y'
            op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }""")
        x, saved = new_floats(1, 2, 3), []
        x.reshape([1, 3])
        # There is no 2049 in float16.
        for flags, expected, n in (C2g.OptimizeFlags.ALL, 2057, 1), (C2g.OptimizeFlags.HALF, 2056, 3):
            predictor = C2g.Predictor.create(init, predict, None, CUDA, flags)
            y, = predictor.run([x], None)
            self.assertNear(y, expected)
            self.assertEqual((y.get_data_type(), predictor.get_net().get_n_operators()), (C2g.DataType.FLOAT, n))
            with tempfile.TemporaryDirectory() as folder:
                file = Gio.File.new_for_path(f'{folder}/model.minidb')
                self.assertTrue(predictor.save(file, None))
                saved.append(file.load_contents(None)[1])
            self.assertTrue(predictor.optimize(C2g.OptimizeFlags.NONE))
            self.assertEqual(predictor.get_net().get_n_operators(), 1)
        self.assertEqual(*saved)


class Allocators(CudaTestCase):
    def test_23_12_async(self):
        allocator = C2gCuda.AsyncAllocator.new(CUDA)
        self.assertEqual((allocator.get_device(), allocator.get_max_bytes()), (CUDA, NO_LIMIT))
        self.assertEqual(allocator.get_release_threshold(), NO_LIMIT)
        context = C2gCuda.Context.new(CUDA)
        storage = allocator.allocate(MIB, context)
        self.assertEqual((storage.get_n_bytes(), storage.get_device()), (MIB, CUDA))
        self.assertGreaterEqual(allocator.get_used_bytes(), MIB)
        self.assertGreaterEqual(allocator.get_reserved_bytes(), allocator.get_used_bytes())
        storage.reset()
        context.finish()
        self.assertEqual(allocator.props.used_bytes, 0)
        self.assertGreaterEqual(allocator.get_peak_used_bytes(), MIB)
        self.assertGreaterEqual(allocator.get_peak_bytes(), MIB)
        self.assertGreaterEqual(allocator.trim(0), MIB)
        self.assertEqual(allocator.get_reserved_bytes(), 0)
        allocator.reset_peaks()
        self.assertEqual((allocator.get_peak_bytes(), allocator.get_peak_used_bytes()), (0, 0))

        heard = self.count_notify(allocator, 'release-threshold')
        self.assertTrue(allocator.set_release_threshold(MIB))
        self.assertEqual((len(heard), allocator.props.release_threshold), (1, MIB))
        small = C2gCuda.AsyncAllocator.new_with_limit(CUDA, MIB)
        self.assertEqual(small.get_max_bytes(), MIB)
        self.assertIn('cuda:0', self.assertFails(C2g.Error.NO_MEMORY, small.allocate, 1 << 40, None))

    def test_23_13_caching(self):
        before = self.reporter.get_cached_bytes(CUDA)
        allocator = C2gCuda.CachingAllocator.new(CUDA)
        storage = allocator.allocate(1000, None)
        address = storage.get_address()
        self.assertEqual((allocator.get_requested_bytes(), allocator.get_allocated_bytes()), (1000, 1024))
        self.assertEqual((allocator.get_active_bytes(), allocator.get_n_active()), (1024, 1))
        self.assertEqual((allocator.get_n_allocated(), allocator.get_n_segments()), (1, 1))
        self.assertEqual(self.reporter.get_current_bytes(CUDA), 1000)
        storage.reset()
        self.assertEqual((allocator.get_n_allocated(), allocator.get_allocated_bytes()), (0, 0))
        self.assertEqual(allocator.props.peak_allocated_bytes, 1024)
        self.assertGreaterEqual(allocator.get_n_cached(), 1)
        cached = allocator.get_cached_bytes()
        self.assertEqual((cached, self.reporter.get_cached_bytes(CUDA) - before), (allocator.get_peak_bytes(), cached))
        self.assertEqual(allocator.allocate(1000, None).get_address(), address)
        self.assertEqual(allocator.trim(0), cached)
        self.assertEqual((allocator.get_cached_bytes(), allocator.get_n_segments()), (0, 0))
        allocator.reset_peaks()
        self.assertEqual((allocator.get_peak_bytes(), allocator.get_peak_allocated_bytes()), (0, 0))
        managed = C2gCuda.CachingAllocator.new_managed(CUDA)
        self.assertEqual(managed.allocate(8, None).get_device(), CUDA)
        self.assertGreater(managed.trim(0), 0)

    def test_23_14_limits(self):
        allocator = C2gCuda.CachingAllocator.new(CUDA)
        self.assertEqual((allocator.get_max_bytes(), allocator.get_max_fraction()), (NO_LIMIT, 1))
        heard, fraction_heard = self.count_notify(allocator, 'max-bytes'), self.count_notify(allocator, 'max-fraction')
        pressure, retried = self.record(allocator, 'pressure'), self.record(allocator, 'retried')
        allocator.set_max_bytes(32 * MIB)
        allocator.props.max_bytes = 32 * MIB
        kept = allocator.allocate(24 * MIB, None)
        message = self.assertFails(C2g.Error.NO_MEMORY, allocator.allocate, 16 * MIB, None)
        self.assertIn(str(32 * MIB), message)
        self.assertEqual((len(heard), pressure, len(retried)), (1, [(16 * MIB,)], allocator.get_n_retries()))
        self.assertEqual(allocator.get_n_ooms(), 1)
        kept.reset()
        # Cached memory is freed to make room.
        self.assertEqual(allocator.allocate(30 * MIB, None).get_n_bytes(), 30 * MIB)
        self.assertEqual(len(retried), allocator.get_n_retries())
        allocator.trim(0)
        allocator.set_max_bytes(NO_LIMIT)
        allocator.set_max_fraction(0)
        self.assertFails(C2g.Error.NO_MEMORY, allocator.allocate, 1, None)
        self.assertEqual((len(fraction_heard), allocator.props.max_fraction), (1, 0))

    def test_23_15_pinned(self):
        allocator = C2gCuda.PinnedAllocator()
        self.assertEqual((allocator.get_device(), allocator.get_max_bytes()), (CPU, NO_LIMIT))
        storage = allocator.allocate(1000, None)
        self.assertEqual((storage.get_device(), self.reporter.get_current_bytes(CPU)), (CPU, 1000))
        self.assertGreaterEqual(allocator.get_allocated_bytes(), 1000)
        self.assertEqual(allocator.get_active_bytes(), allocator.props.allocated_bytes)
        storage.reset()
        self.assertEqual(allocator.get_allocated_bytes(), 0)
        cached = allocator.get_cached_bytes()
        self.assertGreaterEqual(cached, 1000)
        self.assertEqual((allocator.get_peak_bytes(), allocator.trim(0)), (cached, cached))
        allocator.reset_peak()
        self.assertEqual((allocator.get_peak_bytes(), allocator.get_cached_bytes()), (0, 0))
        heard = self.count_notify(allocator, 'max-bytes')
        allocator.set_max_bytes(0)
        self.assertFails(C2g.Error.NO_MEMORY, allocator.allocate, 1, None)
        self.assertEqual(len(heard), 1)

    def test_23_16_stacks(self):
        """The adaptors work with these allocators, and the log names the device."""
        for make in (C2gCuda.AsyncAllocator.new, C2gCuda.CachingAllocator.new):
            stream = Gio.MemoryOutputStream.new_resizable()
            tracking = C2g.TrackingAllocator.new(make(CUDA))
            allocator = C2g.LoggingAllocator.new(C2g.LimitingAllocator.new(tracking, 1000), stream)
            self.assertEqual(allocator.get_device(), CUDA)
            storage = allocator.allocate(600, None)
            self.assertEqual(tracking.get_current_bytes(), 600)
            self.assertFails(C2g.Error.NO_MEMORY, allocator.allocate, 401, None)
            storage.reset()
            self.assertEqual((tracking.get_current_bytes(), tracking.get_peak_bytes()), (0, 600))
            stream.close(None)
            lines = csv.DictReader(io.StringIO(stream.steal_as_bytes().get_data().decode()))
            self.assertEqual([(line['action'], int(line['bytes']), line['device']) for line in lines],
                             [('allocate', 600, 'cuda:0'), ('fail', 401, 'cuda:0'), ('release', 600, 'cuda:0')])

    def test_23_17_default(self):
        allocator = C2gCuda.CachingAllocator.new(CUDA)
        C2g.Allocator.set_default(CUDA, allocator)
        try:
            self.assertIs(C2g.Allocator.get_default(CUDA), allocator)
            far = self.new_far(1, 2)
        finally:
            C2g.Allocator.set_default(CUDA, None)
        self.assertEqual((allocator.get_n_allocated(), far.get_storage().get_allocator()), (1, allocator))
        self.assertIsNot(C2g.Allocator.get_default(CUDA), allocator)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Allocator.set_default, CPU, allocator)
        del far
        self.assertEqual(allocator.get_n_allocated(), 0)

    def test_23_18_other_streams(self):
        """A block is reused only after the work of all streams that used it."""
        for make in (C2gCuda.AsyncAllocator.new, C2gCuda.CachingAllocator.new):
            allocator, contexts = make(CUDA), [C2gCuda.Context.new(CUDA) for _ in range(2)]
            storage = allocator.allocate(MIB, contexts[0])
            storage.record_use(contexts[1])
            storage.reset()
            again = allocator.allocate(MIB, contexts[0])
            self.assertEqual(again.get_n_bytes(), MIB)
            for context in contexts:
                context.finish()

    def save_snapshot(self, allocator):
        """Returns a snapshot, after a check that PyTorch's page can read it."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'memory.pickle'
            self.assertTrue(allocator.save_snapshot(path))
            data = path.read_bytes()
        names = {opcode.name for opcode, _, _ in pickletools.genops(data)}
        self.assertLessEqual(
            names, {'PROTO', 'EMPTY_DICT', 'EMPTY_LIST', 'MARK', 'BINUNICODE', 'LONG1', 'NEWTRUE', 'NEWFALSE', 'APPEND', 'SETITEMS', 'STOP'}
        )
        snapshot = pickle.loads(data)
        self.assertEqual(len(snapshot['device_traces']), 1)
        for segment in snapshot['segments']:
            blocks = segment['blocks']
            self.assertEqual(segment['total_size'], sum(block['size'] for block in blocks))
            self.assertEqual(blocks[0]['address'], segment['address'])
            for block, following in zip(blocks, blocks[1:]):
                self.assertEqual(block['address'] + block['size'], following['address'])
        return snapshot

    def test_23_26_snapshot(self):
        allocator, contexts = C2gCuda.CachingAllocator.new(CUDA), [C2gCuda.Context.new(CUDA) for _ in range(2)]
        self.assertEqual(self.save_snapshot(allocator), {'segments': [], 'device_traces': [[]]})
        held = [allocator.allocate(n_bytes, contexts[0]) for n_bytes in (1000, 3 * MIB, 40 * MIB)]
        allocator.allocate(5000, contexts[0]).reset()
        used = allocator.allocate(2 * MIB, contexts[0])
        used.record_use(contexts[1])
        used.reset()

        segments = self.save_snapshot(allocator)['segments']
        blocks = [block for segment in segments for block in segment['blocks']]
        states = {
            state: [block for block in blocks if block['state'] == state]
            for state in ('active_allocated', 'active_pending_free', 'inactive')
        }
        active = states['active_allocated'] + states['active_pending_free']
        self.assertEqual(sum(map(len, states.values())), len(blocks))
        self.assertEqual(
            {block['address']: block['requested_size'] for block in states['active_allocated']},
            {storage.get_address(): storage.get_n_bytes() for storage in held},
        )
        self.assertEqual({block['stream'] for block in active}, {contexts[0].get_stream().get_handle()})
        for value, expected in (
            (len(segments), allocator.get_n_segments()),
            (len(states['active_allocated']), allocator.get_n_allocated()),
            (len(active), allocator.get_n_active()),
            (len(states['inactive']), allocator.get_n_cached()),
            (sum(block['size'] for block in active), allocator.get_active_bytes()),
            (sum(block['size'] for block in states['inactive']), allocator.get_cached_bytes()),
            (sum(segment['allocated_size'] for segment in segments), allocator.get_allocated_bytes()),
            (sum(segment['active_size'] for segment in segments), allocator.get_active_bytes()),
            (sum(segment['requested_size'] for segment in segments), allocator.get_requested_bytes()),
        ):
            self.assertEqual(value, expected)
        self.assertEqual({segment['device'] for segment in segments}, {0})
        self.assertEqual({segment['segment_type'] for segment in segments}, {'small', 'large'})
        with self.assertRaises(GLib.Error):
            allocator.save_snapshot('/proc/none/memory.pickle')

    def save_history(self, allocator):
        """Returns the actions of a history with their sizes, after a check that they lead to the segments."""
        snapshot = self.save_snapshot(allocator)
        blocks, segments, mapped = {}, {}, set()
        for entry in snapshot['device_traces'][0]:
            address, size = entry.get('addr'), entry['size']
            kinds = {'frames', 'action', 'size', 'stream', 'time_us', 'addr' if address is not None else 'device_free'}
            self.assertEqual(set(entry), kinds)
            match entry['action']:
                case 'alloc':
                    is_mapped = address - address % (2 * MIB) in mapped
                    self.assertTrue(is_mapped or any(begin <= address < begin + n for begin, n in segments.items()))
                    blocks[address] = size
                case 'free_completed':
                    self.assertEqual(blocks.pop(address), size)
                case 'segment_alloc':
                    segments[address] = size
                case 'segment_free':
                    self.assertEqual(segments.pop(address), size)
                case 'segment_map' | 'segment_unmap':
                    pages = range(address, address + size, 2 * MIB)
                    for page in pages:
                        self.assertEqual(page in mapped, entry['action'] == 'segment_unmap')
                    mapped = mapped.symmetric_difference(pages)
        ends = {segment['address']: segment['address'] + segment['total_size'] for segment in snapshot['segments']}
        if allocator.has_expandable_segments():
            self.assertEqual(mapped, {page for begin, end in ends.items() for page in range(begin, end, 2 * MIB)})
        else:
            self.assertEqual({begin: begin + size for begin, size in segments.items()}, ends)
        active = [block for segment in snapshot['segments'] for block in segment['blocks'] if block['state'] != 'inactive']
        self.assertEqual(blocks, {block['address']: block['requested_size'] for block in active})
        times = [entry['time_us'] for entry in snapshot['device_traces'][0]]
        self.assertEqual(times, sorted(times))
        self.assertLess(abs(times[-1] / 1e6 - time.time()), 60)
        return [(entry['action'], entry['size']) for entry in snapshot['device_traces'][0]]

    def test_23_27_history(self):
        """What happened to memory, for the timeline of PyTorch's page."""
        allocator, contexts = C2gCuda.CachingAllocator.new(CUDA), [C2gCuda.Context.new(CUDA) for _ in range(2)]
        self.assertEqual(allocator.props.history_max_entries, 0)
        allocator.allocate(1000, contexts[0]).reset()
        self.assertEqual(self.save_snapshot(allocator)['device_traces'], [[]])
        allocator.trim(0)
        allocator.props.history_max_entries = 100
        held, used = allocator.allocate(1000, contexts[0]), allocator.allocate(3 * MIB, contexts[0])
        used.record_use(contexts[1])
        used.reset()
        for context in contexts:
            context.finish()
        allocator.trim(0)
        held.reset()
        with self.assertRaises(GLib.Error):
            allocator.allocate(1 << 60, None)
        large = [('segment_alloc', 4 * MIB), ('alloc', 3 * MIB), ('free_requested', 3 * MIB), ('free_completed', 3 * MIB)]
        expected = [
            ('segment_alloc', 2 * MIB),
            ('alloc', 1000),
            *large,
            ('segment_free', 4 * MIB),
            ('free_requested', 1000),
            ('free_completed', 1000),
            ('segment_free', 2 * MIB),
            ('oom', 1 << 60),
            ('snapshot', 0),
        ]
        self.assertEqual(self.save_history(allocator), expected)
        # A shorter history is the newest part of it.
        allocator.set_history_max_entries(4)
        newest = self.save_snapshot(allocator)['device_traces'][0]
        self.assertEqual([entry['action'] for entry in newest], ['segment_free', 'oom', 'snapshot', 'snapshot'])
        self.assertEqual(allocator.get_history_max_entries(), 4)
        allocator.set_history_max_entries(0)
        self.assertEqual(self.save_snapshot(allocator)['device_traces'], [[]])

    def test_23_28_expandable_segments(self):
        allocator, context = C2gCuda.CachingAllocator.new_expandable(CUDA), C2gCuda.Context.new(CUDA)
        self.assertTrue(allocator.props.expandable_segments)
        self.assertFalse(C2gCuda.CachingAllocator.new(CUDA).has_expandable_segments())
        allocator.set_history_max_entries(1000)
        for n in range(4, 40, 4):
            allocator.allocate(n * MIB, context).reset()
        small, last = allocator.allocate(1000, context), allocator.allocate(44 * MIB, context)
        self.assertEqual(allocator.get_n_segments(), 2)
        self.assertLess(allocator.get_peak_bytes(), 50 * MIB)
        segments = self.save_snapshot(allocator)['segments']
        self.assertEqual({(segment['is_expandable'], segment['stream']) for segment in segments}, {(True, 0)})
        last.reset()
        context.finish()
        allocator.trim(10 * MIB)
        actions = [action for action, _ in self.save_history(allocator)]
        self.assertIn('segment_unmap', actions)
        self.assertNotIn('segment_alloc', actions)
        far = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [250], small, 0)
        far.fill(7)
        self.assertEqual(numbers_of(far.to_device(CPU)), [7.0] * 250)


class Sharing(CudaTestCase):
    def test_23_19_streams_of_others(self):
        """DLPack and the array interface, with the stream of a context."""
        stream = C2gCuda.Stream.new(CUDA)
        context = C2gCuda.Context.new_for_stream(stream)
        far = self.new_far(1, 2, 3, context=context)
        self.assertEqual(C2g.dlpack_get_stream(CUDA, context), stream.get_handle())
        for version in (None, (1, 0)):
            capsule = far.__dlpack__(stream=stream.get_handle(), max_version=version)
            back = C2g.from_dlpack(capsule)
            context.fill(back, 7)
            context.finish()
            self.assertEqual(back.get_address(), far.get_address())
        self.assertNear(far, 7, 7, 7)
        interface = far.__cuda_array_interface__
        self.assertEqual((interface['shape'], interface['data']), ((3,), (far.get_address(), False)))
        near = C2g.from_dlpack(far.__dlpack__(dl_device=(1, 0)))
        self.assertEqual((near.get_device(), numbers_of(near)), (CPU, [7, 7, 7]))
        self.assertTrue(far.lend_to_stream(stream.get_handle()))
        self.assertIn('cuda:0', self.assertFails(C2g.Error.DEVICE, C2g.dlpack_get_stream, CUDA, C2g.CpuContext()))


class Lender:
    """An array of another library on a GPU."""

    def __init__(self, tensor, **changes):
        self.tensor = tensor
        self.__cuda_array_interface__ = {'version': 3, 'shape': tuple(tensor.get_dims()), 'typestr': '<f4',
                                         'data': (tensor.get_address(), False), **changes}


class Interfaces(CudaTestCase):
    def test_23_22_lent(self):
        """Work of the context waits for the producer's stream; without a context the call waits."""
        stream = C2gCuda.Stream.new(CUDA)
        theirs, ours = C2gCuda.Context.new_for_stream(stream), C2gCuda.Context.new(CUDA)
        for context in (ours, None):
            for named, working in ((stream.get_handle(), theirs), (1, theirs), (2, None), (None, None)):
                with self.subTest(context=context, named=named):
                    lender = Lender(self.new_far(1, 2, context=working), stream=named)
                    if named == 1:
                        C2gCuda.Stream.new_from_handle(CUDA, 1).wait(stream)
                    alive = weakref.ref(lender)
                    tensor = C2g.from_dlpack(lender, context)
                    self.assertEqual(tensor.get_address(), lender.tensor.get_address())
                    del lender
                    self.assertEqual((tensor.get_device(), tensor.get_dims()), (CUDA, [2]))
                    copy = tensor.clone(context)
                    ours.finish()
                    self.assertNear(copy, 1, 2)
                    self.assertIsNotNone(alive())
                    del tensor
                    gc.collect()
                    # The memory goes back when the work is done that was queued so far.
                    for used in (theirs, ours, C2g.Context.for_device(CUDA)):
                        used.finish()
                    self.assertIsNone(alive())

    def test_23_23_kinds_of_lent(self):
        far = self.new_far(1, 2, 3, 4)
        address = far.get_address()
        rows = C2g.from_dlpack(Lender(far, shape=(2, 2), strides=(8, 4)))
        self.assertEqual((rows.get_dims(), rows.get_address()), ([2, 2], address))
        self.assertTrue(C2g.from_dlpack(Lender(far, data=(address, True))).get_storage().is_read_only())
        self.assertEqual(C2g.from_dlpack(Lender(far, typestr='<i4')).get_data_type(), C2g.DataType.INT32)
        self.assertEqual(C2g.from_dlpack(Lender(far, shape=(16,), typestr='|b1')).get_data_type(), C2g.DataType.BOOL)
        self.assertEqual(C2g.from_dlpack(Lender(far, shape=())).get_n_elements(), 1)
        self.assertNotEqual(C2g.from_dlpack(Lender(far), copy=True).get_address(), address)
        for context in (None, C2gCuda.Context.new(CUDA)):
            empty = C2g.from_dlpack(Lender(far, shape=(0, 3), data=(0, False)), context)
            self.assertEqual((empty.get_device(), empty.get_dims()), (CUDA, [0, 3]))

    def test_23_24_never_lent(self):
        far, near = self.new_far(1, 2, 3, 4), new_floats(1)
        for changes in ({'typestr': '>f4'}, {'typestr': '<c8'}, {'typestr': '|V4'}, {'typestr': '<i'}, {'typestr': 'float'},
                        {'mask': far}, {'shape': (2,), 'strides': (4, 4)}, {'shape': (2, 2), 'strides': (4,)},
                        {'shape': (2,), 'strides': (8,)}, {'shape': (2,), 'strides': (6,)}, {'shape': (-1,)},
                        {'data': (near.get_address(), False)}):
            with self.subTest(changes=changes), self.assertRaises(BufferError):
                C2g.from_dlpack(Lender(far, **changes))
        self.assertRaises(ValueError, C2g.from_dlpack, Lender(far, stream=0))
        self.assertRaises(BufferError, C2g.from_dlpack, Lender(far), C2g.CpuContext())
        self.assertIn('0x0', self.assertFails(C2g.Error.DEVICE, C2gCuda.find_device, 0))


def second_device(test):
    if C2g.Device.count(C2g.DeviceType.CUDA) < 2:
        test.skipTest('there is one device only')
    return C2g.Device.parse('cuda:1')


class SecondDevice(CudaTestCase):
    def test_23_20_between_devices(self):
        second = second_device(self)
        context, other = C2gCuda.Context.new(CUDA), C2gCuda.Context.new(second)
        far, event = self.new_far(1, 2, context=context), C2g.Event.new(CUDA)
        context.record(event)
        self.assertTrue(other.wait(event))
        farther = C2g.Tensor.new_for_device(second)
        farther.copy_from(far, other)
        other.finish()
        self.assertEqual(farther.get_device(), second)
        self.assertNear(farther, 1, 2)
        event, near = C2gCuda.Event.new(second), C2gCuda.Stream.new(CUDA)
        event.record(other.get_stream())
        self.assertTrue(event.wait(near))
        self.assertTrue(near.finish())


def use_elsewhere(text):
    """The part of the other process: it finds 3 in the memory, and writes 4."""
    handle, context = GLib.Bytes.new(base64.b64decode(text)), C2gCuda.Context.new(CUDA)
    tensor = C2gCuda.ipc_open_tensor(handle, context)
    found = tensor.get_dims(), numbers_of(tensor.to_device(CPU)), C2gCuda.ipc_open_storage(handle, context).get_n_bytes()
    context.fill(tensor, 4)
    context.finish()
    return found == ([2], [3, 3], 8) and count_faults() == 0


class Processes(CudaTestCase):
    def test_23_21_other_process(self):
        context = C2gCuda.Context.new(CUDA)
        storage = C2gCuda.CachingAllocator.new(CUDA).allocate(8, context)
        far = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [2], storage, 0)
        context.fill(far, 3)
        export = C2gCuda.IpcExport.new_for_tensor(far, context)
        handle = export.get_handle()
        self.assertEqual(export.get_storage().get_address(), storage.get_address())
        for opens in (C2gCuda.ipc_open_storage, C2gCuda.ipc_open_tensor):
            self.assertFails(C2g.Error.NOT_SUPPORTED, opens, handle, context)
            self.assertFails(C2g.Error.CORRUPT, opens, GLib.Bytes.new(b'handle'), context)
        subprocess.run([sys.executable, __file__, base64.b64encode(handle.get_data())], check=True)
        self.assertNear(far, 4, 4)


if __name__ == '__main__':
    sys.exit(not use_elsewhere(sys.argv[1]))
