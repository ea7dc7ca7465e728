# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Shapes, bytes, mappings, elements."""

import gc
import math
import struct

from gi.repository import GObject

from c2g_testing import (CPU, C2g, Gio, GLib, TestCase, floats, new_bytes, new_floats, new_tensor,
                         numbers_of)

LARGE = 2 ** 53 + 1


class Label(GObject.Object):
    """An object of a Python class."""

    def __init__(self, text):
        super().__init__()
        self.text = text


class Point(GObject.Object, C2g.ElementObject):
    """An element type written in Python."""

    x = GObject.Property(type=float)

    def do_copy(self):
        return Point(x=self.x)

    def do_accept(self, value):
        if isinstance(value, str):
            return False
        self.x = value
        return True


class Stuck(GObject.Object, C2g.ElementObject):
    """An element that cannot be copied; with a tensor it can, and frees the tensor then."""

    tensor = None

    def do_copy(self):
        if self.tensor is None:
            return None
        self.tensor.free_memory()
        return Stuck()


class Shapes(TestCase):
    def test_2_1_round_trip(self):
        for dims, n_elements in (([], 1), ([0], 0), ([3, 0, 2], 0), ([1], 1), ([2, 3, 4], 24),
                                 ([2 ** 40], 2 ** 40), ([1] * 40, 1)):
            with self.subTest(dims=dims):
                tensor = C2g.Tensor.new_sized(dims, None)
                self.assertEqual(tensor.get_dims(), dims)
                self.assertEqual(tensor.get_n_dims(), len(dims))
                self.assertEqual(tensor.get_n_elements(), n_elements)
                self.assertTrue(tensor.is_defined())
                self.assertFalse(tensor.is_allocated())
        self.assertFalse(C2g.Tensor().is_defined())
        self.assertEqual(C2g.Tensor().get_dims(), [])
        self.assertEqual(C2g.Tensor().get_n_elements(), 0)

    def test_2_2_axes(self):
        tensor = C2g.Tensor.new_sized([2, 3, 4, 5], None)
        self.assertEqual([tensor.get_dim(axis) for axis in (0, 3, -1, -4)], [2, 5, 5, 2])
        self.assertEqual(tensor.canonical_axis(-1), 3)
        self.assertEqual((tensor.size_from_dim(1), tensor.size_to_dim(2), tensor.size_from_dim(4)),
                         (60, 6, 1))
        self.assertEqual(tensor.size_between_dims(0, 3), 12)
        self.assertTrue(tensor.is_contiguous())
        self.assertFails(C2g.Error.SHAPE, tensor.get_dim, 4)
        self.assertFails(C2g.Error.SHAPE, tensor.canonical_axis, -5)
        self.assertFails(C2g.Error.RANGE, C2g.Tensor.new_sized([2 ** 40], None).get_dim32, 0)

    def test_2_3_resize_and_reshape(self):
        tensor = new_floats(1, 2, 3, 4, 5, 6)
        address = tensor.get_address()
        tensor.reshape([2, 3])
        tensor.resize([1, 3])
        self.assertEqual(tensor.get_capacity(), 24)
        tensor.resize_like(C2g.Tensor.new_sized([3, 2], None))
        self.assertEqual((tensor.get_dims(), tensor.get_address()), ([3, 2], address))
        self.assertEqual(numbers_of(tensor), [1, 2, 3, 4, 5, 6])
        tensor.resize([7])
        self.assertFalse(tensor.is_allocated())

    def test_2_4_room(self):
        tensor = new_floats(1, 2)
        tensor.extend(2, 100.0, None)
        self.assertEqual((tensor.get_dims(), numbers_of(tensor)[:2]), ([4], [1, 2]))
        tensor.reserve([100])
        self.assertEqual((tensor.get_dims(), tensor.get_capacity()), ([4], 400))
        tensor.shrink(1)
        self.assertEqual((tensor.get_dims(), tensor.get_capacity()), ([1], 400))
        tensor.trim()
        self.assertEqual((numbers_of(tensor), tensor.get_capacity()), ([1], 4))
        tensor.free_memory()
        self.assertEqual((tensor.get_dims(), tensor.is_allocated(), tensor.get_address()), ([1], False, 0))
        tensor.set_keep_on_shrink(False)
        tensor.set_max_keep_on_shrink(10)
        self.assertEqual((tensor.get_keep_on_shrink(), tensor.get_max_keep_on_shrink()), (False, 10))

    def test_2_5_sharing(self):
        tensor = new_floats(1, 2, 3, 4)
        other = C2g.Tensor.new_sized([2, 2], None)
        other.share_data(tensor)
        part = tensor.slice(1, 3)
        self.assertTrue(tensor.shares_data() and other.shares_data() and part.shares_data())
        part.set_value(0, 20)
        self.assertEqual(numbers_of(other), [1, 20, 3, 4])
        other.resize([5])
        other.allocate(C2g.DataType.FLOAT)
        del part
        self.assertFalse(tensor.shares_data())
        self.assertEqual(numbers_of(tensor), [1, 20, 3, 4])

    def test_2_6_copies(self):
        tensor = new_floats(1, 2, 3)
        clone = tensor.clone(None)
        moved = tensor.to_device(CPU)
        copy = C2g.Tensor()
        copy.copy_from(tensor, None)
        tensor.set_value(0, 9)
        for name, other in (('clone', clone), ('to_device', moved), ('copy_from', copy)):
            with self.subTest(name=name):
                self.assertEqual(numbers_of(other), [1, 2, 3])
        empty = C2g.Tensor()
        empty.swap(tensor)
        self.assertEqual((numbers_of(empty), tensor.is_defined()), ([9, 2, 3], False))


