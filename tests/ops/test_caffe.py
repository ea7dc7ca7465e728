# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators that Caffe has as layers and Caffe2 lacks, compared with the definitions in Caffe's sources."""

import itertools

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

F = numpy.float32


class Crop(OpTestCase):
    def check_crop(self, x, like, axis=2, offset=()):
        offsets = list(offset) if len(offset) > 1 else list(offset or [0]) * (x.ndim - axis)
        whole = [slice(None)] * axis
        expected = x[(*whole, *[slice(o, o + n) for o, n in zip(offsets, like[axis:])])]
        with self.subTest(shape=x.shape, like=like, axis=axis, offset=offset):
            self.check('Crop', [x, numpy.zeros(like, F)], [expected], axis=axis, offset=list(offset))

    def test_offsets(self):
        x = random_array((2, 3, 7, 5))
        for like, axis, offset in [
                ((2, 3, 7, 5), 2, ()), ((9, 9, 4, 3), 2, ()), ((9, 9, 4, 3), 2, (2,)), ((9, 9, 4, 3), 2, (3, 1)),
                ((9, 2, 1, 5), 1, (1, 6, 0)), ((1, 1, 1, 1), 0, (1, 2, 6, 4)), ((9, 9, 9, 2), 3, (3,)),
                ((2, 3, 0, 5), 2, (7, 0))]:
            self.check_crop(x, like, axis, offset)
        self.check_crop(random_array((0, 3, 7, 5)), (0, 3, 2, 2), 2, (5, 3))
        self.check_crop(random_array((5, 4), dtype=numpy.int64), (2, 3), 0, (3, 1))
        self.check('Crop', [x, numpy.zeros((4, 2), numpy.int64).reshape(1, 1, 4, 2)], [x[:, :, :4, :2]])
        self.check('Crop', [x, numpy.zeros((1, 1, 4, 2), F)], [x[..., 1:3]], axis=-1, offset=[1])

    def test_faults(self):
        x, like = random_array((2, 3, 7, 5)), random_array((2, 3, 4, 3))
        for code, arguments in [
                (C2g.Error.SHAPE, {'offset': [4, 0]}), (C2g.Error.SHAPE, {'offset': [-1]}),
                (C2g.Error.SHAPE, {'offset': [2 ** 62]}), (C2g.Error.SHAPE, {'axis': 4}),
                (C2g.Error.INVALID_ARGUMENT, {'offset': [0, 0, 0]}),
                (C2g.Error.INVALID_ARGUMENT, {'axis': 1, 'offset': [0, 0]})]:
            with self.subTest(**arguments):
                self.assertFails(code, 'Crop', [x, like], **arguments)
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'Crop', [x, like[0]]))
        self.assertFails(C2g.Error.SHAPE, 'Crop', [like, x])


