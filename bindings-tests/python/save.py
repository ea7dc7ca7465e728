# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Saving a workspace: options, kinds of files, progress, cancelling, serializers written in Python."""

import shutil
import tempfile
import threading
from pathlib import Path

from c2g_testing import C2g, Gio, GLib, TestCase, new_floats, numbers_of
from gi.repository import GObject


class Note(GObject.Object):
    text = GObject.Property(type=str, default='')


class NoteSerializer(C2g.Serializer):
    threads = set()

    def do_serialize_content(self, blob, chunk, n_chunks):
        self.threads.add(threading.current_thread())
        return GLib.Bytes.new(blob.get_object().text.encode())

    def do_deserialize_content(self, blob, content, chunk, n_chunks):
        blob.set_object(Note(text=content.get_data().decode()))
        return True


C2g.Serializer.register(Note, 'python::Note', NoteSerializer())


class Save(TestCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp(prefix='c2g-save-'))
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name):
        return Gio.File.new_for_path(str(self.folder / name))

    def workspace(self):
        workspace = C2g.Workspace()
        workspace.create_blob('w').set_object(new_floats(1, 2, 3))
        workspace.create_blob('b').set_object(new_floats(4))
        return workspace

    def load(self, name):
        workspace = C2g.Workspace()
        workspace.load_checkpoint(self.file(name), None, None)
        return workspace

    def assertSaved(self, name, **expected):
        workspace = self.load(name)
        self.assertEqual(sorted(workspace.list_local_blobs()), sorted(expected))
        for blob, numbers in expected.items():
            self.assertEqual(numbers_of(workspace.get_blob(blob).get_tensor()), numbers)

    def test_18_1_save_kinds(self):
        for name in ('x.minidb', 'x.safetensors', 'x.npz'):
            with self.subTest(name):
                self.assertTrue(self.workspace().save_checkpoint(self.file(name), None, None))
                self.assertSaved(name, w=[1, 2, 3], b=[4])

    def test_18_2_save_one(self):
        for name in ('x.pb', 'x.npy'):
            with self.subTest(name):
                options = C2g.SaveOptions(names=['b'])
                self.workspace().save_checkpoint(self.file(name), options, None)
                loaded = self.load(name)
                blob = loaded.get_blob(loaded.list_local_blobs()[0])
                self.assertEqual(numbers_of(blob.get_tensor()), [4])

    def test_18_3_save_options(self):
        options = C2g.SaveOptions(names=['w', 'b'], new_names=['x', 'y'], chunk_size=2, n_threads=2)
        self.assertEqual(options.get_names(), ['w', 'b'])
        self.assertEqual(options.props.new_names, ['x', 'y'])
        self.assertEqual(options.props.kind, C2g.ModelFileKind.UNKNOWN)
        self.workspace().save_checkpoint(self.file('x.minidb'), options, None)
        self.assertSaved('x.minidb', x=[1, 2, 3], y=[4])

        options = C2g.SaveOptions(kind=C2g.ModelFileKind.SAFETENSORS)
        options.set_metadata('author', 'c2g')
        self.assertEqual(options.get_metadata('author'), 'c2g')
        self.workspace().save_checkpoint(self.file('x'), options, None)
        self.assertIn(b'"author":"c2g"', (self.folder / 'x').read_bytes())

        options = C2g.SaveOptions()
        options.set_device('w', C2g.Device.parse('cuda:7'))
        self.assertEqual(options.get_device('w').to_string(), 'cuda:7')
        self.assertIsNone(options.get_device('b'))
        self.workspace().save_checkpoint(self.file('y.minidb'), options, None)
        model_file = C2g.ModelFile.open(self.file('y.minidb'), None, None)
        self.assertEqual([model_file.lookup_entry(name).get_device().to_string() for name in ('w', 'b')],
                         ['cuda:7', 'cpu'])

    def test_18_4_save_bytes(self):
        self.workspace().save_checkpoint(self.file('x.minidb'), None, None)
        content = self.workspace().save_checkpoint_to_bytes(None, None)
        self.assertEqual(content.get_data(), (self.folder / 'x.minidb').read_bytes())

    def test_18_5_save_errors(self):
        workspace = self.workspace()
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT,
                                   workspace.save_checkpoint, self.file('x.txt'), None, None)
        self.assertIn('.safetensors', message)
        self.assertFails(C2g.Error.NOT_FOUND, workspace.save_checkpoint,
                         self.file('x.minidb'), C2g.SaveOptions(names=['nobody']), None)
        workspace.create_blob('empty').ensure_tensor(None)
        message = self.assertFails(C2g.Error.FAILED,
                                   workspace.save_checkpoint, self.file('x.minidb'), None, None)
        self.assertIn('empty', message)
        self.assertEqual(list(self.folder.iterdir()), [])
        workspace.save_checkpoint(self.file('x.minidb'), C2g.SaveOptions(skip_unsupported=True), None)
        self.assertSaved('x.minidb', w=[1, 2, 3], b=[4])

    def save_async(self, workspace, name, options, cancellable=None):
        """Saves asynchronously, and returns the result or the error."""
        loop = GLib.MainLoop()
        outcome = []

        def saved(workspace, result):
            self.assertIs(threading.current_thread(), threading.main_thread())
            try:
                outcome.append(workspace.save_checkpoint_finish(result))
            except GLib.Error as error:
                outcome.append(error)
            loop.quit()

        workspace.save_checkpoint_async(self.file(name), options, cancellable, saved)
        loop.run()
        return outcome[0]

    def test_18_6_save_async(self):
        progress = C2g.Progress()
        told = self.record(progress, 'changed')
        self.assertIs(self.save_async(self.workspace(), 'x.minidb', C2g.SaveOptions(progress=progress)), True)
        self.assertSaved('x.minidb', w=[1, 2, 3], b=[4])
        self.assertEqual(told[-1], (16, 16))

    def test_18_7_save_cancelled(self):
        cancellable = Gio.Cancellable()
        cancellable.cancel()
        error = self.save_async(self.workspace(), 'x.minidb', None, cancellable)
        self.assertTrue(error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))

        # Cancelled by a handler while it is saving.
        progress = C2g.Progress()
        cancellable = Gio.Cancellable()
        progress.connect('changed', lambda *_: cancellable.cancel())
        with self.assertRaises(GLib.Error) as caught:
            self.workspace().save_checkpoint(self.file('x.minidb'), C2g.SaveOptions(progress=progress), cancellable)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_18_8_save_own_serializer(self):
        workspace = self.workspace()
        workspace.create_blob('note').set_object(Note(text='héllo'))
        workspace.create_blob('more').set_object(C2g.Tensor.new_scalar(C2g.DataType.DOUBLE, 5))

        for is_async in False, True:
            NoteSerializer.threads.clear()
            options = C2g.SaveOptions(chunk_size=1, n_threads=4)
            if is_async:
                self.assertIs(self.save_async(workspace, 'x.minidb', options), True)
            else:
                workspace.save_checkpoint(self.file('x.minidb'), options, None)
            self.assertEqual(NoteSerializer.threads, {threading.main_thread()})
            self.assertEqual(self.load('x.minidb').get_blob('note').get_object().text, 'héllo')
