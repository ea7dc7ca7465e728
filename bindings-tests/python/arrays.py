# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Tensors as arrays, workspaces as mappings, predictors as functions, as users of NumPy expect."""

import array
import asyncio
import copy
import gc
import os
import pickle
import sys
import tempfile
import threading
import unittest
from collections.abc import MutableMapping
from pathlib import Path

from c2g_testing import CPU, C2g, Gio, GLib, TestCase

try:
    import numpy
except ImportError:
    raise unittest.SkipTest('NumPy was not found')

READ, READ_WRITE = C2g.MapFlags.READ, C2g.MapFlags.READ_WRITE
FLOAT, DOUBLE, INT64, UINT8 = C2g.DataType.FLOAT, C2g.DataType.DOUBLE, C2g.DataType.INT64, C2g.DataType.UINT8
BOOL, STRING, BFLOAT16 = C2g.DataType.BOOL, C2g.DataType.STRING, C2g.DataType.BFLOAT16


def ramp(*shape):
    return numpy.arange(numpy.prod(shape, dtype=int), dtype=numpy.int32).reshape(shape)


class Tensors(TestCase):
    def assertSame(self, found, expected):
        """Compares shapes and elements."""
        self.assertEqual(numpy.shape(found), numpy.shape(expected))
        self.assertTrue((numpy.asarray(found) == expected).all(), found)

    def test_30_1_construct(self):
        for data, data_type, shape in (
                ([[1.5, 2], [3, 4]], FLOAT, (2, 2)), ([1, 2, 3], INT64, (3,)), (True, BOOL, ()), (2.5, FLOAT, ()), ([], FLOAT, (0,)),
                ((1, 2), INT64, (2,)), (numpy.float64(2), DOUBLE, ()), (ramp(2, 3), C2g.DataType.INT32, (2, 3)),
                (ramp(2, 3).T, C2g.DataType.INT32, (3, 2)), (ramp(3).astype('>i4'), C2g.DataType.INT32, (3,)),
                (array.array('d', [1, 2]), DOUBLE, (2,)), (b'ab', STRING, ()), ('cat', STRING, ()), (['cat', b'\xff'], STRING, (2,)),
                (numpy.array([True, False]), BOOL, (2,))):
            with self.subTest(data=data):
                tensor = C2g.Tensor(data)
                self.assertEqual((tensor.dtype, tensor.shape), (data_type, shape))
        self.assertSame(C2g.Tensor(ramp(2, 3).T), ramp(2, 3).T)
        self.assertEqual([C2g.Tensor([1], data_type).dtype for data_type in (C2g.DataType.FLOAT32, C2g.DataType.FLOAT64)], [FLOAT, DOUBLE])
        with self.assertRaisesRegex(GLib.Error, 'device: Expected the device “cpu”, “cuda” or “cuda:INDEX”, got “gpu”'):
            C2g.Tensor([1], device='gpu')
        # The elements are copied, also those of a tensor.
        given = ramp(3)
        tensor = C2g.Tensor(given)
        again = C2g.Tensor(tensor)
        given[0] = again[1] = 42
        self.assertEqual((tensor.tolist(), again.tolist()), ([0, 1, 2], [0, 42, 2]))
        # Element types can be given by any name, also types that NumPy does not have.
        for dtype in (FLOAT, 'float', 'float32', numpy.float32, numpy.dtype('float32'), 'f4', '<f4' if sys.byteorder == 'little' else '>f4'):
            self.assertEqual(C2g.Tensor([1], dtype=dtype).dtype, FLOAT)
        self.assertEqual((C2g.Tensor([0.1], float).tolist(), C2g.Tensor([1e300], 'float64').tolist()), ([0.1], [1e300]))
        self.assertEqual(C2g.Tensor([0.1, float('nan')]).dtype, FLOAT)
        # A string keeps the text after a NUL.
        words = C2g.Tensor(numpy.array(['a\0b', 'c']))
        words[1] = 'd\0'
        self.assertEqual((words.tolist(), words[0]), (['a\0b', 'd\0'], 'a\0b'))
        with self.assertRaisesRegex(ValueError, 'NUL'):
            words.set_element(0, 'a\0b')
        self.assertEqual(C2g.Tensor([1.5, 2], 'bfloat16').tolist(), [1.5, 2])
        self.assertEqual(C2g.Tensor([1, 2, 3, 4], shape=(2, 2)).tolist(), [[1, 2], [3, 4]])
        tensor = C2g.Tensor(shape=[2, 3], dtype='int64', device='cpu')
        self.assertEqual((tensor.shape, tensor.dtype, tensor.is_allocated()), ((2, 3), INT64, True))
        self.assertFalse(C2g.Tensor(device=CPU).is_defined())
        for arguments, error, text in (
                ({'data': [1], 'dtype': 'nope'}, TypeError, 'nope'), ({'data': object()}, TypeError, 'numbers that fit'),
                ({'data': [None]}, TypeError, 'None'), ({'data': [[1, 2], [3]]}, ValueError, 'inhomogeneous'),
                ({'data': [1, 'a']}, TypeError, "'a'"), ({'data': 1 + 2j}, TypeError, '2j'), ({'data': [-1, 2**63]}, TypeError, '922'),
                ({'data': [1e300]}, GLib.Error, '1e\\+300'), ({'data': numpy.ma.masked_array([1, 2], [0, 1])}, TypeError, 'masked'),
                ({'data': [1], 'dtype': True}, TypeError, 'True'), ({'data': 2, 'dtype': 3}, TypeError, 'shape='),
                ({'data': [1], 'dtype': '>f4' if sys.byteorder == 'little' else '<f4'}, TypeError, 'f4'), ({'data': [1], 'dtype': C2g.DeviceType.CUDA}, TypeError, 'CUDA'),
                ({'nope': 1}, TypeError, 'nope'), ({'data': [1], 'device': 'mars'}, GLib.Error, 'mars'),
                ({'data': [0.5], 'dtype': int}, GLib.Error, '0.5'), ({'shape': 2.5}, TypeError, 'float'),
                ({'data': 2**70}, TypeError, '1180'), ({'shape': [-1]}, GLib.Error, '-1'), ({'data': [1], 'shape': [2]}, GLib.Error, '2')):
            with self.subTest(arguments=arguments), self.assertRaisesRegex(error, text):
                C2g.Tensor(**arguments)

    def test_30_2_describe(self):
        tensor = C2g.Tensor(ramp(2, 3))
        self.assertEqual((tensor.shape, tensor.ndim, tensor.size, tensor.nbytes, tensor.itemsize), ((2, 3), 2, 6, 24, 4))
        self.assertEqual((tensor.device, len(tensor)), (CPU, 2))
        # Types and devices are equal to their names, on either side of `==`.
        for dtype in ('int32', numpy.int32, numpy.dtype('int32'), C2g.DataType.INT32, int(C2g.DataType.INT32)):
            self.assertTrue(tensor.dtype == dtype and not tensor.dtype != dtype, dtype)
        for other in ('int64', 'nope', numpy.int64, float, object, None, 0, INT64, numpy.dtype('int64')):
            self.assertTrue(tensor.dtype != other and not tensor.dtype == other, other)
        self.assertTrue('int32' == tensor.dtype and tensor.device == 'cpu' and 'cpu' == tensor.device)
        self.assertTrue(tensor.device != 'cuda:0' and tensor.device != 'mars' and tensor.device != None)  # noqa: E711
        self.assertEqual(({CPU: 1}[tensor.device], {INT64: 1}.get(tensor.dtype)), (1, None))
        self.assertSame(tensor.T, ramp(2, 3).T)
        tensor.shape = 3, 2
        self.assertEqual(tensor.tolist(), ramp(3, 2).tolist())
        tensor.reshape(numpy.int8(6))
        self.assertEqual((tensor.shape, C2g.Tensor.new_sized((2, 3), None).shape, C2g.Workspace().create_tensor('z', 'float', 2).shape),
                         ((6,), (2, 3), (2,)))
        for shape in ([2.5], 'a', [None]):
            self.assertRaises(TypeError, tensor.resize, shape)
        self.assertEqual((float(C2g.Tensor([2.5])), int(C2g.Tensor(7)), bool(C2g.Tensor([[0]]))), (2.5, 7, False))
        self.assertEqual((C2g.Tensor('cat').item(), C2g.Tensor(2**62).item()), ('cat', 2**62))
        for call in (float, int, bool, C2g.Tensor.item):
            with self.assertRaisesRegex(ValueError, 'this one has 6'):
                call(tensor)
        self.assertEqual(([4, 5][C2g.Tensor(1)], f'{C2g.Tensor(2.5):.2f}', f'{C2g.Tensor([1])}'), (5, '2.50', '[1]'))
        for tensor_of_any in (C2g.Tensor([1]), C2g.Tensor(1.5)):
            self.assertRaises(TypeError, [4, 5].__getitem__, tensor_of_any)
        self.assertRaises(TypeError, len, C2g.Tensor(1))
        self.assertRaises(TypeError, iter, C2g.Tensor(1))
        self.assertEqual([row.tolist() for row in C2g.Tensor([[1, 2], [3, 4]])], [[1, 2], [3, 4]])
        self.assertEqual(max(C2g.Tensor([1, 3, 2])), 3)

    def test_30_3_parts(self):
        given = ramp(2, 3, 4)
        tensor = C2g.Tensor(given)
        live, copied, element = True, False, None
        for index, kind in (
                (0, live), (-1, live), (slice(1), live), ((1, 2), live), ((0, slice(1, 3)), live), ((0, 1, slice(2)), live),
                ((slice(1), slice(1, 2), slice(1, 3)), live), (..., live), ((), live), ((None, 1), live), ((0, ..., slice(2, 3)), copied),
                ((slice(None), 0), copied), ((..., 0), copied), (slice(None, None, -1), copied), ((0, slice(0, 3, 2)), copied),
                ([1, 0], copied), ((True, 0, 0), copied), (False, copied), (given > 5, copied), (numpy.array(1), copied), ((1, 2, 3), element), ((-1, -1, numpy.int8(0)), element)):
            with self.subTest(index=index):
                part = tensor[index]
                self.assertSame(part, given[index])
                self.assertEqual(isinstance(part, C2g.Tensor), kind is not element)
                if kind is not element:
                    self.assertEqual(numpy.shares_memory(part.numpy(), tensor.numpy()), kind is live)
        self.assertEqual(tensor[5:].shape, (0, 3, 4))
        for index in ((0,), (slice(1, 2),), (..., None), (slice(None), slice(0, 0)), (0, slice(1, 1))):
            self.assertEqual(C2g.Tensor(shape=(3, 0))[index].shape, numpy.empty((3, 0))[index].shape)
        self.assertEqual((C2g.Tensor(7)[...].tolist(), C2g.Tensor(7)[()], C2g.Tensor(7)[None].tolist()), (7, 7, [7]))
        for index in (2, -3, (0, 3), (0, 0, 0, 0), 'a', (0, 'a'), 1.5, (..., ...)):
            with self.subTest(index=index), self.assertRaises(IndexError) as caught:
                tensor[index]
            self.assertNotEqual(str(caught.exception), '')
        for empty in (C2g.Tensor.new_sized([2], None), C2g.Tensor([1, 2])[:0]):
            self.assertRaises((BufferError, IndexError), lambda: empty[0])
        words = C2g.Tensor([['a', 'b'], ['c', 'd']])
        self.assertEqual((words[1].tolist(), words[0, 1]), (['c', 'd'], 'b'))
        # Copies keep the type, even if NumPy does not have it.
        halves = C2g.Tensor([[1, 2], [3, 4]], 'bfloat16')
        for index in ((slice(None), 0), (..., slice(1, 2)), slice(None, None, -1), [1, 0], (0, [1]), [], numpy.array([True, False])):
            for tensor, values in ((words, numpy.array([['a', 'b'], ['c', 'd']])), (halves, numpy.array([[1, 2], [3, 4]]))):
                with self.subTest(tensor=tensor, index=index):
                    part = tensor[index]
                    self.assertEqual((part.dtype, part.shape), (tensor.dtype, values[index].shape))
                    self.assertEqual(part.tolist(), values[index].tolist())

    def test_30_4_assign(self):
        for index, value in (((0, 1), 42), (1, 7), (slice(None), [1, 2, 3]), ((..., 1), [8, 9]), (ramp(2, 3) > 2, 0), (..., 2.9)):
            given = ramp(2, 3)
            tensor = C2g.Tensor(given)
            given[index] = tensor[index] = value
            self.assertSame(tensor, given)
        tensor = C2g.Tensor(ramp(2, 2))
        tensor[0] = tensor[1]
        self.assertEqual(tensor.tolist(), [[2, 3], [2, 3]])
        with self.assertRaises(ValueError):
            tensor[0] = [1, 2, 3]
        # NumPy does not have these types.
        halves = C2g.Tensor([1.5, 2, 3], 'bfloat16')
        halves[0] = 7
        halves[1:] = [8, 9]
        self.assertEqual(halves.tolist(), [7, 8, 9])
        first, address = halves[:1], halves.get_address()
        halves += 1
        halves[::2] = numpy.float32(0)
        self.assertEqual((halves.tolist(), first.tolist(), halves.get_address()), ([0, 9, 0], [0], address))
        halves[:2] = numpy.float32(2)
        halves[:] = [5]
        self.assertEqual((halves.tolist(), halves.dtype), ([5, 5, 5], BFLOAT16))
        words = C2g.Tensor(['a', 'b'])
        words[1] = 'z'
        self.assertEqual(words.tolist(), ['a', 'z'])
        words[:] = ['x', 'y']
        self.assertEqual(words.tolist(), ['x', 'y'])
        words[::-1] = C2g.Tensor(['z', b'\xff'])
        self.assertEqual(words.tolist(), [b'\xff', 'z'])
        words[0] = 'y'
        words += '!'
        self.assertEqual(words.tolist(), ['y!', 'z!'])
        with self.assertRaisesRegex(ValueError, r'\(3,\) into shape \(2,\)'):
            words[:] = ['x', 'y', 'z']
        # Read-only memory does not change: the tensor moves to a copy.
        tensor = C2g.from_buffer(b'ab')
        tensor[0] = 42
        self.assertEqual(tensor.tolist(), [42, 98])

    def test_30_5_arithmetic(self):
        """Arithmetic gives arrays of NumPy; in place it writes into the tensor."""
        given = ramp(3) + 1
        tensor = C2g.Tensor(given)
        for found, expected in ((tensor + 1, given + 1), (2 ** tensor, 2 ** given), (given - tensor, given - given), (-tensor, -given),
                                (tensor @ tensor, given @ given), (tensor < 2, given < 2), (tensor == tensor, given == given),
                                (numpy.sin(tensor), numpy.sin(given)), (tensor % tensor[:1], given % 1), (~tensor, ~given)):
            self.assertSame(found, expected)
            self.assertIsInstance(found, (numpy.ndarray, numpy.integer))
        before = tensor
        tensor *= 2
        tensor += [0, 0, 1]
        self.assertIs(tensor, before)
        self.assertEqual((tensor.tolist(), 4 in tensor, 5 in tensor), ([2, 4, 7], True, False))
        with self.assertRaises(TypeError):
            tensor += 0.5
        self.assertEqual((C2g.Tensor([1.5], 'bfloat16') + 1).tolist(), [2.5])
        self.assertEqual((C2g.Tensor(['a', 'b']) == 'b').tolist(), [False, True])

    def test_30_6_equality(self):
        """`==` compares elements, as in NumPy. The hash is that of the object, as in PyTorch."""
        tensor, other = C2g.Tensor([1, 2]), C2g.Tensor([1, 3])
        self.assertEqual((tensor == other).tolist(), [True, False])
        self.assertEqual((tensor != [1, 3]).tolist(), [False, True])
        self.assertEqual({tensor: 'a', other: 'b'}[tensor], 'a')
        self.assertFalse(tensor == None)  # noqa: E711
        self.assertTrue(tensor != 'text' and tensor != C2g.Blob() and tensor != CPU)
        # A tensor without elements is compared as an object.
        empty = C2g.Tensor()
        self.assertTrue(empty == empty and empty != C2g.Tensor())
        self.assertTrue(tensor.allclose(numpy.array([1, 2])))
        self.assertTrue(C2g.Tensor([1.0]).allclose(C2g.Tensor([1.001]), rtol=0.01))
        self.assertFalse(C2g.Tensor([1.0]).allclose([1.001]))
        self.assertTrue(tensor.equal([1, 2]))

    def test_30_7_print(self):
        self.assertEqual(repr(C2g.Tensor([[1, 2], [3, 4.5]])),
                         "C2g.Tensor([[1. , 2. ],\n            [3. , 4.5]], shape=(2, 2), dtype='float')")
        self.assertEqual(str(C2g.Tensor([1, 2])), '[1, 2]')
        self.assertIn('...', repr(C2g.Tensor(ramp(5000))))
        self.assertEqual(repr(C2g.Tensor()), '<C2g.Tensor: undefined without a shape on cpu>')
        self.assertEqual(repr(C2g.Tensor(['a'])), '<C2g.Tensor: string [1] on cpu: "a">')
        self.assertIn('bfloat16 [1] on cpu: 1.5', repr(C2g.Tensor([1.5], 'bfloat16')))
        self.assertIn('70', repr(C2g.Tensor(shape=[70] + 69 * [1])))
        self.assertEqual((str(CPU), repr(CPU)), ('cpu', "C2g.Device.parse('cpu')"))
        tensor = C2g.Tensor([1.5, 2])
        self.assertTrue(eval(repr(tensor)).equal(tensor))

    def test_30_8_copies(self):
        for tensor in (C2g.Tensor(ramp(2, 3)), C2g.Tensor([1.5], 'bfloat16'), C2g.Tensor(['a', b'\xff']), C2g.Tensor(shape=[0, 2])):
            copies = [copy.copy(tensor), copy.deepcopy(tensor), tensor.copy()]
            copies += [pickle.loads(pickle.dumps(tensor, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
            for other in copies:
                self.assertEqual((other.tolist(), other.shape, other.dtype), (tensor.tolist(), tensor.shape, tensor.dtype))
                self.assertIsNot(other, tensor)
        for tensor in (C2g.Tensor(), C2g.Tensor(dtype='float'), C2g.Tensor.new_sized([2, 3], None), C2g.Tensor.new_sized([], None)):
            self.assertEqual(pickle.loads(pickle.dumps(tensor)).to_string(0), tensor.to_string(0))
        tensor = C2g.Tensor([1, 2])
        pair = copy.deepcopy([tensor, tensor])
        self.assertIs(pair[0], pair[1])
        self.assertEqual((tensor.astype(float).dtype, tensor.astype(INT64)[0]), (DOUBLE, 1))
        self.assertIs(tensor.to('cpu'), tensor)
        self.assertIs(tensor.astype('int64', copy=False), tensor)
        # Types are converted as in NumPy, where NumPy defines the result.
        for values, dtype in (([2.7, -2.7, 0.], 'int32'), ([300, -1, 7], 'uint8'), ([2., 0, float('nan')], bool), ([1e300, 1.5], 'float32')):
            values = numpy.array(values)
            with numpy.errstate(over='ignore'):
                self.assertEqual(C2g.Tensor(values).astype(dtype).tolist(), values.astype(dtype).tolist())
        self.assertEqual(C2g.Tensor([1e10, -1e10], 'float64').astype('uint8').tolist(), [255, 0])
        self.assertEqual(C2g.Tensor(['a']).astype('str').tolist(), ['a'])
        self.assertFalse(numpy.shares_memory(tensor.numpy(copy=True), tensor.numpy()))

    def test_30_9_buffers(self):
        given = ramp(3)
        self.assertEqual(C2g.from_numpy(given).get_address(), given.ctypes.data)
        self.assertEqual(C2g.as_tensor(given).get_address(), given.ctypes.data)
        tensor = C2g.Tensor(given)
        self.assertIs(C2g.as_tensor(tensor), tensor)
        # If no copy is permitted, an array that needs a copy is refused.
        self.assertIs(C2g.as_tensor(tensor, 'int32', 'cpu', copy=False), tensor)
        for shared in (given, array.array('d', [1, 2]), memoryview(b'ab'), given > 1):
            self.assertEqual(C2g.as_tensor(shared, copy=False).get_address(), numpy.asarray(shared).ctypes.data)
        for copied in ([1.], 2.5, 'ab', b'ab', None, ramp(2, 2).T, given[::2], given.astype('>i4'), numpy.array(['a'])):
            with self.subTest(copied=copied), self.assertRaisesRegex(ValueError, 'to be a copy'):
                C2g.as_tensor(copied, copy=False)
        for x in (given, tensor):
            with self.assertRaisesRegex(ValueError, 'to be a copy'):
                C2g.as_tensor(x, 'float', copy=False)
        self.assertNotEqual(C2g.from_numpy(given, copy=True).get_address(), given.ctypes.data)
        writable = bytearray(b'\1\2\3\4')
        tensor = C2g.from_buffer(writable)
        tensor[0] = 42
        self.assertEqual((writable[0], tensor.dtype), (42, UINT8))
        self.assertEqual(C2g.from_buffer(b'\1\2\3\4', 'int16', (1, 2)).shape, (1, 2))
        self.assertEqual(C2g.from_buffer(array.array('f', [1, 2])).tolist(), [1, 2])
        for buffer, dtype, error in (('text', None, TypeError), (b'ab', 'bfloat16', TypeError), (b'abc', 'int16', ValueError)):
            self.assertRaises(error, C2g.from_buffer, buffer, dtype)
        given.flags.writeable = False
        self.assertFalse(C2g.from_numpy(given).numpy().flags.writeable)
        self.assertTrue(C2g.from_numpy(given, copy=True).numpy().flags.writeable)

    def test_30_10_mappings(self):
        tensor = C2g.Tensor([1, 2, 3], 'uint8')
        with tensor.map(READ_WRITE) as mapping:
            view = mapping.memoryview()
            view[0] = 42
            self.assertEqual((len(mapping), bytes(mapping)), (3, b'\x2a\2\3'))
            self.assertTrue(numpy.shares_memory(numpy.asarray(mapping), tensor.numpy()))
            if sys.version_info >= (3, 12):
                self.assertEqual(memoryview(mapping).tolist(), [42, 2, 3])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, mapping.memoryview)
        # The view pins the memory, even after the mapping has ended and the tensor has moved.
        tensor.resize([1000])
        tensor.allocate(FLOAT)
        del tensor, mapping
        gc.collect()
        self.assertEqual(view.tolist(), [42, 2, 3])
        with C2g.Tensor([1, 2, 3], 'uint8').map(READ) as mapping:
            with self.assertRaises(TypeError):
                mapping.memoryview()[0] = 1
            self.assertFalse(numpy.asarray(mapping).flags.writeable)
        with C2g.Tensor(shape=0).map(READ) as mapping:
            self.assertEqual((bytes(mapping), numpy.asarray(mapping).shape), (b'', (0,)))
        with self.assertRaisesRegex(GLib.Error, 'was unmapped'):
            numpy.asarray(mapping)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, len, mapping)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, mapping.__enter__)
        self.assertTrue(mapping)

    def test_30_11_views_and_growth(self):
        """A view keeps its memory when its tensor moves. Nothing is written into freed memory."""
        tensor = C2g.Tensor(ramp(4))
        row, view = tensor[1:3], tensor.numpy()
        tensor.resize([10000])
        tensor.allocate(FLOAT)
        tensor.fill(7)
        self.assertEqual((row.tolist(), view.tolist()), ([1, 2], [0, 1, 2, 3]))
        rows = [C2g.Tensor(ramp(3, 100))[i] for i in range(3)]
        gc.collect()
        self.assertEqual([row[0] for row in rows], [0, 100, 200])

    def test_30_12_threads(self):
        tensor, faults = C2g.Tensor(ramp(16, 16)), []

        def work(i):
            for _ in range(200):
                tensor[i] = tensor[i]
                if tensor[i, 3] != 16 * i + 3 or tensor.numpy()[i].sum() != ramp(16, 16)[i].sum():
                    faults.append(i)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def test_30_13_flat_memory(self):
        tensor = C2g.Tensor(ramp(4, 4))
        for _ in range(1000):
            numpy.asarray(tensor), tensor[1], tensor[:, 1], tensor[1, 1], repr(tensor[0]), tensor + 1, tensor.tolist()
            tensor[2] = 5
        self.assertLessEqual(self.reporter.get_n_blocks(None) - self.live_at_start[0], 1)