class Bytes(TestCase):
    def test_3_1_in_and_out(self):
        for data_type, text, values in (
                (C2g.DataType.FLOAT, 'f', [0.5, -2]), (C2g.DataType.DOUBLE, 'd', [0.1, 1e300]),
                (C2g.DataType.INT8, 'b', [-128, 127]), (C2g.DataType.UINT8, 'B', [0, 255]),
                (C2g.DataType.INT16, 'h', [-2 ** 15, 1]), (C2g.DataType.UINT16, 'H', [2 ** 16 - 1, 0]),
                (C2g.DataType.INT32, 'i', [-2 ** 31, 1]), (C2g.DataType.UINT32, 'I', [2 ** 32 - 1, 0]),
                (C2g.DataType.INT64, 'q', [-2 ** 63, LARGE]), (C2g.DataType.UINT64, 'Q', [2 ** 63 - 1, 0]),
                (C2g.DataType.BOOL, '?', [True, False]), (C2g.DataType.FLOAT16, 'e', [0.5, 65504])):
            with self.subTest(data_type=data_type):
                tensor = new_tensor([2], data_type)
                packed = struct.pack(f'=2{text}', *values)
                tensor.set_bytes(new_bytes(packed))
                self.assertEqual(tensor.dup_bytes().get_data(), packed)
                self.assertEqual([tensor.get_element(0), tensor.get_element(1)], values)
        empty = new_tensor([0])
        empty.set_bytes(new_bytes(b''))
        self.assertEqual(empty.dup_bytes().get_size(), 0)

    def test_3_2_lent_bytes(self):
        bytes_ = floats(1, 2, 3, 4)
        tensor = C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [2, 2], bytes_)
        other = C2g.Tensor.new_sized([4], None)
        other.share_bytes(C2g.DataType.FLOAT, bytes_)
        self.assertEqual(tensor.get_address(), other.get_address())
        self.assertTrue(tensor.get_storage().is_read_only())
        self.assertEqual(self.live(), self.live_at_start)
        tensor.set_value(0, 9)
        self.assertNotEqual(tensor.get_address(), other.get_address())
        self.assertEqual((numbers_of(tensor), numbers_of(other)), ([9, 2, 3, 4], [1, 2, 3, 4]))
        self.assertEqual(bytes_.get_data(), floats(1, 2, 3, 4).get_data())

    def test_3_3_views_that_never_change(self):
        tensor = new_floats(1, 2)
        address = tensor.get_address()
        view = tensor.ref_bytes()
        self.assertEqual(tensor.get_address(), address)
        tensor.set_value(0, 9)
        self.assertNotEqual(tensor.get_address(), address)
        self.assertEqual(view.get_data(), floats(1, 2).get_data())
        self.assertEqual(numbers_of(tensor), [9, 2])

    def test_3_4_mapping(self):
        tensor = new_floats(1, 2)
        mapping = tensor.map(C2g.MapFlags.READ_WRITE)
        self.assertEqual(mapping.get_flags(), C2g.MapFlags.READ | C2g.MapFlags.WRITE)
        self.assertEqual(mapping.get_address(), tensor.get_address())
        self.assertEqual((mapping.get_n_bytes(), bytes(mapping.get_data())), (8, floats(1, 2).get_data()))
        live = mapping.ref_bytes()
        mapping.write(4, floats(7))
        self.assertEqual(numbers_of(tensor), [1, 7])
        self.assertEqual(live.get_data(), floats(1, 7).get_data())
        tensor.set_value(0, 5)
        self.assertEqual(bytes(mapping.get_data()), floats(5, 7).get_data())
        self.assertFails(C2g.Error.RANGE, mapping.write, 5, floats(0))
        self.assertFails(C2g.Error.READ_ONLY, tensor.map(C2g.MapFlags.READ).write, 0, floats(0))
        self.assertEqual(numbers_of(tensor), [5, 7])

    def test_3_5_unmapped(self):
        tensor = new_floats(1, 2)
        storage = tensor.get_storage()
        mapping = tensor.map(C2g.MapFlags.READ_WRITE)
        self.assertEqual(storage.get_n_views(), 1)
        mapping.unmap()
        mapping.unmap()
        self.assertEqual(storage.get_n_views(), 0)
        self.assertEqual((mapping.get_n_bytes(), mapping.get_address(), len(mapping.get_data())), (0, 0, 0))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, mapping.ref_bytes)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, mapping.write, 0, floats(1))
        self.assertEqual(numbers_of(tensor), [1, 2])

    def test_3_6_storage(self):
        storage = C2g.Storage.new(CPU, 64, None)
        self.assertEqual((storage.get_n_bytes(), storage.get_device(), storage.is_read_only()),
                         (64, CPU, False))
        self.assertEqual((storage.use_count(), storage.is_unique(), storage.get_n_views()), (1, True, 0))
        tensor = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [2], storage, 56)
        self.assertEqual((storage.use_count(), storage.is_unique()), (2, False))
        self.assertEqual(tensor.get_address(), storage.get_address() + 56)
        self.assertFails(C2g.Error.BUSY, storage.reset)
        with_mapping = storage.map(C2g.MapFlags.WRITE)
        with_mapping.write(56, floats(1, 2))
        self.assertEqual(numbers_of(tensor), [1, 2])
        with_mapping.unmap()
        del tensor
        self.assertTrue(storage.reset())
        self.assertEqual((storage.get_n_bytes(), storage.get_address()), (0, 0))
        lent = C2g.Storage.new_from_bytes(new_bytes(b'abcd'))
        self.assertTrue(lent.is_read_only())
        self.assertIsNone(lent.get_allocator())
        self.assertEqual(bytes(lent.map(C2g.MapFlags.READ).get_data()), b'abcd')
        self.assertFails(C2g.Error.READ_ONLY, lent.map, C2g.MapFlags.WRITE)

    def test_3_7_seal(self):
        tensor = new_tensor([2])
        tensor.set_bytes(floats(1, 2))
        sharer = new_tensor([2])
        sharer.share_data(tensor)
        writer = tensor.__dlpack__()
        self.assertFails(C2g.Error.BUSY, tensor.seal)
        self.assertFalse(tensor.is_sealed())
        del writer
        self.assertTrue(tensor.seal())
        self.assertEqual((tensor.is_sealed(), sharer.is_sealed()), (True, True))
        self.assertFails(C2g.Error.READ_ONLY, tensor.get_storage().map, C2g.MapFlags.WRITE)
        sharer.set_value(0, 5)
        self.assertEqual((numbers_of(tensor), numbers_of(sharer)), ([1, 2], [5, 2]))
        self.assertFalse(sharer.is_sealed())

    def test_3_8_foreign(self):
        owner = new_floats(1, 2)
        tensor = C2g.from_dlpack(owner)
        view = tensor.ref_bytes()
        owner.set_value(0, 3)
        self.assertEqual((view.get_data(), numbers_of(tensor)), (floats(1, 2).get_data(), [3, 2]))
        self.assertTrue(tensor.seal())
        owner.set_value(0, 4)
        self.assertEqual((numbers_of(tensor), tensor.is_sealed()), ([3, 2], True))