class ArgMax(OpTestCase):
    def expect(self, x, axis=None, top_k=1, out_max_val=0):
        """Of equal elements the last ones come first, because Caffe sorts pairs of element and index."""
        rows = x.reshape(len(x), int(numpy.prod(x.shape[1:]))) if axis is None else numpy.moveaxis(x, axis, -1)
        indices = rows.shape[-1] - 1 - numpy.argsort(-rows[..., ::-1], axis=-1, kind='stable')[..., :top_k]
        values = numpy.take_along_axis(rows, indices, axis=-1)
        if axis is not None:
            return numpy.moveaxis(values if out_max_val else indices, -1, axis).astype(F)
        parts = numpy.stack([indices, values], axis=1) if out_max_val else indices[:, None]
        return parts.reshape(*parts.shape, *[1] * (x.ndim - 3)).astype(F)

    def test_largest(self):
        for shape in ((3, 7), (2, 3, 5), (2, 3, 4, 5), (5,), (0, 3, 2, 2), (2, 1, 1, 3, 2)):
            for arguments in ({}, {'out_max_val': 1}):
                for axis in (None, *range(len(shape))):
                    n = numpy.prod(shape[1:], dtype=int) if axis is None else shape[axis]
                    for top_k in {1, 2, n}:
                        if not 1 <= top_k <= n:
                            continue
                        given = arguments | ({} if axis is None else {'axis': axis}) | {'top_k': int(top_k)}
                        for x in (random_array(shape), numpy.round(2 * random_array(shape)).astype(F)):
                            with self.subTest(shape=shape, **given):
                                self.check('CaffeArgMax', [x], [self.expect(x, **given)], **given)
        # Written by hand: of two equal elements the last one wins.
        x = F([[1, 3, 2, 3]])
        self.check('CaffeArgMax', [x], [F([[[3, 1]]])], top_k=2)
        self.check('CaffeArgMax', [x], [F([[[3, 1], [3, 3]]])], top_k=2, out_max_val=1)
        self.check('CaffeArgMax', [x], [F([[3, 3]])], top_k=2, out_max_val=1, axis=-1)

    def test_faults(self):
        x = random_array((2, 3))
        self.assertFails(C2g.Error.RANGE, 'CaffeArgMax', [x], top_k=0)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [x], top_k=4)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [x], top_k=3, axis=0)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [x], axis=2)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [F(1)])
        self.assertFails(C2g.Error.TYPE, 'CaffeArgMax', [x.astype(float)])


class Mvn(OpTestCase):
    def expect(self, x, across_channels=0, normalize_variance=1, epsilon=1e-9):
        axes = tuple(range(1 if across_channels else 2, x.ndim))
        distances = x - x.mean(axis=axes, keepdims=True, dtype=float)
        if normalize_variance:
            distances /= numpy.sqrt(numpy.mean(distances ** 2, axis=axes, keepdims=True)) + epsilon
        return distances.astype(F)

    def test_normalized(self):
        for shape in ((2, 3, 7, 5), (1, 1, 1, 1), (2, 3, 11), (0, 3, 4, 4), (3, 4, 2, 3, 5), (1, 7, 40, 33)):
            for arguments in ({}, {'across_channels': 1}, {'normalize_variance': 0}, {'epsilon': 0.5},
                              {'across_channels': 1, 'normalize_variance': 0}):
                for offset in (0, 1000):
                    x = random_array(shape) + F(offset)
                    y = self.expect(x, **arguments)
                    with self.subTest(shape=shape, offset=offset, **arguments):
                        self.check('MVN', [x], [y], **arguments)
                        self.check('MVN', [x], [y], in_place={0: 0}, **arguments)
                        self.check('MVN', [channels_last(x)], [channels_last(y)], order='NHWC', **arguments)

    def test_constant(self):
        # The mean must be exact here: a rounding error divided by the default epsilon would be large.
        for value in (0.1, 1000.1, -3e7):
            x = numpy.full((2, 3, 64, 67), value, F)
            self.check('MVN', [x], [numpy.zeros_like(x)], rtol=0, atol=0)

    def test_faults(self):
        self.assertFails(C2g.Error.RANGE, 'MVN', [random_array((2, 3, 4, 5))], epsilon=-1.0)
        self.assertFails(C2g.Error.SHAPE, 'MVN', [random_array((3,))])
        self.assertFails(C2g.Error.TYPE, 'MVN', [random_array((2, 3, 4), dtype=numpy.int32)])


