# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Blobs and their content."""

import gc

from gi.repository import GObject

from c2g_testing import C2g, GLib, TestCase, new_bytes, new_tensor


class Model(GObject.Object):
    """An object of a Python class."""


class Content(TestCase):
    def test_7_1_values(self):
        blob = C2g.Blob()
        for value, name in ((3, 'gint'), (-2.5, 'gdouble'), ('grün 绿', 'gchararray'), (True, 'gboolean'),
                            ({'any': ['Python', None]}, 'PyObject')):
            with self.subTest(value=value):
                blob.set_value(value)
                self.assertEqual(blob.get_value(), value)
                self.assertEqual(blob.get_content_type().name, name)
        for kind, value in ((GObject.TYPE_INT64, -2 ** 63), (GObject.TYPE_UINT64, 2 ** 64 - 1),
                            (GObject.TYPE_UINT, 2 ** 32 - 1), (GObject.TYPE_FLOAT, 0.5)):
            with self.subTest(kind=kind.name):
                blob.set_value(GObject.Value(kind, value))
                self.assertEqual((blob.get_value(), blob.get_content_type()), (value, kind))

    def test_7_2_boxed_and_objects(self):
        blob = C2g.Blob()
        blob.set_value(new_bytes(b'ab'))
        self.assertEqual((blob.get_value().get_data(), blob.get_n_bytes()), (b'ab', 2))
        blob.set_value(C2g.Device.parse('cuda:1'))
        self.assertEqual(blob.get_value(), C2g.Device.parse('cuda:1'))
        model = Model()
        for put in (blob.set_value, blob.set_object):
            put(model)
            self.assertIs(blob.get_value(), model)
            self.assertIs(blob.get_object(), model)
            blob.reset()
        self.assertIsNone(blob.get_object())

    def test_7_3_nothing(self):
        blob = C2g.Blob()
        for empty in (lambda: None, lambda: blob.set_value(None), lambda: blob.set_object(None), blob.reset):
            empty()
            self.assertTrue(blob.is_empty())
            self.assertIsNone(blob.get_value())
            self.assertEqual(blob.get_content_type(), GObject.TYPE_INVALID)
            self.assertFalse(blob.is_type(GObject.TYPE_INT))
            blob.set_value(1)

    def test_7_4_ensure(self):
        blob = C2g.Blob()
        self.assertEqual(tuple(blob.ensure(GObject.TYPE_INT)), (True, True))
        self.assertEqual(blob.get_value(), 0)
        self.assertEqual(tuple(blob.ensure(GObject.TYPE_INT)), (True, False))
        self.assertEqual(tuple(blob.ensure(Model)), (True, True))
        self.assertIsInstance(blob.get_object(), Model)
        self.assertIn('GBytes', self.assertFails(C2g.Error.TYPE, blob.ensure, GLib.Bytes))
        self.assertIsInstance(blob.get_object(), Model)
        tensor = blob.ensure_tensor(None)
        self.assertIs(blob.ensure_tensor(None), tensor)
        self.assertTrue(blob.is_tensor(None) and blob.is_tensor(C2g.Device.cpu()) and blob.is_type(C2g.Tensor))
        self.assertFalse(blob.is_tensor(C2g.Device.parse('cuda')))
        self.assertIs(blob.get_tensor(), tensor)

    def test_7_5_move_swap_steal(self):
        first, second = C2g.Blob(), C2g.Blob()
        tensor = first.ensure_tensor(None)
        first.swap(second)
        self.assertEqual((first.is_empty(), second.get_object()), (True, tensor))
        first.move_from(second)
        self.assertEqual((first.get_object(), second.is_empty()), (tensor, True))
        self.assertIs(first.steal_object(), tensor)
        self.assertTrue(first.is_empty())
        self.assertIsNone(first.steal_object())
        gone = []
        tensor.weak_ref(gone.append, True)
        del tensor
        gc.collect()
        self.assertEqual(gone, [True])

    def test_7_6_sizes(self):
        blob = C2g.Blob()
        self.assertEqual(blob.get_n_bytes(), 0)
        blob.set_object(new_tensor([10]))
        self.assertEqual(blob.get_n_bytes(), 40)
        blob.set_value('abc')
        self.assertEqual(blob.get_n_bytes(), 3)

    def test_7_9_boxed_content_is_counted(self):
        blob = C2g.Blob()
        storage = C2g.Storage.new(C2g.Device.cpu(), 1000, None)
        blob.set_value(storage)
        for get in (blob.get_value, lambda: blob.props.value, lambda: blob.get_property('value')):
            with self.subTest(get=get):
                for _ in range(100):
                    self.assertEqual(get(), storage)
                self.assertEqual((storage.use_count(), get().get_n_bytes()), (2, 1000))
        kept = blob.get_value()
        blob.reset()
        del storage
        self.assertEqual((kept.use_count(), kept.get_n_bytes()), (1, 1000))
        self.assertEqual(dir(blob.props), ['content_type', 'name', 'value'])
        self.assertIsNone(blob.props.name)

    def test_5_4_changed(self):
        blob = C2g.Blob()
        changed = self.record(blob, 'changed')
        notified = self.count_notify(blob, 'content-type')
        values = self.count_notify(blob, 'value')
        blob.set_value(1)
        blob.set_value('text')
        blob.ensure_tensor(None)
        blob.reset()
        self.assertEqual([(old.name, new.name) for old, new in changed],
                         [('invalid', 'gint'), ('gint', 'gchararray'), ('gchararray', 'C2gTensor'),
                          ('C2gTensor', 'invalid')])
        self.assertEqual((len(notified), len(values)), (4, 4))
        blob.set_value(1)
        blob.set_value(2)
        self.assertEqual((len(notified), len(values)), (5, 6))
        blob.reset()
        self.assertEqual(blob.props.content_type, GObject.TYPE_INVALID)


class Files(TestCase):
    def test_7_7_serialized(self):
        blob = C2g.Blob()
        tensor = blob.ensure_tensor(None)
        tensor.resize([2, 2])
        tensor.allocate(C2g.DataType.INT64)
        for i in range(4):
            tensor.set_int64(i, 2 ** 53 + i)
        written = blob.serialize('weights')
        other = C2g.Blob()
        other.deserialize(written)
        self.assertEqual(other.get_tensor().get_dims(), [2, 2])
        self.assertEqual([other.get_tensor().get_int64(i) for i in range(4)],
                         [2 ** 53 + i for i in range(4)])

    def test_7_8_quantized(self):
        tensor = C2g.QTensor.new([30], 3, False)
        self.assertEqual((tensor.get_dims(), tensor.get_n_bytes()), ([30], 12))
        tensor.set_scale(0.5)
        tensor.set_bit(2, 7, True)
        self.assertEqual((tensor.get_value(7), tensor.get_bit(2, 7), tensor.get_bit(1, 7)), (2.0, 1, 0))
        self.assertFails(C2g.Error.RANGE, tensor.get_bit, 3, 0)