class Workspaces(TestCase):
    def test_30_14_mapping(self):
        workspace = C2g.Workspace()
        self.assertFalse(workspace)
        tensor = C2g.Tensor([1, 2])
        workspace['array'], workspace['tensor'], workspace['text'], workspace['none'] = numpy.ones(3), tensor, 'text', None
        workspace['number'], workspace['bytes'] = 2.5, b'ab\xff'
        self.assertIsInstance(workspace, MutableMapping)
        self.assertEqual(list(workspace), ['array', 'tensor', 'text', 'none', 'number', 'bytes'])
        self.assertEqual((len(workspace), bool(workspace), 'text' in workspace, 'nope' in workspace), (6, True, True, False))
        self.assertIs(workspace['tensor'], tensor)
        self.assertEqual((workspace['array'].tolist(), workspace['text'], workspace['none'], workspace['number'].item()),
                         ([1, 1, 1], 'text', None, 2.5))
        self.assertEqual(workspace['bytes'].get_data(), b'ab\xff')
        # A list is copied to memory of c2g, which has the name of its blob.
        self.assertRegex(workspace.dup_report(), r'(?m)^ +4 .* number$')
        self.assertEqual(dict(workspace).keys(), workspace.keys())
        self.assertEqual((workspace.get('nope', 7), workspace.pop('text'), 'text' in workspace), (7, 'text', False))
        del workspace['none']
        workspace.update(a=[1], b=[2])
        self.assertEqual([(name, value.tolist()) for name, value in workspace.items() if len(name) == 1], [('a', [1]), ('b', [2])])
        del workspace['a']
        for call in (lambda: workspace['a'], lambda: workspace.__delitem__('a')):
            with self.assertRaisesRegex(KeyError, 'a'):
                call()
        for key in (1.5, None, ('a',)):
            with self.assertRaisesRegex(TypeError, 'name of a blob'):
                workspace[key]
            with self.assertRaisesRegex(TypeError, 'name of a blob'):
                workspace[key] = 1
        # An iteration skips blobs that are removed meanwhile.
        short = C2g.Workspace()
        short.update(a=[1], b=[2], c=[3])
        self.assertEqual([(name, content.tolist(), short.remove_blob('b'))[:2] for name, content in short.items()], [('a', [1]), ('c', [3])])
        self.assertEqual([content.tolist() for content in short.values()], [[1], [3]])
        # A value that is refused leaves no blob.
        for content, error in ((object(), TypeError), ('a\0b', ValueError)):
            with self.assertRaises(error):
                workspace['new'] = content
        self.assertNotIn('new', workspace)
        self.assertIn('tensor', repr(workspace))
        # Assigning makes another tensor; holders of the old one keep it.
        before = workspace['array']
        workspace['array'] = [5]
        self.assertEqual(before.tolist(), [1, 1, 1])

    def test_30_15_mapping_with_a_parent(self):
        parent = C2g.Workspace()
        parent['a'] = [1]
        child = C2g.Workspace.new_with_parent(parent)
        child['b'] = [2]
        self.assertEqual((sorted(child), len(child), child['a'].tolist(), 'b' in parent), (['a', 'b'], 2, [1], False))
        self.assertEqual([blob.get_name() for blob in child[:]], ['b'])
        with self.assertRaises(KeyError):
            del child['a']

    def test_30_22_taking_out(self):
        """Functions that remove act on the workspace's own blobs; queries also look into the parent."""
        parent = C2g.Workspace()
        parent['a'] = [1]
        child = C2g.Workspace.new_with_parent(parent)
        child['b'], child['c'], child['none'] = [2], [3], None
        self.assertEqual((child.pop('a', 5), child.pop('nope', 5), child.pop(99, 5), child.pop('none', 5)), (5, 5, 5, None))
        for key in ('a', 'nope', 99):
            with self.assertRaisesRegex(KeyError, f'no blob “{key}”'):
                child.pop(key)
        name, content = child.popitem()
        self.assertEqual((name, content.tolist(), child.pop('b').tolist(), child[:]), ('c', [3], [2], []))
        self.assertRaises(KeyError, child.popitem)
        self.assertEqual((child.get('a').tolist(), child.get(99, 5), child.get(0), child.get('nope')), ([1], 5, None, None))
        self.assertIs(child.setdefault('a', [5]), parent['a'])
        tensor = child.setdefault('n', [1.])
        self.assertIsInstance(tensor, C2g.Tensor)
        self.assertIs(tensor, child['n'])
        self.assertIsNone(child.setdefault('nothing'))
        self.assertRaises(TypeError, child.setdefault, 99, 5)

    def test_30_16_feed_and_fetch(self):
        workspace = C2g.Workspace()
        workspace.feed('x', [[1.0, 2]])
        tensor = workspace['x']
        workspace.feed('x', ramp(3))
        self.assertIs(workspace['x'], tensor)
        found = workspace.fetch('x')
        self.assertEqual((found.tolist(), found.dtype), ([0, 1, 2], numpy.int32))
        found[0] = 42
        self.assertEqual(tensor[0], 0)
        workspace['text'], workspace['words'], workspace['halves'] = 'text', ['a', b'\xff'], C2g.Tensor([1.5], 'bfloat16')
        self.assertEqual(workspace.fetch('text'), 'text')
        for name, values, data_type in (('words', ['a', b'\xff'], object), ('halves', [1.5], 'float32')):
            found = workspace.fetch(name)
            self.assertEqual((found.tolist(), found.dtype), (values, data_type))
        self.assertRaises(KeyError, workspace.fetch, 'nope')

    def test_30_17_value(self):
        blob = C2g.Blob()
        self.assertIsNone(blob.value)
        for value in ('text', CPU):
            blob.value = value
            self.assertEqual(blob.value, value)
        blob.value = [[1, 2]]
        self.assertEqual(blob.value.tolist(), [[1, 2]])
        tensor = blob.value
        blob.value = None
        gc.collect()
        self.assertEqual((blob.is_empty(), tensor.tolist()), (True, [[1, 2]]))
        blob.value = b'ab'
        values = [blob.value for _ in range(100)]
        blob.reset()
        gc.collect()
        self.assertEqual({value.get_data() for value in values}, {b'ab'})


