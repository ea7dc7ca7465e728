# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Optimizers of whole tensors and of some rows, compared with NumPy."""

from ops_testing import DATA_TYPES, C2g, GLib, OpTestCase, new_array, new_op, numpy, random_array, run


def array(*values, dtype=numpy.float32):
    return numpy.array(values, dtype=dtype)


def by_row(arrays, indices, gradients, step):
    """Applies `step` to a row of each array, for one index after the other. Returns the arrays, and the last result of `step`."""
    arrays = [one.copy() for one in arrays]
    told = numpy.zeros_like(gradients)
    for place in numpy.ndindex(indices.shape):
        index = indices[place]
        changed = step(*[one[index] for one in arrays], gradients[place])
        for one, row in zip(arrays, changed):
            one[index] = row
        told[place] = changed[-1]
    return arrays, told


class Optimizers(OpTestCase):
    SHAPE = (3, 7)

    def setUp(self):
        super().setUp()
        self.w, self.g = (random_array(self.SHAPE, seed=i) for i in (1, 2))
        self.h, self.d = (random_array(self.SHAPE, seed=i, low=0) for i in (3, 4))
        self.rate = array(0.1)

    def test_adagrad(self):
        h = 0.5 * self.h + self.g ** 2
        rates = 0.1 / (numpy.sqrt(h) + 1e-5)
        self.check('Adagrad', [self.w, self.h, self.g, self.rate],
                   [self.w + rates * self.g, h, rates, rates * self.g], decay=0.5)

    def test_adagrad_weight_decay(self):
        g = self.g + 0.25 * self.w
        h = self.h + g ** 2
        w = self.w + 0.1 * g / (numpy.sqrt(h) + 0.5)
        for in_place in (None, {0: 0, 1: 1}):
            self.check('Adagrad', [self.w, self.h, self.g, self.rate], [w, h], in_place=in_place,
                       weight_decay=0.25, epsilon=0.5)

    def test_adadelta(self):
        h = 0.95 * self.h + 0.05 * self.g ** 2
        steps = numpy.sqrt(self.d + 1e-5) / numpy.sqrt(h + 1e-5) * self.g
        self.check('Adadelta', [self.w, self.h, self.d, self.g, self.rate],
                   [self.w + 0.1 * steps, h, 0.95 * self.d + 0.05 * steps ** 2])

    def test_adam(self):
        m = 0.9 * self.d + 0.1 * self.g
        v = 0.999 * self.h + 0.001 * self.g ** 2
        steps = numpy.sqrt(1 - 0.999 ** 4) / (1 - 0.9 ** 4) * m / (numpy.sqrt(v) + 1e-5)
        self.check('Adam', [self.w, self.d, self.h, self.g, self.rate, array(3, dtype=numpy.int64)],
                   [self.w + 0.1 * steps, m, v, steps])

    def test_momentum(self):
        m = 0.9 * self.d + 0.1 * self.g
        self.check('MomentumSGD', [self.g, self.d, self.rate], [m, m], momentum=0.9)
        ahead = 1.9 * m - 0.9 * self.d
        self.check('MomentumSGDUpdate', [self.g, self.d, self.rate, self.w], [ahead, m, self.w - ahead],
                   momentum=0.9, nesterov=1)

    def test_rms_prop(self):
        squares = self.h + 0.1 * (self.g ** 2 - self.h)
        m = 0.5 * self.d + 0.1 * self.g / numpy.sqrt(squares + 1e-5)
        self.check('RmsProp', [self.g, self.h, self.d, self.rate], [m, squares, m], momentum=0.5)

    def test_wngrad(self):
        divisor = array(2.5)
        for epsilon in (1e-5, 0.5):
            rate = 0.1 / (2.5 + epsilon)
            outputs = [self.w + rate * self.g,
                       divisor + (self.g.astype(numpy.float64) ** 2).sum() / (2.5 + epsilon),
                       array(rate), rate * self.g]
            for n_outputs in (2, 3, 4):
                self.check('Wngrad', [self.w, divisor, self.g, self.rate], outputs[:n_outputs],
                           epsilon=epsilon)
            self.check('Wngrad', [self.w, divisor, self.g, self.rate], outputs, in_place={0: 0, 1: 1},
                       epsilon=epsilon)

    def test_empty(self):
        x = numpy.zeros((0, 4), numpy.float32)
        self.check('Wngrad', [x, array(2.5), x, self.rate], [x, array(2.5)])
        self.check('Adagrad', [x, x, x, self.rate], [x, x])
        self.check('Adam', [x, x, x, x, self.rate, array(0, dtype=numpy.int64)], [x, x, x])

    def test_errors(self):
        self.assertFails(C2g.Error.SHAPE, 'Adagrad', [self.w, self.h[:1], self.g, self.rate], 2)
        self.assertFails(C2g.Error.SHAPE, 'Wngrad', [self.w, array(1, 2), self.g, self.rate], 2)
        self.assertFails(C2g.Error.RANGE, 'Adadelta', [self.w, self.h, self.d, self.g, self.rate], 3, decay=1.0)


