# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Definitions of operators, nets and plans; running them; operators and observers written in Python."""

import os
import shutil
import tempfile
import threading
from pathlib import Path

from gi.repository import GObject

from c2g_testing import CPU, C2g, Gio, GLib, TestCase, new_bytes, new_floats, numbers_of

NET_TYPES = 'simple', 'dag'

BRANCHES = """name: 'net' num_workers: 4
op { type: 'GivenTensorFill' output: 'x'
  arg { name: 'shape' ints: 3 } arg { name: 'values' floats: 1 floats: -2 floats: 3 } }
op { type: 'Relu' input: 'x' output: 'r' }
op { type: 'python.Scale' input: 'x' output: 'd' }
op { type: 'python.Scale' input: 'r' output: 'e' }
op { type: 'Abs' input: 'd' output: 'a' }
op { type: 'Sqr' input: 'r' output: 's' }
op { type: 'python.Scale' input: 'a' output: 'y' }
"""

PLAN = """name: 'plan'
network { name: 'init' op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 }
    arg { name: 'value' f: 1 } } }
network { name: 'double' external_input: 'x' op { type: 'python.Scale' input: 'x' output: 'x' } }
execution_step { name: 'first' network: 'init' }
execution_step { name: 'again' num_iter: 5 network: 'double' }
"""

CONCURRENT_PLAN = """name: 'concurrent'
network { name: 'a' op { type: 'GivenTensorFill' output: 'x'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'python.Scale' input: 'x' output: 'y' } }
network { name: 'b' op { type: 'GivenTensorFill' output: 'z'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 3 } }
  op { type: 'python.Scale' input: 'z' output: 'u' } }
execution_step { concurrent_substeps: true num_iter: 5 substep { network: 'a' } substep { network: 'b' } }
"""


class Scale(C2g.Operator):
    """Multiplies by a factor, in the thread that runs the net."""

    def do_set_up(self):
        self.factor = self.get_float('factor', 2)
        self.thread = threading.get_ident()
        return True

    def do_run(self):
        if threading.get_ident() != self.thread:
            raise GLib.Error.new_literal(C2g.Error.quark(), 'another thread', C2g.Error.BUSY)
        source, target = self.get_input_tensor(0), self.get_output_tensor(0)
        if source is not target:
            target.copy_from(source, None)
        for i in range(target.get_n_elements()):
            target.set_value(i, self.factor * target.get_value(i))
        return True


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


class Watch(GObject.Object, C2g.Observer):
    def __init__(self):
        super().__init__()
        self.calls = []

    def do_before_run(self, subject):
        self.calls.append((subject, 'before'))

    def do_after_run(self, subject, is_done):
        self.calls.append((subject, is_done))


def new_schema():
    schema = C2g.OperatorSchema.new(1, 1, 1, 1)
    schema.allow_in_place(0, 0)
    return schema


def register(kind, schema=None, engine=None, name=None):
    return C2g.Operator.register(name or f'python.{kind.__name__}', C2g.DeviceType.CPU, engine, kind, schema)


for kind in Arguments, Texts, Failing, Unset, Refusing, Lacking:
    register(kind)
register(Scale, new_schema())


def new_operator(op_type, inputs=(), outputs=(), **floats):
    op = C2g.OperatorDef.new(op_type)
    op.set_inputs(inputs)
    op.set_outputs(outputs)
    for name, value in floats.items():
        op.set_float(name, value)
    return op


def new_workspace(**blobs):
    workspace = C2g.Workspace()
    for name, numbers in blobs.items():
        workspace.create_blob(name).set_object(new_floats(*numbers))
    return workspace


def new_net(net_type='simple', text=BRANCHES):
    workspace = C2g.Workspace()
    net_def = C2g.NetDef.new_from_text(text)
    net_def.set_net_type(net_type)
    return workspace, workspace.create_net(net_def, False)


