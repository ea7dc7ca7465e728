# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Definitions of operators, nets, plans and models."""

import shutil
import tempfile
from pathlib import Path

from c2g_testing import CPU, C2g, Gio, GLib, TestCase, new_bytes
from nets_testing import BRANCHES, new_operator, new_workspace


class Definitions(TestCase):
    def test_19_1_operators(self):
        op = C2g.OperatorDef.new('FC')
        op.set_name('fc1')
        op.set_inputs(['x', 'w'])
        op.add_input('b')
        op.add_output('y')
        op.add_control_input('ready')
        op.set_engine('FAST')
        op.set_device(CPU)
        op.set_debug_info('here')
        op.set_is_gradient_op(True)
        self.assertEqual((op.get_op_type(), op.get_name(), op.get_inputs(), op.get_outputs()),
                         ('FC', 'fc1', ['x', 'w', 'b'], ['y']))
        self.assertEqual((op.get_n_inputs(), op.get_n_outputs(), op.get_n_control_inputs()), (3, 1, 1))
        self.assertEqual((op.get_control_inputs(), op.get_engine(), op.get_device(), op.get_debug_info()),
                         (['ready'], 'FAST', CPU, 'here'))
        self.assertTrue(op.get_is_gradient_op())
        op.set_inputs(None)
        op.set_name(None)
        op.set_device(None)
        self.assertEqual((op.get_inputs(), op.get_name(), op.get_device()), ([], None, None))

    def test_19_2_arguments(self):
        net_def = C2g.NetDef.new('inner')
        made = {
            'INT': (C2g.Argument.new_int('a', 2**40), C2g.Argument.get_int, 2**40),
            'FLOAT': (C2g.Argument.new_float('a', 0.5), C2g.Argument.get_float, 0.5),
            'STRING': (C2g.Argument.new_string('a', 'ä'), C2g.Argument.get_string, 'ä'),
            'INTS': (C2g.Argument.new_ints('a', [1, -2]), C2g.Argument.get_ints, [1, -2]),
            'FLOATS': (C2g.Argument.new_floats('a', [1, 0.5]), C2g.Argument.get_floats, [1, 0.5]),
            'STRINGS': (C2g.Argument.new_strings('a', ['x', 'y']), C2g.Argument.dup_strings, ['x', 'y']),
        }
        for kind, (argument, getter, expected) in made.items():
            with self.subTest(kind=kind):
                self.assertEqual((argument.get_name(), argument.get_kind()), ('a', getattr(C2g.ArgumentKind, kind)))
                self.assertEqual(getter(argument), expected)
                self.assertTrue(argument.equal(argument))
                other = C2g.Argument.get_string if kind != 'STRING' else C2g.Argument.get_ints
                self.assertIn('“a”', self.assertFails(C2g.Error.TYPE, other, argument))
        self.assertEqual(C2g.Argument.new_bytes('a', new_bytes(b'\0\xff')).dup_bytes().get_data(), b'\0\xff')
        self.assertEqual(C2g.Argument.new_net('a', net_def).dup_net().get_name(), 'inner')
        self.assertEqual([net.get_name() for net in C2g.Argument.new_nets('a', [net_def, net_def]).dup_nets()],
                         ['inner', 'inner'])

    def test_19_3_arguments_of_operators(self):
        op = C2g.OperatorDef.new('Op')
        op.set_int('i', 3)
        op.set_float('f', 0.5)
        op.set_boolean('b', True)
        op.set_string('s', 'text')
        op.set_ints('is', [1, 2])
        op.set_floats('fs', [])
        op.set_strings('ss', ['a'])
        op.set_argument(C2g.Argument.new_int('i', 4))
        self.assertEqual([argument.get_name() for argument in op.list_arguments()],
                         ['i', 'f', 'b', 's', 'is', 'fs', 'ss'])
        self.assertEqual((op.get_argument('i').get_int(), op.get_argument('b').get_int()), (4, 1))
        self.assertEqual((list(op.get_argument('is').get_ints()), list(op.get_argument('fs').get_floats())),
                         ([1, 2], []))
        self.assertTrue(op.remove_argument('i'))
        self.assertFalse(op.remove_argument('i'))
        self.assertIsNone(op.get_argument('i'))

    def test_19_4_nets(self):
        net_def = C2g.NetDef.new('net')
        net_def.set_net_type('dag')
        net_def.set_n_workers(3)
        net_def.set_device(CPU)
        net_def.set_external_inputs(['x'])
        net_def.add_external_input('w')
        net_def.add_external_output('y')
        net_def.set_argument(C2g.Argument.new_int('version', 2))
        net_def.add_operator(new_operator('Relu', ['r'], ['y']))
        net_def.insert_operator(0, new_operator('Mul', ['x', 'w'], ['r']))
        net_def.add_operator(new_operator('Abs', ['y'], ['z']))
        net_def.remove_operator(2)
        self.assertEqual((net_def.get_name(), net_def.get_net_type(), net_def.get_n_workers(), net_def.get_device()),
                         ('net', 'dag', 3, CPU))
        self.assertEqual((net_def.get_external_inputs(), net_def.get_external_outputs()), (['x', 'w'], ['y']))
        self.assertEqual([net_def.get_operator(i).get_op_type() for i in range(net_def.get_n_operators())],
                         ['Mul', 'Relu'])
        self.assertEqual(net_def.get_argument('version').get_int(), 2)
        self.assertEqual(len(net_def.list_arguments()), 1)

    def test_19_5_bytes_and_text(self):
        net_def = C2g.NetDef.new_from_text(BRANCHES)
        for other in (C2g.NetDef.new_from_bytes(net_def.to_bytes()), C2g.NetDef.new_from_text(net_def.to_text()),
                      net_def.copy()):
            self.assertTrue(other.equal(net_def))
        op = net_def.get_operator(0)
        self.assertTrue(C2g.OperatorDef.new_from_bytes(op.to_bytes()).equal(op))
        self.assertTrue(C2g.OperatorDef.new_from_text(op.to_text()).equal(op))
        self.assertEqual(C2g.NetDef.new('a').to_bytes().get_data(), b'\x0a\x01a')
        self.assertFails(C2g.Error.CORRUPT, C2g.NetDef.new_from_bytes, new_bytes(b'\x0a\x05a'))
        self.assertFails(C2g.Error.CORRUPT, C2g.NetDef.new_from_text, 'op {')

    def test_19_6_files(self):
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        net_def = C2g.NetDef.new_from_text(BRANCHES)
        for name, is_text in (('net.pb', False), ('net.pbtxt', True)):
            file = Gio.File.new_for_path(str(folder / name))
            net_def.save_file(file, is_text, None)
            self.assertTrue(C2g.NetDef.load_file(file, None).equal(net_def))
        (folder / 'notes.txt').write_text('A net of my own\n')
        with self.assertRaisesRegex(GLib.Error, 'This is text, expected a net'):
            C2g.NetDef.load_file(folder / 'notes.txt')
        with self.assertRaises(GLib.Error) as caught:
            C2g.NetDef.load_file(Gio.File.new_for_path(str(folder / 'absent')), None)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.NOT_FOUND))

    def test_19_7_plans(self):
        plan = C2g.PlanDef.new('plan')
        plan.add_net(C2g.NetDef.new('net'))
        step = C2g.ExecutionStep.new('step')
        substep = C2g.ExecutionStep(name='inner', n_iterations=3, networks=['net'])
        step.add_substep(substep)
        step.set_concurrent_substeps(True)
        innermost = C2g.ExecutionStep.new('innermost')
        outer = innermost
        for _ in range(99):
            around = C2g.ExecutionStep.new(None)
            around.add_substep(outer)
            outer = around
        self.assertFails(C2g.Error.RANGE, step.add_substep, outer)
        plan.add_step(step)
        self.assertEqual((plan.get_name(), plan.get_n_nets(), plan.get_n_steps()), ('plan', 1, 1))
        self.assertEqual(plan.find_net('net').get_name(), plan.get_net(0).get_name())
        self.assertIsNone(plan.find_net('other'))
        inner = plan.get_step(0).get_substep(0)
        self.assertEqual((inner.get_name(), inner.get_n_iterations(), inner.get_networks()), ('inner', 3, ['net']))
        for other in (C2g.PlanDef.new_from_bytes(plan.to_bytes()), C2g.PlanDef.new_from_text(plan.to_text()),
                      plan.copy()):
            self.assertTrue(other.equal(plan))
        plan.remove_step(0)
        plan.remove_net(0)
        self.assertEqual((plan.get_n_nets(), plan.get_n_steps()), (0, 0))

    def test_19_8_models(self):
        meta = C2g.MetaNetDef()
        meta.set_project('project')
        meta.set_net('predict', C2g.NetDef.new('net'))
        meta.set_plan('train', C2g.PlanDef.new('plan'))
        meta.set_blobs('inputs', ['x', 'y'])
        meta.set_application_info('key', 'value')
        other = C2g.MetaNetDef.new_from_bytes(meta.to_bytes())
        self.assertEqual((other.get_project(), other.list_nets(), other.list_plans()),
                         ('project', ['predict'], ['train']))
        self.assertEqual((other.get_net('predict').get_name(), other.get_blobs('inputs')), ('net', ['x', 'y']))
        self.assertEqual(other.get_application_info('key'), 'value')
        self.assertIsNone(other.get_net('train'))
        copy = other.copy()
        self.assertTrue(copy.equal(meta))
        copy.get_net('predict').set_name('other')
        self.assertEqual((copy.equal(meta), other.equal(meta)), (False, True))

    def test_19_9_properties(self):
        net_def = C2g.NetDef(name='net', net_type='dag', n_workers=2, external_inputs=['x'])
        heard = self.count_notify(net_def, 'net-type')
        net_def.props.net_type = 'simple'
        net_def.set_net_type('simple')
        self.assertEqual((len(heard), net_def.get_net_type()), (1, 'simple'))
        op = C2g.OperatorDef(op_type='Relu', inputs=['x'], outputs=['y'])
        self.assertEqual((op.get_op_type(), op.props.inputs), ('Relu', ['x']))

    def test_19_11_positions_out_of_range(self):
        net_def, plan, step = C2g.NetDef.new('net'), C2g.PlanDef.new('plan'), C2g.ExecutionStep.new('step')
        op = new_operator('Relu', ['x'], ['y'])
        net_def.add_operator(op)
        plan.add_net(net_def)
        plan.add_step(step)
        for get, remove in ((net_def.get_operator, net_def.remove_operator), (plan.get_net, plan.remove_net),
                            (plan.get_step, plan.remove_step), (step.get_substep, step.remove_substep)):
            for position in (1, 2 ** 31, 2 ** 32 - 1):
                self.assertIsNone(get(position))
                self.assertFalse(remove(position))
        self.assertFalse(net_def.insert_operator(2, op))
        self.assertTrue(net_def.insert_operator(1, op))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, step.add_substep, step)
        self.assertEqual((net_def.get_n_operators(), plan.get_n_steps(), step.get_n_substeps()), (2, 1, 0))
        self.assertTrue(plan.remove_step(0))
        workspace = new_workspace(x=[1, -2])
        net = workspace.create_net(C2g.NetDef.new_from_text(
            "name: 'net' op { type: 'Relu' input: 'x' output: 'y' } external_input: 'x'"), True)
        self.assertIsNone(net.get_operator(1))
        self.assertIsNone(net.get_operator(0).get_input(1))
        self.assertIsNone(net.get_operator(0).get_output(2 ** 32 - 1))
        figures = net.benchmark(0, 1, None)
        self.assertEqual((figures.get_operator_seconds(1), figures.get_operator_flops(1), figures.get_operator_bytes(1)),
                         (0, -1, 0))

    def test_19_10_gradients(self):
        self.assertTrue(C2g.Operator.register_gradient('python.Scale', 'python.ScaleGradient', ['I0', 'GO0'], ['GI0']))
        op = new_operator('python.Scale', ['x'], ['y'], factor=3)
        gradient = op.make_gradient(None)
        self.assertEqual((gradient.get_op_type(), gradient.get_inputs(), gradient.get_outputs()),
                         ('python.ScaleGradient', ['x', 'y_grad'], ['x_grad']))
        self.assertEqual((gradient.get_argument('factor').get_float(), gradient.get_is_gradient_op()), (3, True))
        self.assertEqual(op.make_gradient(['dy']).get_inputs(), ['x', 'dy'])
        self.assertFails(C2g.Error.EXISTS, C2g.Operator.register_gradient, 'python.Scale', 'Other', ['GO0'], ['GI0'])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Operator.register_gradient, 'python.New', 'Other', ['X'], [])
        self.assertIn('“python.New”', self.assertFails(C2g.Error.NOT_FOUND, new_operator('python.New').make_gradient,
                                                       None))

    def test_19_12_for_caffe2(self):
        net = C2g.NetDef.new('n')
        net.add_operator(new_operator('Softmax', ['x'], ['y']))
        self.assertTrue(net.check_for_caffe2())
        net.add_operator(new_operator('Swish', ['y'], ['y']))
        self.assertIn('operator 1: Swish', self.assertFails(C2g.Error.NOT_SUPPORTED, net.check_for_caffe2))
