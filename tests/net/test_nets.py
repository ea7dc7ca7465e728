# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators and observers written in Python, in every kind of net."""

import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'bindings-tests/python'))

from c2g_testing import C2g, GLib  # noqa: E402
from gi.repository import GObject  # noqa: E402

MAIN = threading.get_ident()

NET = """name: 'net' num_workers: 4
op { type: 'GivenTensorFill' output: 'x'
  arg { name: 'shape' ints: 3 } arg { name: 'values' floats: 1 floats: -2 floats: 3 } }
op { type: 'Relu' input: 'x' output: 'r' }
op { type: 'PyDouble' input: 'x' output: 'd' }
op { type: 'PyDouble' input: 'r' output: 'e' }
op { type: 'Abs' input: 'd' output: 'a' }
op { type: 'Sqr' input: 'r' output: 's' }
op { type: 'PyDouble' input: 'a' output: 'y' }
"""

PLAN = """name: 'plan'
network { name: 'a' op { type: 'GivenTensorFill' output: 'x'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'PyDouble' input: 'x' output: 'y' } }
network { name: 'b' op { type: 'GivenTensorFill' output: 'z'
    arg { name: 'shape' ints: 1 } arg { name: 'values' floats: 1 } }
  op { type: 'PyDouble' input: 'z' output: 'u' } }
execution_step { concurrent_substeps: true num_iter: 5
  substep { network: 'a' } substep { network: 'b' } }
"""


class PyDouble(C2g.Operator):
    def do_run(self):
        if threading.get_ident() != MAIN:
            raise GLib.Error.new_literal(C2g.Error.quark(), 'another thread', C2g.Error.BUSY)
        source, target = self.get_input_tensor(0), self.get_output_tensor(0)
        target.copy_from(source, None)
        for i in range(source.get_n_elements()):
            target.set_value(i, 2 * source.get_value(i))
        return True


class PyFailing(C2g.Operator):
    def do_run(self):
        raise GLib.Error.new_literal(C2g.Error.quark(), 'mine', C2g.Error.SHAPE)


class Watch(GObject.Object, C2g.Observer):
    def __init__(self):
        super().__init__()
        self.calls = []

    def do_before_run(self, subject):
        self.calls.append(('before', type(subject).__gtype__.name))

    def do_after_run(self, subject, is_done):
        self.calls.append(('after', is_done))


for gtype in PyDouble, PyFailing:
    C2g.Operator.register(gtype.__name__, C2g.DeviceType.CPU, None, gtype, None)


def new_net(net_type, text=NET):
    workspace = C2g.Workspace()
    definition = C2g.NetDef.new_from_text(text)
    definition.set_net_type(net_type)
    return workspace, workspace.create_net(definition, False)


def values(workspace, name):
    tensor = workspace.get_blob(name).get_tensor()
    return [tensor.get_value(i) for i in range(tensor.get_n_elements())]


class Nets(unittest.TestCase):
    def test_run(self):
        for net_type in 'simple', 'dag':
            workspace, net = new_net(net_type)
            for _ in range(20):
                net.run(None)
            self.assertEqual(values(workspace, 'y'), [4, 8, 12])

    def test_async(self):
        for net_type in 'simple', 'dag':
            workspace, net = new_net(net_type)
            threads, results = set(), []
            net.connect('before-operator', lambda *args: threads.add(threading.get_ident()))
            net.connect('after-run', lambda *args: threads.add(threading.get_ident()))
            net.run_async(None, lambda source, result: results.append(source.run_finish(result)))
            while not results:
                GLib.MainContext.default().iteration(True)
            self.assertEqual(values(workspace, 'y'), [4, 8, 12])
            self.assertEqual(threads, {MAIN})

    def test_failing(self):
        for net_type in 'simple', 'dag':
            _, net = new_net(net_type, "name: 'net' op { type: 'PyFailing' }")
            with self.assertRaises(GLib.Error) as caught:
                net.run(None)
            self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.SHAPE))
            self.assertIn('“net”, operator 0: PyFailing: mine', caught.exception.message)

    def test_observer(self):
        for net_type in 'simple', 'dag':
            _, net = new_net(net_type)
            watch = Watch()
            self.assertTrue(net.attach_observer(watch))
            self.assertFalse(net.attach_observer(watch))
            self.assertTrue(net.get_operator(1).attach_observer(watch))
            self.assertEqual(list(net.list_observers()), [watch])
            net.run(None)
            self.assertEqual([name for name, _ in watch.calls],
                             ['before', 'before', 'after', 'after'])
            self.assertTrue(net.detach_observer(watch))

    def test_plan(self):
        workspace = C2g.Workspace()
        workspace.run_plan(C2g.PlanDef.new_from_text(PLAN), None)
        self.assertEqual(values(workspace, 'y') + values(workspace, 'u'), [2, 2])

    def test_predictor(self):
        definition = C2g.NetDef.new_from_text(
            "name: 'net' external_input: 'x' op { type: 'PyDouble' input: 'x' output: 'y' }")
        predictor = C2g.Predictor.create(None, definition, None, None)
        tensor = C2g.Tensor.new_scalar(C2g.DataType.FLOAT, 4)
        output, = predictor.run([tensor], None)
        self.assertEqual(output.get_value(0), 8)
        tensor.set_value(0, 5)
        predictor.set_input('x', tensor)
        predictor.run([], None)
        self.assertEqual(predictor.get_output('y').get_value(0), 10)

    def test_benchmark(self):
        _, net = new_net('dag')
        benchmark = net.benchmark(1, 2, None)
        self.assertEqual(benchmark.get_n_runs(), 2)
        self.assertEqual(benchmark.to_text().count('PyDouble'), 3)
