# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Allocators written in Python."""

import contextlib
import io
import sys

from gi.repository import Gio

from c2g_testing import CPU, C2g, GLib, TestCase, new_bytes, new_tensor


class Counting(C2g.Allocator):
    """Chains up, and counts blocks."""

    def __init__(self):
        super().__init__()
        self.live = {}

    def do_allocate(self, n_bytes, context):
        storage = C2g.Allocator.do_allocate(self, n_bytes, context)
        self.live[storage.get_address()] = n_bytes
        return storage

    def do_released(self, address, n_bytes):
        assert self.live.pop(address) == n_bytes


class Upstream(C2g.Allocator):
    """Uses an upstream allocator, to which it forwards."""

    def __init__(self, upstream):
        super().__init__()
        self.upstream = upstream
        self.released = []

    def do_allocate(self, n_bytes, context):
        return self.upstream.allocate(n_bytes, context)

    def do_released(self, address, n_bytes):
        self.released.append(n_bytes)

    def do_get_alignment(self):
        return self.upstream.get_alignment()

    def do_trim(self, keep_bytes):
        return self.upstream.trim(keep_bytes)


class Hearing(C2g.AdaptorAllocator):
    """Overrides only `released`."""

    def __init__(self, **properties):
        super().__init__(**properties)
        self.released = []

    def do_released(self, address, n_bytes):
        self.released.append(n_bytes)


class Asking(C2g.AdaptorAllocator):
    """Chains up to the adaptor, which uses the upstream."""

    def __init__(self, **properties):
        super().__init__(**properties)
        self.asked = []

    def do_allocate(self, n_bytes, context):
        self.asked.append(n_bytes)
        return C2g.AdaptorAllocator.do_allocate(self, n_bytes, context)


class Hostile(C2g.Allocator):
    """Returns the result of a given function."""

    def __init__(self, give):
        super().__init__()
        self.give = give
        self.n_released = 0

    def do_allocate(self, n_bytes, context):
        return self.give(n_bytes)

    def do_released(self, address, n_bytes):
        self.n_released += 1


class Elsewhere(C2g.Allocator):
    def do_get_device(self):
        return C2g.Device.parse('cuda:1')


def misaligned(n_bytes):
    """Gives memory that is aligned to 16 bytes only."""
    upstream = C2g.CpuAllocator.new_aligned(16)
    kept = []
    while True:
        storage = upstream.allocate(n_bytes, None)
        if storage.get_address() % 64 != 0:
            return storage
        kept.append(storage)


def raise_(error):
    raise error