def values(workspace, name):
    return numbers_of(workspace.get_tensor(name))


def wait_for(results):
    while not results:
        GLib.MainContext.default().iteration(True)
    return results[0]


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


class Nets(TestCase):
    def test_20_1_operators_once(self):
        workspace = new_workspace(x=[1, -2])
        workspace.run_operator_once(new_operator('Relu', ['x'], ['y']), None)
        self.assertEqual(values(workspace, 'y'), [1, 0])
        message = self.assertFails(C2g.Error.NOT_FOUND, workspace.run_operator_once,
                                   new_operator('Relu', ['absent'], ['y']), None)
        self.assertIn('“absent”', message)
        op = C2g.Operator.create(new_operator('Relu', ['x'], ['z']), workspace)
        op.run()
        self.assertEqual((values(workspace, 'z'), op.get_op_type(), op.get_position()), ([1, 0], 'Relu', -1))

    def test_20_27_definitions_are_copies(self):
        workspace, net = new_net()
        op = C2g.Operator.create(new_operator('Add', ['x', 'other'], ['z']), new_workspace(x=[1, 2, 3], other=[1, 2]))
        op.get_definition().set_inputs([])
        self.assertIn('“other”', self.assertFails(C2g.Error.SHAPE, op.run))
        for each in [net.get_definition().get_operator(i) for i in range(7)] + [net.get_operator(1).get_definition()]:
            each.set_inputs([])
            each.set_outputs([])
        net.get_definition().set_name('other')
        net.run(None)
        self.assertEqual((values(workspace, 'y'), net.get_name()), ([4, 8, 12], 'net'))

    def test_20_2_nets_of_workspaces(self):
        workspace, net = new_net()
        self.assertEqual((workspace.list_nets(), net.get_name(), net.get_n_operators()), (['net'], 'net', 7))
        self.assertIs(workspace.get_net('net'), net)
        self.assertEqual(net.get_operator(1).get_op_type(), 'Relu')
        self.assertEqual((net.get_input_device('x'), net.get_input_device('absent')), (CPU, None))
        self.assertEqual(net.get_definition().get_n_operators(), 7)
        message = self.assertFails(C2g.Error.EXISTS, workspace.create_net, net.get_definition(), False)
        self.assertIn('“net”', message)
        other = workspace.create_net(net.get_definition(), True)
        self.assertIsNot(other, net)
        for each in net, other:
            each.run(None)
            self.assertEqual(values(workspace, 'y'), [4, 8, 12])
            workspace.get_blob('y').reset()
        workspace.remove_net('net')
        self.assertEqual(workspace.list_nets(), [])
        self.assertFails(C2g.Error.NOT_FOUND, workspace.get_net, 'net')
        self.assertFails(C2g.Error.NOT_FOUND, workspace.remove_net, 'net')

    def test_20_3_signals_of_workspaces(self):
        workspace = C2g.Workspace()
        added = self.record(workspace, 'net-added')
        removed = self.record(workspace, 'net-removed')
        net_def = C2g.NetDef.new_from_text(BRANCHES)
        first = workspace.create_net(net_def, False)
        second = workspace.create_net(net_def, True)
        workspace.remove_net('net')
        self.assertEqual((added, removed), ([(first,), (second,)], [(first,), (second,)]))
        for heard in added, removed:
            heard.clear()

    def test_20_4_runs(self):
        for net_type in NET_TYPES:
            workspace, net = new_net(net_type)
            for _ in range(10):
                net.run(None)
            self.assertEqual(values(workspace, 'y'), [4, 8, 12])
            self.assertEqual(values(workspace, 's'), [1, 0, 9])
            workspace.run_net('net', None)
            workspace.run_net_once(net.get_definition(), None)
            self.assertEqual((workspace.list_nets(), net.get_failed_position()), (['net'], -1))
            self.assertFails(C2g.Error.NOT_FOUND, workspace.run_net, 'absent', None)

    def test_20_5_signals_of_nets(self):
        for net_type in NET_TYPES:
            _, net = new_net(net_type)
            heard = {name: self.record(net, name)
                     for name in ('before-run', 'after-run', 'before-operator', 'after-operator')}
            net.run(None)
            self.assertEqual((heard['before-run'], heard['after-run']), ([()], [(True,)]))
            self.assertEqual(sorted(op.get_position() for op, in heard['before-operator']), list(range(7)))
            self.assertEqual([is_done for _, is_done in heard['after-operator']], [True] * 7)
            for calls in heard.values():
                calls.clear()

    def test_20_6_in_the_background(self):
        for net_type in NET_TYPES:
            workspace, net = new_net(net_type)
            threads, results = set(), []
            net.connect('before-operator', lambda *_: threads.add(threading.get_ident()))
            net.run_async(None, lambda source, result: results.append(source.run_finish(result)))
            self.assertTrue(wait_for(results))
            self.assertEqual(values(workspace, 'y'), [4, 8, 12])
            self.assertEqual(threads, {threading.get_ident()})

    def test_20_7_cancelled(self):
        for net_type in NET_TYPES:
            _, net = new_net(net_type)
            cancellable = Gio.Cancellable()
            handler = net.connect('after-operator', lambda *_: cancellable.cancel())
            with self.assertRaises(GLib.Error) as caught:
                net.run(cancellable)
            self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
            net.disconnect(handler)
            net.run(None)

    def test_20_8_errors_in_runs(self):
        text = ("name: 'net' op { type: 'Relu' input: 'x' output: 'r' } "
                "op { type: 'Add' name: 'sum' input: 'r' input: 'w' output: 'y' }")
        for net_type in NET_TYPES:
            workspace = new_workspace(x=[1, 2], w=[1, 2, 3])
            net_def = C2g.NetDef.new_from_text(text)
            net_def.set_net_type(net_type)
            net = workspace.create_net(net_def, False)
            message = self.assertFails(C2g.Error.SHAPE, net.run, None)
            for part in ('Net “net”, operator 1: Add “sum”: ', '“w”', '[3]'):
                self.assertIn(part, message)
            self.assertEqual(net.get_failed_position(), 1)
            workspace.get_blob('w').set_object(new_floats(1, 2))
            net.run(None)
            self.assertEqual((values(workspace, 'y'), net.get_failed_position()), ([2, 4], -1))

    def test_20_9_errors_before_runs(self):
        workspace = C2g.Workspace()
        for text, parts in (("name: 'net' op { type: 'Foo' } op { type: 'Bar' }", ('“net”', '“Foo”', '“Bar”')),
                            ("name: 'net' op { type: 'Add' input: 'a' input: 'b' output: 'c' }",
                             ('“net”', '“a”', '“b”')),
                            ("name: 'net' type: 'odd'", ('“net”', '“odd”'))):
            message = self.assertFails(C2g.Error.NOT_FOUND, workspace.create_net, C2g.NetDef.new_from_text(text), False)
            for part in parts:
                self.assertIn(part, message)
        self.assertEqual(workspace.list_nets(), [])

    def test_20_10_plans(self):
        workspace = C2g.Workspace()
        plan = C2g.PlanDef.new_from_text(PLAN)
        workspace.run_plan(plan, None)
        self.assertEqual(values(workspace, 'x'), [32])
        results = []
        workspace.run_plan_async(plan, None, lambda source, result: results.append(source.run_plan_finish(result)))
        self.assertTrue(wait_for(results))
        plan.get_step(1).set_networks(['absent'])
        message = self.assertFails(C2g.Error.NOT_FOUND, workspace.run_plan, plan, None)
        for part in ('“plan”', '“again”', '“absent”'):
            self.assertIn(part, message)
        workspace.run_plan(C2g.PlanDef.new_from_text(CONCURRENT_PLAN), None)
        self.assertEqual(values(workspace, 'y') + values(workspace, 'u'), [2, 6])

    def test_20_11_observers(self):
        for net_type in NET_TYPES:
            _, net = new_net(net_type)
            op, watch = net.get_operator(1), Watch()
            self.assertTrue(net.add_observer(watch))
            self.assertFalse(net.add_observer(watch))
            self.assertTrue(op.add_observer(watch))
            self.assertEqual(list(net.dup_observers()), [watch])
            net.run(None)
            self.assertEqual(watch.calls, [(net, 'before'), (op, 'before'), (op, True), (net, True)])
            self.assertTrue(net.remove_observer(watch))
            self.assertTrue(op.remove_observer(watch))
            self.assertFalse(op.remove_observer(watch))
            watch.calls.clear()
            net.run(None)
            self.assertEqual(watch.calls, [])

    def test_20_12_predictors(self):
        init = C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }")
        predict = C2g.NetDef.new_from_text(
            "name: 'net' external_input: 'x' external_input: 'w' external_output: 'y' "
            "op { type: 'Mul' input: 'x' input: 'w' output: 'y' }")
        predictor = C2g.Predictor.create(init, predict, None, None, C2g.OptimizeFlags.ALL)
        self.assertEqual((predictor.get_inputs(), predictor.get_outputs()), (['x'], ['y']))
        output, = predictor.run([new_floats(1, 2)], None)
        self.assertEqual(numbers_of(output), [3, 6])
        predictor.set_input('x', new_floats(4, 5))
        predictor.run([], None)
        self.assertEqual(numbers_of(predictor.get_output('y')), [12, 15])
        self.assertIn('“no”', self.assertFails(C2g.Error.NOT_FOUND, predictor.set_input, 'no', new_floats(1)))
        self.assertIn('“no”', self.assertFails(C2g.Error.NOT_FOUND, predictor.get_output, 'no'))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, predictor.run, [new_floats(1), new_floats(1)], None)
        self.assertFails(C2g.Error.SHAPE, predictor.run, [new_floats(1, 2, 3)], None)
        self.assertEqual((predictor.get_net().get_name(), values(predictor.get_workspace(), 'w')), ('net', [3, 3]))

    def test_20_13_predictors_of_files(self):
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        init = C2g.NetDef.new_from_text("op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } }")
        predict = C2g.NetDef.new_from_text(
            "external_input: 'w' external_output: 'y' op { type: 'Cos' input: 'w' output: 'y' }")
        init_file = Gio.File.new_for_path(str(folder / 'init_net.pb'))
        predict_file = Gio.File.new_for_path(str(folder / 'predict_net.pb'))
        init.save_file(init_file, False, None)
        predict.save_file(predict_file, False, None)
        model, every = Gio.File.new_for_path(str(folder)), C2g.OptimizeFlags.ALL
        for predictor in (C2g.Predictor.load(model, None, None, every, None),
                          C2g.Predictor.load_nets(init_file, predict_file, C2g.Workspace(), CPU, every, None)):
            output, = predictor.run([], None)
            self.assertEqual(numbers_of(output), [1, 1])
        predict_file.delete(None)
        self.assertFails(C2g.Error.NOT_FOUND, C2g.Predictor.load, model, None, None, every, None)

    def test_20_16_models_are_optimized_and_saved(self):
        init = C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }")
        predict = C2g.NetDef.new_from_text(
            "name: 'net' external_input: 'x' external_input: 'w' external_output: 'y' "
            "op { type: 'Dropout' input: 'x' output: 'd' output: 'm' arg { name: 'is_test' i: 1 } } "
            "op { type: 'Mul' input: 'd' input: 'w' output: 'y' }")
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        file = Gio.File.new_for_path(str(folder / 'model.minidb'))
        predictor = C2g.Predictor.create(init, predict, None, None, C2g.OptimizeFlags.ALL)
        for flags, n_operators in ((C2g.OptimizeFlags.ALL, 1), (C2g.OptimizeFlags.NONE, 2),
                                   (C2g.OptimizeFlags.PRUNE | C2g.OptimizeFlags.MEMORY, 1)):
            predictor.optimize(flags)
            self.assertEqual(predictor.get_net().get_definition().get_n_operators(), n_operators)
            output, = predictor.run([new_floats(1, 2)], None)
            self.assertEqual(numbers_of(output), [3, 6])
        self.assertEqual(predict.optimize(predictor.get_workspace(), C2g.OptimizeFlags.ALL).get_n_operators(), 1)

        predictor.save(file, None)
        loaded = C2g.Predictor.load(file, None, None, C2g.OptimizeFlags.NONE, None)
        self.assertEqual((loaded.get_inputs(), loaded.get_outputs()), (['x'], ['y']))
        self.assertEqual(loaded.get_net().get_definition().get_n_operators(), 2)
        self.assertFails(C2g.Error.NOT_FOUND, loaded.run, [], None)
        output, = loaded.run([new_floats(1, 2)], None)
        self.assertEqual(numbers_of(output), [3, 6])

    def test_20_26_predictors_optimize_when_they_are_made(self):
        init = C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }")
        predict = C2g.NetDef.new_from_text(
            "external_input: 'x' external_input: 'w' external_output: 'y' "
            "op { type: 'Dropout' input: 'x' output: 'd' output: 'm' arg { name: 'is_test' i: 1 } } "
            "op { type: 'Mul' input: 'd' input: 'w' output: 'y' }")
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        model = Gio.File.new_for_path(str(folder))
        files = [model.get_child('init_net.pb'), model.get_child('predict_net.pb')]
        init.save_file(files[0], False, None)
        predict.save_file(files[1], False, None)

        made = C2g.Predictor
        for flags in C2g.OptimizeFlags.ALL, C2g.OptimizeFlags.NONE:
            for predictor in (made.create(init, predict, None, None, flags),
                              made.load(model, None, None, flags, None),
                              made.load_nets(*files, None, None, flags, None),
                              made.load_finish(self.finish(made.load_async, model, None, None, flags, None)),
                              made.load_nets_finish(self.finish(made.load_nets_async, *files, None, None, flags, None))):
                output, = predictor.run([new_floats(1, 2)], None)
                self.assertEqual(numbers_of(output), [3, 6])
                n_operators = predictor.get_net().get_n_operators()
                if flags == C2g.OptimizeFlags.ALL:
                    self.assertEqual(n_operators, 1)
                    self.assertFails(C2g.Error.NOT_FOUND, predictor.get_output, 'd')
                else:
                    self.assertEqual((n_operators, numbers_of(predictor.get_output('d'))), (2, [1, 2]))

    def test_20_19_runs_at_once(self):
        predict = C2g.NetDef.new_from_text(
            "name: 'net' external_input: 'x' external_output: 'y' op { type: 'Sum' input: 'x' input: 'x' output: 'y' }")
        predictor = C2g.Predictor.create(None, predict, None, None, C2g.OptimizeFlags.ALL)
        cancellable = Gio.Cancellable()
        outputs, results = [], []

        def ran(source, result):
            results.append(result)
            try:
                outputs.extend(source.run_finish(result))
            except GLib.Error as error:
                outputs.append(error)

        predictor.run_async([new_floats(0)], None, lambda *_: None)
        for i in range(1, 4):
            predictor.run_async([new_floats(i)], cancellable if i == 2 else None, ran)
        cancellable.cancel()
        self.assertFails(C2g.Error.BUSY, predictor.run, [], None)
        self.assertFails(C2g.Error.BUSY, predictor.optimize, C2g.OptimizeFlags.ALL)
        while len(outputs) < 3:
            GLib.MainContext.default().iteration(True)
        error, = (output for output in outputs if isinstance(output, GLib.Error))
        self.assertTrue(error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
        outputs.remove(error)
        predictor.run([new_floats(8)], None)
        self.assertEqual([numbers_of(output) for output in outputs], [[2], [6]])

    def test_20_17_shapes_are_inferred(self):
        workspace = C2g.Workspace()
        workspace.create_blob('x').set_object(C2g.Tensor.new_sized([2, 3], None))
        workspace.get_tensor('x').set_data_type(C2g.DataType.FLOAT)
        definition = C2g.NetDef.new_from_text("name: 'net' op { type: 'Transpose' input: 'x' output: 'y' }")
        workspace.infer_net_once(definition)
        y = workspace.get_tensor('y')
        self.assertEqual((y.get_dims(), y.get_data_type(), y.is_allocated()), ([3, 2], C2g.DataType.FLOAT, False))
        net = workspace.create_net(definition, False)
        workspace.get_tensor('x').resize([4, 5, 6])
        net.infer()
        self.assertEqual(workspace.get_tensor('y').get_dims(), [6, 5, 4])

    def test_20_25_file_access(self):
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        save = C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } } "
            "op { type: 'Save' input: 'w' arg { name: 'db' s: 'w.minidb' } arg { name: 'db_type' s: 'minidb' } }")
        predict = C2g.NetDef.new_from_text(
            "external_input: 'w' external_output: 'y' op { type: 'Cos' input: 'w' output: 'y' }")
        self.assertEqual(C2g.Workspace().get_file_access(), C2g.FileAccess.ALL)
        parent = C2g.Workspace(file_access=C2g.FileAccess.MODEL, root_folder=str(folder), model_folder=str(folder))
        child = C2g.Workspace.new_with_parent(parent)
        notified = []
        parent.connect('notify::file-access', lambda *_: notified.append(1))
        self.assertEqual((child.props.file_access, child.dup_model_folder()), (C2g.FileAccess.MODEL, str(folder)))
        message = self.assertFails(C2g.Error.DENIED, child.run_net_once, save, None)
        for part in ('Save', '“w.minidb”', '“model”', '“root-folder”'):
            self.assertIn(part, message)
        self.assertFails(C2g.Error.DENIED, C2g.Predictor.create, save, predict, None, None, C2g.OptimizeFlags.ALL)
        self.assertFails(C2g.Error.DENIED, C2g.Predictor.create, save, predict, parent, None, C2g.OptimizeFlags.ALL)
        self.assertEqual(os.listdir(folder), [])
        parent.set_file_access(C2g.FileAccess.ROOT_FOLDER)
        C2g.Predictor.create(save, predict, parent, None, C2g.OptimizeFlags.ALL)
        self.assertEqual((os.listdir(folder), len(notified)), (['w.minidb'], 1))

    def finish(self, start, *arguments):
        results = []
        start(*arguments, lambda _, result: results.append(result))
        return wait_for(results)

    def test_20_18_more_in_the_background(self):
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        file = Gio.File.new_for_path(str(folder))
        init_file, predict_file = file.get_child('init_net.pbtxt'), file.get_child('predict_net.pbtxt')
        (folder / 'init_net.pbtxt').write_text(
            "op { type: 'ConstantFill' output: 'v' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 1 } } "
            "op { type: 'python.Scale' input: 'v' output: 'w' arg { name: 'factor' f: 3 } }")
        (folder / 'predict_net.pbtxt').write_text(
            "name: 'p' external_input: 'x' external_input: 'w' external_output: 'y' "
            "op { type: 'Mul' input: 'x' input: 'w' output: 'z' } op { type: 'python.Scale' input: 'z' output: 'y' }")

        result = self.finish(C2g.NetDef.load_file_async, predict_file, None)
        self.assertEqual(C2g.NetDef.load_file_finish(result).get_name(), 'p')
        for definition in C2g.NetDef.new('a'), C2g.PlanDef.new('b'), C2g.MetaNetDef(project='c'):
            copy = Gio.File.new_for_path(str(folder / 'copy'))
            result = self.finish(definition.save_file_async, copy, True, None)
            self.assertTrue(definition.save_file_finish(result))
            self.assertEqual(type(definition).load_file(copy, None).to_text(), definition.to_text())
        result = self.finish(C2g.PlanDef.load_file_async, predict_file, None)
        self.assertFails(C2g.Error.CORRUPT, C2g.PlanDef.load_file_finish, result)
        result = self.finish(C2g.MetaNetDef.load_file_async, predict_file, None)
        self.assertFails(C2g.Error.CORRUPT, C2g.MetaNetDef.load_file_finish, result)

        every = C2g.OptimizeFlags.ALL
        loaded = C2g.Predictor.load_finish(self.finish(C2g.Predictor.load_async, file, None, None, every, None))
        result = self.finish(C2g.Predictor.load_nets_async, init_file, predict_file, C2g.Workspace(), CPU, every, None)
        for predictor in loaded, C2g.Predictor.load_nets_finish(result):
            result = self.finish(predictor.run_async, [new_floats(1, 2)], None)
            output, = predictor.run_finish(result)
            self.assertEqual(numbers_of(output), [6, 12])
            net = predictor.get_net()
            benchmark = net.measure_finish(self.finish(net.measure_async, 1, 2, None))
            self.assertEqual((benchmark.get_n_runs(), benchmark.get_net()), (2, net))

        model = file.get_child('model.minidb')
        self.assertTrue(loaded.save_finish(self.finish(loaded.save_async, model, None)))
        output, = C2g.Predictor.load(model, None, None, every, None).run([new_floats(1, 2)], None)
        self.assertEqual(numbers_of(output), [6, 12])

        predict_file.delete(None)
        result = self.finish(C2g.Predictor.load_async, file, None, None, every, None)
        self.assertFails(C2g.Error.NOT_FOUND, C2g.Predictor.load_finish, result)

    def test_20_14_benchmarks(self):
        for net_type in NET_TYPES:
            _, net = new_net(net_type)
            benchmark = net.benchmark(1, 2, None)
            self.assertEqual((benchmark.get_n_runs(), benchmark.get_net()), (2, net))
            self.assertGreaterEqual(benchmark.get_seconds(), 0)
            self.assertGreaterEqual(benchmark.get_operator_seconds(2), 0)
            self.assertEqual((benchmark.get_operator_flops(2), benchmark.get_operator_bytes(2)), (-1, 24))
            self.assertEqual(benchmark.to_text().count('python.Scale'), 3)

    def test_20_15_numbers(self):
        stats, other = C2g.StatRegistry(), C2g.StatRegistry()
        self.assertEqual((stats.increment('runs', 2), stats.increment('runs', 3)), (2, 5))
        self.assertEqual(stats.increment_detail('reads', 'fast', 3), 3)
        self.assertEqual(stats.increment_detail('reads', 'slow', 1), 4)
        stats.add_sample('size', 7)
        for time in 10, 12, 14:
            stats.add_deviation_sample('time', time)
        self.assertEqual(stats.get_deviation('time'), 2)
        stats.publish(other, False)
        self.assertEqual(stats.reset('runs'), 5)
        expected = {'reads': 4, 'reads/fast': 3, 'reads/slow': 1, 'runs': 5, 'size/count': 1, 'size/sum': 7,
                    'time/count': 3, 'time/sum': 36, 'time/sumoffset': 6, 'time/sumsqoffset': 20}
        self.assertEqual((other.to_variant().unpack(), other.list_keys()), (expected, sorted(expected)))
        self.assertEqual((stats.get_value('runs'), stats.get_value('absent')), (0, 0))
        self.assertEqual(C2g.StatRegistry.get_default(), C2g.StatRegistry.get_default())


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