class PriorBox(OpTestCase):
    def expect(self, map_size, image_size, min_size, max_size=(), aspect_ratio=(), flip=1, clip=0, variance=(0.1,),
               step=None, offset=0.5):
        ratios = []
        for ratio in aspect_ratio:
            if all(abs(ratio - other) >= 1e-6 for other in [1, *ratios]):
                ratios += [ratio, 1 / ratio] if flip else [ratio]
        boxes = []
        steps = step or [image / max(n, 1) for image, n in zip(image_size, map_size)]
        for i, j in itertools.product(*map(range, map_size)):
            y, x = (i + offset) * steps[0], (j + offset) * steps[1]
            for k, least in enumerate(map(int, min_size)):
                forms = [(least, least)]
                if max_size:
                    forms.append((numpy.sqrt(least * int(max_size[k])),) * 2)
                forms += [(least * numpy.sqrt(ratio), least / numpy.sqrt(ratio)) for ratio in ratios]
                boxes += [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for w, h in forms]
        boxes = numpy.array(boxes).reshape(-1, 4) / [*image_size[::-1], *image_size[::-1]]
        boxes = boxes.clip(0, 1) if clip else boxes
        return numpy.stack([boxes, numpy.broadcast_to(variance, boxes.shape)]).reshape(1, 2, -1).astype(F)

    def check_priors(self, map_size=(3, 5), image_size=(47, 90), given=None, **arguments):
        expected = self.expect(map_size, image_size, **arguments)
        given = given or {name: list(value) if isinstance(value, tuple) else value for name, value in arguments.items()}
        x, images = numpy.zeros((2, 7, *map_size), F), numpy.zeros((2, 3, *image_size), F)
        with self.subTest(map_size=map_size, **given):
            self.check('PriorBox', [x, images], [expected], **given)
            self.check('PriorBox', [channels_last(x), channels_last(images)], [expected], order='NHWC', **given)

    def test_boxes(self):
        self.check_priors(min_size=(30.0,))
        self.check_priors(min_size=(30.0, 7.0), aspect_ratio=(2.0, 3.0))
        self.check_priors(min_size=(30.0,), max_size=(60.0,), aspect_ratio=(2.0,), flip=0, clip=1)
        self.check_priors(min_size=(3.0, 9.0), max_size=(60.0, 10.0), aspect_ratio=(2.0, 0.5, 1.0, 2.0, 3.0),
                          variance=(0.1, 0.1, 0.2, 0.25), offset=0.0)
        self.check_priors(min_size=(30.0,), variance=(0.25,), map_size=(1, 1))
        self.check_priors(min_size=(30.0,), map_size=(0, 4))
        # SSD512 has sizes with a fraction, which Caffe truncates.
        self.check_priors(min_size=(35.84,), max_size=(76.8,), aspect_ratio=(2.0,))

    def test_sizes(self):
        size = {'min_size': [30.0]}
        self.check_priors(min_size=(30.0,), step=(8.0, 8.0), given=size | {'step': 8.0})
        self.check_priors(min_size=(30.0,), step=(8.0, 16.0), given=size | {'step_h': 8.0, 'step_w': 16.0})
        x, images = numpy.zeros((1, 1, 3, 5), F), numpy.zeros((0, 3, 1, 1), F)
        for given, image_size in ({'img_size': 99}, (99, 99)), ({'img_h': 20, 'img_w': 50}, (20, 50)):
            self.check('PriorBox', [x, images], [self.expect((3, 5), image_size, (30.0,))], **size, **given)

    def test_faults(self):
        x = random_array((1, 2, 3, 5))
        size = {'min_size': [30.0]}
        for code, arguments in [
                (C2g.Error.INVALID_ARGUMENT, {}), (C2g.Error.RANGE, {'min_size': [0.0]}),
                (C2g.Error.RANGE, size | {'max_size': [30.0]}), (C2g.Error.RANGE, size | {'aspect_ratio': [-1.0]}),
                (C2g.Error.INVALID_ARGUMENT, size | {'max_size': [40.0, 50.0]}),
                (C2g.Error.INVALID_ARGUMENT, size | {'variance': [0.1, 0.1]}),
                (C2g.Error.RANGE, size | {'variance': [0.0]}), (C2g.Error.INVALID_ARGUMENT, size | {'img_h': 20}),
                (C2g.Error.INVALID_ARGUMENT, size | {'step': 8.0, 'step_h': 8.0, 'step_w': 8.0}),
                (C2g.Error.RANGE, size | {'step': -1.0}), (C2g.Error.RANGE, size | {'img_size': -1}),
                (C2g.Error.RANGE, size | {'img_size': 0}), (C2g.Error.RANGE, size | {'img_h': 0, 'img_w': 0}),
                (C2g.Error.RANGE, size | {'offset': float('nan')}), (C2g.Error.RANGE, size | {'step': float('inf')}),
                (C2g.Error.RANGE, size | {'aspect_ratio': [1.5 + i for i in range(200)]})]:
            with self.subTest(**arguments):
                self.assertFails(code, 'PriorBox', [x, x], **arguments)
        self.assertFails(C2g.Error.SHAPE, 'PriorBox', [x[0], x], **size)
        self.assertFails(C2g.Error.SHAPE, 'PriorBox', [x, x[0]], **size)
        self.assertFails(C2g.Error.SHAPE, 'PriorBox', [x, x[:, :, :0, :0]], **size)