class Elements(TestCase):
    def test_6_1_exact_integers(self):
        tensor = new_tensor([2], C2g.DataType.INT64)
        tensor.set_int64(0, LARGE)
        tensor.set_element(1, GObject.Value(GObject.TYPE_INT64, -LARGE))
        self.assertEqual([tensor.get_int64(0), tensor.get_element(1)], [LARGE, -LARGE])
        self.assertEqual(tensor.get_value(0), 2.0 ** 53)
        self.assertEqual(tensor.dup_bytes().get_data(), struct.pack('=2q', LARGE, -LARGE))

    def test_6_2_numbers(self):
        for data_type, given, kept in ((C2g.DataType.INT32, 2.0, 2), (C2g.DataType.FLOAT16, 0.1, 0.0999755859375),
                                       (C2g.DataType.BFLOAT16, 1.005, 1.0078125),
                                       (C2g.DataType.FLOAT16, 65519, 65504), (C2g.DataType.BOOL, 1, 1),
                                       (C2g.DataType.DOUBLE, 0.1, 0.1)):
            with self.subTest(data_type=data_type, given=given):
                tensor = new_tensor([1], data_type)
                tensor.set_value(0, given)
                self.assertEqual(tensor.get_value(0), kept)
                self.assertEqual(C2g.Tensor.new_scalar(data_type, given).get_value(0), kept)
        for data_type, given in ((C2g.DataType.INT8, 128), (C2g.DataType.INT32, 2.5), (C2g.DataType.UINT8, float('nan')),
                                 (C2g.DataType.FLOAT, 1e300), (C2g.DataType.FLOAT16, 1e6), (C2g.DataType.BOOL, 7)):
            with self.subTest(data_type=data_type, given=given):
                tensor = new_tensor([1], data_type)
                self.assertFails(C2g.Error.RANGE, tensor.set_value, 0, given)
                self.assertFails(C2g.Error.RANGE, tensor.set_element, 0, GObject.Value(float, given))
                self.assertFails(C2g.Error.RANGE, C2g.Tensor.new_scalar, data_type, given)
                self.assertFails(C2g.Error.RANGE, C2g.CpuContext.new().fill, tensor, given)
        self.assertFails(C2g.Error.RANGE, new_tensor([1], C2g.DataType.BOOL).set_int64, 0, 2)

    def test_6_3_strings(self):
        tensor = new_tensor([4], C2g.DataType.STRING)
        for i, value in enumerate(('grün 绿', '', new_bytes(b'\xff\x00\xfe'), new_bytes('ok'.encode()))):
            tensor.set_element(i, value)
        self.assertEqual([tensor.get_element(i) for i in (0, 1, 3)], ['grün 绿', '', 'ok'])
        self.assertEqual(tensor.get_element(2).get_data(), b'\xff\x00\xfe')
        self.assertEqual(tensor.clone(None).get_element(0), 'grün 绿')
        self.assertFails(C2g.Error.TYPE, tensor.dup_bytes)
        self.assertFails(C2g.Error.TYPE, tensor.map, C2g.MapFlags.READ)

    def test_6_4_booleans(self):
        tensor = new_tensor([2], C2g.DataType.BOOL)
        tensor.set_element(0, True)
        tensor.set_element(1, 0)
        self.assertIs(tensor.get_element(0), True)
        self.assertIs(tensor.get_element(1), False)

    def test_6_5_boxed(self):
        meta = C2g.TypeMeta.for_gtype(GLib.Bytes.__gtype__)
        self.assertEqual((meta.get_name(), meta.is_plain(), meta.can_copy()), ('GBytes', False, True))
        self.assertEqual(C2g.TypeMeta.lookup('GBytes'), meta)
        tensor = C2g.Tensor.new_sized([2], None)
        tensor.allocate_meta(meta)
        tensor.set_element(0, new_bytes(b'abc'))
        self.assertEqual((tensor.get_element(0).get_data(), tensor.get_element(1)), (b'abc', None))
        self.assertEqual(tensor.clone(None).get_element(0).get_data(), b'abc')
        tensor.set_element(0, None)
        self.assertIsNone(tensor.get_element(0))
        self.assertEqual(tensor.get_data_type(), C2g.DataType.UNDEFINED)
        self.assertEqual(tensor.get_type_meta(), meta)

    def test_6_6_objects(self):
        tensor = C2g.Tensor.new_sized([2], None)
        tensor.allocate_meta(C2g.TypeMeta.for_gtype(Label))
        label = Label('kept')
        tensor.set_element(0, label)
        self.assertIs(tensor.get_element(0), label)
        self.assertIsNone(tensor.get_element(1))
        del label
        self.assertEqual(tensor.get_element(0).text, 'kept')
        self.assertFails(C2g.Error.TYPE, tensor.set_element, 1, GObject.Object())
        gone = []
        tensor.get_element(0).weak_ref(gone.append, True)
        tensor.set_element(0, None)
        self.assertEqual(gone, [True])

    def test_6_7_registered(self):
        meta = C2g.TypeMeta.register('point of the Python tests', 12)
        self.assertEqual((meta.get_item_size(), meta.is_plain()), (12, True))
        self.assertEqual(C2g.TypeMeta.lookup('point of the Python tests'), meta)
        tensor = C2g.Tensor.new_sized([2], None)
        tensor.allocate_meta(meta)
        tensor.set_element(1, new_bytes(b'123456789abc'))
        self.assertEqual(tensor.dup_bytes().get_data()[12:], b'123456789abc')
        self.assertEqual(tensor.get_element(1).get_data(), b'123456789abc')
        self.assertEqual((tensor.get_item_size(), tensor.get_n_bytes()), (12, 24))
        self.assertFails(C2g.Error.RANGE, tensor.set_element, 0, new_bytes(b'short'))
        self.assertFails(C2g.Error.EXISTS, C2g.TypeMeta.register, 'point of the Python tests', 12)
        self.assertFails(C2g.Error.EXISTS, C2g.TypeMeta.register, 'float', 4)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.TypeMeta.register, 'nothing', 0)

    def test_6_11_boxed_elements_are_counted(self):
        tensor = C2g.Tensor.new_sized([2], None)
        tensor.allocate_meta(C2g.TypeMeta.for_gtype(C2g.Storage))
        storage = C2g.Storage.new(CPU, 1000, None)
        tensor.set_element(0, storage)
        for _ in range(100):
            self.assertEqual(tensor.get_element(0), storage)
            self.assertEqual(tensor.dup_element(0).get_value(), storage)
        self.assertEqual((storage.use_count(), tensor.get_element(0).get_n_bytes()), (2, 1000))
        kept = tensor.get_element(0)
        tensor.free_memory()
        del storage
        self.assertEqual((kept.use_count(), kept.get_n_bytes()), (1, 1000))

    def test_6_12_element_type(self):
        meta = C2g.TypeMeta.for_gtype(Point)
        self.assertEqual((meta.is_plain(), meta.can_copy(), meta.get_gtype()), (False, True, Point.__gtype__))
        tensor = C2g.Tensor.new_sized([3], None)
        tensor.allocate_meta(meta)
        self.assertEqual([tensor.get_element(i).x for i in range(3)], [0, 0, 0])
        given = Point(x=4)
        tensor.set_element(0, 2.5)
        tensor.set_element(1, given)
        self.assertIs(tensor.get_element(1), given)
        self.assertFails(C2g.Error.TYPE, tensor.set_element, 0, 'text')
        tensor.set_element(2, None)
        copied = tensor.clone(None)
        tensor.get_element(0).x = 7
        self.assertEqual((copied.get_element(0).x, copied.get_element(1).x, copied.get_element(2)), (2.5, 4, None))
        self.assertIsNot(copied.get_element(1), given)
        gone = []
        for element in (given, copied.get_element(0)):
            element.weak_ref(gone.append, True)
        del given, element
        tensor.free_memory()
        copied.free_memory()
        gc.collect()
        self.assertEqual(gone, [True, True])

    def test_6_13_another_type(self):
        tensor = new_floats(1, -2.5, 300, 1e6)
        flags = C2g.ConvertFlags
        for data_type, flag, expected in (
                (C2g.DataType.DOUBLE, flags.NONE, [1, -2.5, 300, 1e6]),
                (C2g.DataType.FLOAT16, flags.SATURATE, [1, -2.5, 300, 65504]),
                (C2g.DataType.UINT8, flags.SATURATE, [1, 0, 255, 255]),
                (C2g.DataType.INT64, flags.WRAP, [1, -2, 300, 1000000]),
                (C2g.DataType.BOOL, flags.SATURATE, [1, 1, 1, 1])):
            with self.subTest(data_type=data_type):
                converted = tensor.convert(data_type, flag)
                self.assertEqual((converted.get_data_type(), numbers_of(converted)), (data_type, expected))
        message = self.assertFails(C2g.Error.RANGE, tensor.convert, C2g.DataType.FLOAT16, flags.NONE)
        self.assertIn('Element 3 is 1000000', message)
        self.assertFails(C2g.Error.TYPE, tensor.convert, C2g.DataType.STRING, flags.NONE)
        target = new_tensor([1], C2g.DataType.INT16)
        target.fill(7)
        self.assertFails(C2g.Error.RANGE, target.convert_from, tensor, flags.NONE)
        self.assertEqual(numbers_of(target), [7])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, target.convert_from, tensor, flags.SATURATE | flags.WRAP)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, tensor.convert, C2g.DataType.INT8, flags.SATURATE | flags.WRAP)
        self.assertTrue(target.convert_from(tensor, flags.SATURATE))
        self.assertEqual(numbers_of(target), [1, -2, 300, 32767])
        wide = new_tensor([2], C2g.DataType.INT32)
        wide.fill(257)
        self.assertEqual(numbers_of(wide.convert(C2g.DataType.UINT8, flags.WRAP)), [1, 1])
        self.assertEqual(numbers_of(wide.convert(C2g.DataType.UINT8, flags.SATURATE)), [255, 255])

    def test_6_14_whole_tensors(self):
        x, y = new_floats(1, -2, 3), new_floats(10, 20, 30)
        self.assertEqual((x.dot(y), x.asum(), x.amax(), x.sumsq()), (60, 6, 3, 14))
        self.assertTrue(y.axpy(2, x))
        self.assertEqual(numbers_of(y), [12, 16, 36])
        self.assertTrue(y.axpby(1, x, 0.5))
        self.assertEqual(numbers_of(y), [7, 6, 21])
        self.assertTrue(y.scale(-1))
        self.assertEqual(numbers_of(y), [-7, -6, -21])
        self.assertTrue(y.fill(0.5))
        self.assertEqual(numbers_of(y), [0.5] * 3)
        y.set_value(1, math.nan)
        self.assertTrue(math.isnan(y.asum()) and math.isnan(y.amax()))
        copy = y.clone(None)
        self.assertIs(y.equal(copy), True)
        self.assertIs(y.equal(x), False)
        self.assertIs(y.allclose(copy, 0, 0, True), True)
        self.assertIs(y.allclose(copy, 0, 0, False), False)
        self.assertIs(x.allclose(new_floats(1, -2, 3.5), 0, 0.5, False), True)
        self.assertFails(C2g.Error.SHAPE, x.axpy, 1, new_floats(1))
        self.assertFails(C2g.Error.SHAPE, x.allclose, new_floats(1), 0, 0, False)
        self.assertFails(C2g.Error.TYPE, x.dot, new_tensor([3], C2g.DataType.DOUBLE))
        self.assertFails(C2g.Error.TYPE, new_tensor([3], C2g.DataType.INT32).scale, 2)

    def test_6_15_element_without_copy(self):
        tensor = C2g.Tensor.new_sized([2], None)
        tensor.allocate_meta(C2g.TypeMeta.for_gtype(Stuck))
        first = tensor.get_element(0)
        copy = C2g.Tensor()
        self.assertFails(C2g.Error.FAILED, tensor.clone, None)
        self.assertFails(C2g.Error.FAILED, copy.copy_from, tensor, None)
        tensor.reserve([100])
        tensor.trim()
        self.assertIs(tensor.get_element(0), first)
        first.tensor = tensor
        tensor.set_element(1, None)
        self.assertFails(C2g.Error.BUSY, copy.copy_from, tensor, None)
        self.assertFalse(tensor.is_allocated())

        workspace = C2g.Workspace()
        blob = workspace.create_blob('x')
        net = C2g.NetDef.new_from_text('op { type: "Tile" input: "x" output: "y" arg { name: "tiles" i: 2 } }')
        for code, free in ((C2g.Error.FAILED, False), (C2g.Error.BUSY, True)):
            tensor = blob.ensure_tensor(None)
            tensor.resize([3])
            tensor.allocate_meta(C2g.TypeMeta.for_gtype(Stuck))
            if free:
                tensor.get_element(0).tensor = tensor
                for i in (1, 2):
                    tensor.set_element(i, None)
            self.assertFails(code, workspace.run_net_once, net, None)

    def test_6_16_axes_and_pictures(self):
        tensor = new_floats(0, 1, 2, 3, 4, 5)
        tensor.reshape([2, 3])
        for axes in ([1, 0], [-1, 0], None):
            with self.subTest(axes=axes):
                turned = tensor.transpose(axes)
                self.assertEqual((turned.get_dims(), numbers_of(turned)), ([3, 2], [0, 3, 1, 4, 2, 5]))
        self.assertFails(C2g.Error.SHAPE, tensor.transpose, [0])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, tensor.transpose, [0, 0])
        pixels = C2g.Tensor.new_from_bytes(C2g.DataType.UINT8, [2, 3], GLib.Bytes.new(bytes([10, 20, 30, 40, 50, 60])))
        for data_type in (C2g.DataType.FLOAT, C2g.DataType.FLOAT16):
            with self.subTest(data_type=data_type):
                planes = pixels.normalize(data_type, -1, 0, [10, 20, 30], [0.5])
                self.assertEqual((planes.get_data_type(), planes.get_dims()), (data_type, [3, 2]))
                self.assertEqual(numbers_of(planes), [0, 15, 0, 15, 0, 15])
        self.assertEqual(numbers_of(pixels.normalize(C2g.DataType.FLOAT, 1, 1, None, None)), [10, 20, 30, 40, 50, 60])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, pixels.normalize, C2g.DataType.FLOAT, 1, 0, [1, 2], None)
        self.assertFails(C2g.Error.TYPE, tensor.normalize, C2g.DataType.FLOAT, 1, 0, None, None)

    def test_6_17_what_types_hold(self):
        data_type = C2g.DataType
        self.assertEqual((data_type.get_min(data_type.FLOAT16), data_type.get_max(data_type.FLOAT16)), (-65504, 65504))
        self.assertEqual((data_type.get_min(data_type.INT8), data_type.get_max(data_type.UINT8)), (-128, 255))
        self.assertTrue(data_type.contains(data_type.DOUBLE, data_type.INT32))
        self.assertFalse(data_type.contains(data_type.DOUBLE, data_type.INT64))
        self.assertEqual(data_type.promote(data_type.FLOAT16, data_type.BFLOAT16), data_type.FLOAT)
        self.assertEqual(data_type.promote(data_type.INT64, data_type.FLOAT), data_type.UNDEFINED)
        self.assertEqual([data_type.from_caffe(i).value_nick for i in range(6)],
                         ['double', 'float', 'float16', 'int32', 'uint32', 'bool'])
        self.assertEqual([data_type.to_caffe(data_type.FLOAT16), data_type.to_caffe(data_type.INT8)], [2, -1])
        self.assertFails(C2g.Error.NOT_FOUND, data_type.from_caffe, 6)

    def test_6_8_wrong_elements(self):
        tensor = new_floats(1, 2)
        self.assertFails(C2g.Error.RANGE, tensor.get_value, 2)
        self.assertFails(C2g.Error.RANGE, tensor.set_value, -1, 0)
        self.assertFails(C2g.Error.TYPE, tensor.set_element, 0, 'text')
        self.assertFails(C2g.Error.TYPE, tensor.set_element, 0, None)
        self.assertFails(C2g.Error.FAILED, C2g.Tensor.new_sized([2], None).get_value, 0)
        self.assertFails(C2g.Error.TYPE, new_tensor([1], C2g.DataType.STRING).get_value, 0)
        self.assertIsNone(tensor.get_element(2))
        self.assertEqual(numbers_of(tensor), [1, 2])
        self.assertFails(C2g.Error.TYPE, C2g.TypeMeta.for_gtype, GObject.TYPE_POINTER)

    def test_6_9_text(self):
        self.assertEqual(new_floats(1, 2, 3).to_string(2), 'float [3] on cpu: 1, 2, …')

    def test_6_10_nan(self):
        """Every NaN is returned as a plain one: languages that store pointers in NaNs would take others for objects."""
        for data_type, data in ((C2g.DataType.FLOAT, b'\xb0\xe0\xf1\xff'),
                                (C2g.DataType.DOUBLE, b'\0\0\0\0\x16\x3c\xfe\xff'),
                                (C2g.DataType.FLOAT16, b'\1\xfe'), (C2g.DataType.BFLOAT16, b'\xf1\xff')):
            tensor = new_tensor([1], data_type)
            tensor.set_bytes(GLib.Bytes.new(data))
            self.assertEqual(struct.pack('<d', tensor.get_value(0)), struct.pack('<d', math.nan))
            self.assertTrue(math.isnan(tensor.get_element(0)))
            self.assertEqual(tensor.dup_bytes().get_data(), data)


