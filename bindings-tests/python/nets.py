# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Running nets, plans and predictors, with observers."""

import asyncio
import os
import shutil
import tempfile
import threading
from pathlib import Path

import numpy
from c2g_testing import CPU, C2g, Gio, GLib, TestCase, new_floats, numbers_of
from nets_testing import BRANCHES, NET_TYPES, Watch, new_net, new_operator, new_workspace, values

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


def wait_for(results):
    while not results:
        GLib.MainContext.default().iteration(True)
    return results[0]


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
                            ("name: 'net' op { type: 'BatchNorm' }", ('“BatchNorm” (there is “SpatialBN”)',)),
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
        similar = C2g.NetDef.new_from_text("name: 'm' op { type: 'relu' input: 'x' output: 'y' }")
        with self.assertRaisesRegex(GLib.Error, 'are not known: “relu” \\(there is “Relu”\\)'):
            C2g.Predictor.create(None, similar)
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
        # The error says which files there are; the only database is the model.
        self.assertIn('“init_net.pb”', self.assertFails(C2g.Error.NOT_FOUND, C2g.Predictor.load, model, None, None, every, None))
        predictor.save(folder / 'a.minidb', None)
        self.assertEqual(numbers_of(C2g.Predictor.load(model, None, None, every, None).run([new_floats(0, 0)], None)[0]), [1, 1])
        predictor.save(folder / 'b.minidb', None)
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Predictor.load, model, None, None, every, None)
        self.assertIn(f'“a.minidb”, “b.minidb”: name one, as in {folder}/a.minidb', message)

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
        self.assertIn('.minidb', self.assertFails(C2g.Error.INVALID_ARGUMENT, predictor.save, folder / 'model.npz', None))
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

    def test_20_32_parameters_change(self):
        init = C2g.NetDef.new_from_text(
            "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1 ints: 1 ints: 1 ints: 1 } arg { name: 'value' f: 2 } } "
            "op { type: 'ConstantFill' output: 's' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 1 } } "
            "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 0 } } "
            "op { type: 'ConstantFill' output: 'm' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 0 } } "
            "op { type: 'ConstantFill' output: 'v' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 1 } }")
        predict = C2g.NetDef.new_from_text(
            "external_input: 'x' external_input: 'w' external_input: 's' external_input: 'b' external_input: 'm' external_input: 'v' external_output: 'y' "
            "op { type: 'Conv' input: 'x' input: 'w' output: 'c' arg { name: 'kernel' i: 1 } } "
            "op { type: 'SpatialBN' input: 'c' input: 's' input: 'b' input: 'm' input: 'v' output: 'y' arg { name: 'is_test' i: 1 } arg { name: 'epsilon' f: 1e-9 } }")
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        predictor = C2g.Predictor.create(init, predict, None, None, C2g.OptimizeFlags.ALL)
        workspace = predictor.get_workspace()
        picture = C2g.Tensor.new_sized([1, 1, 1, 1], None)
        picture.allocate(C2g.DataType.FLOAT)
        picture.fill(1)

        def run():
            return numbers_of(predictor.run([picture], None)[0])

        self.assertEqual(run(), [2])
        self.assertEqual(predictor.list_parameters(), ['w', 's', 'b', 'm', 'v'])
        self.assertFails(C2g.Error.NOT_FOUND, predictor.get_output, 'c')
        workspace['w'].set_value(0, 3)
        self.assertEqual(run(), [3])
        kept = C2g.Workspace()
        kept['w'] = workspace['w'].clone(None)
        workspace.feed('w', numpy.full((1, 1, 1, 1), 4, 'float32'))
        self.assertEqual(run(), [4])
        array = numpy.full((1, 1, 1, 1), 5, 'float32')
        workspace['w'] = array
        self.assertEqual(run(), [5])
        workspace['w'] = C2g.from_numpy(array)
        self.assertEqual(run(), [5])
        array[:] = 6
        self.assertEqual(run(), [6])
        file = folder / 'w.minidb'
        kept.save_checkpoint(file, None, None)
        workspace.load_checkpoint(file, None, None)
        self.assertEqual(run(), [3])
        self.assertFails(C2g.Error.NOT_FOUND, predictor.get_output, 'c')
        self.assertFails(C2g.Error.NOT_FOUND, predictor.load_parameters, file)
        predictor.save_parameters(file)
        workspace['w'][:] = 7
        predictor.load_parameters(file)
        self.assertEqual(run(), [3])
        # A save of the whole workspace leaves out what the optimizer has made.
        workspace.save_checkpoint(folder / 'all.minidb', None, None)
        self.assertEqual(sorted(C2g.Workspace().load_checkpoint(folder / 'all.minidb', None, None)), ['b', 'm', 's', 'v', 'w', 'x', 'y'])

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

        async def save_and_load(weights):
            await loaded.save_parameters_async(weights)
            return await loaded.load_parameters_async(weights)

        weights = file.get_child('w.npz')
        self.assertTrue(asyncio.run(save_and_load(weights)))
        self.assertEqual(numbers_of(*loaded.run([new_floats(1, 2)])), [6, 12])
        weights.delete()
        self.assertRaises(GLib.Error, loaded.load_parameters_finish, self.finish(loaded.load_parameters_async, weights, None))
        output, = C2g.Predictor.load(model, None, None, every, None).run([new_floats(1, 2)], None)
        self.assertEqual(numbers_of(output), [6, 12])

        predict_file.delete(None)
        model.delete(None)
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

    def test_20_28_pictures_and_classes(self):
        pixels = bytes([255, 0, 0, 0, 0, 255])
        options = C2g.PictureOptions(channels='BGR', scale='1/255')
        picture = C2g.Tensor.new_from_pixels(pixels, 2, 1, 6, 3, options)
        self.assertEqual(numbers_of(picture), [0, 1, 0, 0, 1, 0])
        back, width, height, n_channels = picture.dup_pixels(options)
        self.assertEqual((back.get_data(), width, height, n_channels), (pixels, 2, 1, 3))
        # Options that can be checked alone are, when they are set; the others by check().
        for name, value in (('channels', 'GREEN'), ('size', '8'), ('size', (8, 0)), ('order', 'HWCN'), ('preset', 'imagnet')):
            message = self.assertFails(C2g.Error.INVALID_ARGUMENT, setattr, options, name, value)
            self.assertIn(f'{name}: Expected', message)
            self.assertEqual(message, self.assertFails(C2g.Error.INVALID_ARGUMENT, lambda: C2g.PictureOptions(**{name: value})))
        self.assertIn('did you mean “imagenet”?', message)
        self.assertEqual((options.channels, options.preset, options.check()), ('BGR', None, True))
        options.mean = (1, 2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, options.check)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Tensor.new_from_pixels, pixels, 2, 1, 6, 3, options)

        definition = C2g.NetDef.new_from_text("op { type: 'Relu' input: 'x' output: 'y' }")
        predictor = C2g.Predictor.create(None, definition)
        scores, = predictor.run([new_floats(1, 3, 2)])
        scores.reshape([1, 3])
        best = predictor.list_classes(scores, 0, 2)
        self.assertEqual(predictor.classify([[1., 3., 2.]]).index, 1)
        self.assertEqual([found.index for found in predictor.classify_batch([[1., 3., 2.], [4., 3., 2.]])], [1, 0])
        self.assertIn('classify_batch', self.assertFails(C2g.Error.SHAPE, predictor.classify, [[1., 3., 2.], [4., 3., 2.]]))
        self.assertEqual(repr(best[0]), 'C2g.ClassScore.new(1, 3.0, None)')
        best.append(C2g.ClassScore.new(0, 1, 'cat'))
        self.assertEqual([(found.index, found.score, found.label) for found in best], [(1, 3, None), (2, 2, None), (0, 1, 'cat')])

    def test_20_29_sound(self):
        tone = C2g.Tensor([[0, 0.5] * 500, [0.25] * 1000])
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        path = folder / 'tone.wav'
        try:
            tone.save_sound(path, 16000)
        except C2g.caught(C2g.Error.NOT_SUPPORTED) as error:
            self.skipTest(error.message)
        back, rate = C2g.Tensor.new_from_sound(path)
        self.assertEqual((rate, back.allclose(tone)), (16000, True))
        options = C2g.SoundOptions(sample_rate=8000, mono=True, interleaved=True)
        mono, rate = C2g.Tensor.new_from_sound(path, options)
        self.assertEqual((rate, mono.shape), (8000, (500, 1)))
        mono.save_sound(folder / 'mono.WAV', rate, options)
        self.assertEqual(C2g.Tensor.new_from_sound(folder / 'mono.WAV')[0].shape, (1, 500))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, tone.save_sound, path, 0)
        self.assertFails(C2g.Error.RANGE, C2g.Tensor([float('nan')]).save_sound, folder / 'a.flac', 8000)
        self.assertIn('interleaved', self.assertFails(C2g.Error.SHAPE, C2g.Tensor(shape=(2000, 2)).save_sound, path, 8000))
        with self.assertRaisesRegex(TypeError, 'sample_rate'):
            tone.save_sound(path)
        self.assertFails(C2g.Error.NOT_SUPPORTED, tone.save_sound, folder / 'tone.txt', 16000)

    def test_20_31_what_a_model_says_of_pictures(self):
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        (folder / 'init_net.pbtxt').write_text("name: 'init'")
        (folder / 'predict_net.pbtxt').write_text(
            "external_input: 'x' external_output: 'y' op { type: 'Copy' input: 'x' output: 'y' }")
        predictor = C2g.Predictor.load(folder)
        message = self.assertFails(C2g.Error.NOT_FOUND, predictor.classify_file, folder / 'a.png')
        self.assertIn('nothing tells size, channels, mean, scale', message)
        self.assertEqual(repr(predictor), '<C2g.Predictor: x -> y>')
        (folder / 'value_info.json').write_text('{"x": [1, [1, 3, 5, 6]]}')
        options, guessed = predictor.guess_picture_options()
        self.assertEqual((options.size, options.order, guessed), ('6x5', 'NCHW', ['channels', 'mean', 'scale']))
        self.assertFails(C2g.Error.NOT_FOUND, predictor.guess_picture_options, 'y')
        (folder / 'value_info.json').unlink()
        (folder / 'model.ini').write_text('[picture]\npreset=digits\nsize=1x1\n')
        self.assertEqual(repr(predictor.dup_picture_options()), "C2g.PictureOptions(preset='digits', size='1x1')")
        try:
            C2g.Tensor([[[255.]]]).save_picture(folder / 'a.png')
        except C2g.caught(C2g.Error.NOT_SUPPORTED) as error:
            self.skipTest(error.message)
        message = self.assertFails(C2g.Error.NOT_SUPPORTED, C2g.Tensor([[[255.]]]).save_picture, folder / 'a.jpg')
        self.assertIn('a.jpg: Pictures are written as PNG', message)
        best = predictor.classify_file(folder / 'a.png')
        batch = C2g.Tensor.new_from_pictures([folder / 'a.png'] * 3, predictor.dup_picture_options())
        self.assertEqual((batch.shape, batch.numpy().min()), ((3, 1, 1, 1), best.score))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, C2g.Tensor.new_from_pictures, [])
        with self.assertRaisesRegex(TypeError, "a list is expected here, such as .'a.png'.,"):
            C2g.Tensor.new_from_pictures('a.png')
        self.assertEqual((best.index, round(best.score, 5)), (0, 1))

        async def classify():
            return await asyncio.gather(*(predictor.classify_file_async(folder / 'a.png') for _ in range(3)))

        self.assertEqual([found.index for found in asyncio.run(classify())], [0, 0, 0])

    def test_20_30_in_the_background(self):
        folder = Path(tempfile.mkdtemp(prefix='c2g-nets-'))
        self.addCleanup(shutil.rmtree, folder)
        picture, tone = C2g.Tensor([[[0., 1], [2, 3]]] * 3, shape=[1, 3, 2, 2]), C2g.Tensor([[0, 0.5]])
        try:
            picture.save_picture(folder / 'a.png')
            tone.save_sound(folder / 'a.wav', 8000)
        except C2g.caught(C2g.Error.NOT_SUPPORTED) as error:
            self.skipTest(error.message)

        async def load():
            return await asyncio.gather(C2g.Tensor.new_from_picture_async(folder / 'a.png'),
                                        C2g.Tensor.new_from_pictures_async([folder / 'a.png', str(folder / 'a.png')]),
                                        C2g.Tensor.new_from_sound_async(folder / 'a.wav', C2g.SoundOptions(interleaved=True)))

        loaded, batch, (sound, rate) = asyncio.run(load())
        self.assertEqual(numbers_of(batch), numbers_of(picture) * 2)
        self.assertEqual(numbers_of(loaded), numbers_of(picture))
        self.assertEqual((sound.tolist(), rate), ([[0], [0.5]], 8000))
        (folder / 'a.wav').unlink()
        with self.assertRaises(GLib.Error):
            asyncio.run(load())
