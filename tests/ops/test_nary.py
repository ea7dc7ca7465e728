# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators with several inputs, and operators that select, scale or gate."""

import numpy
from ops_testing import C2g, OpTestCase, random_array, run

NUMBERS = [numpy.float32, numpy.float64, numpy.int32, numpy.int64]
# The sizes include more than one block.
SHAPES = [(), (1,), (0, 3), (3, 5, 7), (9001,)]


class Nary(OpTestCase):
    def test_folds(self):
        folds = {'Sum': numpy.add, 'Max': numpy.maximum, 'Min': numpy.minimum}
        for op_type, function in folds.items():
            for dtype in NUMBERS:
                for shape in SHAPES:
                    for n in [1, 2, 3, 5]:
                        with self.subTest(op_type=op_type, dtype=dtype, shape=shape, n=n):
                            inputs = [random_array(shape, dtype, seed=i) for i in range(n)]
                            expected = inputs[0]
                            for other in inputs[1:]:
                                expected = function(expected, other)
                            self.check(op_type, inputs, [expected])
                            self.check(op_type, inputs, [expected], in_place={0: 0})

    def test_sum_of_one(self):
        x = numpy.array([1, 2, 250], dtype=numpy.uint8)
        self.check('Sum', [x], [x])

    def test_fold_errors(self):
        x = random_array((2, 3))
        message = self.assertFails(C2g.Error.SHAPE, 'Sum', [x, x, random_array((3, 2))])
        self.assertIn('“input_2”', message)
        self.assertIn('[2, 3]', message)
        self.assertFails(C2g.Error.TYPE, 'Max', [x, x.astype(numpy.float64)])
        self.assertFails(C2g.Error.TYPE, 'Min', [x.astype(numpy.uint8)] * 2)

    def test_mean(self):
        for shapes in [[(3, 5)], [(3, 5)] * 4, [(3, 5), (5,), (3, 1)], [(5,), (3, 1), ()], [(2, 1, 4), (3, 1)],
                       [(0, 3), (3,)], [()]]:
            with self.subTest(shapes=shapes):
                inputs = [random_array(shape, seed=i) for i, shape in enumerate(shapes)]
                expected = numpy.asarray(sum(inputs[1:], inputs[0]) / numpy.float32(len(inputs)))
                self.check('Mean', inputs, [expected])
                if expected.shape == shapes[0]:
                    self.check('Mean', inputs, [expected], in_place={0: 0})
        inputs = [random_array((5,)), random_array((3, 1))]
        self.assertFails(C2g.Error.SHAPE, 'Mean', inputs, in_place={0: 0})
        message = self.assertFails(C2g.Error.SHAPE, 'Mean', [random_array((5,)), random_array((3,))])
        self.assertIn('“input_1”', message)

    def test_weighted_sum(self):
        for shape in SHAPES:
            for n in [1, 2, 3]:
                with self.subTest(shape=shape, n=n):
                    tensors = [random_array(shape, seed=i) for i in range(n)]
                    weights = [random_array((1,) if i else (), seed=7 + i) for i in range(n)]
                    inputs = [array for pair in zip(tensors, weights) for array in pair]
                    total = sum(x * w.reshape(()) for x, w in zip(tensors, weights))
                    expected = total.reshape(shape).astype(numpy.float32)
                    self.check('WeightedSum', inputs, [expected])
                    self.check('WeightedSum', inputs, [expected], in_place={0: 0})
        x, w = random_array((3,)), random_array((1,))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'WeightedSum', [x, w, x])
        self.assertFails(C2g.Error.SHAPE, 'WeightedSum', [x, x])
        self.assertFails(C2g.Error.SHAPE, 'WeightedSum', [x, w, random_array((2,)), w])

    def test_scatter_weighted_sum(self):
        w0, w1, w2 = (numpy.array([w], dtype=numpy.float32) for w in [0.5, 2, -3])
        for dtype in [numpy.int32, numpy.int64]:
            for indices in [[3, 0], [1, 1, 4], []]:
                with self.subTest(dtype=dtype, indices=indices):
                    x = random_array((5, 3))
                    updates = [random_array((len(indices), 3), seed=i) for i in [2, 3]]
                    expected = x.copy()
                    for i in indices:
                        expected[i] *= w0
                    for update, w in zip(updates, [w1, w2]):
                        for row, i in enumerate(indices):
                            expected[i] += w * update[row]
                    inputs = [x, w0, numpy.array(indices, dtype=dtype), updates[0], w1, updates[1], w2]
                    self.check('ScatterWeightedSum', inputs, [expected], in_place={0: 0})

    def test_scatter_errors(self):
        x, w = random_array((5, 3)), random_array((1,))
        indices = numpy.array([0, 5], dtype=numpy.int32)
        update = random_array((2, 3))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ScatterWeightedSum', [x, w, indices[:1], update[:1], w])

        def fails(code, *inputs):
            return self.assertFails(code, 'ScatterWeightedSum', list(inputs), in_place={0: 0})

        message = fails(C2g.Error.RANGE, x, w, indices, update, w)
        self.assertIn('5', message)
        fails(C2g.Error.RANGE, x, w, indices - 1, update, w)
        fails(C2g.Error.RANGE, x[:0], w, indices[:1], update[:1], w)
        fails(C2g.Error.SHAPE, x, w, indices[:1], update, w)
        fails(C2g.Error.INVALID_ARGUMENT, x, w, indices[:1], update[:1])
        fails(C2g.Error.TYPE, x, w, update, update, w)
        fails(C2g.Error.SHAPE, w.reshape(()), w, indices[:1], w, w)