class Properties(TestCase):
    def test_5_1_notify(self):
        tensor = C2g.Tensor.new_sized([2], None)
        data_type = self.count_notify(tensor, 'data-type')
        device = self.count_notify(tensor, 'device')
        self.assertEqual(tensor.props.data_type, C2g.DataType.UNDEFINED)
        tensor.allocate(C2g.DataType.FLOAT)
        tensor.allocate(C2g.DataType.FLOAT)
        self.assertEqual((len(data_type), tensor.props.data_type), (1, C2g.DataType.FLOAT))
        tensor.allocate(C2g.DataType.INT32)
        self.assertEqual((len(data_type), len(device)), (2, 0))
        other = C2g.Tensor.new_for_device(C2g.Device.parse('cuda'))
        tensor.swap(other)
        self.assertEqual((len(device), tensor.props.device), (1, C2g.Device.parse('cuda')))

    def test_5_2_reallocated(self):
        tensor = C2g.Tensor.new_sized([2], None)
        heard = self.record(tensor, 'reallocated')
        tensor.allocate(C2g.DataType.FLOAT)
        tensor.resize([1])
        self.assertEqual(heard, [])
        tensor.resize([100])
        tensor.allocate(C2g.DataType.FLOAT)
        self.assertEqual(heard, [(8, 0), (0, 400)])
        tensor.free_memory()
        self.assertEqual(heard[2:], [(400, 0)])

    def test_5_3_resized(self):
        tensor = C2g.Tensor()
        heard = self.record(tensor, 'resized')
        tensor.resize([2, 3])
        tensor.resize([2, 3])
        self.assertEqual(len(heard), 1)
        tensor.reshape([3, 2])
        tensor.allocate(C2g.DataType.FLOAT)
        tensor.free_memory()
        self.assertEqual(len(heard), 2)
