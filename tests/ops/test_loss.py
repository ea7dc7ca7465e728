# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Losses."""

import numpy

from ops_testing import C2g, OpTestCase, random_array
from test_softmax import softmax

FLOAT = numpy.float32


def labels_for(n, n_classes):
    return numpy.random.RandomState(7).randint(0, n_classes, size=n).astype(numpy.int32)


def scalar(value):
    return numpy.array(value, dtype=FLOAT)


class SoftmaxWithLoss(OpTestCase):
    def test_labels(self):
        for shape, axis in (((5, 3), 1), ((1, 1), 1), ((4, 3, 5, 2), 1), ((2, 3, 7), 2), ((2, 3, 7), -1), ((6, 50), 1)):
            x = random_array(shape, low=-5, high=5)
            n_rows = int(numpy.prod(shape[:axis % x.ndim]))
            p = softmax(x, axis)
            rows = p.reshape(n_rows, -1).astype(numpy.float64)
            labels = labels_for(n_rows, rows.shape[1])
            losses = -numpy.log(rows[numpy.arange(n_rows), labels])
            weights = random_array((n_rows,), low=0.5, high=2, seed=3)
            with self.subTest(shape=shape, axis=axis):
                self.check('SoftmaxWithLoss', [x, labels], [p, scalar(losses.mean())], axis=axis)
                self.check('SoftmaxWithLoss', [x, labels.reshape(-1, 1)], [p, scalar(losses.mean() * 3)], axis=axis,
                           scale=3.0)
                expected = scalar((losses * weights).sum() / weights.sum())
                self.check('SoftmaxWithLoss', [x, labels, weights], [p, expected], axis=axis)
                expected = scalar((losses * weights).mean())
                self.check('SoftmaxWithLoss', [x, labels, weights], [p, expected], axis=axis, average_by_batch_size=1)

    def test_unlikely(self):
        x = numpy.array([[0, 200]], dtype=FLOAT)
        self.check('SoftmaxWithLoss', [x, numpy.array([0], numpy.int32)], [None, scalar(200)])

    def test_probabilities(self):
        x = random_array((5, 4))
        p, wanted = softmax(x), softmax(random_array((5, 4), seed=2))
        weights = random_array((5,), low=0.5, high=2, seed=3)
        losses = -(numpy.log(p) * wanted).sum(axis=1)
        self.check('SoftmaxWithLoss', [x, wanted], [p, scalar(losses.mean())], label_prob=1)
        self.check('SoftmaxWithLoss', [x, wanted, weights], [p, scalar((losses * weights).sum() / weights.sum())],
                   label_prob=1)

    def test_nothing(self):
        x, labels = random_array((0, 4)), numpy.zeros((0,), numpy.int32)
        self.check('SoftmaxWithLoss', [x, labels], [x, scalar(0)])
        zeros = numpy.zeros((3,), FLOAT)
        x = random_array((3, 4))
        self.check('SoftmaxWithLoss', [x, labels_for(3, 4), zeros], [softmax(x), scalar(0)])

    def test_faults(self):
        x = random_array((3, 4))
        for wrong in (-1, 4, 2 ** 31 - 1, -2 ** 31):
            labels = numpy.array([0, wrong, 1], dtype=numpy.int32)
            with self.subTest(wrong=wrong):
                self.assertIn('input_1', self.assertFails(C2g.Error.RANGE, 'SoftmaxWithLoss', [x, labels], 2))
        labels = labels_for(3, 4)
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'SoftmaxWithLoss', [x, labels[:2]], 2))
        self.assertIn('input_1', self.assertFails(C2g.Error.TYPE, 'SoftmaxWithLoss', [x, labels.astype(FLOAT)], 2))
        self.assertIn('input_2', self.assertFails(C2g.Error.SHAPE, 'SoftmaxWithLoss', [x, labels, x[0]], 2))
        self.assertFails(C2g.Error.RANGE, 'SoftmaxWithLoss', [x, labels], 2, scale=-1.0)
        self.assertFails(C2g.Error.NOT_SUPPORTED, 'SoftmaxWithLoss', [x, labels], 2, order='NHWC')
        self.assertFails(C2g.Error.RANGE, 'SoftmaxWithLoss', [x, x], 2, label_prob=1)
        self.assertFails(C2g.Error.RANGE, 'SoftmaxWithLoss', [x, numpy.full((3, 4), numpy.nan, FLOAT)], 2,
                         label_prob=1)