@contextlib.contextmanager
def quiet():
    """Hides exceptions of virtual functions, which PyGObject prints, and drops their stack frames, which Python keeps."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield
    for name in ('last_type', 'last_value', 'last_traceback', 'last_exc'):
        if hasattr(sys, name):
            delattr(sys, name)


class OwnAllocators(TestCase):
    def test_12_1_chain_up(self):
        allocator = Counting()
        self.assertEqual((allocator.get_device(), allocator.get_alignment()), (CPU, 64))
        storage = allocator.allocate(1000, None)
        self.assertEqual(allocator.live, {storage.get_address(): 1000})
        self.assertEqual((storage.use_count(), storage.get_address() % 64), (1, 0))
        del storage
        self.assertEqual(allocator.live, {})

    def test_12_2_upstream(self):
        pool = C2g.PoolAllocator.new(None)
        allocator = Upstream(pool)
        storage = allocator.allocate(1000, None)
        self.assertIs(storage.get_allocator(), pool)
        storage.reset()
        self.assertEqual((allocator.released, allocator.get_alignment()), ([1000], pool.get_alignment()))
        self.assertGreaterEqual(pool.get_cached_bytes(), 1000)
        self.assertGreaterEqual(allocator.trim(0), 1000)

    def test_12_3_default(self):
        allocator = Counting()
        C2g.Allocator.set_default(CPU, allocator)
        try:
            tensor = new_tensor([100])
            other = tensor.clone(None)
            other.extend(100, 0, None)
            strings = new_tensor([10], C2g.DataType.STRING)
            strings.set_element(0, 'text')
        finally:
            C2g.Allocator.set_default(CPU, None)
        self.assertEqual(sorted(allocator.live.values()), [80, 400, 800])
        self.assertFalse(tensor.shares_data())
        tensor.free_memory()
        del other, strings
        self.assertEqual(allocator.live, {})

    def test_12_4_in_a_stack(self):
        """Between allocators of c2g, `released` is called before the block is freed."""
        tracking = C2g.TrackingAllocator.new(None)
        allocator = Upstream(tracking)
        limiting = C2g.LimitingAllocator.new(allocator, 100)
        storage = limiting.allocate(100, None)
        self.assertEqual(tracking.get_n_blocks(), 1)
        self.assertFails(C2g.Error.NO_MEMORY, limiting.allocate, 1, None)
        storage.reset()
        self.assertEqual((tracking.get_n_blocks(), allocator.released), (0, [100]))

    def test_12_5_refused(self):
        tensor = new_tensor([1000])
        ground = C2g.CpuAllocator.new()
        for name, give in (
                ('nothing', lambda n_bytes: None),
                ('too little', lambda n_bytes: ground.allocate(n_bytes - 1, None)),
                ('read-only', lambda n_bytes: C2g.Storage.new_from_bytes(new_bytes(bytes(n_bytes)))),
                ('misaligned', misaligned),
                ('in use', lambda n_bytes: tensor.get_storage()),
                ('not a storage', lambda n_bytes: 'memory'),
                ('raises ValueError', lambda n_bytes: raise_(ValueError('no')))):
            with self.subTest(name=name):
                live = self.live()
                allocator = Hostile(give)
                with quiet():
                    message = self.assertFails(C2g.Error.FAILED, allocator.allocate, 1000, None)
                self.assertIn('Hostile', message)
                self.assertEqual((self.live(), allocator.n_released), (live, 0))
        self.assertFalse(tensor.shares_data())

    def test_12_6_own_errors(self):
        live = self.live()
        for domain, code in ((C2g.Error.quark(), C2g.Error.DEVICE), (Gio.io_error_quark(), Gio.IOErrorEnum.BUSY)):
            with self.subTest(domain=GLib.quark_to_string(domain)):
                error = GLib.Error.new_literal(domain, 'my own reason', code)
                with quiet(), self.assertRaises(GLib.Error) as caught:
                    Hostile(lambda n_bytes: raise_(error)).allocate(10, None)
                self.assertTrue(caught.exception.matches(domain, code))
                self.assertEqual(caught.exception.message, 'my own reason')
        self.assertEqual(self.live(), live)

    def test_12_7_refused_for_tensors(self):
        """A tensor does not change when an allocation fails."""
        tensor = new_tensor([10])
        tensor.set_value(0, 5)
        C2g.Allocator.set_default(CPU, Hostile(lambda n_bytes: None))
        try:
            self.assertFails(C2g.Error.FAILED, tensor.extend, 1000, 0, None)
            self.assertFails(C2g.Error.FAILED, tensor.clone, None)
        finally:
            C2g.Allocator.set_default(CPU, None)
        self.assertEqual((tensor.get_dims(), tensor.get_value(0)), ([10], 5))

    def test_12_8_elsewhere(self):
        allocator = Elsewhere()
        self.assertEqual(allocator.get_device().to_string(), 'cuda:1')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Allocator.set_default, CPU, allocator)

    def test_12_9_allocator_is_kept(self):
        """A live block keeps its allocator alive."""
        allocator = Counting()
        gone = []
        allocator.weak_ref(gone.append, True)
        live = allocator.live
        storage = allocator.allocate(10, None)
        del allocator
        self.assertEqual(gone, [])
        del storage
        self.assertEqual((live, gone), ({}, [True]))

    def test_12_10_adaptor(self):
        """Functions that are not overridden are forwarded to the upstream."""
        pool = C2g.PoolAllocator.new(C2g.CpuAllocator.new_aligned(128))
        hearing = Hearing(upstream=pool)
        asking = Asking(upstream=hearing)
        self.assertIs(asking.get_upstream(), hearing)
        self.assertEqual((asking.get_device(), asking.get_alignment()), (CPU, 128))
        storage = asking.allocate(1000, None)
        self.assertIs(storage.get_allocator(), pool)
        self.assertEqual((asking.asked, hearing.released), ([1000], []))
        storage.reset()
        self.assertEqual(hearing.released, [1000])
        self.assertGreaterEqual(asking.trim(0), 1000)

        C2g.Allocator.set_default(CPU, asking)
        try:
            self.assertIsInstance(Hearing().get_upstream(), C2g.CpuAllocator)
        finally:
            C2g.Allocator.set_default(CPU, None)
