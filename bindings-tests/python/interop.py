# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Memory shared with other libraries, by DLPack and by the array interfaces."""

import contextlib
import ctypes
import gc
import importlib
import subprocess
import sys
import threading
import unittest

from c2g_testing import CPU, C2g, GLib, TestCase, floats, new_bytes, new_floats, new_tensor, numbers_of

try:
    import numpy
except ImportError:
    numpy = None

VERSIONED = C2g.DlpackFlags.VERSIONED
NEITHER = C2g.DlpackFlags(0)

# NumPy supports DLPack 1 since version 2.1.
new_numpy = numpy is not None and numpy.lib.NumpyVersion(numpy.__version__) >= '2.1.0'

NUMPY_TYPES = {
    'FLOAT': 'float32', 'DOUBLE': 'float64', 'FLOAT16': 'float16', 'BOOL': 'bool', 'INT8': 'int8', 'INT16': 'int16',
    'INT32': 'int32', 'INT64': 'int64', 'UINT8': 'uint8', 'UINT16': 'uint16', 'UINT32': 'uint32', 'UINT64': 'uint64',
}


class Old:
    """A producer of DLPack before version 1."""

    def __init__(self, producer):
        self.producer = producer

    def __dlpack_device__(self):
        return self.producer.__dlpack_device__()

    def __dlpack__(self, stream=None):
        return self.producer.__dlpack__()


class InPlace:
    """A producer that returns a given object as its capsule."""

    def __init__(self, capsule, device=(1, 0)):
        self.capsule = capsule
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **arguments):
        return self.capsule


def name_of(capsule):
    get_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(('PyCapsule_GetName', ctypes.pythonapi))
    return get_name(capsule)


class Calls(TestCase):
    def test_22_1_there_and_back(self):
        tensor = new_floats(1, 2, 3)
        for flags in (NEITHER, VERSIONED):
            back = C2g.Tensor.new_from_dlpack(tensor.to_dlpack(flags, None, 0), flags, None)
            self.assertEqual(back.get_address(), tensor.get_address())
            back.set_value(1, 42)
            self.assertEqual(numbers_of(tensor), [1, 42, 3])
            tensor.set_value(1, 2)
        address = tensor.get_address()
        del tensor
        self.assertEqual((numbers_of(back), back.get_address()), ([1, 2, 3], address))

    def test_22_2_not_taken(self):
        managed = new_floats(1).to_dlpack(VERSIONED, CPU, -1)
        gc.collect()
        self.assertNotEqual(self.live(), self.live_at_start)
        C2g.dlpack_release(managed, VERSIONED)
        self.assertEqual(self.live(), self.live_at_start)
        array = new_floats(1).to_array_struct()
        self.assertNotEqual(self.live(), self.live_at_start)
        C2g.array_struct_release(array)
        self.assertEqual(self.live(), self.live_at_start)

    def test_22_3_errors(self):
        tensor = C2g.Tensor.new()
        self.assertFails(C2g.Error.SHAPE, tensor.to_dlpack, NEITHER, None, 0)
        tensor.resize([2])
        self.assertFails(C2g.Error.FAILED, tensor.to_dlpack, NEITHER, None, 0)
        tensor.allocate(C2g.DataType.STRING)
        self.assertIn('string', self.assertFails(C2g.Error.TYPE, tensor.to_dlpack, NEITHER, None, 0))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, new_floats(1).to_dlpack, NEITHER, None, 7)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, new_floats(1).lend_to_stream, 7)
        self.assertTrue(new_floats(1).lend_to_stream(0))
        self.assertEqual(C2g.dlpack_get_stream(CPU, None), 0)
        self.assertEqual(C2g.dlpack_get_stream(C2g.Device.parse('cuda:1'), None), 1)
        self.assertFails(C2g.Error.DEVICE, C2g.dlpack_get_stream, C2g.Device.parse('cuda:1'), C2g.CpuContext())


