# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Lists which operators can infer their shapes. Every test that runs an operator checks the inferred shapes."""

import numpy
from ops_testing import (BY_VALUES, C2g, GLib, ONLY_BY_RUN, OpTestCase, infer, is_unknown, new_op,
                         random_array)


class PyPairs(C2g.Operator):
    """An operator that infers its output shape, and computes nothing."""

    def do_infer(self):
        source, target = self.get_input_tensor(0), self.get_output_tensor(0)
        if source.get_n_dims() != 1:
            raise GLib.Error.new_literal(C2g.Error.quark(), 'no vector', C2g.Error.SHAPE)
        target.resize([source.get_n_elements() // 2, 2])
        target.set_data_type(source.get_data_type())
        return True

    def do_run(self):
        return False


class PySilent(C2g.Operator):
    def do_run(self):
        return False


class Infer(OpTestCase):
    def test_types(self):
        types = [name for name in C2g.Operator.list_types() if not name.startswith('Py')]
        silent = {name for name in types if not C2g.OperatorSchema.lookup(name).can_infer()}
        self.assertEqual(silent, set(ONLY_BY_RUN))
        self.assertEqual(set(BY_VALUES) - set(types), set())

    def test_values(self):
        reshape = new_op('Reshape', ['x', 's'], ['y', 'o'])
        arrays = [random_array((2, 3)), numpy.array([3, -1])]
        self.assertTrue(is_unknown(infer(reshape, arrays, False)))
        self.assertEqual(infer(reshape, arrays, True),
                         [([3, 2], C2g.DataType.FLOAT), ([2], C2g.DataType.INT64)])

    def test_quantized(self):
        for name, values, data_type in (('Int8GivenTensorFill', 'abcdef', C2g.DataType.UINT8),
                                        ('Int8GivenIntTensorFill', [1] * 6, C2g.DataType.INT32)):
            workspace = C2g.Workspace.new()
            op = C2g.Operator.create(new_op(name, [], ['y'], shape=[2, 3], values=values), workspace)
            op.infer()
            tensor = workspace.get_blob('y').get_object().get_tensor()
            self.assertEqual((tensor.get_dims(), tensor.get_data_type()), ([2, 3], data_type))
            self.assertFalse(tensor.is_allocated())
            op.run()
            self.assertTrue(tensor.is_allocated())

    def test_files(self):
        workspace = C2g.Workspace.new()
        workspace.create_tensor('x', C2g.DataType.FLOAT, [2])
        save = new_op('Save', ['x'], [], db='/nonexistent/x', db_type='minidb', absolute_path=1)
        C2g.Operator.create(save, workspace).infer()
        exists = new_op('DBExists', [], ['y'], db_name='/nonexistent/x', db_type='minidb')
        self.assertEqual(infer(exists, [], False), [([], C2g.DataType.BOOL)])
        load = new_op('Load', [], ['y'], db='/nonexistent/x', db_type='minidb')
        with self.assertRaises(GLib.Error) as caught:
            C2g.Operator.create(load, workspace).infer()
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.NOT_SUPPORTED))

    def test_python(self):
        for gtype in PyPairs, PySilent:
            C2g.Operator.register(gtype.__name__, C2g.DeviceType.CPU, None, gtype, None)
        for net_type in 'simple', 'dag':
            definition = C2g.NetDef.new_from_text("""name: 'net' external_input: 'x'
                op { type: 'Relu' input: 'x' output: 'y' } op { type: 'PyPairs' input: 'y' output: 'z' }
                op { type: 'Transpose' input: 'z' output: 't' }""")
            definition.set_net_type(net_type)
            workspace = C2g.Workspace()
            tensor = C2g.Tensor.new_sized([10], None)
            tensor.set_data_type(C2g.DataType.FLOAT)
            workspace.create_blob('x').set_object(tensor)
            workspace.infer_net_once(definition)
            found = workspace.get_tensor('t')
            self.assertEqual((found.get_dims(), found.get_data_type()), ([2, 5], C2g.DataType.FLOAT))
            self.assertFalse(found.is_allocated())

            tensor.resize([5, 2])
            with self.assertRaises(GLib.Error) as caught:
                workspace.infer_net_once(definition)
            self.assertIn('“net”, operator 1: PyPairs: no vector', caught.exception.message)

            definition.add_operator(new_op('PySilent', ['x'], ['n']))
            tensor.resize([10])
            net = workspace.create_net(definition, True)
            with self.assertRaises(GLib.Error) as caught:
                net.infer()
            self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.NOT_SUPPORTED))
            self.assertIn('operator 3: PySilent', caught.exception.message)
