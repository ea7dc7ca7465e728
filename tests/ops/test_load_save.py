# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Saves blobs to files and loads them."""

import os
import shutil
import tempfile

import numpy
from ops_testing import C2g, GLib, OpTestCase, new_array, new_op, new_tensor, random_array

FLOATS = random_array((3, 5))
INTEGERS = random_array((7,), numpy.int64)
TEXTS = numpy.array(['one', 'two', ''], dtype=object)
BLOBS = {'gpu_0/w': FLOATS, 'gpu_0/n': INTEGERS, 'texts': TEXTS}


class LoadSave(OpTestCase):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.workspace = self.new_workspace()
        for name, array in BLOBS.items():
            self.workspace.create_blob(name).set_object(new_tensor(array))

    def tearDown(self):
        self.workspace = None
        super().tearDown()

    def new_workspace(self):
        workspace = C2g.Workspace.new()
        workspace.set_root_folder(self.folder)
        return workspace

    def run_op(self, workspace, op_type, inputs=(), outputs=(), **arguments):
        op = C2g.Operator.create(new_op(op_type, inputs, outputs, **arguments), workspace)
        op.run()
        return op

    def save(self, db='all.minidb', names=tuple(BLOBS), db_type='minidb', **arguments):
        self.run_op(self.workspace, 'Save', names, db=db, db_type=db_type, **arguments)

    def load(self, outputs, db='all.minidb', inputs=(), **arguments):
        workspace = self.new_workspace()
        if db is not None:
            arguments.update(db=db)
        arguments.setdefault('db_type', 'minidb')
        self.run_op(workspace, 'Load', inputs, outputs, **arguments)
        return workspace

    def fails(self, code, *texts):
        return Failing(self, code, texts)

    def check_blob(self, workspace, name, expected):
        self.assertClose(new_array(workspace.get_blob(name).get_tensor()), expected)

    def check_names(self, workspace, *names):
        self.assertEqual(sorted(workspace.list_blobs()), sorted(names))

    def test_round_trip(self):
        for db_type in ('minidb', 'lmdb'):
            if db_type in C2g.Db.list_types():
                self.save('all.' + db_type, db_type=db_type)
                workspace = self.load(list(BLOBS), 'all.' + db_type, db_type=db_type)
                for name, array in BLOBS.items():
                    self.check_blob(workspace, name, array)

    def test_again(self):
        self.save()
        workspace = self.new_workspace()
        op = self.run_op(workspace, 'Load', [], ['texts', 'gpu_0/w'], db='all.minidb', db_type='minidb')
        tensor = workspace.get_blob('gpu_0/w').get_tensor()
        workspace.get_blob('texts').reset()
        op.run()
        self.assertIs(workspace.get_blob('gpu_0/w').get_tensor(), tensor)
        self.check_blob(workspace, 'texts', TEXTS)

    def test_outputs_are_what_the_operator_has(self):
        self.save()
        workspace = self.new_workspace()
        op = C2g.Operator.create(new_op('Load', [], ['texts'], db='all.minidb', db_type='minidb'), workspace)
        blob = op.get_output(0)
        workspace.remove_blob('texts')
        op.run()
        self.assertClose(new_array(blob.get_tensor()), TEXTS)
        self.check_names(workspace)

    def test_inputs_are_what_the_operator_has(self):
        op = C2g.Operator.create(new_op('Save', ['texts'], [], db='held.minidb', db_type='minidb'), self.workspace)
        self.workspace.remove_blob('texts')
        self.workspace.create_blob('texts').set_object(new_tensor(INTEGERS))
        op.run()
        self.check_blob(self.load(['texts'], 'held.minidb'), 'texts', TEXTS)

    def test_absolute_path(self):
        path = os.path.join(self.folder, 'there.minidb')
        self.save(path, absolute_path=1)
        self.assertTrue(os.path.exists(path))
        self.check_blob(self.load(['texts'], path, absolute_path=1), 'texts', TEXTS)

    def test_prefixes(self):
        self.save(strip_prefix='gpu_0/')
        self.check_blob(self.load(['w']), 'w', FLOATS)
        self.save('kept.minidb')
        self.check_blob(self.load(['x/w'], 'kept.minidb', strip_prefix='gpu_0/', add_prefix='x/'), 'x/w', FLOATS)

    def test_other_names(self):
        self.save(blob_name_overrides=['a', 'b', 'c'])
        workspace = self.load(['x', 'y'], source_blob_names=['c', 'b'])
        self.check_blob(workspace, 'x', TEXTS)
        self.check_blob(workspace, 'y', INTEGERS)

    def test_load_all(self):
        self.save()
        self.check_names(self.load([], load_all=1), *BLOBS)
        self.check_names(self.load(['texts'], load_all=1), *BLOBS)
        self.check_names(self.load([]))
        with self.fails(C2g.Error.NOT_FOUND, 'Load', '“other”', 'all.minidb'):
            self.load(['other'], load_all=1)

    def test_incomplete(self):
        self.save()
        workspace = self.load(['texts', 'other'], allow_incomplete=1)
        self.check_blob(workspace, 'texts', TEXTS)
        self.assertTrue(workspace.get_blob('other').is_empty())
        with self.fails(C2g.Error.NOT_FOUND, 'Load', '“other”', 'all.minidb'):
            self.load(['texts', 'other'])

    def test_several(self):
        self.save('one.minidb', ['texts'])
        self.save('two.minidb', ['gpu_0/w'])
        workspace = self.load(['gpu_0/w', 'texts'], None, dbs=['one.minidb', 'two.minidb'])
        self.check_blob(workspace, 'texts', TEXTS)
        self.check_blob(workspace, 'gpu_0/w', FLOATS)
        with self.fails(C2g.Error.INVALID_ARGUMENT, 'one.minidb'):
            self.load(['texts'], None, dbs=['one.minidb', 'one.minidb'])
        with self.fails(C2g.Error.EXISTS, '“texts”'):
            self.save('three.minidb', ['texts'])
            self.load(['texts'], None, dbs=['one.minidb', 'three.minidb'])

    def test_readers(self):
        self.save('one.minidb', ['texts'])
        self.save('two.minidb', ['gpu_0/w'])
        workspace = self.new_workspace()
        for name in ('one', 'two'):
            self.run_op(workspace, 'CreateDB', [], [name], db=f'{name}.minidb', db_type='minidb')
        self.run_op(workspace, 'Load', ['one', 'two'], ['texts', 'gpu_0/w'])
        self.check_blob(workspace, 'texts', TEXTS)
        self.check_blob(workspace, 'gpu_0/w', FLOATS)
        with self.fails(C2g.Error.TYPE, '“texts”'):
            self.run_op(workspace, 'Load', ['texts'], ['x'])

    def test_chunks(self):
        self.save(names=['gpu_0/w'], chunk_size=2)
        with open(os.path.join(self.folder, 'all.minidb'), 'rb') as file:
            self.assertEqual(file.read().count(b'gpu_0/w#%'), 8)
        self.check_blob(self.load(['gpu_0/w']), 'gpu_0/w', FLOATS)

    def test_exists(self):
        self.save()
        workspace = self.new_workspace()
        for name, expected in (('all.minidb', True), ('other.minidb', False)):
            self.run_op(workspace, 'DBExists', [], ['y'], db_name=name, db_type='minidb')
            self.check_blob(workspace, 'y', numpy.array(expected))

    def test_checkpoint(self):
        self.workspace.create_blob('iter').set_object(new_tensor(numpy.array([0], numpy.int64)))
        op = C2g.Operator.create(new_op('Checkpoint', ['iter', 'texts'], [], db='at_%03d.minidb',
                                        db_type='minidb', every=2), self.workspace)
        for i in range(4):
            self.workspace.get_blob('iter').get_tensor().set_element(0, i)
            op.run()
        self.assertEqual(sorted(os.listdir(self.folder)), ['at_000.minidb', 'at_002.minidb'])
        workspace = self.load(['iter', 'texts'], 'at_002.minidb')
        self.check_blob(workspace, 'iter', numpy.array([2], numpy.int64))

    def test_checkpoint_patterns(self):
        self.workspace.create_blob('iter').set_object(new_tensor(numpy.array([12], numpy.int64)))
        for pattern, expected in (('%d', '12'), ('%%%lld%%', '%12%'), ('a%5ib', 'a   12b'), ('x', 'x')):
            self.run_op(self.workspace, 'Checkpoint', ['iter'], db=pattern, db_type='minidb')
            self.assertEqual(os.listdir(self.folder), [expected])
            os.remove(os.path.join(self.folder, expected))
        for pattern in ('%s', '%n', '%', '%-5d', '%*d', '%d%d', '%99999999999999999999d', '% d', '%l'):
            with self.fails(C2g.Error.INVALID_ARGUMENT, 'Checkpoint', pattern):
                self.run_op(self.workspace, 'Checkpoint', ['iter'], db=pattern, db_type='minidb')
        with self.fails(C2g.Error.INVALID_ARGUMENT, '“every”'):
            self.run_op(self.workspace, 'Checkpoint', ['iter'], db='x', db_type='minidb', every=0)
        with self.fails(C2g.Error.TYPE, '“texts”'):
            self.run_op(self.workspace, 'Checkpoint', ['texts'], db='x', db_type='minidb')

    def test_wrong_arguments(self):
        for arguments, code, text in (
                ({'db': ''}, C2g.Error.INVALID_ARGUMENT, '“db”'),
                ({'db_type': ''}, C2g.Error.INVALID_ARGUMENT, '“db_type”'),
                ({'db_type': 'none'}, C2g.Error.NOT_FOUND, 'none'),
                ({'source_blob_names': ['a', 'b']}, C2g.Error.INVALID_ARGUMENT, '“source_blob_names”'),
                ({'source_blob_names': ['a'], 'strip_prefix': 'x'}, C2g.Error.INVALID_ARGUMENT, 'Load'),
                ({'source_blob_names': ['a'], 'load_all': 1}, C2g.Error.INVALID_ARGUMENT, 'Load'),
                ({'load_all': 'yes'}, C2g.Error.TYPE, '“load_all”')):
            self.save()
            with self.fails(code, text):
                self.load(['texts'], **arguments)

        for arguments, code, text in (
                ({'db': ''}, C2g.Error.INVALID_ARGUMENT, '“db”'),
                ({'db_type': 'none'}, C2g.Error.NOT_FOUND, 'none'),
                ({'chunk_size': -2}, C2g.Error.INVALID_ARGUMENT, '“chunk_size”'),
                ({'names': ['texts', 'texts']}, C2g.Error.INVALID_ARGUMENT, '“texts”'),
                ({'blob_name_overrides': ['a']}, C2g.Error.INVALID_ARGUMENT, '“blob_name_overrides”'),
                ({'blob_name_overrides': ['a', 'a', 'b']}, C2g.Error.INVALID_ARGUMENT, '“a”'),
                ({'blob_name_overrides': ['a', 'b', 'c'], 'strip_prefix': 'x'},
                 C2g.Error.INVALID_ARGUMENT, 'Save')):
            with self.fails(code, text):
                self.save(**arguments)

        for shards, shard in ((0, 0), (2, 2), (-1, -1)):
            with self.fails(C2g.Error.INVALID_ARGUMENT, f'{shard} of {shards}'):
                self.run_op(self.workspace, 'CreateDB', [], ['db'], db='all.minidb', db_type='minidb',
                            num_shards=shards, shard_id=shard)

    def test_damage_changes_nothing(self):
        self.save()
        path = os.path.join(self.folder, 'all.minidb')
        with open(path, 'r+b') as file:
            file.truncate(os.path.getsize(path) - 5)
        workspace = self.new_workspace()
        with self.fails(C2g.Error.CORRUPT, 'Load', 'all.minidb'):
            self.run_op(workspace, 'Load', [], ['gpu_0/w'], db='all.minidb', db_type='minidb')
        self.assertTrue(workspace.get_blob('gpu_0/w').is_empty())

    def test_empty_blob(self):
        self.workspace.create_blob('nothing')
        with self.fails(C2g.Error.TYPE, 'Save', '“nothing”'):
            self.save(names=['nothing'])


class Failing:
    """Expects a C2gError with texts in its message."""

    def __init__(self, test, code, texts):
        self.test = test
        self.code = code
        self.texts = texts

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if not isinstance(error, GLib.Error):
            return False if error is not None else self.test.fail('It did not fail')
        self.test.assertTrue(error.matches(C2g.Error.quark(), self.code),
                             f'{error.domain} {error.code} is not {self.code}: {error.message}')
        for text in self.texts:
            self.test.assertIn(text, error.message)
        return True
