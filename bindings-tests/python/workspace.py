# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Workspaces, their parents and forwards, and workspaces as list models."""

import threading

from gi.repository import Gio

from c2g_testing import C2g, GLib, TestCase, new_tensor, numbers_of


class Mirror:
    """Follows a list model only by its signal, as a view of a toolkit does."""

    def __init__(self, model):
        self.items = [model.get_item(i) for i in range(model.get_n_items())]
        self.threads = set()
        model.connect('items-changed', self.on_items_changed)

    def on_items_changed(self, model, position, removed, added):
        self.threads.add(threading.current_thread())
        self.items[position:position + removed] = [model.get_item(position + i) for i in range(added)]

    def names(self):
        return [blob.get_name() for blob in self.items]


def wait_until(condition):
    """Iterates the main context until the condition is true; meson's time limit ends it if it never is."""
    context = GLib.MainContext.default()
    while not condition():
        context.iteration(True)


class Names(TestCase):
    def test_8_1_names(self):
        workspace = C2g.Workspace()
        blob = workspace.create_blob('data')
        self.assertEqual(blob.get_name(), 'data')
        self.assertIs(workspace.create_blob('data'), blob)
        self.assertIs(workspace.get_blob('data'), blob)
        self.assertIs(workspace.lookup_blob('data'), blob)
        self.assertIsNone(workspace.lookup_blob('Data'))
        workspace.create_blob('绿/1')
        self.assertEqual(workspace.list_blobs(), ['data', '绿/1'])
        self.assertTrue(workspace.has_blob('data') and not workspace.has_blob('Data'))
        self.assertTrue(workspace.remove_blob('data'))
        self.assertFalse(workspace.remove_blob('data'))
        self.assertEqual(blob.get_name(), 'data')
        self.assertFails(C2g.Error.NOT_FOUND, workspace.get_blob, 'data')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, workspace.create_blob, '')
        workspace.clear()
        self.assertEqual(workspace.list_blobs(), [])

    def test_8_2_parents(self):
        parent = C2g.Workspace()
        child = C2g.Workspace.new_with_parent(parent)
        self.assertIs(child.get_parent(), parent)
        self.assertIs(child.props.parent, parent)
        above = parent.create_blob('shared')
        own = child.create_blob('own')
        self.assertIs(child.get_blob('shared'), above)
        self.assertFalse(parent.has_blob('own'))
        self.assertEqual((child.list_blobs(), child.list_local_blobs()), (['own', 'shared'], ['own']))
        hiding = child.create_local_blob('shared')
        self.assertIsNot(hiding, above)
        self.assertIs(child.get_blob('shared'), hiding)
        self.assertFails(C2g.Error.EXISTS, child.rename_blob, 'own', 'shared')
        self.assertIsNone(parent.get_parent())
        self.assertIs(own, child.get_blob('own'))

    def test_8_3_mapping(self):
        other, workspace = C2g.Workspace(), C2g.Workspace()
        tensor = other.create_blob('a').ensure_tensor(None)
        tensor.resize([1])
        tensor.allocate(C2g.DataType.FLOAT)
        tensor.set_value(0, 5)
        workspace.add_blob_mapping(other, ['b'], ['a'], False)
        workspace.add_blob_mapping(other, ['a'], None, True)
        self.assertIs(workspace.get_blob('b'), other.get_blob('a'))
        self.assertEqual((workspace.list_blobs(), workspace.list_local_blobs()), (['b', 'a'], []))
        self.assertFails(C2g.Error.NOT_FOUND, workspace.add_blob_mapping, other, ['c'], None, False)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, workspace.add_blob_mapping, other, ['c'], ['a', 'b'], False)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, workspace.add_blob_mapping, workspace, ['c'], ['a'], False)
        workspace.copy_forwarded_tensors(None)
        tensor.set_value(0, 6)
        self.assertEqual(numbers_of(workspace.get_blob('b').get_tensor()), [5])
        self.assertEqual(workspace.list_local_blobs(), ['b', 'a'])

    def test_8_4_rename(self):
        workspace = C2g.Workspace()
        blob = workspace.create_blob('old')
        blob.set_object(new_tensor([10]))
        workspace.create_blob('taken')
        renamed = self.record(workspace, 'blob-renamed')
        notified = self.count_notify(blob, 'name')
        workspace.rename_blob('old', 'new')
        self.assertEqual((renamed, len(notified), blob.props.name), ([(blob, 'old')], 1, 'new'))
        self.assertEqual([block.get_name() for block in self.reporter.list_blocks(None)], ['new'])
        self.assertIn('new', workspace.dup_report())
        self.assertFails(C2g.Error.NOT_FOUND, workspace.rename_blob, 'old', 'newer')
        self.assertFails(C2g.Error.EXISTS, workspace.rename_blob, 'new', 'taken')
        self.assertEqual(len(renamed), 1)

    def test_8_5_root_folder(self):
        workspace = C2g.Workspace(root_folder='/somewhere')
        notified = self.count_notify(workspace, 'root-folder')
        self.assertEqual(workspace.dup_root_folder(), '/somewhere')
        workspace.set_root_folder(None)
        workspace.set_root_folder('.')
        self.assertEqual((workspace.props.root_folder, len(notified)), ('.', 1))

    def test_5_5_signals(self):
        workspace = C2g.Workspace()
        added = self.record(workspace, 'blob-added')
        removed = self.record(workspace, 'blob-removed')
        blob = workspace.create_blob('a')
        workspace.create_blob('a')
        self.assertEqual((added, removed), ([(blob,)], []))
        workspace.remove_blob('a')
        workspace.create_blob('b')
        workspace.clear()
        self.assertEqual((len(added), removed[0], len(removed)), (2, (blob,), 2))