class Recurrent(OpTestCase):
    """Tests of whole nets of these operators are in tests/caffe."""

    def expect(self, op_type, gates, cont, weights, states):
        """States are scaled by cont if it is neither 0 nor 1."""
        hidden, *cells = [state[0].astype(float) for state in states]
        steps = []
        for now, goes_on in zip(gates, cont[:, :, None]):
            now = now + (goes_on * hidden) @ weights.T
            if op_type == 'CaffeLSTM':
                enter, forget, leave, new = numpy.split(now, 4, axis=1)
                enter, forget, leave = (1 / (1 + numpy.exp(-part)) for part in (enter, forget, leave))
                cells = [forget * goes_on * cells[0] + enter * numpy.tanh(new)]
                hidden = leave * numpy.tanh(cells[0])
            else:
                hidden = numpy.tanh(now)
            steps.append(hidden)
        results = [numpy.array(steps).reshape(len(gates), *hidden.shape), hidden[None], *[cell[None] for cell in cells]]
        return [result.astype(F) for result in results]

    def test_steps(self):
        for op_type, n_gates, n_states in ('CaffeLSTM', 4, 2), ('CaffeRNN', 1, 1):
            for n_steps, n, n_units in (1, 1, 1), (4, 3, 5), (7, 2, 17), (0, 2, 3), (3, 0, 2), (2, 3, 0):
                gates = random_array((n_steps, n, n_gates * n_units), seed=1, low=-3, high=3)
                weights = random_array((n_gates * n_units, n_units), seed=2)
                cont = numpy.tile(F([1, 0, 0.5, 1]), 6)[:n_steps * n].reshape(n_steps, n)
                states = [random_array((1, n, n_units), seed=3 + i) for i in range(n_states)]
                with self.subTest(op_type=op_type, shape=gates.shape):
                    expected = self.expect(op_type, gates, cont, weights, states)
                    self.check(op_type, [gates, cont, weights, *states], expected, rtol=1e-5)
                    self.check(op_type, [gates, cont, weights, *states], expected[:1], rtol=1e-5)
                    none = [numpy.zeros_like(state) for state in states]
                    expected = self.expect(op_type, gates, cont, weights, none)
                    self.check(op_type, [gates, cont, weights], expected, rtol=1e-5)

    def test_faults(self):
        gates, cont, weights, state = random_array((2, 3, 8)), random_array((2, 3)), random_array((8, 2)), random_array((1, 3, 2))
        for code, inputs in [
                (C2g.Error.SHAPE, [gates[:, :, :6], cont, weights]), (C2g.Error.SHAPE, [gates[0], cont, weights]),
                (C2g.Error.SHAPE, [gates, cont[:1], weights]), (C2g.Error.SHAPE, [gates, cont, weights.T]),
                (C2g.Error.SHAPE, [gates, cont, weights, state, state[0]]), (C2g.Error.INVALID_ARGUMENT, [gates, cont, weights, state])]:
            with self.subTest(shapes=[x.shape for x in inputs]):
                self.assertFails(code, 'CaffeLSTM', inputs)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'CaffeLSTM', [gates, cont, weights], n_outputs=2)
        self.assertFails(C2g.Error.SHAPE, 'CaffeRNN', [gates, cont, weights])


