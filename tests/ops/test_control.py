# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Nets inside operators, counters, and blobs that threads share."""

import threading

import numpy
from ops_testing import C2g, GLib, OpTestCase, new_array, new_tensor
from gi.repository import Gio

ADD = "op { type: 'Add' input: 'x' input: 'one' output: 'x' } external_input: 'x' external_input: 'one'"
DOUBLE = "op { type: 'Add' input: 'x' input: 'x' output: 'x' } external_input: 'x'"
BELOW = "op { type: 'LT' input: 'x' input: 'limit' output: 'c' } external_input: 'x' external_input: 'limit'"


class ControlCase(OpTestCase):
    def setUp(self):
        super().setUp()
        self.workspace = C2g.Workspace.new()

    def tearDown(self):
        self.workspace = None
        super().tearDown()

    def put(self, **blobs):
        for name, value in blobs.items():
            self.workspace.create_blob(name).set_object(new_tensor(value))

    def get(self, name):
        return new_array(self.workspace.get_blob(name).get_tensor())

    def create(self, text):
        return self.workspace.create_net(C2g.NetDef.new_from_text("name: 'net' " + text), True)

    def run_net(self, text, cancellable=None):
        net = self.create(text)
        net.run(cancellable)
        return net

    def assertRefused(self, code, function, *texts, domain=None):
        with self.assertRaises(GLib.Error) as caught:
            function()
        error = caught.exception
        self.assertTrue(error.matches(domain or C2g.Error.quark(), code),
                        f'{error.domain} {error.code} is not {code}: {error.message}')
        for text in texts:
            self.assertIn(text, error.message)


class Nets(ControlCase):
    def test_if(self):
        text = ("op { type: 'If' input: 'c' input: 'x' output: 'x' "
                f"arg {{ name: 'then_net' n {{ {ADD} }} }} arg {{ name: 'else_net' n {{ {DOUBLE} }} }} }}")
        for truth, expected in ((True, 6), (False, 10)):
            for dtype in (bool, numpy.int32, numpy.int64):
                self.put(c=numpy.array([truth], dtype), x=numpy.float32(5), one=numpy.float32(1))
                self.run_net(text)
                self.assertEqual(self.get('x'), expected)

    def test_if_without_else(self):
        self.put(c=numpy.array(False), x=numpy.float32(5), one=numpy.float32(1))
        net = self.run_net(f"op {{ type: 'If' input: 'c' arg {{ name: 'then_net' n {{ {ADD} }} }} }}")
        self.assertEqual(self.get('x'), 5)
        self.put(c=numpy.array(True))
        net = self.run_net(f"op {{ type: 'If' input: 'c' arg {{ name: 'then_net' n {{ {ADD} }} }} }}")
        net.run(None)
        self.assertEqual(self.get('x'), 7)

    def test_while(self):
        self.put(c=numpy.array(False), x=numpy.float32(0), one=numpy.float32(1), limit=numpy.float32(10))
        for kind in ('simple', 'dag'):
            self.put(x=numpy.float32(0))
            self.run_net(f"type: '{kind}' op {{ type: 'While' input: 'c' output: 'x' arg {{ name: 'loop_net' n "
                         f"{{ type: '{kind}' {ADD} }} }} arg {{ name: 'cond_net' n {{ type: '{kind}' {BELOW} }} }} }}")
            self.assertEqual(self.get('x'), 10)

    def test_while_without_condition_net(self):
        self.put(c=numpy.array(True), x=numpy.float32(0), one=numpy.float32(1), limit=numpy.float32(3))
        self.run_net(f"op {{ type: 'While' input: 'c' output: 'x' arg {{ name: 'loop_net' n {{ {ADD} "
                     "op { type: 'LT' input: 'x' input: 'limit' output: 'c' } external_input: 'limit' } } }")
        self.assertEqual(self.get('x'), 3)

    def test_endless_loop_is_cancelled(self):
        self.put(c=numpy.array(True))
        for body in ('', "op { type: 'Not' input: 'c' output: 'd' } external_input: 'c'"):
            cancellable = Gio.Cancellable()
            timer = threading.Timer(0.05, cancellable.cancel)
            timer.start()
            self.assertRefused(Gio.IOErrorEnum.CANCELLED, lambda: self.run_net(
                f"op {{ type: 'While' input: 'c' arg {{ name: 'loop_net' n {{ {body} }} }} }}", cancellable),
                domain=Gio.io_error_quark())
            timer.join()

    def test_depth(self):
        self.put(c=numpy.array(True), x=numpy.float32(5), one=numpy.float32(1))
        for depth, is_right in ((10, True), (20, True), (21, False), (30, False)):
            text = ADD
            for _ in range(depth):
                text = f"op {{ type: 'If' input: 'c' arg {{ name: 'then_net' n {{ {text} }} }} }} external_input: 'c'"
            if is_right:
                self.run_net(text)
            else:
                self.assertRefused(C2g.Error.RANGE, lambda: self.create(text), 'If')
        self.assertEqual(self.get('x'), 7)

    def test_failures(self):
        self.put(c=numpy.array(True), two=numpy.array([True, True]), x=numpy.float32(5))
        self.assertRefused(C2g.Error.INVALID_ARGUMENT, lambda: self.create("op { type: 'If' input: 'c' }"),
                           'then_net')
        self.assertRefused(C2g.Error.TYPE, lambda: self.create(
            "op { type: 'If' input: 'c' arg { name: 'then_net' i: 1 } }"), 'then_net')
        self.assertRefused(C2g.Error.NOT_FOUND, lambda: self.create(
            "op { type: 'While' input: 'c' arg { name: 'loop_net' n { op { type: 'None' } } } }"), 'None')
        for name, code in (('two', C2g.Error.SHAPE), ('x', C2g.Error.TYPE)):
            net = self.create(f"op {{ type: 'If' input: '{name}' arg {{ name: 'then_net' n {{ }} }} }}")
            self.assertRefused(code, lambda: net.run(None), f'“{name}”')

    def test_failure_within(self):
        self.put(c=numpy.array(True), x=numpy.float32([1, 2]), one=numpy.float32([1, 2, 3]))
        net = self.create(f"op {{ type: 'If' input: 'c' arg {{ name: 'then_net' n {{ name: 'inner' {ADD} }} }} }}")
        self.assertRefused(C2g.Error.SHAPE, lambda: net.run(None), 'If', '“inner”', 'Add')