class Select(OpTestCase):
    def test_where(self):
        dtypes = NUMBERS + [bool, numpy.uint8, numpy.int16, numpy.float16]
        for dtype in dtypes:
            for shape in SHAPES:
                with self.subTest(dtype=dtype, shape=shape):
                    choice = random_array(shape, bool)
                    left, right = (random_array(shape, dtype, seed=i) for i in [2, 3])
                    self.check('Where', [choice, left, right], [numpy.where(choice, left, right)])

    def test_where_by_row(self):
        for shape in [(3, 5, 7), (4,), (0, 3), (3, 0)]:
            choice = random_array(shape[:1], bool)
            left, right = (random_array(shape, seed=i) for i in [2, 3])
            expected = numpy.where(choice.reshape([-1] + [1] * (len(shape) - 1)), left, right)
            self.check('Where', [choice, left, right], [expected], broadcast_on_rows=1)

    def test_where_strings(self):
        choice = numpy.array([True, False, True])
        left, right = (numpy.array([f'{side}{i}' for i in range(3)], dtype=object) for side in ['left', ''])
        found, = run('Where', [choice, left, right])
        self.assertEqual(list(found), ['left0', '1', 'left2'])
        found, = run('Where', [choice, left, right], broadcast_on_rows=1)
        self.assertEqual(list(found), ['left0', '1', 'left2'])

    def test_where_errors(self):
        choice, x = random_array((3, 2), bool), random_array((3, 2))
        self.assertFails(C2g.Error.SHAPE, 'Where', [choice, x, x[:2]])
        self.assertFails(C2g.Error.SHAPE, 'Where', [choice[:2], x, x])
        self.assertFails(C2g.Error.SHAPE, 'Where', [choice, x, x], broadcast_on_rows=1)
        self.assertFails(C2g.Error.TYPE, 'Where', [x, x, x])
        self.assertFails(C2g.Error.TYPE, 'Where', [choice, x, x.astype(numpy.float64)])

    def test_elementwise_linear(self):
        for shape, arguments, axis in [((3, 5), {}, 1), ((2, 3, 5), {}, 1), ((2, 3, 5), {'axis': 2}, 2),
                                       ((2, 3, 5), {'axis': -1}, 2), ((4,), {'axis': 0}, 0), ((0, 3), {}, 1)]:
            with self.subTest(shape=shape, **arguments):
                x = random_array(shape)
                n = int(numpy.prod(shape[axis:]))
                a, b = random_array((n,), seed=2), random_array((n,), seed=3)
                expected = x * a.reshape(shape[axis:]) + b.reshape(shape[axis:])
                self.check('ElementwiseLinear', [x, a, b], [expected], **arguments)
                self.check('ElementwiseLinear', [x, a, b], [expected], in_place={0: 0}, **arguments)
        x, a = random_array((3, 5)), random_array((5,))
        self.assertFails(C2g.Error.SHAPE, 'ElementwiseLinear', [x, a[:4], a])
        self.assertFails(C2g.Error.SHAPE, 'ElementwiseLinear', [x, a, a[:4]])
        self.assertFails(C2g.Error.SHAPE, 'ElementwiseLinear', [x, a, a], axis=2)

    def test_square_root_divide(self):
        for dtype in [numpy.float32, numpy.int32, numpy.int64]:
            for shape in [(4, 3), (4,), (0, 3), (4, 2, 3)]:
                with self.subTest(dtype=dtype, shape=shape):
                    x = random_array(shape)
                    scales = numpy.array([0, 1, 4, 7][:shape[0]], dtype=dtype)
                    roots = numpy.sqrt(numpy.where(scales == 0, 1, scales)).reshape([-1] + [1] * (len(shape) - 1))
                    expected = [(x / roots).astype(numpy.float32)]
                    self.check('SquareRootDivide', [x, scales], expected)
                    self.check('SquareRootDivide', [x, scales], expected, in_place={0: 0})
        x = random_array((2, 3))
        message = self.assertFails(C2g.Error.RANGE, 'SquareRootDivide', [x, numpy.array([1, -1], dtype=numpy.int32)])
        self.assertIn('“input_1”', message)
        self.assertFails(C2g.Error.SHAPE, 'SquareRootDivide', [x, numpy.ones(3, dtype=numpy.int32)])
        self.assertFails(C2g.Error.TYPE, 'SquareRootDivide', [x, numpy.ones(2, dtype=numpy.uint8)])

    def test_clip_tensor(self):
        x = random_array((3, 5))
        for length, more, factor in [(0.05, None, 1), (0.4, None, 0.25), (0.4, 2.0, 0.5)]:
            inputs = [x, numpy.array(length, dtype=numpy.float32)]
            if more is not None:
                inputs.append(numpy.array([more], dtype=numpy.float32))
            expected = [x * numpy.float32(factor)]
            self.check('ClipTensorByScaling', inputs, expected, threshold=0.1)
            self.check('ClipTensorByScaling', inputs, expected, in_place={0: 0}, threshold=0.1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ClipTensorByScaling', [x, x])
        self.assertFails(C2g.Error.SHAPE, 'ClipTensorByScaling', [x, x], threshold=0.1)

    def test_copies(self):
        x = random_array((3, 5))
        for op_type in ['NegateGradient', 'NanCheck']:
            self.check(op_type, [x], [x])
            self.check(op_type, [x], [x], in_place={0: 0})
            self.check(op_type, [x[:0]], [x[:0]])
        self.check('NanCheck', [x, numpy.zeros(2, dtype=numpy.int32)], [x])
        for value in [numpy.nan, numpy.inf, -numpy.inf]:
            x[1, 2] = value
            message = self.assertFails(C2g.Error.RANGE, 'NanCheck', [x])
            self.assertIn('Element 7 of “input_0”', message)


class Rank(OpTestCase):
    def test_bernoulli_jsd(self):
        def entropy(p):
            p = numpy.clip(p, 1e-30, 1 - 1e-15)
            return -p * numpy.log(p) - (1 - p) * numpy.log(1 - p)

        for n in [0, 1, 37]:
            p, q = (random_array((n,), seed=i, low=0).astype(numpy.float64) for i in [1, 2])
            expected = (entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2).astype(numpy.float32)
            self.check('BernoulliJSD', [p.astype(numpy.float32), q.astype(numpy.float32)], [expected])
        sure = numpy.array([0, 1, 0], dtype=numpy.float32)
        expected = numpy.array([0, 0, numpy.log(2)], dtype=numpy.float32)
        self.check('BernoulliJSD', [sure, numpy.array([0, 1, 1], dtype=numpy.float32)], [expected])
        self.assertFails(C2g.Error.SHAPE, 'BernoulliJSD', [sure, sure[:2]])
        # The shape does not change, as in Caffe2.
        square = numpy.full((2, 3), 0.5, dtype=numpy.float32)
        self.check('BernoulliJSD', [square, square], [numpy.zeros((2, 3), dtype=numpy.float32)])

    def test_margin(self):
        for shape in [(0,), (7,), (3, 2)]:
            a, b = random_array(shape), random_array(shape, seed=2)
            labels = numpy.where(random_array(shape, bool), 1, -1).astype(numpy.int32)
            for arguments, margin in [({}, 1), ({'margin': 0.25}, 0.25)]:
                expected = numpy.maximum(-labels * (a - b) + numpy.float32(margin), 0).astype(numpy.float32)
                self.check('MarginRankingCriterion', [a, b, labels], [expected], **arguments)
        self.assertFails(C2g.Error.SHAPE, 'MarginRankingCriterion', [a, b, labels[:1]])
        self.assertFails(C2g.Error.TYPE, 'MarginRankingCriterion', [a, b, a])

    def pair_loss(self, scores, labels):
        losses = [numpy.log1p(numpy.exp(scores[j] - scores[i]))
                  for i in range(len(scores)) for j in range(len(scores)) if labels[i] > labels[j]]
        return numpy.mean(losses) if losses else 0

    def test_pair_wise_loss(self):
        scores = random_array((9,), low=-4, high=4)
        labels = random_array((9,), numpy.int32, low=0).astype(numpy.float32) % 3
        whole = numpy.array([self.pair_loss(scores, labels)], dtype=numpy.float32)
        self.check('PairWiseLoss', [scores, labels], [whole])
        self.check('PairWiseLoss', [scores.reshape(9, 1), labels.reshape(9, 1)], [whole])

        lengths = numpy.array([4, 0, 5], dtype=numpy.int32)
        parts = numpy.array([self.pair_loss(scores[:4], labels[:4]), 0, self.pair_loss(scores[4:], labels[4:])],
                            dtype=numpy.float32)
        self.check('PairWiseLoss', [scores, labels, lengths], [parts])
        self.check('PairWiseLoss', [scores[:0], labels[:0]], [scores[:0]])

        for bad in [[4, 4], [10, -1], [2 ** 31 - 1, 2 ** 31 - 1]]:
            self.assertFails(C2g.Error.RANGE, 'PairWiseLoss', [scores, labels, numpy.array(bad, dtype=numpy.int32)])
        self.assertFails(C2g.Error.SHAPE, 'PairWiseLoss', [scores.reshape(3, 3), labels])
        self.assertFails(C2g.Error.SHAPE, 'PairWiseLoss', [scores, labels.reshape(1, 9)])
