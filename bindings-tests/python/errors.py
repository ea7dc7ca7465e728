# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Errors: one domain, a code for each kind, and no changes after an error."""

from c2g_testing import CPU, C2g, Gio, GLib, TestCase, floats, new_bytes, new_floats, new_tensor, numbers_of


def rename_to_taken_name():
    workspace = C2g.Workspace()
    workspace.create_blob('a')
    workspace.create_blob('b')
    workspace.rename_blob('a', 'b')


def reset_storage_in_use():
    tensor = new_tensor([1])
    tensor.get_storage().reset()


def read_unknown_blob():
    """Reads a BlobProto with the name "x" and the type "Secret"."""
    C2g.Blob().deserialize(new_bytes(b'\x0a\x01x\x12\x06Secret'))


def save_without_leave():
    workspace = C2g.Workspace(file_access=C2g.FileAccess.NONE)
    workspace.run_net_once(C2g.NetDef.new_from_text(
        "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1 } } "
        "op { type: 'Save' input: 'w' arg { name: 'db' s: 'w' } arg { name: 'db_type' s: 'minidb' } }"), None)


# A call for each error code that fails with it.
PROVOKE = {
    C2g.Error.FAILED: lambda: C2g.Tensor.new_sized([1], None).dup_bytes(),
    C2g.Error.INVALID_ARGUMENT: lambda: C2g.Device.parse('nowhere'),
    C2g.Error.SHAPE: lambda: C2g.Tensor().resize([-1]),
    C2g.Error.TYPE: lambda: C2g.Blob().get_tensor(),
    C2g.Error.RANGE: lambda: C2g.Tensor().resize([2 ** 40, 2 ** 40]),
    C2g.Error.NO_MEMORY: lambda: C2g.Storage.new(CPU, 2 ** 60, None),
    C2g.Error.NOT_SUPPORTED: read_unknown_blob,
    C2g.Error.DEVICE: lambda: C2g.Storage.new(C2g.Device.parse('cuda:1023'), 8, None),
    C2g.Error.READ_ONLY: lambda: C2g.Storage.new_from_bytes(new_bytes(b'a')).map(C2g.MapFlags.WRITE),
    C2g.Error.BUSY: reset_storage_in_use,
    C2g.Error.CORRUPT: lambda: C2g.Blob().deserialize(new_bytes(b'\xff' * 40)),
    C2g.Error.EXISTS: rename_to_taken_name,
    C2g.Error.NOT_FOUND: lambda: C2g.Workspace().get_blob('nobody'),
    C2g.Error.DENIED: save_without_leave,
}


class Errors(TestCase):
    def test_4_1_codes(self):
        self.assertEqual(len(PROVOKE), len(C2g.Error.__enum_values__))
        for code, provoke in PROVOKE.items():
            with self.subTest(code=code.value_nick):
                message = self.assertFails(code, provoke)
                self.assertNotEqual(message, '')

    def test_4_2_domain(self):
        with self.assertRaises(GLib.Error) as caught:
            C2g.Device.parse('nowhere')
        self.assertEqual(caught.exception.domain, 'c2g-error-quark')
        self.assertEqual(caught.exception.domain, GLib.quark_to_string(C2g.Error.quark()))
        self.assertEqual(C2g.Error(caught.exception.code), C2g.Error.INVALID_ARGUMENT)

    def test_4_5_caught_by_code(self):
        def provoke(*codes):
            try:
                C2g.Tensor.new_scalar(C2g.DataType.FLOAT, 1).reshape([7])
            except C2g.caught(*codes) as error:
                return error.code
            except GLib.Error:
                return None

        self.assertEqual(provoke(C2g.Error.SHAPE), C2g.Error.SHAPE)
        self.assertEqual(provoke(C2g.Error.TYPE, C2g.Error.SHAPE), C2g.Error.SHAPE)
        self.assertEqual(provoke(), C2g.Error.SHAPE)
        self.assertIsNone(provoke(C2g.Error.TYPE))
        # Errors of others are not c2g's, whatever their codes.
        with self.assertRaises(GLib.Error):
            try:
                Gio.File.new_for_path('/nowhere').load_contents(None)
            except C2g.caught():
                self.fail('an error of GIO was taken for one of c2g')
        self.assertEqual(C2g.caught(), ())

    def test_4_3_messages(self):
        tensor = new_floats(1, 2, 3)
        workspace = C2g.Workspace()
        workspace.create_blob('fc_w')
        self.assertRaisesRegex(KeyError, 'did you mean “fc_w”', workspace.fetch, 'fc_x')
        for words, function, args in (
                (('[3]', '[7]'), tensor.reshape, ([7],)),
                (('12', '8'), tensor.set_bytes, (floats(1, 2),)),
                (('3',), tensor.get_value, (3,)),
                (('nobody',), C2g.Workspace().get_blob, ('nobody',)),
                (('“fc_x”', 'did you mean “fc_w”?'), workspace.get_tensor, ('fc_x',)),
                (('“nowhere”',), C2g.Device.parse, ('nowhere',))):
            with self.subTest(words=words), self.assertRaises(GLib.Error) as caught:
                function(*args)
            for word in words:
                self.assertIn(word, caught.exception.message)

    def test_4_4_nothing_changes(self):
        tensor = new_floats(1, 2, 3)
        address = tensor.get_address()
        for function, args in ((tensor.resize, ([-1],)), (tensor.resize, ([2 ** 40, 2 ** 40],)),
                               (tensor.reshape, ([4],)), (tensor.extend, (-1, 0, None)),
                               (tensor.extend, (1, -1, None)), (tensor.reserve, ([2 ** 59],)),
                               (tensor.set_bytes, (floats(1),)), (tensor.share_data, (C2g.Tensor(),)),
                               (tensor.allocate, (C2g.DataType.UNDEFINED,)), (tensor.slice, (2, 4))):
            with self.subTest(function=function.__name__, args=args):
                with self.assertRaises(GLib.Error):
                    function(*args)
                self.assertEqual((tensor.get_dims(), tensor.get_address(), numbers_of(tensor)),
                                 ([3], address, [1, 2, 3]))
