# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Lifetimes of objects under a garbage collector."""

import gc
import weakref

from c2g_testing import C2g, TestCase, floats, new_floats, new_tensor, numbers_of


class Lifetimes(TestCase):
    def watch(self, instance):
        gone = []
        instance.weak_ref(gone.append, True)
        return gone

    def test_13_1_dropped(self):
        for make in (C2g.Tensor, C2g.Blob, C2g.Workspace, C2g.CpuContext, C2g.Event, C2g.PoolAllocator):
            with self.subTest(make=make.__name__):
                instance = make()
                gone = self.watch(instance)
                instance.cycle = [instance]
                del instance
                gc.collect()
                self.assertEqual(gone, [True])

    def test_13_2_mapping_outlives_tensor(self):
        tensor = new_floats(1, 2)
        gone = self.watch(tensor)
        mapping = tensor.map(C2g.MapFlags.READ_WRITE)
        del tensor
        gc.collect()
        self.assertEqual(gone, [True])
        mapping.write(0, floats(5))
        self.assertEqual(bytes(mapping.get_data()), floats(5, 2).get_data())
        self.assertEqual(self.live()[0], self.live_at_start[0] + 1)
        live_bytes = mapping.ref_bytes()
        mapping.unmap()
        self.assertEqual(live_bytes.get_data(), floats(5, 2).get_data())
        del live_bytes
        self.assertEqual(self.live(), self.live_at_start)

    def test_13_3_mapping_outlives_block(self):
        tensor = new_floats(1, 2)
        mapping = tensor.map(C2g.MapFlags.READ)
        tensor.resize([1000])
        tensor.allocate(C2g.DataType.FLOAT)
        self.assertNotEqual(mapping.get_address(), tensor.get_address())
        self.assertEqual(bytes(mapping.get_data()), floats(1, 2).get_data())

    def test_13_4_bytes_outlive_tensor(self):
        tensor = new_floats(1, 2)
        view, copy = tensor.ref_bytes(), tensor.dup_bytes()
        del tensor
        gc.collect()
        self.assertEqual((view.get_data(), copy.get_data()), (floats(1, 2).get_data(),) * 2)
        del view
        self.assertEqual(self.live(), self.live_at_start)

    def test_13_5_lent_bytes_are_kept(self):
        tensor = C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [2], floats(1, 2))
        gc.collect()
        junk = [floats(8, 9) for _ in range(100)]
        self.assertEqual((numbers_of(tensor), len(junk)), ([1, 2], 100))

    def test_13_6_storage_outlives_tensor(self):
        tensor = new_floats(1, 2)
        storage = tensor.get_storage()
        self.assertTrue(tensor.shares_data())
        del tensor
        other = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [2], storage, 0)
        del storage
        self.assertEqual((numbers_of(other), other.shares_data()), ([1, 2], False))

    def test_13_7_blob_outlives_workspace(self):
        workspace = C2g.Workspace()
        gone = self.watch(workspace)
        blob = workspace.create_blob('a')
        blob.set_object(new_floats(1, 2))
        del workspace
        gc.collect()
        self.assertEqual(gone, [True])
        self.assertEqual((blob.get_name(), numbers_of(blob.get_tensor())), ('a', [1, 2]))

    def test_13_8_parent_is_kept(self):
        parent = C2g.Workspace()
        parent.create_blob('a').set_value(7)
        child = C2g.Workspace.new_with_parent(parent)
        del parent
        gc.collect()
        self.assertEqual(child.get_blob('a').get_value(), 7)

    def test_13_9_upstream_is_kept(self):
        allocator = C2g.LimitingAllocator.new(C2g.PoolAllocator.new(C2g.TrackingAllocator.new(None)), 100)
        storage = allocator.allocate(10, None)
        gone = self.watch(allocator)
        del allocator
        gc.collect()
        self.assertEqual((storage.get_n_bytes(), gone), (10, []))
        del storage
        gc.collect()
        self.assertEqual(gone, [True])

    def test_13_10_handlers_go_with_their_object(self):
        class Token:
            pass

        tensor, token = C2g.Tensor(), Token()
        gone = []
        tensor.connect('resized', lambda _, kept=token: None)
        tensor.weak_ref(gone.append, True)
        alive = weakref.ref(token)
        del token
        gc.collect()
        self.assertIsNotNone(alive())
        del tensor
        gc.collect()
        self.assertEqual((alive(), gone), (None, [True]))

    def test_13_11_stolen_while_viewed(self):
        blob = C2g.Blob()
        blob.set_object(new_floats(1, 2))
        mapping = blob.get_tensor().map(C2g.MapFlags.READ)
        blob.steal_object()
        gc.collect()
        self.assertEqual(bytes(mapping.get_data()), floats(1, 2).get_data())

    def test_13_12_many(self):
        for _ in range(1000):
            tensor = new_tensor([100])
            tensor.mapping = tensor.map(C2g.MapFlags.READ)
            tensor.itself = tensor
        gc.collect()
        del tensor
        gc.collect()
        self.assertEqual(self.live(), self.live_at_start)