class Capsules(TestCase):
    def test_22_4_names(self):
        tensor = new_floats(1)
        for max_version, name in ((None, b'dltensor'), ((0, 8), b'dltensor'), ((1, 0), b'dltensor_versioned'),
                                  ((100, 3), b'dltensor_versioned')):
            capsule = tensor.__dlpack__(max_version=max_version)
            self.assertEqual(name_of(capsule), name)
            back = C2g.from_dlpack(capsule)
            self.assertEqual(name_of(capsule), b'used_' + name)
            self.assertRaises(TypeError, C2g.from_dlpack, capsule)
            del capsule
            self.assertEqual(numbers_of(back), [1])

    def test_22_5_dropped(self):
        """A capsule that is not consumed pins the memory until it is freed."""
        for max_version in (None, (1, 0)):
            tensor = new_floats(1)
            capsules = [tensor.__dlpack__(max_version=max_version) for _ in range(3)]
            del tensor
            gc.collect()
            self.assertNotEqual(self.live(), self.live_at_start)
            capsules.clear()
            self.assertEqual(self.live(), self.live_at_start)

    def test_22_6_dropped_by_an_exception(self):
        def fail(tensor, **arguments):
            capsule = tensor.__dlpack__(**arguments)
            raise LookupError(name_of(capsule))

        for max_version in (None, (1, 0)):
            with self.assertRaises(LookupError):
                fail(new_floats(1), max_version=max_version)

    def test_22_7_dropped_by_a_thread(self):
        capsules = [new_floats(i).__dlpack__() for i in range(100)]
        tensors = [C2g.from_dlpack(new_floats(i)) for i in range(100)]
        thread = threading.Thread(target=lambda: (capsules.clear(), tensors.clear()))
        thread.start()
        thread.join()
        self.assertEqual((capsules, tensors), ([], []))

    def test_22_25_consumed_by_two_threads(self):
        """Only one of two threads can consume a capsule; the other one waits, and finds it consumed."""
        overrides = importlib.import_module('gi.overrides._c2g.memory')
        get_pointer = overrides._capsule_get_pointer
        tensor = new_floats(1)
        capsule, tensors, threads = tensor.__dlpack__(), [], []

        def consume():
            try:
                tensors.append(C2g.from_dlpack(capsule))
            except TypeError:
                pass

        def start_another(*arguments):
            overrides._capsule_get_pointer = get_pointer
            threads.append(threading.Thread(target=consume))
            threads[0].start()
            threads[0].join(0.2)
            return get_pointer(*arguments)

        overrides._capsule_get_pointer = start_another
        self.addCleanup(setattr, overrides, '_capsule_get_pointer', get_pointer)
        consume()
        threads[0].join()
        self.assertEqual([numbers_of(tensor) for tensor in tensors], [[1]])

    def test_22_8_arguments(self):
        tensor = new_floats(1)
        self.assertEqual(tensor.__dlpack_device__(), (1, 0))
        tensor.__dlpack__(stream=None, dl_device=(1, 0), copy=False)
        self.assertRaises(TypeError, tensor.__dlpack__, None)
        for arguments, error in (({'stream': 0}, ValueError), ({'stream': 1}, ValueError), ({'stream': -2}, ValueError),
                                 ({'copy': 1}, ValueError), ({'dl_device': (10, 0)}, BufferError),
                                 ({'dl_device': (2, 1), 'copy': False}, BufferError)):
            with self.subTest(arguments=arguments), self.assertRaises(error):
                tensor.__dlpack__(**arguments)
        tensor.allocate(C2g.DataType.STRING)
        self.assertRaises(BufferError, tensor.__dlpack__)
        self.assertRaises(BufferError, C2g.Tensor.new_sized([2], None).__dlpack__)

    def test_22_9_producers(self):
        tensor = new_floats(1, 2)
        self.assertEqual(numbers_of(C2g.Tensor.from_dlpack(tensor)), [1, 2])
        self.assertEqual(C2g.from_dlpack(Old(tensor)).get_address(), tensor.get_address())
        self.assertNotEqual(C2g.from_dlpack(Old(tensor), copy=True).get_address(), tensor.get_address())
        for x, arguments, error in ((None, {}, TypeError), ([1.0], {}, TypeError), (InPlace(None), {}, TypeError),
                                    (InPlace(None, (10, 0)), {}, BufferError), (tensor, {'copy': 'no'}, ValueError),
                                    (tensor, {'context': 1}, TypeError)):
            with self.subTest(x=x), self.assertRaises(error):
                C2g.from_dlpack(x, **arguments)

    def test_22_10_copies(self):
        tensor = new_floats(1, 2)
        for copy, shares in ((None, True), (False, True), (True, False)):
            back = C2g.from_dlpack(tensor, copy=copy)
            self.assertEqual(back.get_address() == tensor.get_address(), shares)
            self.assertEqual(numbers_of(back), [1, 2])

    def test_22_11_read_only(self):
        tensor = C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [2], floats(1, 2))
        back = C2g.from_dlpack(tensor)
        self.assertTrue(back.get_storage().is_read_only())
        self.assertEqual(back.get_address(), tensor.get_address())
        back.set_value(0, 42)
        self.assertEqual((numbers_of(back), numbers_of(tensor)), ([42, 2], [1, 2]))
        # DLPack before version 1 has no read-only flag, so the consumer gets a copy, unless copy is False.
        self.assertNotEqual(C2g.from_dlpack(Old(tensor)).get_address(), tensor.get_address())
        self.assertRaises(BufferError, tensor.__dlpack__, copy=False)