FIBONACCI = """
    op { type: 'ONNXWhile' input: 'n' input: 'c' input: 'a' input: 'b' output: 'y' output: 'z' output: 'all'
         arg { name: 'has_trip_count' i: 1 } arg { name: 'has_cond' i: %d } arg { name: 'save_scopes' i: %d }
         arg { name: 'disable_scopes' i: %d }
         arg { name: 'body' n {
           op { type: 'Add' input: 'first' input: 'second' output: 'third' }
           op { type: 'ConstantFill' output: 'limit' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 20 } }
           op { type: 'LT' input: 'third' input: 'limit' output: 'go_on' }
           external_input: 'i' external_input: 'go' external_input: 'first' external_input: 'second'
           external_output: 'go_on' external_output: 'second' external_output: 'third' external_output: 'third'
         } } }"""


class OnnxWhile(ControlCase):
    def setUp(self):
        super().setUp()
        self.put(n=numpy.array(10, numpy.int64), c=numpy.array(True), a=numpy.float32([1]), b=numpy.float32([1]))

    def check_fibonacci(self, n, expected):
        self.assertClose(self.get('all'), numpy.float32([[number] for number in expected]))
        self.assertEqual(self.get('z'), expected[-1])
        self.assertEqual(self.get('y'), ([1, 1] + expected)[-2])

    def test_fibonacci(self):
        numbers = [2, 3, 5, 8, 13, 21, 34, 55, 89, 144]
        for has_cond, expected in ((0, numbers), (1, numbers[:6])):
            for scopes in ((0, 0), (1, 0), (0, 1)):
                net = self.run_net(FIBONACCI % (has_cond, *scopes))
                self.check_fibonacci(10, expected)
                net.run(None)
                self.check_fibonacci(10, expected)

    def test_scope_stays_inside(self):
        self.run_net(FIBONACCI % (1, 0, 0))
        self.assertFalse(self.workspace.has_blob('third'))
        self.assertFalse(self.workspace.has_blob('first'))

    def test_no_iteration(self):
        for blobs in ({'n': numpy.array(0, numpy.int64)}, {'c': numpy.array(False)}):
            self.put(n=numpy.array(10, numpy.int64), c=numpy.array(True))
            self.put(**blobs)
            self.run_net(FIBONACCI % (1, 0, 0))
            self.assertClose(self.get('y'), numpy.float32([1]))
            self.assertClose(self.get('all'), numpy.zeros((0,), numpy.int32))

    def test_exchange(self):
        self.put(b=numpy.float32([2, 3]))
        text = """
            op { type: 'ONNXWhile' input: 'n' input: 'c' input: 'a' input: 'b' output: 'y' output: 'z' output: 'all'
                 arg { name: 'has_trip_count' i: 1 }
                 arg { name: 'body' n {
                   op { type: 'Copy' input: 'go' output: 'on' } op { type: 'Copy' input: 'i' output: 'count' }
                   external_input: 'i' external_input: 'go' external_input: 'p' external_input: 'q'
                   external_output: 'on' external_output: 'q' external_output: 'p' external_output: 'count'
                 } } }"""
        for n in (1, 2, 7):
            self.put(n=numpy.array([n], numpy.int64))
            self.run_net(text)
            pair = [numpy.float32([1]), numpy.float32([2, 3])]
            self.assertClose(self.get('y'), pair[n % 2])
            self.assertClose(self.get('z'), pair[1 - n % 2])
            self.assertClose(self.get('all'), numpy.arange(n, dtype=numpy.int64))

    def test_rows_that_change(self):
        text = """
            op { type: 'ONNXWhile' input: 'n' input: 'c' input: 'a' output: 'y' output: 'all'
                 arg { name: 'has_trip_count' i: 1 }
                 arg { name: 'body' n {
                   op { type: 'Copy' input: 'go' output: 'on' }
                   op { type: 'Concat' input: 'p' input: 'p' output: 'r' output: 'd' arg { name: 'axis' i: 0 } }
                   external_input: 'i' external_input: 'go' external_input: 'p'
                   external_output: 'on' external_output: 'r' external_output: 'r' } } }"""
        net = self.create(text)
        self.assertRefused(C2g.Error.SHAPE, lambda: net.run(None), 'ONNXWhile', '“all”')
        self.put(n=numpy.array(1, numpy.int64))
        net.run(None)
        self.assertClose(self.get('all'), numpy.float32([[1, 1]]))

    def test_failures(self):
        body = "arg { name: 'body' n { %s } }"
        for text, *texts in (
                ('', 'body'),
                (body % '', '0 inputs'),
                (body % "external_input: 'i' external_input: 'c'", '0 outputs'),
                (body % "external_input: 'i' external_input: 'go' external_output: 'i' external_output: 'go'",
                 '1 outputs', 'expected 0'),
                (body % '' + "arg { name: 'num_loop_carried_deps' i: 1 }", 'num_loop_carried_deps'),
                (body % '' + "arg { name: 'num_loop_carried_deps' i: -2 }", 'num_loop_carried_deps'),
                (body % '' + "arg { name: 'save_scopes' i: 1 } arg { name: 'disable_scopes' i: 1 }", 'exclude')):
            self.assertRefused(C2g.Error.INVALID_ARGUMENT, lambda: self.create(
                f"op {{ type: 'ONNXWhile' input: 'n' input: 'c' {text} }}"), 'ONNXWhile', *texts)
        self.assertRefused(C2g.Error.NOT_FOUND, lambda: self.create(
            "op { type: 'ONNXWhile' input: 'n' input: 'c' "
            + body % "op { type: 'None' output: 'o' } external_input: 'i' external_input: 'g' external_output: 'o'"
            + '}'), 'None')


