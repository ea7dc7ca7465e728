# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators written in Python."""

from gi.repository import GObject

from c2g_testing import C2g, GLib, TestCase
from nets_testing import NET_TYPES, Scale, Watch, new_net, new_operator, new_schema, new_workspace, register, values


class Arguments(C2g.Operator):
    """Reads an argument of every kind."""

    seen = None

    def do_set_up(self):
        Arguments.seen = [self.has_argument('i'), self.get_int('i', 7), self.get_float('f', 0.5),
                          self.get_boolean('b', True), self.get_string('s', 'default'),
                          list(self.get_ints('is')), list(self.get_floats('fs')), self.dup_strings('ss')]
        return True

    def do_run(self):
        return True


class Texts(C2g.Operator):
    """Outputs an object and a tensor with what the operator can query."""

    def do_run(self):
        words = Words()
        words.words = [self.get_op_type(), self.get_name(), self.get_engine(), self.get_position(),
                       self.get_device().to_string(), self.find_input('b'), self.find_output('other'),
                       self.get_n_inputs(), self.get_n_outputs(), self.get_input(0).get_name(),
                       self.ref_workspace().get_blob('a') == self.get_input(0)]
        self.get_output(0).set_object(words)
        tensor = self.get_output_tensor(1)
        tensor.resize([1])
        tensor.allocate(C2g.DataType.INT64)
        tensor.set_value(0, 3)
        return True


class Words(GObject.Object):
    words = ()


class Failing(C2g.Operator):
    def do_run(self):
        raise GLib.Error.new_literal(C2g.Error.quark(), 'mine', C2g.Error.SHAPE)


class Unset(C2g.Operator):
    def do_run(self):
        return False


class Refusing(C2g.Operator):
    """Refuses to be created, with the error code in an argument."""

    def do_set_up(self):
        code = getattr(C2g.Error, self.get_string('code', 'RANGE'))
        raise GLib.Error.new_literal(C2g.Error.quark(), 'not this', code)

    def do_run(self):
        return True


class Lacking(C2g.Operator):
    pass


for kind in Arguments, Texts, Failing, Unset, Refusing, Lacking:
    register(kind)