@unittest.skipIf(numpy is None, 'NumPy is not installed')
class NumPy(TestCase):
    def assertArray(self, array, expected):
        self.assertEqual((array.dtype, array.shape), (expected.dtype, expected.shape))
        self.assertTrue((array == expected).all())

    def views_of(self, tensor):
        return [numpy.from_dlpack(tensor), numpy.asarray(tensor)]

    def test_22_12_view(self):
        """A view is live, and keeps its address even if the tensor changes."""
        for i in range(2):
            tensor = new_floats(1, 2, 3, 4, 5, 6)
            tensor.reshape([2, 3])
            view = self.views_of(tensor)[i]
            self.assertArray(view, numpy.array([[1, 2, 3], [4, 5, 6]], numpy.float32))
            tensor.set_value(5, 42)
            self.assertEqual(view[1, 2], 42)
            tensor.resize([1000])
            tensor.allocate(C2g.DataType.FLOAT)
            del tensor
            gc.collect()
            self.assertEqual(view.sum(), 1 + 2 + 3 + 4 + 5 + 42)
        if new_numpy:
            tensor = new_floats(1)
            self.assertEqual(numpy.from_dlpack(tensor, device='cpu', copy=False).ctypes.data, tensor.get_address())
            self.assertNotEqual(numpy.from_dlpack(tensor, copy=True).ctypes.data, tensor.get_address())

    def test_22_13_writable_view(self):
        tensor = new_floats(1, 2)
        numpy.asarray(tensor)[0] = 42
        self.assertEqual(numbers_of(tensor), [42, 2])
        # NumPy marks arrays from DLPack before version 1 as read-only.
        view = numpy.from_dlpack(tensor)
        self.assertEqual(view.flags.writeable, new_numpy)
        if new_numpy:
            view[1] = 43
            self.assertEqual(numbers_of(tensor), [42, 43])

    def test_22_14_array(self):
        """A tensor over an array is live and writable, and holds the array."""
        array = numpy.arange(6, dtype=numpy.float64).reshape(2, 3)
        n_references = sys.getrefcount(array)
        tensor = C2g.from_dlpack(array)
        self.assertEqual((list(tensor.get_dims()), numbers_of(tensor)), ([2, 3], [0, 1, 2, 3, 4, 5]))
        tensor.set_value(0, 42)
        self.assertEqual(array[0, 0], 42)
        part = tensor.slice(1, 2)
        self.assertGreater(sys.getrefcount(array), n_references)
        del tensor
        self.assertGreater(sys.getrefcount(array), n_references)
        del part
        self.assertEqual(sys.getrefcount(array), n_references)

    def test_22_15_types(self):
        for member, dtype in NUMPY_TYPES.items():
            with self.subTest(member=member):
                array = numpy.array([0, 1, 2, 3]).astype(dtype)
                if member == 'BOOL' and not new_numpy:
                    tensor = new_tensor([4], C2g.DataType.BOOL)
                    tensor.set_bytes(new_bytes(array.tobytes()))
                    self.assertArray(numpy.asarray(tensor), array)
                    continue
                tensor = C2g.from_dlpack(array)
                self.assertEqual(tensor.get_data_type(), getattr(C2g.DataType, member))
                for view in self.views_of(tensor):
                    self.assertArray(view, array)
        for dtype in ('complex64', 'datetime64[s]', 'S2', object, numpy.dtype('f4').newbyteorder()):
            # NumPy refuses most of these itself.
            with self.subTest(dtype=dtype), self.assertRaises((BufferError, TypeError)):
                C2g.from_dlpack(numpy.zeros(2, dtype))
        for data_type in (C2g.DataType.BFLOAT16, C2g.DataType.STRING):
            tensor = new_tensor([2], data_type)
            self.assertRaises(TypeError, numpy.asarray, tensor)
            self.assertRaises((BufferError, RuntimeError), numpy.from_dlpack, tensor)

    def test_22_16_shapes(self):
        for dims in [[], [0], [3, 0, 2], [7, 5, 3], *([1] * n_dims for n_dims in range(1, 33))]:
            with self.subTest(dims=dims):
                tensor = new_tensor(dims, C2g.DataType.INT16)
                for view in self.views_of(tensor):
                    self.assertEqual(view.shape, tuple(dims))
                    self.assertEqual(view.dtype, numpy.int16)
                self.assertEqual(C2g.from_dlpack(numpy.zeros(dims, numpy.int8)).get_dims(), dims)

    def test_22_26_too_many_dimensions(self):
        tensor = new_tensor([1] * 65)
        self.assertRaises(ValueError, numpy.asarray, tensor)
        with self.assertRaisesRegex(BufferError, '65'):
            _ = tensor.__array_interface__
        self.assertRaises((BufferError, RuntimeError), numpy.from_dlpack, tensor)

    def test_22_27_what_numpy_asks_for(self):
        """The arguments of the array API's from_dlpack(), for all versions of DLPack that NumPy tries."""
        tensor = new_floats(1, 2, 3)
        n_users = tensor.get_storage().use_count()
        with self.assertRaises((TypeError, BufferError, ValueError)):
            numpy.from_dlpack(tensor, device='nowhere', copy=None)
        for version in (None, (0, 8), (1, 0), (1, 1), (1, 9)):
            for copy, shares in ((None, True), (False, True), (True, False)):
                with self.subTest(version=version, copy=copy):
                    capsule = tensor.__dlpack__(max_version=version, dl_device=tensor.__dlpack_device__(), copy=copy)
                    back = C2g.from_dlpack(capsule)
                    self.assertEqual((numbers_of(back), back.get_address() == tensor.get_address()), ([1, 2, 3], shares))
                    self.assertRaises(TypeError, C2g.from_dlpack, capsule)
                    del back, capsule
                    # Nothing else holds the memory any more.
                    self.assertEqual(tensor.get_storage().use_count(), n_users)
        array = numpy.arange(3.0)
        n_references = sys.getrefcount(array)
        for copy in (None, False, True):
            tensor = C2g.from_dlpack(array, copy=copy)
            self.assertEqual(sys.getrefcount(array) > n_references, copy is not True)
            del tensor
            self.assertEqual(sys.getrefcount(array), n_references)
        self.assertEqual(numpy.from_dlpack(new_tensor([], C2g.DataType.DOUBLE)).shape, ())
        self.assertRaises(BufferError, C2g.from_dlpack, numpy.arange(4, dtype=numpy.int32)[::2], copy=False)

    def test_22_17_strides(self):
        array = numpy.arange(60, dtype=numpy.int32).reshape(3, 4, 5)
        unaligned = numpy.frombuffer(bytes(9), numpy.uint8)[1:].view(numpy.int64)
        for view in (array.T, array[:, ::2], array[::-1, :, ::-1], array[:, :, 2], array.swapaxes(0, 1),
                     numpy.broadcast_to(array[0], (2, 4, 5)).copy()[:, 1:], unaligned.copy()[::-1]):
            tensor = C2g.from_dlpack(view)
            self.assertArray(numpy.asarray(tensor), view)
        self.assertRaises(BufferError, C2g.from_dlpack, array.T, copy=False)
        # DLPack's strides are in elements, so it cannot express these, which are not a multiple of the element size.
        records = numpy.zeros(5, numpy.dtype([('int', numpy.int32), ('char', numpy.int8)]))
        self.assertRaises((BufferError, TypeError), C2g.from_dlpack, records['int'])
        # The stride of a dimension of size 1 does not matter.
        lone = numpy.ndarray((10, 1), 'f8', numpy.ones(1000), strides=(8, 4000))
        self.assertEqual(C2g.from_dlpack(lone, copy=False).get_address(), lone.ctypes.data)

    def test_22_18_read_only_array(self):
        array = numpy.arange(3.0)
        array.flags.writeable = False
        # DLPack before version 1 has no read-only flag, but the array interface has one.
        for copy, shares in ((None, True), (False, True), (True, False)):
            tensor = C2g.from_dlpack(array, copy=copy)
            self.assertEqual(tensor.get_address() == array.ctypes.data, shares)
        tensor = C2g.from_dlpack(array)
        tensor.set_value(0, 42)
        self.assertEqual((array[0], numbers_of(tensor)), (0, [42, 1, 2]))

    def test_22_19_read_only_view(self):
        bytes_ = new_bytes(b'\1\2\3')
        tensor = C2g.Tensor.new_from_bytes(C2g.DataType.UINT8, [3], bytes_)
        for view in self.views_of(tensor):
            self.assertFalse(view.flags.writeable)
            self.assertArray(view, numpy.array([1, 2, 3], numpy.uint8))
        self.assertEqual(numpy.asarray(tensor).ctypes.data, tensor.get_address())
        # Frozen bytes must not change, so the tensor moves to a copy.
        tensor = new_tensor([2], C2g.DataType.UINT8)
        tensor.set_bytes(new_bytes(b'\1\2'))
        frozen = tensor.ref_bytes()
        numpy.asarray(tensor)[0] = 42
        self.assertEqual((tensor.get_value(0), frozen.get_data()), (42, b'\1\2'))

    def test_22_20_array_interface(self):
        tensor = new_tensor([2, 3], C2g.DataType.INT64)
        interface = tensor.__array_interface__
        self.assertEqual((interface['version'], interface['shape']), (3, (2, 3)))
        self.assertEqual(interface['typestr'], numpy.dtype(numpy.int64).str)
        self.assertEqual(memoryview(interface['data']).nbytes, 48)
        self.assertFalse(hasattr(tensor, '__cuda_array_interface__'))
        del tensor
        gc.collect()
        self.assertNotEqual(self.live(), self.live_at_start)
        self.assertRaises(BufferError, lambda: C2g.Tensor.new().__array_interface__)
        tensor = C2g.Tensor.new_sized([2], None)
        self.assertRaises(BufferError, lambda: tensor.__array_interface__)
        tensor.allocate(C2g.DataType.BFLOAT16)
        for ask in (lambda: tensor.__array_struct__, lambda: tensor.__array_interface__, lambda: numpy.asarray(tensor)):
            with self.assertRaisesRegex(TypeError, 'bfloat16'):
                ask()
        old_numpy = ("import sys, types; sys.modules['numpy'] = types.SimpleNamespace(__version__='1.22.4')\n"
                     "import gi; gi.require_version('C2g', '1')\n"
                     "from gi.repository import C2g\n"
                     "tensor = C2g.Tensor.new_sized([1], None)\n"
                     "tensor.allocate(C2g.DataType.UINT8)\n"
                     "assert not hasattr(tensor, '__array_struct__') and tensor.__array_interface__['shape'] == (1,)")
        subprocess.run([sys.executable, '-c', old_numpy], check=True)
        capsule = new_floats(1, 2).__array_struct__
        self.assertIsNone(name_of(capsule))
        del capsule


