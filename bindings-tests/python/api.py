# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Types, names, and symbols that must not be visible."""

import ast
import inspect
import os
import pydoc
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import gi

gi.require_version('GIRepository', '2.0')
from gi.repository import GIRepository, GObject  # noqa: E402

from c2g_testing import CPU, C2g, Gio, GLib, TestCase, new_bytes, new_tensor

C_ONLY = {
    C2g: ['BlockFuncs', 'DeviceBackend', 'ElementFuncs', 'EventFuncs', 'Ledger', 'Label', 'Shape'],
    C2g.Blob: ['take_pointer', 'share_pointer', 'get_pointer', 'get_raw', 'release_pointer'],
    C2g.Context: ['copy_items', 'do_copy_bytes'],
    C2g.Event: ['schedule'],
    C2g.Storage: ['new_external', 'share_external', 'get_data', 'unlist'],
    C2g.Tensor: ['data', 'mutable_data', 'raw_data', 'raw_mutable_data', 'share_external',
                 'share_external_meta'],
    C2g.TypeMeta: ['register_full', 'register_plain', 'construct', 'destroy', 'copy_items'],
}

# Caffe2's numbers, and c2g's own from 100 on.
DATA_TYPES = {
    'UNDEFINED': (0, 0), 'FLOAT': (1, 4), 'INT32': (2, 4), 'BYTE': (3, 1), 'STRING': (4, 8),
    'BOOL': (5, 1), 'UINT8': (6, 1), 'INT8': (7, 1), 'UINT16': (8, 2), 'INT16': (9, 2),
    'INT64': (10, 8), 'FLOAT16': (12, 2), 'DOUBLE': (13, 8), 'BFLOAT16': (100, 2),
    'UINT32': (101, 4), 'UINT64': (102, 8),
}


def infos():
    """Returns every top-level entry of the typelib."""
    repository = GIRepository.Repository.get_default()
    return [repository.get_info('C2g', i) for i in range(repository.get_n_infos('C2g'))]


def callables(info):
    """Yields the functions of a top-level entry."""
    if info.get_type() == GIRepository.InfoType.OBJECT:
        for i in range(GIRepository.object_info_get_n_methods(info)):
            yield GIRepository.object_info_get_method(info, i)
        for i in range(GIRepository.object_info_get_n_vfuncs(info)):
            yield GIRepository.object_info_get_vfunc(info, i)
    elif info.get_type() in (GIRepository.InfoType.STRUCT, GIRepository.InfoType.BOXED):
        for i in range(GIRepository.struct_info_get_n_methods(info)):
            yield GIRepository.struct_info_get_method(info, i)
    elif info.get_type() == GIRepository.InfoType.FUNCTION:
        yield info


def is_pointer(type_info):
    return (GIRepository.type_info_get_tag(type_info) == GIRepository.TypeTag.VOID
            and GIRepository.type_info_is_pointer(type_info))