def decode(prior, variances, deltas, code_type):
    """Returns the boxes of the priors, all as rows of corners."""
    size = prior[:, 2:] - prior[:, :2]
    moves = (variances * deltas).astype(float)
    if code_type == 'CENTER_SIZE':
        center = moves[:, :2] * size + (prior[:, :2] + prior[:, 2:]) / 2
        half = numpy.exp(moves[:, 2:]) * size / 2
        return numpy.concatenate([center - half, center + half], axis=1).astype(F)
    return (prior + moves * (numpy.tile(size, 2) if code_type == 'CORNER_SIZE' else 1)).astype(F)


def jaccard(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if not (width > 0 and height > 0):
        return 0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return width * height / (sum(areas) - width * height)


def suppress(boxes, scores, confidence_threshold, nms_threshold, eta, top_k):
    """Returns the numbers of the boxes of a class that are kept, the best first."""
    order = [i for i in numpy.argsort(-scores, kind='stable') if scores[i] > confidence_threshold]
    kept = []
    for i in order if top_k < 0 else order[:top_k]:
        if all(jaccard(boxes[i], boxes[other]) <= nms_threshold for other in kept):
            kept.append(i)
            nms_threshold *= eta if nms_threshold > 0.5 else 1
    return kept


class DetectionOutput(OpTestCase):
    def expect(self, deltas, scores, priors, num_classes, share_location=1, background_label_id=0, code_type='CORNER',
               variance_encoded_in_target=0, nms_threshold=0.3, eta=1.0, top_k=-1, keep_top_k=-1,
               confidence_threshold=-numpy.finfo(F).max):
        prior, variances = priors.reshape(2, -1, 4)
        variances = numpy.ones_like(variances) if variance_encoded_in_target else variances
        scores = scores.reshape(len(scores), len(prior), num_classes)
        deltas = deltas.reshape(len(deltas), len(prior), 1 if share_location else num_classes, 4)
        rows = []
        for image, (own_deltas, own_scores) in enumerate(zip(deltas, scores)):
            found = []
            for c in set(range(num_classes)) - {background_label_id}:
                boxes = decode(prior, variances, own_deltas[:, 0 if share_location else c], code_type)
                for i in suppress(boxes, own_scores[:, c], confidence_threshold, nms_threshold, eta, top_k):
                    found.append((image, c, own_scores[i, c], *boxes[i]))
            if 0 <= keep_top_k < len(found):
                found = sorted(found, key=lambda row: -row[2])[:keep_top_k]
                found.sort(key=lambda row: row[1])
            rows += found
        return numpy.array(rows or [[-1] * 7], F).reshape(1, 1, -1, 7)

    def check_detections(self, n=2, n_priors=23, num_classes=4, **arguments):
        random = numpy.random.RandomState(3)
        corner, size = random.uniform(0, 0.7, (n_priors, 2)), random.uniform(0.1, 0.4, (n_priors, 2))
        boxes = numpy.concatenate([corner, corner + size], axis=1)
        priors = numpy.stack([boxes, numpy.broadcast_to([0.1, 0.1, 0.2, 0.2], boxes.shape)])
        priors = priors.reshape(1, 2, -1).astype(F)
        each = 1 if arguments.get('share_location', 1) else num_classes
        deltas = random_array((n, n_priors * each * 4), seed=4, low=-0.2, high=0.2)
        scores = random_array((n, n_priors * num_classes), seed=5, low=0)
        arguments['num_classes'] = num_classes
        expected = self.expect(deltas, scores, priors, **arguments)
        with self.subTest(n=n, n_priors=n_priors, **arguments):
            self.check('DetectionOutput', [deltas, scores, priors], [expected], **arguments)
        return expected

    def test_codes(self):
        for code_type in ('CORNER', 'CENTER_SIZE', 'CORNER_SIZE'):
            for share_location in (0, 1):
                for variance_encoded_in_target in (0, 1):
                    self.check_detections(code_type=code_type, share_location=share_location, nms_threshold=0.45,
                                          variance_encoded_in_target=variance_encoded_in_target)

    def test_limits(self):
        for arguments in ({'confidence_threshold': 0.5}, {'top_k': 5}, {'top_k': 0}, {'keep_top_k': 7},
                          {'keep_top_k': 0}, {'top_k': 9, 'keep_top_k': 3, 'confidence_threshold': 0.25},
                          {'nms_threshold': 0.9, 'eta': 0.75}, {'nms_threshold': 0.0}, {'background_label_id': -1},
                          {'background_label_id': 2, 'share_location': 0}, {'background_label_id': 99},
                          {'num_classes': 1}, {'num_classes': 1, 'background_label_id': -1}, {'n': 1, 'n_priors': 1},
                          {'n': 0}, {'n_priors': 0}):
            self.check_detections(**arguments)
        self.assertEqual(self.check_detections(keep_top_k=7).shape, (1, 1, 14, 7))

    def test_nothing_found(self):
        expected = self.check_detections(confidence_threshold=1.0)
        self.assertEqual(expected.tolist(), [[[[-1] * 7]]])

    def test_strict(self):
        # A box needs a score above the threshold; an overlap that equals its threshold is permitted.
        priors = F([[[0, 0, 1, 1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [1] * 16]])
        scores = F([[0.5, 0.75, 0.625, 0.6875]])
        deltas = numpy.zeros((1, 16), F)
        boxes = priors[0, 0].reshape(4, 4)
        rows = [[0, 0, scores[0, i], *boxes[i]] for i in (1, 3, 2)]
        # The last two boxes have no area, and so overlap nothing.
        self.check('DetectionOutput', [deltas, scores, priors], [F([[rows]])], num_classes=1,
                   background_label_id=-1, confidence_threshold=0.5)
        self.check('DetectionOutput', [deltas, scores, priors], [F([[[*rows, [0, 0, 0.5, 0, 0, 1, 1]]]])],
                   num_classes=1, background_label_id=-1, nms_threshold=0.5)

    def test_faults(self):
        deltas, scores = random_array((2, 12)), random_array((2, 6))
        priors = F([[[0, 0, 1, 1] * 3, [1] * 12]])
        good = {'num_classes': 2}
        for code, arguments in [
                (C2g.Error.INVALID_ARGUMENT, {}), (C2g.Error.RANGE, {'num_classes': 0}),
                (C2g.Error.SHAPE, {'num_classes': 3}), (C2g.Error.SHAPE, good | {'share_location': 0}),
                (C2g.Error.INVALID_ARGUMENT, good | {'code_type': 'EDGE'}),
                (C2g.Error.RANGE, good | {'nms_threshold': -0.5}), (C2g.Error.RANGE, good | {'eta': 0.0}),
                (C2g.Error.RANGE, good | {'eta': 1.5})]:
            with self.subTest(**arguments):
                self.assertFails(code, 'DetectionOutput', [deltas, scores, priors], **arguments)
        for wrong in ([deltas[:1], scores, priors], [deltas, scores[:, :4], priors], [deltas, scores, priors[:, :1]],
                      [deltas, scores, priors[:, :, :6]], [deltas, scores, priors[0]]):
            self.assertFails(C2g.Error.SHAPE, 'DetectionOutput', wrong, **good)
        priors[0, 0, 6] = 0
        self.assertIn('input_2', self.assertFails(C2g.Error.RANGE, 'DetectionOutput', [deltas, scores, priors],
                                                  code_type='CENTER_SIZE', **good))
