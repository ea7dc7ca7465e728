# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Loading into a workspace: options, reading the entries first, progress, cancelling, asynchronous loading."""

import copy
import shutil
import struct
import tempfile
import threading
from pathlib import Path

import numpy as np

from c2g_testing import C2g, Gio, GLib, TestCase, new_bytes, new_floats, numbers_of


def new_blob(*numbers):
    blob = C2g.Blob()
    blob.set_object(new_floats(*numbers))
    return blob


class Load(TestCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix='c2g-load-'))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, **blobs):
        """Writes a checkpoint with tensors of these numbers."""
        file = Gio.File.new_for_path(str(self.folder / name))
        db = C2g.Db.open('minidb', file, C2g.DbMode.NEW, None)
        transaction = db.new_transaction()
        for blob, numbers in blobs.items():
            transaction.put(new_bytes(f'{blob}#%0'.encode()), new_blob(*numbers).serialize(blob))
        transaction.commit()
        db.close()
        return file

    def assertHas(self, workspace, **blobs):
        self.assertEqual(sorted(workspace.list_blobs()), sorted(blobs))
        for name, numbers in blobs.items():
            self.assertEqual(numbers_of(workspace.get_blob(name).get_tensor()), numbers)

    def test_17_1_load_all(self):
        workspace = C2g.Workspace()
        file = self.write('a.minidb', w=[1, 2], b=[3])
        self.assertEqual(workspace.load_checkpoint(file, None, None), ['w', 'b'])
        self.assertHas(workspace, w=[1, 2], b=[3])
        self.assertEqual(C2g.Workspace().load_checkpoint(file, None, None), ['w', 'b'])
        # So does the folder, as long as no other file in it has blobs.
        self.assertEqual(C2g.Workspace().load_checkpoint(self.folder), ['w', 'b'])
        self.write('b.npz')
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Workspace().load_checkpoint, self.folder)
        self.assertIn(f'“b.npz”, “a.minidb”: name one, as in {self.folder}/b.npz', message)

    def test_17_2_load_with_options(self):
        file = self.write('a.minidb', **{'gpu_0/w': [1, 2], 'gpu_0/b': [3]})
        other = self.write('b.minidb', extra=[4])
        workspace = C2g.Workspace()
        options = C2g.LoadOptions(names=['w'], strip_prefix='gpu_0/')
        self.assertEqual([options.dup_name(name) for name in ('gpu_0/w', 'a/gpu_0/w', 'w')], ['w', 'w', 'w'])
        self.assertEqual(workspace.load_checkpoint(file, options, None), ['w'])
        self.assertHas(workspace, w=[1, 2])

        workspace = C2g.Workspace()
        options = C2g.LoadOptions(names=['x'], source_names=['gpu_0/b'])
        workspace.load_checkpoint(file, options, None)
        self.assertHas(workspace, x=[3])

        workspace = C2g.Workspace()
        options = C2g.LoadOptions(add_prefix='a/')
        options.set_files([other])
        self.assertEqual([item.get_path() for item in options.get_files()], [other.get_path()])
        workspace.load_checkpoint(file, options, None)
        self.assertHas(workspace, **{'a/gpu_0/w': [1, 2], 'a/gpu_0/b': [3], 'a/extra': [4]})

    def test_17_3_load_options_notify(self):
        options = C2g.LoadOptions()
        heard = self.count_notify(options, 'names')
        options.set_names(['a'])
        options.props.names = ['a']
        self.assertEqual(len(heard), 1)
        self.assertEqual(options.get_names(), ['a'])
        self.assertFalse(options.get_source_names())
        self.assertEqual(copy.copy(options.props).names, ['a'])

    def test_17_4_load_fails(self):
        workspace = C2g.Workspace()
        file = self.write('a.minidb', w=[1, 2], b=[3])
        options = C2g.LoadOptions(names=['w', 'absent'])
        message = self.assertFails(C2g.Error.NOT_FOUND, workspace.load_checkpoint, file, options, None)
        self.assertIn('“absent”', message)
        options.props.allow_incomplete = True
        self.assertEqual(workspace.load_checkpoint(file, options, None), ['w'])

        # A blob of a type without a serializer here; Caffe2 may have written it.
        message = b'\x0a\x01m\x12\x04Mine\x22\x01x'
        mixed = self.folder / 'mixed.minidb'
        mixed.write_bytes(struct.pack('<ii', 1, len(message)) + b'm' + message + (self.folder / 'a.minidb').read_bytes())
        file = Gio.File.new_for_path(str(mixed))
        self.assertFails(C2g.Error.NOT_SUPPORTED, workspace.load_checkpoint, file, None, None)
        options = C2g.LoadOptions(skip_unsupported=True)
        self.assertEqual(workspace.load_checkpoint(file, options, None), ['w', 'b'])

        damaged = self.folder / 'damaged.minidb'
        damaged.write_bytes((self.folder / 'a.minidb').read_bytes()[:-5])
        self.assertFails(C2g.Error.CORRUPT, C2g.Workspace().load_checkpoint,
                         Gio.File.new_for_path(str(damaged)), None, None)

    def test_17_5_load_entries(self):
        model_file = C2g.ModelFile.open(self.write('a.minidb', w=[1, 2], b=[3]), None, None)
        self.assertEqual(model_file.get_kind(), C2g.ModelFileKind.MINIDB)
        entries = model_file.list_entries()
        self.assertEqual([(entry.get_name(), entry.get_dims(), entry.get_n_bytes()) for entry in entries],
                         [('w', [2], 8), ('b', [1], 4)])
        self.assertEqual(model_file.lookup_entry('b').get_blob_type(), 'Tensor')
        self.assertEqual(model_file.lookup_entry('b').get_device(), C2g.Device.cpu())
        self.assertIsNone(model_file.lookup_entry('c'))
        self.assertEqual(numbers_of(model_file.load_blob('b', None).get_tensor()), [3])
        self.assertFails(C2g.Error.NOT_FOUND, model_file.load_blob, 'c', None)
        self.assertTrue(model_file.verify(None, None))
        self.assertEqual(model_file.list_metadata(), [])
        net = b"op { type: 'ConstantFill' output: 'c' arg { name: 'shape' ints: 1000000000 } arg { name: 'value' f: 2 } }"
        entry = C2g.ModelFile.new_from_bytes(GLib.Bytes(net), 'net.pbtxt').lookup_entry('c')
        self.assertTrue(entry.is_constant() and not entries[0].is_constant())
        self.assertEqual(numbers_of(entry.load_constant()), [2])
        self.assertEqual(entry.get_n_load_bytes(), 4 * 10 ** 9)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, entries[0].load_constant)

    def load_async(self, workspace, file, options=None, cancellable=None):
        """Loads asynchronously. Returns the result or the error, and checks that the callback runs in this thread."""
        loop = GLib.MainLoop()
        results = []

        def on_loaded(workspace, result):
            try:
                results.append(workspace.load_checkpoint_finish(result))
            except GLib.Error as error:
                results.append(error)
            self.assertIs(threading.current_thread(), threading.main_thread())
            loop.quit()

        workspace.load_checkpoint_async(file, options, cancellable, on_loaded)
        loop.run()
        return results[0]

    def test_17_6_load_async(self):
        workspace = C2g.Workspace()
        file = self.write('a.minidb', w=[1, 2], b=[3])
        progress = C2g.Progress()
        heard = self.record(progress, 'changed')
        changes = self.record(workspace, 'items-changed')
        self.assertEqual(workspace.get_n_items(), 0)
        self.assertEqual(self.load_async(workspace, file, C2g.LoadOptions(progress=progress)), ['w', 'b'])
        self.assertHas(workspace, w=[1, 2], b=[3])
        self.assertEqual(heard[-1], (12, 12))
        self.assertEqual(workspace.get_n_items(), 2)
        self.assertEqual(sum(added for _, _, added in changes), 2)

    def test_17_7_load_cancelled(self):
        file = self.write('a.minidb', w=[1, 2], b=[3])
        cancellable = Gio.Cancellable()
        progress = C2g.Progress()
        progress.connect('changed', lambda *_: cancellable.cancel())
        workspace = C2g.Workspace()
        with self.assertRaises(GLib.Error) as caught:
            workspace.load_checkpoint(file, C2g.LoadOptions(progress=progress), cancellable)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
        error = self.load_async(workspace, file, None, cancellable)
        self.assertTrue(error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
        self.assertHas(workspace)

    def test_17_8_load_resolve_path(self):
        workspace = C2g.Workspace()
        workspace.set_root_folder('/models')
        self.assertEqual(workspace.resolve_path('db').get_path(), '/models/db')
        self.assertEqual(workspace.resolve_path('/tmp/db').get_path(), '/tmp/db')

    def test_30_26_options_are_checked_alike(self):
        for kind, name, value, expected in (
                (C2g.PictureOptions, 'crop', 'no', 'TypeError: crop: expected True or False, got \'no\''),
                (C2g.PictureOptions, 'letterbx', True, 'AttributeError: PictureOptions has no option “letterbx”. Did you mean “letterbox”?'),
                (C2g.PictureOptions, 'preset', 'imagnet', 'did you mean “imagenet”?'),
                (C2g.PictureOptions, 'size', object(), 'TypeError: size: expected text, a number or several of them, got <object'),
                (C2g.LoadOptions, 'nmaes', ['w'], 'AttributeError: LoadOptions has no option “nmaes”. Did you mean “names”?'),
                (C2g.LoadOptions, 'memory_map', 'no', 'TypeError: memory_map: expected True or False, got \'no\''),
                (C2g.SaveOptions, 'compress', None, 'TypeError: compress: expected True or False, got None'),
                (C2g.LoadOptions, 'names', 'w', "TypeError: names: expected several texts, got 'w'"),
                (C2g.SaveOptions, 'kind', 'npzz', 'binaryproto, got \'npzz\'. Did you mean “npz”?'),
                (C2g.SoundOptions, 'xyz', 1, 'AttributeError: SoundOptions has no option “xyz”')):
            told = set()
            for way in (lambda: kind(**{name: value}), lambda: setattr(kind(), name, value), lambda: kind().set_property(name, value),
                        lambda: setattr(kind().props, name, value), lambda: kind().set_properties(**{name: value}),
                        *((lambda: kind.new(value),) if name == 'preset' else ()),
                        *((lambda: getattr(kind(), f'set_{name}')(value), lambda: getattr(kind(), f'set_{name}')(**{name: value}))
                          if hasattr(kind, f'set_{name}') else ())):
                with self.subTest(name=name), self.assertRaises(Exception) as caught:
                    way()
                told.add(f'{type(caught.exception).__name__}: {caught.exception}')
            self.assertEqual(len(told), 1, told)
            self.assertIn(expected, told.pop())
        self.assertTrue(C2g.PictureOptions(crop=np.bool_(True)).crop)
        options = C2g.SaveOptions()
        options.kind = 'npz'
        self.assertEqual(options.kind, C2g.ModelFileKind.NPZ)
        options.set_kind('npy')
        self.assertEqual((options.props.kind, options.get_kind()), (C2g.ModelFileKind.NPY,) * 2)
        self.assertIn('compress', dir(options.props))
        self.assertEqual([pspec.name for pspec in options.props], [pspec.name for pspec in C2g.SaveOptions.props])
        self.assertEqual(C2g.LoadOptions(device='cpu').device, C2g.Device.cpu())

    def test_30_25_picture_options_take_numbers(self):
        self.assertEqual(C2g.PictureOptions(size=8, mean=np.float32(1.5)).get_property('mean'), '1.5')
        self.assertRaises(TypeError, C2g.PictureOptions, size=True)
        options = C2g.PictureOptions(size=(224, 112), mean=[104, 117.5, 123], scale=0.5)
        self.assertEqual((options.size, options.mean, options.scale), ('224x112', '104,117.5,123', '0.5'))
        options.size, options.mean, options.crop = 8, '1/2', True
        self.assertEqual(repr(options), "C2g.PictureOptions(size='8x8', mean='1/2', scale='0.5', crop=True)")
        self.assertEqual(C2g.Tensor.new_from_pixels(bytes(3), 1, 1, 3, 3, options).shape, (1, 3, 8, 8))
        with self.assertRaisesRegex(TypeError, 'size: expected'):
            options.size = object()
        self.assertEqual(C2g.PictureOptions.new('digits').preset, 'digits')
        # A preset scales pictures to its size, of whatever size they are.
        self.assertEqual(C2g.Tensor.new_from_pixels(bytes(81), 9, 9, 9, 1, C2g.PictureOptions.new('digits')).shape, (1, 1, 8, 8))

    def test_30_24_load_options_are_attributes(self):
        options = C2g.LoadOptions(allow_incomplete=True)
        options.names = ['w', 'b']
        options.add_prefix = 'net/'
        self.assertEqual(options.props.names, ['w', 'b'])
        self.assertEqual((options.names, options.allow_incomplete, options.strip_prefix), (['w', 'b'], True, None))
        self.assertEqual(repr(options), "C2g.LoadOptions(names=['w', 'b'], add_prefix='net/', allow_incomplete=True)")
        self.assertEqual(repr(C2g.LoadOptions()), 'C2g.LoadOptions()')
        self.assertEqual(repr(C2g.SaveOptions(kind='npz')).count('='), 1)
        with self.assertRaisesRegex(AttributeError, 'LoadOptions has no option “nmaes”. Did you mean “names”?'):
            options.nmaes
        with self.assertRaises(TypeError):
            options.names = 3