class SparseOptimizers(OpTestCase):
    """A row whose index is given twice is changed twice, one after the other."""

    ROWS = ((2, 0, 2, 4), numpy.int64), ((1, 3), numpy.int32), ((), numpy.int64), (((4, 1), (1, 0)), numpy.int32)

    def cases(self):
        for inner in ((), (1,), (7,), (2, 3)):
            for rows, dtype in self.ROWS:
                indices = numpy.array(rows, dtype=dtype)
                arrays = [random_array((5,) + inner, seed=i, low=0 if i > 1 else -1) for i in (1, 2, 3)]
                yield indices, random_array(indices.shape + inner, seed=4), arrays

    rate = array(0.1)

    def test_adagrad(self):
        for indices, g, (w, h, _) in self.cases():
            def step(w, h, g):
                g = g + 0.25 * w
                h = h + g ** 2
                return w + 0.1 * g / (numpy.sqrt(h) + 1e-5), h

            expected, _ = by_row([w, h], indices, g, step)
            self.check('SparseAdagrad', [w, h, indices, g, self.rate], expected, in_place={0: 0, 1: 1},
                       weight_decay=0.25)

    def test_row_wise_adagrad(self):
        for indices, g, (w, h, _) in self.cases():
            def step(w, h, g):
                g = g + 0.25 * w
                h = h + (g ** 2).mean()
                return w + 0.1 * g / (numpy.sqrt(h) + 1e-5), h

            h = random_array((5,), seed=5, low=0)
            expected, _ = by_row([w, h], indices, g, step)
            self.check('RowWiseSparseAdagrad', [w, h, indices, g, self.rate], expected, in_place={0: 0, 1: 1},
                       weight_decay=0.25)

    def test_adadelta(self):
        for indices, g, arrays in self.cases():
            def step(w, h, d, g):
                h = 0.75 * h + 0.25 * g ** 2
                change = numpy.sqrt(d + 0.5) / numpy.sqrt(h + 0.5) * g
                return w + 0.1 * change, h, 0.75 * d + 0.25 * change ** 2

            expected, _ = by_row(arrays, indices, g, step)
            self.check('SparseAdadelta', [*arrays, indices, g, self.rate], expected,
                       in_place={0: 0, 1: 1, 2: 2}, epsilon=0.5, decay=0.75)

    def check_adam(self, op_type, arrays, indices, g, square):
        iteration = array(6, dtype=numpy.int64)
        correction = numpy.sqrt(1 - 0.75 ** 7) / (1 - 0.5 ** 7)

        def step(w, m, v, g):
            m = 0.5 * m + 0.5 * g
            v = 0.75 * v + 0.25 * square(g)
            direction = correction * m / (numpy.sqrt(v) + 0.125)
            return w + 0.1 * direction, m, v, direction

        expected, told = by_row(arrays, indices, g, step)
        for outputs in (expected, expected + [told]):
            self.check(op_type, [*arrays, indices, g, self.rate, iteration], outputs,
                       in_place={0: 0, 1: 1, 2: 2}, beta1=0.5, beta2=0.75, epsilon=0.125)

    def test_adam(self):
        for indices, g, arrays in self.cases():
            self.check_adam('SparseAdam', arrays, indices, g, lambda g: g ** 2)

    def test_row_wise_adam(self):
        for indices, g, arrays in self.cases():
            arrays[2] = random_array((5,), seed=5, low=0)
            self.check_adam('RowWiseSparseAdam', arrays, indices, g, lambda g: (g ** 2).mean())

    def test_rectified_adam(self):
        """Compares with results of Caffe2 1.8.1: before the rectification begins, when it begins, and long after."""
        w, m, v = array([0.5, -1, 2], [1, 0.25, -0.5]), array([0.1, 0.2, -0.3], [0, 0.5, 0.25]), \
            array([0.01, 0.04, 0.09], [0.25, 0.16, 1])
        known = {
            0: [1, 2.4999990, 2.7499995],
            4: [0.24419430, 0.61048549, 0.67153418],
            5: [0.00085135282, 0.0026330431, 0.0011728163],
            100: [0.013401055, 0.041446447, 0.018461175],
        }
        g = array([1, -2, 0.5])
        for iteration, direction in known.items():
            direction = array(direction)
            moment, square = 0.9 * m[1] + 0.1 * g[0], 0.999 * v[1] + 0.001 * g[0] ** 2
            expected = [numpy.stack([old[0], new]).astype(numpy.float32)
                        for old, new in ((w, w[1] + 0.1 * direction[0]), (m, moment), (v, square))]
            for outputs in (expected, expected + [direction]):
                self.check('SparseAdam', [w, m, v, array(1, dtype=numpy.int32), g, self.rate,
                                          array(iteration, dtype=numpy.int64)], outputs,
                           in_place={0: 0, 1: 1, 2: 2}, enableRAdam=1)

    def test_momentum(self):
        for indices, g, (w, m, _) in self.cases():
            for nesterov in (0, 1):
                def step(w, m, g):
                    new = 0.9 * m + 0.1 * g
                    change = 1.9 * new - 0.9 * m if nesterov else new
                    return w - change, new, change

                (new_w, new_m), told = by_row([w, m], indices, g, step)
                for in_place in ({1: 1, 2: 3}, {0: 0, 1: 1, 2: 3}):
                    self.check('SparseMomentumSGDUpdate', [g, m, self.rate, w, indices], [told, new_m, new_w],
                               in_place=in_place, momentum=0.9, nesterov=nesterov)

    def test_wngrad(self):
        divisor = array(2.5)
        for indices, g, (w, _, _) in self.cases():
            (new_w,), _ = by_row([w], indices, g, lambda w, g: (w + 0.1 * g / 3,))
            self.check('SparseWngrad', [w, divisor, indices, g, self.rate],
                       [new_w, divisor + (g ** 2).sum() / 2.5], in_place={0: 0, 1: 1}, epsilon=0.5)

    def test_errors(self):
        indices, g, (w, h, _) = next(self.cases())
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SparseAdagrad', [w, h, indices, g, self.rate], 2)
        self.assertIn('input_0', message)