class Cuda(TestCase):
    """Sharing on a CUDA device, or on the fake runtime."""

    def setUp(self):
        super().setUp()
        self.device = C2g.Device.parse('cuda:0')
        try:
            self.context = C2g.Context.for_device(self.device)
        except GLib.Error as error:
            self.skipTest(error.message)

    def new_far(self):
        return new_floats(1, 2, 3).to_device(self.device)

    def test_22_23_cuda(self):
        tensor = self.new_far()
        self.assertEqual(tensor.__dlpack_device__(), (2, 0))
        for context in (None, self.context):
            back = C2g.from_dlpack(tensor, context=context)
            self.assertEqual((back.get_device(), back.get_address()), (self.device, tensor.get_address()))
        for stream in (None, -1, 1, 2, C2g.dlpack_get_stream(self.device, self.context)):
            C2g.from_dlpack(tensor.__dlpack__(stream=stream, max_version=(1, 0)))
        near = C2g.from_dlpack(tensor.__dlpack__(dl_device=(1, 0)))
        self.assertEqual((near.get_device(), numbers_of(near)), (CPU, [1, 2, 3]))
        for arguments, error in (({'stream': 0}, ValueError), ({'stream': -2}, ValueError),
                                 ({'dl_device': (1, 0), 'copy': False}, BufferError),
                                 ({'dl_device': (3, 0)}, BufferError), ({'dl_device': (2, 1000)}, BufferError)):
            with self.subTest(arguments=arguments), self.assertRaises(error):
                tensor.__dlpack__(**arguments)

    def test_22_24_cuda_array_interface(self):
        tensor = self.new_far()
        tensor.reshape([3, 1])
        self.assertEqual(tensor.__cuda_array_interface__,
                         {'version': 3, 'shape': (3, 1), 'typestr': '<f4' if sys.byteorder == 'little' else '>f4',
                          'strides': None, 'stream': 1, 'data': (tensor.get_address(), False)})
        self.assertRaises(BufferError, lambda: tensor.__array_interface__)
        self.assertRaisesRegex(BufferError, 'to_device', numpy.asarray, tensor)
        tensor.resize([0])
        self.assertEqual(tensor.__cuda_array_interface__['data'], (0, False))
        tensor = C2g.Tensor.new_sized([2], self.device)
        tensor.allocate(C2g.DataType.FLOAT)
        tensor.free_memory()
        self.assertRaises(ValueError, lambda: tensor.__cuda_array_interface__)
        tensor.allocate(C2g.DataType.BFLOAT16)
        self.assertRaises(TypeError, lambda: tensor.__cuda_array_interface__)