class SpatialSoftmaxWithLoss(OpTestCase):
    def test_places(self):
        for shape in ((2, 3, 5, 7), (1, 1, 1, 1), (3, 20, 2, 9)):
            x = random_array(shape, low=-5, high=5)
            p = numpy.moveaxis(softmax(numpy.moveaxis(x, 1, -1), 3), -1, 1)
            places = (shape[0], *shape[2:])
            labels = labels_for(places, shape[1])
            if labels.size > 1:
                labels.flat[1] = -1
            weights = random_array(places, low=0.5, high=2, seed=3)
            seen = numpy.take_along_axis(p, numpy.maximum(labels, 0)[:, None].astype(numpy.int64), axis=1)[:, 0]
            counts = labels >= 0
            losses = -numpy.log(seen)
            with self.subTest(shape=shape):
                self.check('SpatialSoftmaxWithLoss', [x, labels], [p, scalar(losses[counts].mean())])
                weighted = (losses * weights)[counts].sum() / weights[counts].sum()
                self.check('SpatialSoftmaxWithLoss', [x, labels, weights], [p, scalar(weighted)])

    def test_nothing(self):
        for shape in ((0, 3, 4, 5), (2, 3, 0, 5)):
            x, labels = random_array(shape), numpy.zeros((shape[0], *shape[2:]), numpy.int32)
            self.check('SpatialSoftmaxWithLoss', [x, labels], [x, scalar(0)])
        x = random_array((1, 3, 1, 1))
        self.check('SpatialSoftmaxWithLoss', [x, numpy.array([[[-1]]], numpy.int32)], [softmax(x), scalar(0)])

    def test_faults(self):
        x = random_array((1, 3, 1, 2))
        for wrong in (-2, 3):
            labels = numpy.array([[[0, wrong]]], dtype=numpy.int32)
            self.assertIn('input_1', self.assertFails(C2g.Error.RANGE, 'SpatialSoftmaxWithLoss', [x, labels], 2))
        labels = numpy.zeros((1, 1, 2), numpy.int32)
        self.assertFails(C2g.Error.SHAPE, 'SpatialSoftmaxWithLoss', [x[0], labels], 2)
        self.assertFails(C2g.Error.SHAPE, 'SpatialSoftmaxWithLoss', [x, labels[:, :, :1]], 2)


class Losses(OpTestCase):
    def test_average(self):
        for shape in ((7,), (), (3, 5), (1000,)):
            x = random_array(shape)
            self.check('AveragedLoss', [x], [scalar(x.mean())])
        self.check('AveragedLoss', [random_array((0,))], [scalar(0)])

    def test_cross_entropy(self):
        for shape in ((5, 3), (2, 3, 4), (7,), (0, 3)):
            p = softmax(random_array(shape), 1 if len(shape) > 1 else 0)
            n = shape[0] if len(shape) > 1 else 1
            rows = p.reshape(n, p.size // n if n else 3)
            labels = labels_for(n, rows.shape[1])
            wanted = softmax(random_array(rows.shape, seed=2)) if n else rows
            with self.subTest(shape=shape):
                self.check('LabelCrossEntropy', [p, labels], [-numpy.log(rows[numpy.arange(n), labels])])
                self.check('CrossEntropy', [p, wanted], [-(wanted * numpy.log(rows)).sum(axis=1)])
        self.check('LabelCrossEntropy', [numpy.zeros((1, 2), FLOAT), numpy.array([[1]], numpy.int32)],
                   [numpy.array([-numpy.log(1e-20)], FLOAT)])

    def test_sigmoid_cross_entropy(self):
        for shape in ((5, 3), (7,), (2, 3, 4), (), (0, 3), (3, 0)):
            x, target = random_array(shape, low=-50, high=50), random_array(shape, low=0, seed=2)
            weights = random_array(shape, low=0, high=2, seed=3)
            double = x.astype(numpy.float64)
            softplus = numpy.logaddexp(0, double)
            mean = (lambda a: a.mean(axis=-1)) if x.ndim else (lambda a: a)
            if x.size == 0:
                mean = (lambda a: numpy.zeros(shape[:-1]))
            with self.subTest(shape=shape):
                loss = softplus - double * target
                self.check('SigmoidCrossEntropyWithLogits', [x, target], [numpy.asarray(mean(loss)).astype(FLOAT)])
                self.check('WeightedSigmoidCrossEntropyWithLogits', [x, target, weights],
                           [numpy.asarray(mean(loss * weights)).astype(FLOAT)])
                loss = (2 * target - 1) * (softplus - double)
                self.check('SigmoidCrossEntropyWithLogits', [x, target], [numpy.asarray(mean(loss)).astype(FLOAT)],
                           log_D_trick=1)
                loss = (1 - target) * softplus - double * target
                self.check('SigmoidCrossEntropyWithLogits', [x, target], [numpy.asarray(mean(loss)).astype(FLOAT)],
                           unjoined_lr_loss=1)

    def test_squared_distance(self):
        for shape in ((5, 3), (7,), (2, 3, 4), (), (0, 3), (3, 0)):
            x, y = random_array(shape), random_array(shape, seed=2)
            n = shape[0] if shape else 1
            distance = ((x - y) ** 2).reshape(n, x.size // n if n else 0).sum(axis=1) / 2
            with self.subTest(shape=shape):
                self.check('SquaredL2Distance', [x, y], [distance.astype(numpy.float32)])

    def test_faults(self):
        p = softmax(random_array((3, 4)))
        labels = labels_for(3, 4)
        self.assertIn('input_1', self.assertFails(C2g.Error.RANGE, 'LabelCrossEntropy', [p, labels + 4]))
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'LabelCrossEntropy', [p, labels[:2]]))
        self.assertIn('input_1', self.assertFails(C2g.Error.RANGE, 'CrossEntropy', [p, p + 1]))
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'CrossEntropy', [p, p[:2]]))
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'SigmoidCrossEntropyWithLogits', [p, p.T]))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SigmoidCrossEntropyWithLogits', [p, p], log_D_trick=1,
                         unjoined_lr_loss=1)
        self.assertIn('input_2',
                      self.assertFails(C2g.Error.SHAPE, 'WeightedSigmoidCrossEntropyWithLogits', [p, p, p[:1]]))
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'SquaredL2Distance', [p, p.T]))
