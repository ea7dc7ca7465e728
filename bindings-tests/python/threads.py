# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Python threads that use the same objects."""

import random
import threading

from c2g_testing import CPU, C2g, GLib, TestCase, new_tensor

NAMES = [f'name {i}' for i in range(6)]


class Threads(TestCase):
    def run_threads(self, works):
        """Runs the functions in threads, and fails if one of them has raised an exception."""
        barrier = threading.Barrier(len(works))
        wrong = []

        def run(work, seed):
            barrier.wait()
            try:
                work(random.Random(seed))
            except Exception as error:
                wrong.append(error)

        threads = [threading.Thread(target=run, args=(work, seed)) for seed, work in enumerate(works)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_14_1_workspace(self):
        """Threads that read, create, remove and rename blobs of the same few names."""
        workspace = C2g.Workspace()
        child = C2g.Workspace.new_with_parent(workspace)
        balance = {'added': 0, 'removed': 0}
        lock = threading.Lock()

        def count(kind):
            with lock:
                balance[kind] += 1

        workspace.connect('blob-added', lambda *_: count('added'))
        workspace.connect('blob-removed', lambda *_: count('removed'))

        def create(rng):
            for _ in range(400):
                blob = workspace.create_blob(rng.choice(NAMES))
                self.assertIsInstance(blob, C2g.Blob)

        def remove(rng):
            for _ in range(400):
                workspace.remove_blob(rng.choice(NAMES))

        def read(rng):
            for _ in range(400):
                name = rng.choice(NAMES)
                try:
                    self.assertIsInstance(child.get_blob(name), C2g.Blob)
                except GLib.Error as error:
                    self.assertTrue(error.matches(C2g.Error.quark(), C2g.Error.NOT_FOUND), error)
                self.assertLessEqual(len(child.list_blobs()), len(NAMES))
                child.has_blob(name)

        def rename(rng):
            for _ in range(200):
                old, new = rng.sample(NAMES, 2)
                try:
                    workspace.rename_blob(old, new)
                except GLib.Error as error:
                    self.assertTrue(error.matches(C2g.Error.quark(), C2g.Error.NOT_FOUND)
                                    or error.matches(C2g.Error.quark(), C2g.Error.EXISTS), error)

        def report(_):
            for _ in range(100):
                workspace.dup_report()

        self.run_threads([create, create, remove, remove, read, read, rename, report])
        names = workspace.list_blobs()
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(balance['added'] - balance['removed'], len(names))
        for name in names:
            self.assertEqual(workspace.get_blob(name).get_name(), name)
        context = GLib.MainContext.default()
        while context.iteration(False):
            pass
        self.assertEqual([blob.get_name() for blob in workspace[:]], names)

    def test_14_2_own_allocator(self):
        """An allocator written in Python serves several threads."""
        class Shared(C2g.Allocator):
            def __init__(self):
                super().__init__()
                self.lock = threading.Lock()
                self.live = 0
                self.n_allocated = 0

            def do_allocate(self, n_bytes, context):
                with self.lock:
                    self.live += n_bytes
                    self.n_allocated += 1
                return C2g.Allocator.do_allocate(self, n_bytes, context)

            def do_released(self, address, n_bytes):
                with self.lock:
                    self.live -= n_bytes

        allocator = Shared()
        C2g.Allocator.set_default(CPU, allocator)

        def work(rng):
            for _ in range(200):
                tensor = new_tensor([rng.randrange(1, 1000)])
                tensor.set_value(0, 1)
                del tensor

        try:
            self.run_threads([work] * 6)
        finally:
            C2g.Allocator.set_default(CPU, None)
        self.assertEqual((allocator.live, allocator.n_allocated), (0, 1200))

    def test_14_3_storages_cross_threads(self):
        """Memory that one thread allocates is freed by another one."""
        handed = []

        def give(_):
            handed.extend(new_tensor([100]) for _ in range(500))

        def take(_):
            for _ in range(500):
                if handed:
                    handed.pop()

        self.run_threads([give, give, take, take])
        handed.clear()
        self.check_ledger()

    def test_14_4_tensors_of_one_name(self):
        """Each thread gets its own tensor, and saving never sees a blob without a tensor."""
        workspace = C2g.Workspace()

        def create(rng):
            for i in range(200):
                tensor = workspace.create_tensor('x', C2g.DataType.FLOAT, [rng.randrange(1, 50)])
                tensor.set_value(0, i)

        def fill(_):
            for _ in range(200):
                workspace.create_blob('text').set_value('text')
                workspace.remove_blob('text')

        def remove(_):
            for _ in range(200):
                workspace.remove_blob('x')

        def save(_):
            for _ in range(50):
                workspace.save_checkpoint_to_bytes(None, None)

        self.run_threads([create, create, fill, remove, save])