class Libraries(TestCase):
    """Sharing with other libraries, if they are installed."""

    def module(self, name):
        try:
            return importlib.import_module(name)
        except ImportError as error:
            self.skipTest(str(error))

    def test_22_21_pytorch(self):
        torch = self.module('torch')
        tensor = new_floats(1, 2, 3, 4)
        tensor.reshape([2, 2])
        theirs = torch.from_dlpack(tensor)
        theirs[1, 1] = 42
        self.assertEqual(numbers_of(tensor), [1, 2, 3, 42])
        ours = C2g.from_dlpack(theirs.T)
        self.assertEqual(numbers_of(ours), [1, 3, 2, 42])
        dtypes = [torch.bfloat16, torch.float16, torch.int64]
        # PyTorch 1 gives no booleans.
        with contextlib.suppress(RuntimeError):
            torch.utils.dlpack.to_dlpack(torch.ones(1, dtype=torch.bool))
            dtypes.append(torch.bool)
        for dtype in dtypes:
            theirs = torch.ones(3, dtype=dtype)
            ours = C2g.from_dlpack(theirs, copy=False)
            ours.set_value(1, 0)
            self.assertEqual(theirs.tolist(), [1, 0, 1])
            self.assertEqual(torch.from_dlpack(ours).data_ptr(), theirs.data_ptr())
        self.assertEqual(numbers_of(C2g.from_dlpack(torch.utils.dlpack.to_dlpack(torch.ones(2)))), [1, 1])
        for dtype in (torch.complex64, torch.float8_e4m3fn) if hasattr(torch, 'float8_e4m3fn') else ():
            self.assertRaises(BufferError, C2g.from_dlpack, torch.zeros(2, dtype=dtype))
        del tensor, theirs, ours

    def test_22_22_jax(self):
        jax = self.module('jax')
        tensor = new_floats(1, 2, 3)
        theirs = jax.dlpack.from_dlpack(tensor)
        self.assertEqual(theirs.tolist(), [1, 2, 3])
        self.assertEqual(numbers_of(C2g.from_dlpack(theirs)), [1, 2, 3])
        del tensor, theirs
