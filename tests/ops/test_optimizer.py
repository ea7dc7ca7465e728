# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Optimizers, masks, lengths and strings against NumPy."""

from ops_testing import C2g, OpTestCase, numpy, random_array, run


def array(*values, dtype=numpy.float32):
    return numpy.array(values, dtype=dtype)


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

    def test_sparse_adagrad(self):
        rows = array(2, 0, dtype=numpy.int64)
        w, h = self.w.copy(), self.h.copy()
        h[rows] += self.g[:2] ** 2
        w[rows] += 0.1 * self.g[:2] / (numpy.sqrt(h[rows]) + 1e-5)
        self.check('SparseAdagrad', [self.w, self.h, rows, self.g[:2], self.rate], [w, h],
                   in_place={0: 0, 1: 1})

    def test_errors(self):
        self.assertFails(C2g.Error.SHAPE, 'Adagrad', [self.w, self.h[:1], self.g, self.rate], 2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LearningRate', [array(1, dtype=numpy.int64)],
                         base_lr=0.5, policy='none')

    def test_learning_rate(self):
        for factor, arguments in (
                (1, {'policy': 'fixed'}),
                (0.25, {'policy': 'step', 'stepsize': 10, 'gamma': 0.5}),
                (0.9 ** 20, {'policy': 'exp', 'gamma': 0.9}),
                (3 ** -0.75, {'policy': 'inv', 'gamma': 0.1, 'power': 0.75}),
                (0.64, {'policy': 'poly', 'max_iter': 100, 'power': 2.0}),
                (0.6, {'policy': 'linearWarmup', 'num_iter': 40, 'start_multiplier': 0.2})):
            self.check('LearningRate', [array(20, dtype=numpy.int64)], [numpy.float32(-0.5 * factor)],
                       base_lr=-0.5, **arguments)


class Sequences(OpTestCase):
    def test_sequence_mask(self):
        x = random_array((5, 4))
        i, j = numpy.indices(x.shape)
        for mode, filled in (('upper', j > i), ('lower', j < i), ('upperdiag', j >= i),
                             ('lowerdiag', j <= i)):
            self.check('SequenceMask', [x], [numpy.where(filled, numpy.float32(-9), x)], mode=mode,
                       fill_val=-9.0)
        lengths = array(0, 4, 9, 1, 2, dtype=numpy.int32)
        self.check('SequenceMask', [x, lengths], [numpy.where(j >= lengths[:, None], 0, x)],
                   mode='sequence', grad=True)

    def test_pack(self):
        x = random_array((6, 2))
        lengths = array(3, 0, 2, 1, dtype=numpy.int32)
        packed, = run('PackRNNSequence', [x, lengths])
        self.assertEqual(packed.shape, (3, 4, 2))
        self.check('UnpackRNNSequence', [packed, lengths], [x])
        packed, = run('PackSegments', [lengths, x])
        self.assertEqual(packed.shape, (4, 3, 2))
        self.check('UnpackSegments', [lengths, packed], [x])

    def test_lengths(self):
        x = random_array((6, 2))
        lengths = array(3, 0, 2, 1, dtype=numpy.int32)
        parts = numpy.split(x, numpy.cumsum(lengths)[:-1])
        self.check('LengthsSum', [x, lengths], [numpy.stack([part.sum(0) for part in parts])])
        self.check('LengthsMax', [x, lengths],
                   [numpy.stack([part.max(0) if len(part) else part.sum(0) for part in parts])])
        ids = array(0, 0, 0, 2, 2, 3, dtype=numpy.int32)
        self.check('LengthsToSegmentIds', [lengths], [ids])
        self.check('SegmentIdsToLengths', [ids], [lengths])

    def test_strings(self):
        texts = numpy.array(['abc', '', 'ab', 'cab'], dtype=object)
        self.check('StringStartsWith', [texts], [numpy.array([True, False, True, False])], prefix='ab')
        self.check('StringEndsWith', [texts], [numpy.array([False, False, True, True])], suffix='ab')
        self.assertEqual(list(run('StringSuffix', [texts], length=2)[0]), ['bc', '', 'ab', 'ab'])
        self.assertEqual(list(run('StringJoin', [texts.reshape(2, 2)], delimiter='-')[0]),
                         ['abc--', 'ab-cab-'])