class Calls(TestCase):
    def predictor(self):
        init = C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }")
        return C2g.Predictor.create(init, C2g.NetDef.new_from_text(
            "name: 'net' external_input: 'x' external_input: 'w' external_output: 'y' "
            "op { type: 'Mul' input: 'x' input: 'w' output: 'y' }"))

    def test_30_18_predictor(self):
        predictor = self.predictor()
        name, = predictor.get_inputs()
        first = predictor([[1., 1]])
        self.assertIsInstance(first, numpy.ndarray)
        kept = first.copy()
        second = predictor(**{name: numpy.array([[2, 3]], numpy.float32)})
        self.assertEqual((first.tolist(), first.tolist() == second.tolist()), (kept.tolist(), False))
        for inputs in ({name: [[1., 1]]}, [[[1., 1]]], C2g.Tensor([[1., 1]]), numpy.ones((1, 2), 'f4')):
            self.assertEqual(predictor.run(inputs)[0].tolist(), kept.tolist())
        several = C2g.Predictor.create(C2g.NetDef(), C2g.NetDef.new_from_text(
            "name: 'sum' external_input: 'a' external_input: 'b' external_input: 'c' external_output: 'y' "
            "op { type: 'Sum' input: 'a' input: 'b' input: 'c' output: 'y' }"))
        self.assertEqual(several(c=[4.], a=[1.], b=[2.]).tolist(), [7])
        self.assertEqual(several({'c': [4.], 'a': [1.], 'b': [2.]}).tolist(), [7])
        # A missing input before a given one is an error, and no input changes.
        for inputs in ({'a': [8.], 'c': [8.]}, {'b': [8.]}):
            with self.assertRaisesRegex(KeyError, 'is missing'):
                several.run(inputs)
        self.assertEqual(several.run({'a': [10.]})[0].tolist(), [16])
        # NumPy does not have elements of this type.
        predictor = C2g.Predictor.create(C2g.NetDef(), C2g.NetDef.new_from_text(
            "name: 'words' external_input: 'x' external_output: 'y' op { type: 'Copy' input: 'x' output: 'y' }"))
        self.assertEqual(predictor(['a', 'b']).tolist(), ['a', 'b'])
        with self.assertRaisesRegex(KeyError, 'there is no input “nope”; the model has “x”\''):
            predictor.run({'nope': [1.]})
        halved = C2g.Predictor.create(C2g.NetDef(), C2g.NetDef.new_from_text(
            "external_input: 'x' op { type: 'Softmax' input: 'x' output: 'y' }"))
        for run in (halved, halved.run, halved.classify, halved.classify_batch):
            for wrong in 'f8', 'i8', 'u1', 'f2':
                with self.assertRaisesRegex(GLib.Error, 'expected float; convert it to float'):
                    run(numpy.ones((1, 2), wrong))
        self.assertIn('did you mean “picture”?', self.assertFails(C2g.Error.NOT_FOUND, C2g.Predictor.create(
            C2g.NetDef(), C2g.NetDef.new_from_text("external_input: 'picture' op { type: 'Softmax' input: 'picture' output: 'y' }")
        ).set_input, 'pictre', [1.]))
        # The model says which order and size its pictures have, and what sets them.
        filters = C2g.Predictor.create(C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: [4, 3, 2, 2] } } "
            "op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: [1, 3, 8, 8] } }"), C2g.NetDef.new_from_text(
            "external_input: 'x' external_input: 'w' external_output: 'y' "
            "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 2 } }"))
        with self.assertRaisesRegex(GLib.Error, r'order NCHW with C = 3, for the filters are \[4, 3, 2, 2\]. The net says \[1, 3, 8, 8\] for “x”'):
            filters(numpy.ones((1, 8, 8, 3), 'f4'))
        images = C2g.Predictor.create(C2g.NetDef(), C2g.NetDef.new_from_text(
            "external_input: 'data' external_input: 'mask' op { type: 'Sum' input: 'data' input: 'mask' output: 'y' }"))
        with self.assertRaisesRegex(KeyError, 'no input “dta”; the model has “data”, “mask”. Did you mean “data”?'):
            images(dta=[1.])

    def test_30_19_paths(self):
        workspace = C2g.Workspace()
        workspace['a'], workspace['b'] = [1., 2], [3.]
        with tempfile.TemporaryDirectory() as folder:
            for path in (os.path.join(folder, 'a.minidb'), Path(folder) / 'b.minidb', Gio.File.new_for_path(folder + '/c.minidb')):
                workspace.save_checkpoint(path)
                other = C2g.Workspace()
                other.load_checkpoint(path)
                self.assertEqual(other['a'].tolist(), [1, 2])
        for call, text in ((lambda: workspace.load_checkpoint(3), 'Gio.File'), (C2g.Predictor.load, '“file”'),
                           (lambda: C2g.Predictor.load('a', nope=1), 'nope'), (C2g.Tensor([1]).allclose, '“other”')):
            with self.assertRaisesRegex(TypeError, text):
                call()
        self.assertEqual(C2g.Tensor([1]).to_device('cpu').tolist(), [1])
        tensor = C2g.Tensor([0, 0], 'uint8')
        tensor.set_bytes(b'\1\2')
        self.assertEqual(tensor.tolist(), [1, 2])

    def test_30_20_await(self):
        predictor, workspace = self.predictor(), C2g.Workspace()
        expected = predictor([[1., 1]]).tolist()
        workspace['a'], workspace['b'] = [1., 2], [3.]

        async def main():
            runs = await asyncio.gather(*(predictor.run_async([[[1., 1]]]) for _ in range(5)))
            self.assertEqual([outputs[0].tolist() for outputs in runs], [expected] * 5)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / 'a.minidb'
                await workspace.save_checkpoint_async(path)
                other = C2g.Workspace()
                self.assertEqual(sorted(await other.load_checkpoint_async(path)), ['a', 'b'])
                with self.assertRaises(GLib.Error):
                    await C2g.Predictor.load_async(Path(folder) / 'nope')

        asyncio.run(main())
        # The result must be fetched: otherwise the predictor would stay busy for ever.
        with self.assertRaisesRegex(TypeError, r'run_async\(\) wants a callback'):
            predictor.run_async([[[1., 1]]])
        # Outside of a coroutine, and with a callback, asynchronous functions work as without the override.
        done = []
        predictor.run_async([[[1., 1]]], None, lambda source, result: done.append(source.run_finish(result)))
        while not done:
            GLib.MainContext.default().iteration(True)
        self.assertEqual(done[0][0].tolist(), expected)

    def test_30_21_cancel(self):
        class Slow(C2g.Operator):
            def do_run(self):
                started.set()
                is_cancelled.wait(10)
                return True

        async def cancelled(*given, **named):
            task = asyncio.ensure_future(C2g.Workspace().create_net(net_def, True).run_async(*given, **named))
            await asyncio.get_running_loop().run_in_executor(None, started.wait)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        C2g.Operator.register('python.Slow', C2g.DeviceType.CPU, None, Slow, C2g.OperatorSchema.new(0, 0, 1, 1))
        net_def = C2g.NetDef.new_from_text("name: 'slow' op { type: 'python.Slow' output: 'x' }")
        for by_position in (False, True):
            started, is_cancelled, cancellable = threading.Event(), threading.Event(), Gio.Cancellable()
            cancellable.connect(lambda *_: is_cancelled.set())
            asyncio.run(cancelled(cancellable) if by_position else cancelled(cancellable=cancellable))
            self.assertTrue(cancellable.is_cancelled())

    def test_30_23_await_beside_glib(self):
        """A loop that iterates GLib's main context gets signals and results in its own thread."""
        class Loop(asyncio.SelectorEventLoop):
            # This loop is like those of PyGObject 3.50.
            __module__ = 'gi.events'

            def _run_once(self):
                GLib.MainContext.default().iteration(False)
                self.call_soon(lambda: None)
                super()._run_once()

        async def main(path):
            source['a'] = [1.]
            await source.save_checkpoint_async(path, None)
            self.assertEqual(await target.load_checkpoint_async(path), ['a'])
            with self.assertRaises(GLib.Error):
                await target.load_checkpoint_async(path + 'x')
            task = asyncio.ensure_future(target.load_checkpoint_async(path, cancellable=cancellable))
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        source, target, cancellable, threads = C2g.Workspace(), C2g.Workspace(), Gio.Cancellable(), []
        target.connect('blob-added', lambda *_: threads.append(threading.current_thread()))
        loop = Loop()
        with tempfile.TemporaryDirectory() as folder:
            loop.run_until_complete(main(folder + '/a.minidb'))
            # The cancelled load holds the cancellable until it ends.
            while cancellable.__grefcount__ > 1:
                loop.run_until_complete(asyncio.sleep(0.01))
        loop.close()
        self.assertEqual((threads, cancellable.is_cancelled()), ([threading.current_thread()], True))