class Counters(ControlCase):
    def test_counter(self):
        self.run_net("op { type: 'CreateCounter' output: 'n' arg { name: 'init_count' i: 2 } }")
        for expected in (2, 3):
            self.run_net("op { type: 'CountUp' input: 'n' output: 'y' }")
            self.assertClose(self.get('y'), numpy.array(expected, numpy.int64))
        for expected in (False, False, False, False, True, True):
            self.run_net("op { type: 'CheckCounterDone' input: 'n' output: 'd' }"
                         "op { type: 'CountDown' input: 'n' output: 'y' }")
            self.assertClose(self.get('y'), numpy.array(expected))
            self.assertClose(self.get('d'), numpy.array(expected))
        self.run_net("op { type: 'ResetCounter' input: 'n' output: 'y' arg { name: 'init_count' i: 7 } }"
                     "op { type: 'RetrieveCount' input: 'n' output: 'z' } op { type: 'ResetCounter' input: 'n' }"
                     "op { type: 'RetrieveCount' input: 'n' output: 'w' }")
        for name, expected in (('y', -2), ('z', 7), ('w', 0)):
            self.assertClose(self.get(name), numpy.array(expected, numpy.int64))

    def test_saved_counter(self):
        self.run_net("op { type: 'CreateCounter' output: 'n' arg { name: 'init_count' i: 5 } }")
        message = self.workspace.get_blob('n').serialize('n')
        self.workspace.create_blob('m').deserialize(message)
        self.run_net("op { type: 'CountUp' input: 'm' output: 'y' }")
        self.assertEqual(self.get('y'), 5)

    def test_wrong_counters(self):
        self.put(x=numpy.float32(1))
        self.assertRefused(C2g.Error.INVALID_ARGUMENT, lambda: self.create(
            "op { type: 'CreateCounter' output: 'n' arg { name: 'init_count' i: -1 } }"), 'init_count')
        for op_type in ('CountUp', 'CountDown', 'CheckCounterDone', 'RetrieveCount', 'ResetCounter',
                        'CheckAtomicBool'):
            net = self.create(f"op {{ type: '{op_type}' input: 'x' output: 'y' }}")
            self.assertRefused(C2g.Error.TYPE, lambda: net.run(None), op_type, '“x”')

    def test_atomic_bool(self):
        self.put(no=numpy.array([False]), yes=numpy.array([True]), x=numpy.float32(1))
        self.run_net("op { type: 'CreateAtomicBool' output: 'b' }")
        for condition, expected in (('no', False), ('yes', True), ('no', True)):
            self.run_net(f"op {{ type: 'ConditionalSetAtomicBool' input: 'b' input: '{condition}' }}"
                         "op { type: 'CheckAtomicBool' input: 'b' output: 'y' }")
            self.assertClose(self.get('y'), numpy.array([expected]))
            self.assertEqual(self.get('y').shape, (1,))
        net = self.create("op { type: 'ConditionalSetAtomicBool' input: 'x' input: 'yes' }")
        self.assertRefused(C2g.Error.TYPE, lambda: net.run(None), '“x”')

    def test_fetch_add(self):
        self.run_net("op { type: 'CreateMutex' output: 'm' }")
        for dtype in (numpy.int32, numpy.int64):
            top = numpy.iinfo(dtype).max
            self.put(a=numpy.array([5], dtype), b=numpy.array([7], dtype), t=numpy.array([top], dtype))
            self.run_net("op { type: 'AtomicFetchAdd' input: 'm' input: 'a' input: 'b' output: 'a' output: 'y' }"
                         "op { type: 'AtomicFetchAdd64' input: 'm' input: 't' input: 'b' output: 'z' output: 'w' }")
            self.assertClose(self.get('a'), numpy.array(12, dtype))
            self.assertClose(self.get('y'), numpy.array(5, dtype))
            self.assertClose(self.get('z'), numpy.array(numpy.iinfo(dtype).min + 6, dtype))
            self.put(x=numpy.float32(1), v=numpy.array([1, 2], dtype))
            for inputs, code in ((('a', 'a', 'b'), C2g.Error.TYPE), (('m', 'x', 'b'), C2g.Error.TYPE),
                                 (('m', 'a', 'x'), C2g.Error.TYPE), (('m', 'a', 'v'), C2g.Error.SHAPE)):
                net = self.create("op { type: 'AtomicFetchAdd' output: 'p' output: 'q' "
                                  + ''.join(f"input: '{name}' " for name in inputs) + '}')
                self.assertRefused(code, lambda: net.run(None), 'AtomicFetchAdd')

    def test_iter(self):
        for _ in range(2):
            self.run_net("op { type: 'Iter' output: 'n' }")
        self.run_net("op { type: 'CreateMutex' output: 'm' } op { type: 'Iter' input: 'n' output: 'n' }"
                     "op { type: 'AtomicIter' input: 'm' input: 'n' output: 'n' }")
        self.assertClose(self.get('n'), numpy.array([4], numpy.int64))
        self.assertRefused(C2g.Error.INVALID_ARGUMENT, lambda: self.create(
            "op { type: 'Iter' input: 'n' output: 'k' }"), '“k”')
        for value in (-1, numpy.iinfo(numpy.int64).max):
            self.put(n=numpy.array([value], numpy.int64))
            net = self.create("op { type: 'Iter' input: 'n' output: 'n' }")
            self.assertRefused(C2g.Error.RANGE, lambda: net.run(None), '“n”')