class OwnOperators(TestCase):
    def test_21_1_own_operators(self):
        workspace = new_workspace(x=[1, 2])
        workspace.run_operator_once(new_operator('python.Scale', ['x'], ['y']), None)
        self.assertEqual(values(workspace, 'y'), [2, 4])
        workspace.run_operator_once(new_operator('python.Scale', ['x'], ['y'], factor=-1), None)
        self.assertEqual(values(workspace, 'y'), [-1, -2])
        op = C2g.Operator.create(new_operator('python.Scale', ['x'], ['y']), workspace)
        self.assertIsInstance(op, Scale)

    def test_21_2_own_arguments(self):
        workspace = C2g.Workspace()
        op = C2g.OperatorDef.new('python.Arguments')
        workspace.run_operator_once(op, None)
        self.assertEqual(Arguments.seen, [False, 7, 0.5, True, 'default', [], [], []])
        op.set_int('i', -3)
        op.set_float('f', 1.5)
        op.set_boolean('b', False)
        op.set_string('s', 'text')
        op.set_ints('is', [1, 2])
        op.set_floats('fs', [0.5])
        op.set_strings('ss', ['a', 'b'])
        workspace.run_operator_once(op, None)
        self.assertEqual(Arguments.seen, [True, -3, 1.5, False, 'text', [1, 2], [0.5], ['a', 'b']])
        for name in ('i', 'f', 's', 'is', 'fs', 'ss'):
            wrong = C2g.OperatorDef.new('python.Arguments')
            if name == 's':
                wrong.set_int(name, 1)
            else:
                wrong.set_string(name, 'wrong')
            message = self.assertFails(C2g.Error.TYPE, workspace.run_operator_once, wrong, None)
            self.assertIn(f'“{name}”', message)

    def test_21_3_own_schema(self):
        schema = C2g.OperatorSchema.new(1, 2, 1, 1)
        schema.require_argument('factor')
        schema.set_documentation('Multiplies.')
        register(Scale, schema, name='python.Strict')
        workspace = new_workspace(x=[1])
        for op, part in ((new_operator('python.Strict', [], ['y'], factor=1), '0'),
                         (new_operator('python.Strict', ['x'], ['y', 'z'], factor=1), '2'),
                         (new_operator('python.Strict', ['x'], ['y']), '“factor”'),
                         (new_operator('python.Strict', ['x'], ['x'], factor=1), '“x”')):
            message = self.assertFails(C2g.Error.INVALID_ARGUMENT, workspace.run_operator_once, op, None)
            self.assertIn('python.Strict: ', message)
            self.assertIn(part, message)
        found = C2g.OperatorSchema.lookup('python.Strict')
        self.assertEqual((found.get_min_inputs(), found.get_max_inputs(), found.get_required_arguments()),
                         (1, 2, ['factor']))
        self.assertEqual((found.is_in_place_allowed(0, 0), found.get_documentation()), (False, 'Multiplies.'))
        self.assertFails(C2g.Error.NOT_FOUND, C2g.OperatorSchema.lookup, 'python.Absent')

    def test_21_4_in_place(self):
        workspace = new_workspace(x=[1, 2])
        workspace.run_operator_once(new_operator('python.Scale', ['x'], ['x']), None)
        self.assertEqual(values(workspace, 'x'), [2, 4])

    def test_21_5_own_errors(self):
        for net_type in NET_TYPES:
            _, net = new_net(net_type, "name: 'net' op { type: 'python.Failing' name: 'f' }")
            watch = Watch()
            net.get_operator(0).add_observer(watch)
            heard = self.record(net, 'after-operator')
            message = self.assertFails(C2g.Error.SHAPE, net.run, None)
            self.assertIn('Net “net”, operator 0: python.Failing “f”: mine', message)
            self.assertEqual((heard[0][1], watch.calls[-1][1]), (False, False))
            heard.clear()

    def test_21_6_failing_without_error(self):
        for net_type in NET_TYPES:
            _, net = new_net(net_type, "name: 'net' op { type: 'python.Unset' }")
            self.assertIn('Unset', self.assertFails(C2g.Error.FAILED, net.run, None))

    def test_21_7_own_set_up_fails(self):
        workspace = C2g.Workspace()
        net_def = C2g.NetDef.new_from_text("name: 'net' op { type: 'python.Refusing' }")
        message = self.assertFails(C2g.Error.RANGE, workspace.create_net, net_def, False)
        self.assertIn('Net “net”, operator 0: python.Refusing: not this', message)

    def test_21_8_lacking_run(self):
        workspace = C2g.Workspace()
        message = self.assertFails(C2g.Error.NOT_SUPPORTED, workspace.run_operator_once,
                                   C2g.OperatorDef.new('python.Lacking'), None)
        self.assertIn('Lacking', message)

    def test_21_9_own_content(self):
        workspace = new_workspace(a=[1], b=[2])
        op = new_operator('python.Texts', ['a', 'b'], ['words', 'number'])
        op.set_name('name')
        workspace.run_operator_once(op, None)
        self.assertEqual(workspace.get_blob('words').get_object().words,
                         ['python.Texts', 'name', '', -1, 'cpu', 1, -1, 2, 2, 'a', True])
        self.assertEqual(values(workspace, 'number'), [3])

    def test_21_10_engines(self):
        schema = new_schema()
        register(Scale, schema, name='python.Engines')
        register(Refusing, None, 'REFUSES', 'python.Engines')
        register(Failing, None, 'FAILS', 'python.Engines')
        self.assertEqual(sorted(C2g.Operator.list_engines('python.Engines', C2g.DeviceType.CPU)),
                         ['', 'FAILS', 'REFUSES'])
        workspace = new_workspace(x=[1])

        def run(engine, code='RANGE'):
            op = new_operator('python.Engines', ['x'], ['y'])
            op.set_engine(engine)
            op.set_string('code', code)
            workspace.run_operator_once(op, None)

        run(None)
        run('ABSENT')
        self.assertFails(C2g.Error.RANGE, run, 'REFUSES')
        run('REFUSES', 'NOT_SUPPORTED')
        self.assertFails(C2g.Error.SHAPE, run, 'FAILS')
        C2g.Operator.set_preferred_engines('python.Engines', C2g.DeviceType.CPU, ['FAILS'])
        self.assertFails(C2g.Error.SHAPE, run, None)
        C2g.Operator.set_preferred_engines('python.Engines', C2g.DeviceType.CPU, None)
        run(None)

    def test_21_11_registering(self):
        self.assertTrue(register(Scale))
        self.assertIn('“python.Scale”', self.assertFails(C2g.Error.EXISTS, register, Failing, None, None,
                                                         'python.Scale'))
        self.assertFails(C2g.Error.TYPE, register, C2g.Operator, None, None, 'python.Abstract')
        self.assertFails(C2g.Error.TYPE, register, Words)
        types = C2g.Operator.list_types()
        self.assertTrue({'Relu', 'python.Scale'} <= set(types))
        self.assertNotIn('python.Abstract', types)
        self.assertTrue(C2g.OperatorSchema.lookup('Relu').is_in_place_allowed(0, 0))

    def test_21_12_accepted_arguments(self):
        schema = C2g.OperatorSchema.new(1, 1, 1, 1)
        schema.accept_argument('factor')
        register(Scale, schema, name='python.Accepting')
        workspace = new_workspace(x=[1])
        workspace.run_operator_once(new_operator('python.Accepting', ['x'], ['y'], factor=1), None)
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, workspace.run_operator_once,
                                   new_operator('python.Accepting', ['x'], ['y'], faktor=1), None)
        self.assertIn('python.Accepting: ', message)
        self.assertIn('“faktor”', message)
        accepting = C2g.OperatorSchema.lookup('python.Accepting')
        self.assertEqual(accepting.list_arguments(C2g.ArgumentUse.READ), ['factor'])

        pad_image = new_operator('PadImage', ['x'], ['y'], global_pooling=1)
        message = self.assertFails(C2g.Error.NOT_SUPPORTED, workspace.run_operator_once, pad_image, None)
        self.assertIn('PadImage: The argument “global_pooling”', message)
        refused = C2g.OperatorSchema.lookup('PadImage').list_arguments(C2g.ArgumentUse.REFUSED)
        self.assertIn('global_pooling', refused)