class Types(TestCase):
    def test_1_1_constructors(self):
        upstream = C2g.CpuAllocator.new()
        stream = Gio.MemoryOutputStream.new_resizable()
        net_def = C2g.NetDef.new(None)
        made = {
            C2g.Argument: [C2g.Argument.new_int('a', 1), C2g.Argument.new_bytes('a', new_bytes(b'ab')),
                           C2g.Argument.new_net('a', net_def)],
            C2g.Blob: [C2g.Blob.new()],
            C2g.CpuAllocator: [upstream, C2g.CpuAllocator.new_aligned(4096)],
            C2g.CpuContext: [C2g.CpuContext.new(), C2g.Context.for_device(CPU)],
            C2g.DbReader: [C2g.DbReader()],
            C2g.Device: [CPU, C2g.Device.new(C2g.DeviceType.CUDA, 1), C2g.Device.parse('cuda:1')],
            C2g.Event: [C2g.Event.new(None), C2g.Event.new(CPU)],
            C2g.ExecutionStep: [C2g.ExecutionStep.new(None), C2g.ExecutionStep()],
            C2g.FailureCallbackAllocator: [C2g.FailureCallbackAllocator.new(None, None)],
            C2g.Int8Tensor: [C2g.Int8Tensor(), C2g.Int8Tensor(tensor=new_tensor([1]))],
            C2g.LimitingAllocator: [C2g.LimitingAllocator.new(upstream, 1)],
            C2g.ClassScore: [C2g.ClassScore(index=1, score=2, label='a'), C2g.ClassScore.new(1, 2, 'a')],
            C2g.LoadOptions: [C2g.LoadOptions(), C2g.LoadOptions.new()],
            C2g.PictureOptions: [C2g.PictureOptions(), C2g.PictureOptions.new('digits')],
            C2g.SoundOptions: [C2g.SoundOptions(), C2g.SoundOptions.new()],
            C2g.LoggingAllocator: [C2g.LoggingAllocator.new(upstream, stream),
                                   C2g.LoggingAllocator.new(None, None)],
            C2g.Mapping: [new_tensor([1]).map(C2g.MapFlags.READ)],
            C2g.MemoryReporter: [C2g.MemoryReporter.get_default()],
            C2g.MetaNetDef: [C2g.MetaNetDef.new(), C2g.MetaNetDef()],
            C2g.CaffeBlob: [C2g.CaffeBlob.new(C2g.DataType.FLOAT, C2g.DataType.FLOAT, [2], None), C2g.CaffeBlob(name='a')],
            C2g.CaffeTBlob: [C2g.CaffeTBlob.new(C2g.DataType.FLOAT, [2], None), C2g.CaffeTBlob(name='a')],
            C2g.MixedTensor: [C2g.MixedTensor.new(C2g.DataType.FLOAT, [2], None), C2g.MixedTensor(name='a')],
            C2g.Net: [C2g.Workspace().create_net(C2g.NetDef.new('net'), False)],
            C2g.NetDef: [net_def, C2g.NetDef.new('net'), C2g.NetDef()],
            C2g.OperatorDef: [C2g.OperatorDef.new('Relu'), C2g.OperatorDef()],
            C2g.OperatorSchema: [C2g.OperatorSchema.new(1, 1, 1, 1)],
            C2g.PlanDef: [C2g.PlanDef.new(None), C2g.PlanDef()],
            C2g.PoolAllocator: [C2g.PoolAllocator.new(upstream), C2g.PoolAllocator.new(None)],
            C2g.Progress: [C2g.Progress(), C2g.Progress.new()],
            C2g.SaveOptions: [C2g.SaveOptions(), C2g.SaveOptions.new()],
            C2g.Settings: [C2g.Settings.get_default()],
            C2g.StatRegistry: [C2g.StatRegistry.new(), C2g.StatRegistry(), C2g.StatRegistry.get_default()],
            C2g.Storage: [C2g.Storage.new(CPU, 8, None), C2g.Storage.new_from_bytes(new_bytes(b'ab'))],
            C2g.SyncedMemory: [C2g.SyncedMemory.new(4, CPU), C2g.SyncedMemory(n_bytes=4, name='a')],
            C2g.Tensor: [C2g.Tensor.new(), C2g.Tensor.new_for_device(CPU),
                         C2g.Tensor.new_sized([2], None), C2g.Tensor.new_sized([2], CPU),
                         C2g.Tensor.new_from_bytes(C2g.DataType.UINT8, [2], new_bytes(b'ab')),
                         C2g.Tensor.new_from_storage(C2g.DataType.UINT8, [2],
                                                     C2g.Storage.new(CPU, 8, None), 4),
                         C2g.Tensor.new_scalar(C2g.DataType.DOUBLE, 2.5)],
            C2g.TrackingAllocator: [C2g.TrackingAllocator.new(upstream)],
            C2g.TypeMeta: [C2g.TypeMeta.for_data_type(C2g.DataType.FLOAT),
                           C2g.TypeMeta.for_gtype(GObject.TYPE_DOUBLE),
                           C2g.TypeMeta.lookup('float')],
            C2g.Workspace: [C2g.Workspace.new(), C2g.Workspace.new_with_parent(C2g.Workspace()),
                            C2g.Workspace.new_with_parent(None)],
        }
        for kind, instances in made.items():
            for instance in instances:
                with self.subTest(kind=kind.__name__):
                    self.assertIsInstance(instance, kind)

    def test_1_2_bare_constructors(self):
        self.assertEqual(C2g.Event().get_device(), CPU)
        self.assertIsNone(C2g.Blob().get_name())
        self.assertEqual(C2g.Tensor().get_device(), CPU)
        self.assertEqual(C2g.SyncedMemory().get_head(), C2g.SyncedHead.UNINITIALIZED)
        self.assertEqual(C2g.Workspace().dup_root_folder(), '.')
        self.assertEqual(C2g.CpuContext().get_device(), CPU)
        self.assertEqual(C2g.CpuAllocator(alignment=128, zero_fill=True).get_alignment(), 128)
        self.assertEqual(C2g.LimitingAllocator(max_bytes=100).get_max_bytes(), 100)
        for kind in (C2g.FailureCallbackAllocator, C2g.LoggingAllocator, C2g.PoolAllocator,
                     C2g.TrackingAllocator):
            with self.subTest(kind=kind.__name__):
                self.assertIsInstance(kind().get_upstream(), C2g.Allocator)
                self.assertEqual(kind().allocate(10, None).get_n_bytes(), 10)
        self.assertEqual(C2g.Allocator().allocate(10, None).get_n_bytes(), 10)
        self.assertEqual(C2g.Settings().get_zero_fill(), C2g.Settings.get_default().get_zero_fill())

    def test_1_3_without_constructor(self):
        for kind in (C2g.AdaptorAllocator, C2g.Argument, C2g.Context, C2g.Device, C2g.Mapping, C2g.MemoryBlock,
                     C2g.Operator, C2g.Storage, C2g.TypeMeta):
            with self.subTest(kind=kind.__name__), self.assertRaises(TypeError):
                kind()

    def test_1_4_data_types(self):
        for member, (number, item_size) in DATA_TYPES.items():
            with self.subTest(member=member):
                data_type = getattr(C2g.DataType, member)
                self.assertEqual(int(data_type), number)
                self.assertEqual(C2g.DataType.get_item_size(data_type), item_size)
                self.assertEqual(C2g.DataType.get_name(data_type), member.lower())
                self.assertEqual(C2g.DataType.from_name(member.lower()), data_type)
        self.assertFails(C2g.Error.NOT_FOUND, C2g.DataType.from_name, 'Float')

    def test_1_5_byte_is_uint8(self):
        tensor = new_tensor([3], C2g.DataType.BYTE)
        self.assertEqual(tensor.get_data_type(), C2g.DataType.UINT8)
        self.assertEqual(tensor.get_type_meta().get_name(), 'uint8')
        self.assertEqual(C2g.TypeMeta.for_data_type(C2g.DataType.BYTE),
                         C2g.TypeMeta.for_data_type(C2g.DataType.UINT8))

    def test_1_6_enum_members(self):
        enums = [info for info in infos()
                 if info.get_type() in (GIRepository.InfoType.ENUM, GIRepository.InfoType.FLAGS)]
        self.assertIn('DataType', [info.get_name() for info in enums])
        for info in enums:
            values = [GIRepository.enum_info_get_value(info, i)
                      for i in range(GIRepository.enum_info_get_n_values(info))]
            kind = getattr(C2g, info.get_name())
            for value in values:
                with self.subTest(enum=info.get_name(), member=value.get_name()):
                    number = GIRepository.value_info_get_value(value)
                    self.assertEqual(int(getattr(kind, value.get_name().upper())), number)
                    if info.get_type() == GIRepository.InfoType.ENUM:
                        self.assertEqual(kind.__enum_values__[number].value_nick,
                                         value.get_name().replace('_', '-'))
            if info.get_type() == GIRepository.InfoType.ENUM:
                self.assertEqual(len(kind.__enum_values__), len(values))

    def test_1_7_devices(self):
        cuda = C2g.Device.parse('cuda:1')
        self.assertEqual(cuda, C2g.Device.new(C2g.DeviceType.CUDA, 1))
        self.assertNotEqual(cuda, C2g.Device.parse('cuda'))
        self.assertTrue(C2g.Device.parse('cuda').equal(C2g.Device.parse('cuda:0')))
        self.assertEqual(cuda.to_string(), 'cuda:1')
        self.assertEqual((cuda.get_device_type(), cuda.get_index()), (C2g.DeviceType.CUDA, 1))
        self.assertEqual(C2g.Device.parse('cpu:0'), CPU)
        for text in ('', 'gpu', 'cpu:', 'cuda:x', 'cuda:-1', ' cpu'):
            with self.subTest(text=text):
                self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Device.parse, text)
        self.assertFails(C2g.Error.RANGE, C2g.Device.parse, 'cpu:1')
        self.assertFails(C2g.Error.RANGE, C2g.Device.new, C2g.DeviceType.CUDA, -1)
        self.assertEqual(C2g.Device.count(C2g.DeviceType.CPU), 1)
        info = C2g.DeviceInfo.new_for_device(CPU)
        self.assertEqual(info.get_device(), CPU)
        self.assertGreater(info.get_total_bytes(), 0)
        self.assertIn('processors', info.list_details())
        self.assertGreaterEqual(int(info.get_detail('processors')), 1)
        self.assertIsNone(info.get_detail('taste'))
        self.assertFails(C2g.Error.DEVICE, C2g.DeviceInfo.new_for_device, C2g.Device.parse('cuda:1000'))

    def test_1_8_c_only_names(self):
        for owner, names in C_ONLY.items():
            for name in names:
                with self.subTest(owner=owner.__name__, name=name):
                    self.assertFalse(hasattr(owner, name))

    def test_1_9_no_bare_pointers(self):
        n_seen = 0
        for info in infos():
            for callable_info in callables(info):
                n_seen += 1
                name = f'{info.get_name()}.{callable_info.get_name()}'
                with self.subTest(name=name):
                    returned = GIRepository.callable_info_get_return_type(callable_info)
                    self.assertFalse(is_pointer(returned))
                    for i in range(GIRepository.callable_info_get_n_args(callable_info)):
                        arg = GIRepository.callable_info_get_arg(callable_info, i)
                        if arg.get_name() != 'user_data':
                            self.assertFalse(is_pointer(GIRepository.arg_info_get_type(arg)), arg.get_name())
        self.assertGreater(n_seen, 200)

    def test_1_11_text_with_a_nul(self):
        workspace = C2g.Workspace()
        workspace.create_blob('a')
        for call in (lambda: workspace.create_blob('a\0b'), lambda: workspace.has_blob(name='a\0b'),
                     lambda: workspace.copy_forwarded_tensors(['x', 'a\0b']), lambda: C2g.Device.parse('cpu\0'),
                     lambda: C2g.NetDef.new('net\0'), lambda: C2g.DataType.from_name('float\0'),
                     lambda: C2g.Argument.new_strings('a', ['\0'])):
            self.assertRaises(ValueError, call)
        self.assertEqual(workspace.list_blobs(), ['a'])
        # Bytes may contain a NUL.
        argument = C2g.Argument.new_bytes('a', GLib.Bytes.new(b'\0'))
        self.assertEqual(argument.dup_bytes().get_data(), b'\0')

    def test_1_13_docstrings(self):
        for documented, *parts in (
            (C2g.Tensor, 'An array of elements of one type', '```python', 'Signals:', 'reallocated: '),
            (C2g.Tensor.resize, 'resize(self, dims:list) -> bool', '`C2g.Error.SHAPE`', 'dims: the dimensions', 'Returns: '),
            (C2g.Tensor.is_allocated, 'is_allocated(self) -> bool', 'Returns: '),
            (C2g.Predictor.run, 'run(self, inputs:list', 'tensors for the first inputs'),
            (C2g.Predictor.load, 'Makes a predictor from a model.', '`None` keeps'),
            (C2g.Predictor.load_async, 'load_async(', 'in another thread'),
            (C2g.Operator.do_run, 'run(self) -> bool', 'Runs the operator.'),
            (C2g.DataType, 'The built-in element types.', 'FLOAT16: 16-bit IEEE 754'),
            (C2g.MapFlags, 'READ_WRITE: '),
            (C2g.Device, 'A processor with its memory'),
            (C2g.ElementObject, 'An interface of objects'),
            (C2g.get_version_string, 'get_version_string() -> str', 'Returns: '),
        ):
            for part in parts:
                self.assertIn(part, inspect.getdoc(documented))
            self.assertNotIn('C2G_ERROR_', inspect.getdoc(documented))
            self.assertNotIn('n_dims: ', inspect.getdoc(documented))
        text = pydoc.plain(pydoc.render_doc(C2g.Tensor))
        self.assertIn('Makes the tensor a copy of another: shape, element type and elements.', text)
        self.assertIn('source: a tensor with data, on any device', text)
        # What Python adds documents itself, other libraries have PyGObject's docstrings.
        self.assertIn('as numpy.array() does', inspect.getdoc(C2g.as_tensor) + inspect.getdoc(C2g.Tensor.__new__))
        self.assertEqual(GLib.get_prgname.__doc__, 'get_prgname() -> str or None')
        self.assertEqual(str(C2g.Tensor.resize.__doc__), eval(repr(C2g.Tensor.resize.__doc__)))

        # Without the GIR there are PyGObject's.
        code = ("import gi; gi.require_version('C2g', '1'); from gi.repository import C2g; import inspect, sys; "
                "assert 'xml.etree' not in sys.modules; print(inspect.getdoc(C2g.Tensor.resize), inspect.getdoc(C2g.DataType))")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(Path(os.environ['GI_TYPELIB_PATH'].partition(':')[0]) / 'C2g-1.typelib', folder)
            result = subprocess.run([sys.executable, '-c', code], env={**os.environ, 'GI_TYPELIB_PATH': folder, 'XDG_DATA_DIRS': folder},
                                    text=True, stdout=subprocess.PIPE, check=True)
        self.assertEqual(result.stdout, 'resize(self, dims:list) -> bool \n')

    def test_1_15_signatures(self):
        """Each function says what it does, and has a signature that is valid Python: in its first line, or as a function of Python."""
        n_seen = 0
        for name in dir(C2g):
            kind = getattr(C2g, name, None)
            of_c2g = [base for base in kind.__mro__ if base.__module__.startswith('gi.repository.C2g')] if isinstance(kind, type) else []
            functions = {member: getattr(kind, member) for base in of_c2g for member in vars(base)} if of_c2g else {name: kind}
            for member, function in functions.items():
                if member.startswith('_') or not callable(function) or isinstance(function, type):
                    continue
                n_seen += 1
                with self.subTest(name=f'{name}.{member}'):
                    doc = inspect.getdoc(function)
                    self.assertTrue(doc)
                    line = doc.splitlines()[0]
                    if line.startswith(f'{function.__name__}('):
                        ast.parse(f'def {line}: ...')
                    else:
                        kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
                        self.assertTrue(member in ('set_properties', 'update') or inspect.Parameter.VAR_KEYWORD not in kinds)
        self.assertGreater(n_seen, 1000)
        self.assertIn('load(file:Gio.File, parent:C2g.Workspace=None, device:C2g.Device=None, flags:C2g.OptimizeFlags=..., cancellable',
                      inspect.getdoc(C2g.Predictor.load))
        # A class begins with what a user needs first.
        self.assertEqual(inspect.getdoc(C2g.Predictor).split('```')[1].splitlines()[1], "predictor = C2g.Predictor.load('squeezenet')")
        self.assertIn('get_dims(self) -> list\n', inspect.getdoc(C2g.Tensor.get_dims))
        self.assertIn('-> tuple[bool, Gio.File, Gio.File]\n', inspect.getdoc(C2g.Predictor.find_files))

    def test_31_7_all_functions_are_checked(self):
        core, root = '{http://www.gtk.org/introspection/core/1.0}', Path(__file__).parents[2]
        space = ElementTree.parse(Path(os.environ['GI_TYPELIB_PATH'].partition(':')[0]) / 'C2g-1.gir').getroot().find(core + 'namespace')
        flags = {kind.get('name') for kind in space.findall(core + 'bitfield')}
        wanted = set()
        for kind in space:
            for function in (member for tag in ('method', 'constructor', 'function') for member in kind.findall(core + tag)):
                given = [p for p in function.findall(f'{core}parameters/{core}parameter') if p.get('direction', 'in') == 'in']
                takes_flags = any(p.find(f'{core}type[@name]') is not None and p.find(core + 'type').get('name') in flags for p in given)
                returns_array = function.find(f'{core}return-value/{core}array[@length]') is not None
                if (takes_flags or returns_array and given) and function.get('introspectable') != '0':
                    wanted.add((kind.get('name'), function.get('shadows') or function.get('name')))
        checked = re.findall(r"\[C2g\.(\w+), '(\w+)', ", (root / 'introspection' / 'js' / 'c2g.js').read_text())
        self.assertEqual(sorted(checked), sorted(wanted))

    def test_1_14_overrides_of_another_version(self):
        there = Path(C2g.as_tensor.__code__.co_filename).parents[2]
        version = f"VERSION = '{C2g.VERSION_STRING}'"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(there, Path(folder) / 'gi', ignore=shutil.ignore_patterns('__pycache__'))
            file = Path(folder) / 'gi' / 'overrides' / '_c2g' / '__init__.py'
            self.assertIn(version, file.read_text())
            file.write_text(file.read_text().replace(version, "VERSION = '9.8.7'"))
            result = subprocess.run([sys.executable, '-c', "import gi; gi.require_version('C2g', '1'); from gi.repository import C2g"],
                                    env={**os.environ, 'PYTHONPATH': folder}, text=True, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        for part in (f'ImportError: the overrides of Python in {folder}', 'c2g 9.8.7', f'the library is c2g {C2g.VERSION_STRING}'):
            self.assertIn(part, result.stderr.splitlines()[-1])

    def test_1_10_every_type_is_known(self):
        """Every new type must be added to these tests."""
        kinds = {info.get_name() for info in infos()
                 if info.get_type() in (GIRepository.InfoType.OBJECT, GIRepository.InfoType.BOXED,
                                        GIRepository.InfoType.STRUCT)
                 and not info.get_name().endswith(('Class', 'Interface'))}
        self.assertEqual(kinds, {
            'AdaptorAllocator', 'Allocator', 'Argument', 'Blob', 'CaffeBlob', 'CaffeTBlob', 'ClassScore', 'Context', 'CpuAllocator', 'CpuContext', 'Db',
            'DbCursor', 'DbReader', 'DbTransaction', 'Device', 'DeviceInfo', 'Event', 'ExecutionStep',
            'FailureCallbackAllocator', 'FileEntry', 'Int8Tensor', 'LimitingAllocator', 'LoadOptions', 'LoggingAllocator', 'Mapping', 'MemoryBlock',
            'MemoryReporter', 'MetaNetDef', 'MixedTensor', 'ModelFile', 'Net', 'NetBenchmark', 'NetDef', 'Operator', 'OperatorDef',
            'OperatorSchema', 'PictureOptions', 'PlanDef', 'PoolAllocator', 'Predictor', 'Progress', 'QTensor', 'SaveOptions',
            'Serializer', 'Settings', 'SoundOptions', 'StatRegistry', 'Storage', 'SyncedMemory', 'Tensor', 'TrackingAllocator',
            'TypeMeta', 'Workspace'})
