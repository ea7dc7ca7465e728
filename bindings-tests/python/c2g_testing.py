# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Code that the test modules share. A test's name begins with the number of its case in cases.md."""

import gc
import struct
import time
import unittest

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, Gio, GLib  # noqa: E402

CPU = C2g.Device.cpu()


def new_bytes(data):
    """Converts a bytes-like object to GLib.Bytes, because c2g accepts only these."""
    return GLib.Bytes.new(bytes(data))


def floats(*numbers):
    return new_bytes(struct.pack(f'={len(numbers)}f', *numbers))


def new_tensor(dims, data_type=C2g.DataType.FLOAT, allocator=None):
    tensor = C2g.Tensor.new_sized(dims, None)
    tensor.allocate(data_type)
    return tensor


def new_floats(*numbers):
    tensor = new_tensor([len(numbers)])
    tensor.set_bytes(floats(*numbers))
    return tensor


def numbers_of(tensor):
    return [tensor.get_value(i) for i in range(tensor.get_n_elements())]


class TestCase(unittest.TestCase):
    """Checks that every test frees all its memory."""

    def setUp(self):
        gc.collect()
        self.reporter = C2g.MemoryReporter.get_default()
        self.live_at_start = self.live()
        self.addCleanup(self.check_ledger)

    def live(self):
        return self.reporter.get_n_blocks(None), self.reporter.get_current_bytes(None)

    def check_ledger(self):
        gc.collect()
        # A thread may drop its references a moment after it has reported that it is done.
        for _ in range(1000):
            if self.live() == self.live_at_start:
                break
            time.sleep(0.001)
        self.assertEqual(self.live(), self.live_at_start)
        self.check_sum()

    def check_sum(self):
        blocks = self.reporter.list_blocks(None)
        self.assertEqual(sum(block.get_n_bytes() for block in blocks),
                         self.reporter.get_current_bytes(None))

    def assertFails(self, code, function, *args):
        """Calls the function, and returns the message of its C2gError."""
        with self.assertRaises(GLib.Error) as caught:
            function(*args)
        error = caught.exception
        self.assertTrue(error.matches(C2g.Error.quark(), code),
                        f'{error.domain} {error.code} is not {code}: {error.message}')
        return error.message

    def record(self, instance, signal):
        """Returns a list that collects the arguments of every emission during the test."""
        heard = []
        handler = instance.connect(signal, lambda _, *args: heard.append(args))
        self.addCleanup(instance.disconnect, handler)
        return heard

    def count_notify(self, instance, name):
        return self.record(instance, f'notify::{name}')