class Lists(TestCase):
    def test_5_6_items_changed(self):
        workspace = C2g.Workspace()
        heard = self.record(workspace, 'items-changed')
        for name in 'abc':
            workspace.create_blob(name)
        workspace.remove_blob('b')
        self.assertEqual(heard, [(0, 0, 1), (1, 0, 1), (2, 0, 1), (1, 1, 0)])

    def test_8_6_list_model(self):
        workspace = C2g.Workspace()
        self.assertIsInstance(workspace, Gio.ListModel)
        self.assertEqual(workspace.get_item_type(), C2g.Blob.__gtype__)
        for name in 'abc':
            workspace.create_blob(name)
        mirror = Mirror(workspace)
        workspace.remove_blob('a')
        workspace.create_blob('d')
        workspace.rename_blob('b', 'e')
        self.assertEqual(mirror.names(), ['e', 'c', 'd'])
        self.assertEqual([blob.get_name() for blob in workspace[:]], mirror.names())
        self.assertEqual((len(workspace), workspace[1].get_name()), (3, 'c'))
        self.assertIsNone(workspace.get_item(3))
        self.assertEqual([blob.get_name() for blob in workspace[:2]], ['e', 'c'])
        with self.assertRaisesRegex(IndexError, 'below 3, got 3'):
            workspace[3]
        with self.assertRaisesRegex(TypeError, '1.5'):
            workspace[1.5]

    def test_8_7_other_thread(self):
        workspace = C2g.Workspace()
        mirror = Mirror(workspace)
        acting = []
        workspace.connect('blob-added', lambda *_: acting.append(threading.current_thread()))

        def work():
            for i in range(100):
                workspace.create_blob(str(i))
            workspace.remove_blob('50')

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual((mirror.items, workspace.get_n_items()), ([], 0))
        self.assertEqual(len(workspace.list_blobs()), 99)
        wait_until(lambda: len(mirror.items) == 99)
        self.assertEqual(mirror.names(), workspace.list_blobs())
        self.assertEqual(mirror.threads, {threading.current_thread()})
        self.assertEqual(set(acting), {thread})

    def test_8_8_tensors_by_name(self):
        workspace = C2g.Workspace()
        tensor = workspace.create_tensor('x', C2g.DataType.FLOAT, [2, 3])
        self.assertEqual((tensor.get_n_bytes(), tensor.get_dims()), (24, [2, 3]))
        tensor = workspace.create_tensor('x', C2g.DataType.INT8, [])
        self.assertIs(workspace.get_tensor('x'), tensor)
        self.assertEqual(tensor.get_n_elements(), 1)
        self.assertFails(C2g.Error.SHAPE, workspace.create_tensor, 'y', C2g.DataType.FLOAT, [-1])
        self.assertFails(C2g.Error.NOT_FOUND, workspace.get_tensor, 'y')
        self.assertTrue(workspace.set_tensor('y', tensor) and workspace.set_tensor('x', [1, 2]))
        self.assertIs(workspace['y'], tensor)
        self.assertEqual(workspace['x'].tolist(), [1, 2])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, workspace.set_tensor, '', tensor)
        workspace.create_blob('text').set_value('text')
        self.assertFails(C2g.Error.TYPE, workspace.get_tensor, 'text')