class LearningRateAdaption(OpTestCase):
    def test_adaption(self):
        for shape in ((3, 5), (1,), (0,)):
            g, e = (random_array(shape, seed=i) for i in (1, 2))
            rate = array(0.5)
            product = (g * e).sum(dtype=numpy.float32)
            lengths = max(numpy.linalg.norm(g), 1e-12) * max(numpy.linalg.norm(e), 1e-12)
            for in_place in (None, {0: 0}):
                self.check('LearningRateAdaption', [rate, g, e], [rate * (1 - 0.25 * product / lengths)],
                           in_place=in_place, lr_alpha=0.25)
                self.check('LearningRateAdaption', [rate, g, e], [rate - numpy.float32(0.01) * product],
                           in_place=in_place, normalized_lr_adaption=0)


class FrozenParameters(OpTestCase):
    """Parameters in read-only memory, such as a mapped file, are moved to other memory before they change."""

    W, M, H, D, G = (random_array((4, 3), seed=i, low=0 if i > 2 else -1) for i in range(1, 6))
    ROWS = random_array((2, 3), seed=6)
    INDICES = array(3, 1, dtype=numpy.int64)
    RATE = array(0.1)
    COUNT = array(3, dtype=numpy.int64)
    CASES = (
        ('Adagrad', [W, H, G, RATE], {0: 0, 1: 1}, 2),
        ('Adadelta', [W, H, D, G, RATE], {0: 0, 1: 1, 2: 2}, 3),
        ('Adam', [W, M, H, G, RATE, COUNT], {0: 0, 1: 1, 2: 2}, 3),
        ('MomentumSGD', [G, M, RATE], {0: 0, 1: 1}, 2),
        ('MomentumSGDUpdate', [G, M, RATE, W], {0: 0, 1: 1, 2: 3}, 3),
        ('RmsProp', [G, H, M, RATE], {0: 0, 1: 1, 2: 2}, 3),
        ('Wngrad', [W, array(2.5), G, RATE], {0: 0, 1: 1}, 2),
        ('SparseAdagrad', [W, H, INDICES, ROWS, RATE], {0: 0, 1: 1}, 2),
        ('RowWiseSparseAdagrad', [W, H[:, 0], INDICES, ROWS, RATE], {0: 0, 1: 1}, 2),
        ('SparseAdadelta', [W, H, D, INDICES, ROWS, RATE], {0: 0, 1: 1, 2: 2}, 3),
        ('SparseAdam', [W, M, H, INDICES, ROWS, RATE, COUNT], {0: 0, 1: 1, 2: 2}, 3),
        ('RowWiseSparseAdam', [W, M, H[:, 0], INDICES, ROWS, RATE, COUNT], {0: 0, 1: 1, 2: 2}, 3),
        ('SparseMomentumSGDUpdate', [ROWS, M, RATE, W, INDICES], {0: 0, 1: 1, 2: 3}, 3),
        ('SparseWngrad', [W, array(2.5), INDICES, ROWS, RATE], {0: 0, 1: 1}, 2),
        ('Iter', [array(7, dtype=numpy.int64)], {0: 0}, 1),
    )

    def run_frozen(self, op_type, inputs, in_place, n_outputs):
        workspace = C2g.Workspace.new()
        contents = [GLib.Bytes.new(numpy.ascontiguousarray(one).tobytes()) for one in inputs]
        for i, (one, content) in enumerate(zip(inputs, contents)):
            tensor = C2g.Tensor.new_from_bytes(DATA_TYPES[one.dtype.name], list(one.shape), content)
            workspace.create_blob(f'input_{i}').set_object(tensor)
        names = [f'input_{i}' for i in range(len(inputs))]
        outputs = [names[in_place[i]] for i in range(n_outputs)]
        C2g.Operator.create(new_op(op_type, names, outputs), workspace).run()
        for one, content in zip(inputs, contents):
            self.assertEqual(content.get_data(), numpy.ascontiguousarray(one).tobytes(), op_type)
        return [new_array(workspace.get_blob(name).get_tensor()) for name in outputs]

    def test_frozen(self):
        for op_type, inputs, in_place, n_outputs in self.CASES:
            expected = run(op_type, inputs, n_outputs, in_place)
            for found, other in zip(self.run_frozen(op_type, inputs, in_place, n_outputs), expected):
                self.assertClose(found, other)
