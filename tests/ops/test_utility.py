# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Small operators of no other group."""

import numpy
from ops_testing import C2g, OpTestCase, new_op, new_tensor, random_array


class Utility(OpTestCase):
    def test_free(self):
        workspace = C2g.Workspace.new()
        for name in 'ab':
            workspace.create_blob(name).set_object(new_tensor(random_array((3,))))
        op = C2g.Operator.create(new_op('Free', ['a', 'b'], ['a', 'b']), workspace)
        for _ in range(2):
            op.run()
            self.assertTrue(workspace.get_blob('a').is_empty())
            self.assertTrue(workspace.get_blob('b').is_empty())

    def test_replace_nan(self):
        for dtype in (numpy.float32, numpy.float64):
            for shape in ((), (0, 2), (7,), (3, 5)):
                x = random_array(shape, dtype)
                x = numpy.where(x > 0.2, dtype(numpy.nan), x).astype(dtype)
                for value in (0.0, 1.5):
                    expected = numpy.where(numpy.isnan(x), dtype(value), x).astype(dtype)
                    self.check('ReplaceNaN', [x], [expected], value=value)
                    self.check('ReplaceNaN', [x], [expected], value=value, in_place={0: 0})
        self.check('ReplaceNaN', [numpy.float32([numpy.nan])], [numpy.float32([0])])
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'ReplaceNaN', [random_array((2,), numpy.int32)]))

    def test_conditional(self):
        texts = numpy.array([['a', 'b'], ['c', '']], dtype=object)
        for yes, no in ((random_array((5, 3)), random_array((5, 3), seed=2)),
                        (random_array((4,), numpy.int64), random_array((4,), numpy.int64, seed=2)),
                        (texts, texts[::-1].copy()), (random_array((0, 3)), random_array((0, 3)))):
            condition = random_array(yes.shape[:1], bool)
            expected = numpy.where(condition.reshape((-1,) + (1,) * (yes.ndim - 1)), yes, no)
            self.check('Conditional', [condition, yes, no], [expected])
            for truth in (True, False):
                self.check('Conditional', [numpy.array(truth), yes, no], [yes if truth else no])

    def test_wrong_conditional(self):
        x = random_array((2, 3))
        for inputs, code, name in (
                ([numpy.array([True]), x, x], C2g.Error.SHAPE, 'input_0'),
                ([numpy.array([[True, True]]), x, x], C2g.Error.SHAPE, 'input_0'),
                ([x, x, x], C2g.Error.TYPE, 'input_0'),
                ([numpy.array(True), x, x[:1]], C2g.Error.SHAPE, 'input_2'),
                ([numpy.array(True), x, x.astype(numpy.float64)], C2g.Error.TYPE, 'input_2')):
            self.assertIn(name, self.assertFails(code, 'Conditional', inputs))
