# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators on boxes, compared with plain Python."""

import boxes
from ops_testing import C2g, OpTestCase, numpy, random_array

F = numpy.float32


def random_boxes(n, n_classes, rotated, seed=1):
    """Returns the boxes of all classes, one row for each."""
    random = numpy.random.RandomState(seed)
    place, size = random.uniform(0, 40, (2, n, n_classes, 2))
    if rotated:
        angle = random.uniform(-170, 170, (n, n_classes, 1))
        result = numpy.concatenate([place, size + 1, angle], axis=2)
    else:
        result = numpy.concatenate([place, place + size], axis=2)
    return result.reshape(n, n_classes * result.shape[2]).astype(F)


class NmsLimit(OpTestCase):
    def find(self, scores, rows, splits, n_numbers, suppress, **options):
        """Returns the expected outputs; suppress() gives the numbers and scores of the boxes of one class."""
        limit = options.get('detections_per_im', 100)
        agnostic = options.get('cls_agnostic_bbox_reg', False)
        shift = 0 if options.get('input_boxes_include_bg_cls', True) else 1
        found, n_found, sizes, begin = [], [], [], 0
        for n in splits:
            kept = []
            for c in range(1, scores.shape[1]):
                column = 0 if agnostic else c - shift
                own = rows[begin:begin + n, column * n_numbers:(column + 1) * n_numbers]
                chances = scores[begin:begin + n, c - shift]
                candidates = numpy.flatnonzero(chances > options.get('score_thresh', 0.05))
                for i, score in zip(*suppress(own[candidates], chances[candidates])):
                    kept.append((c, score, candidates[i], own[candidates[i]]))
            if 0 < limit < len(kept):
                kept = sorted(sorted(kept, key=lambda one: -one[1])[:limit], key=lambda one: one[0])
            found += kept
            n_found.append(len(kept))
            sizes.append([sum(one[0] == c for one in kept) for c in range(scores.shape[1])])
            begin += n
        background = 0 if options.get('output_classes_include_bg_cls', True) else 1
        return [numpy.array([one[1] for one in found], F),
                numpy.array([one[3] for one in found], F).reshape(-1, n_numbers),
                numpy.array([one[0] - background for one in found], F), numpy.array(n_found, F),
                numpy.array([one[2] for one in found], numpy.int32),
                numpy.array(sizes, numpy.int32).reshape(len(splits), scores.shape[1])]

    def check_all(self, suppress, rotated=False, n_classes=3, splits=(7, 0, 12), n_columns=None, **options):
        n = sum(splits)
        scores = random_array((n, n_classes), low=0)
        rows = random_boxes(n, n_columns or n_classes, rotated)
        expected = self.find(scores, rows, splits, 5 if rotated else 4, suppress, **options)
        arguments = {name: int(value) if isinstance(value, bool) else value for name, value in options.items()}
        for n_outputs in (3, 4, 6):
            self.check('BoxWithNMSLimit', [scores, rows, numpy.array(splits, F)], expected[:n_outputs],
                       rotated=int(rotated), **arguments)

    def test_hard(self):
        for rotated in (False, True):
            for threshold in (0.0, 0.1, 0.5, 1.0):
                def suppress(rows, scores):
                    kept = boxes.suppress(rows, scores, F(threshold), n=options.get('detections_per_im', 100))
                    return kept, scores[kept]

                for options in ({}, {'detections_per_im': 3}, {'score_thresh': 0.5}):
                    with self.subTest(rotated=rotated, threshold=threshold, **options):
                        self.check_all(suppress, rotated, nms=threshold, **options)

    def test_linear(self):
        for rotated in (False, True):
            for options in ({}, {'detections_per_im': 4}, {'soft_nms_min_score_thres': 0.25}, {'nms': 0.1}):
                def suppress(rows, scores):
                    return boxes.suppress_softly(rows, scores, weigh, options.get('soft_nms_min_score_thres', 0.001))

                def weigh(overlap):
                    return 1 - overlap if overlap > options.get('nms', 0.3) else 1

                with self.subTest(rotated=rotated, **options):
                    self.check_all(suppress, rotated, soft_nms_enabled=True, **options)

    def test_gaussian(self):
        for rotated in (False, True):
            for sigma in (0.5, 0.125):
                def suppress(rows, scores):
                    return boxes.suppress_softly(rows, scores, lambda x: numpy.exp(-x * x / sigma), 0.125)

                with self.subTest(rotated=rotated, sigma=sigma):
                    self.check_all(suppress, rotated, soft_nms_enabled=True, soft_nms_method='gaussian',
                                   soft_nms_sigma=sigma, soft_nms_min_score_thres=0.125)

    def test_without_plus_one(self):
        def suppress(rows, scores):
            kept = boxes.suppress(rows, scores, F(0.3), plus_one=0)
            return kept, scores[kept]

        self.check_all(suppress, legacy_plus_one=False)

    def test_classes(self):
        def suppress(rows, scores):
            kept = boxes.suppress(rows, scores, F(0.3))
            return kept, scores[kept]

        self.check_all(suppress, n_columns=1, cls_agnostic_bbox_reg=True)
        self.check_all(suppress, output_classes_include_bg_cls=False)
        self.check_all(suppress, n_columns=2, input_boxes_include_bg_cls=False)
        self.check_all(suppress, n_classes=1, splits=(3,))
        self.check_all(suppress, splits=(0,))
        self.check_all(suppress, splits=())

    def test_same_box(self):
        rows = numpy.array([[0, 0, 9, 9]] * 3, F)
        scores = numpy.array([[0, 0.5], [0, 0.75], [0, 0.25]], F)
        self.check('BoxWithNMSLimit', [scores, rows], [F([0.75]), rows[:1], F([1])], cls_agnostic_bbox_reg=1)
        turned = numpy.array([[5, 5, 9, 4, 30]] * 3, F)
        self.check('BoxWithNMSLimit', [scores, turned], [F([0.75]), turned[:1], F([1])], cls_agnostic_bbox_reg=1,
                   rotated=1)

    def test_errors(self):
        scores, rows = random_array((3, 2), low=0), random_boxes(3, 2, False)
        for splits in ((4,), (1, 1), (-1, 4), (numpy.nan,), (1e30,)):
            message = self.assertFails(C2g.Error.RANGE, 'BoxWithNMSLimit', [scores, rows, F(splits)], 3)
            self.assertIn('“input_2”', message)
        self.assertFails(C2g.Error.SHAPE, 'BoxWithNMSLimit', [scores, rows[:, :4]], 3)
        self.assertFails(C2g.Error.SHAPE, 'BoxWithNMSLimit', [scores[:, :0], rows[:, :0]], 3)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'BoxWithNMSLimit', [scores, rows], 3, soft_nms_method='none')


class Transform(OpTestCase):
    INFO = numpy.array([[30, 40, 2], [21.4, 16, 1], [50, 60, 0.5]], F)

    def check_all(self, n_classes=2, rotated=False, with_images=True, **options):
        n_numbers = 5 if rotated else 4
        plus_one = options.get('legacy_plus_one', 1)
        scales = options.get('apply_scale', 1)
        weights = options.get('weights', (1, 1, 1, 1))
        low, high = options.get('angle_bound_lo', -90), options.get('angle_bound_hi', 90)
        images = [0, 0, 2, 2, 2] if with_images else [0] * 5
        info = self.INFO if with_images else self.INFO[:1]
        rows = random_boxes(5, 1, rotated)
        deltas = random_array((5, n_classes * n_numbers), low=-2, high=5)

        expected = deltas.copy()
        for i, image in enumerate(images):
            height, width, scale = info[image]
            box = rows[i].copy()
            box[:4] /= scale
            for c in range(n_classes):
                place = slice(c * n_numbers, (c + 1) * n_numbers)
                one = boxes.transform(box, deltas[i, place], weights, plus_one,
                                      plus_one * options.get('correct_transform_coords', 1),
                                      (low, high) if options.get('angle_bound_on', 1) else None)
                one = boxes.clip(one, int(height / scale + 0.5), int(width / scale + 0.5), plus_one,
                                 options.get('clip_angle_thresh', 1))
                if scales:
                    one[:4] *= scale
                expected[i, place] = one
        if with_images:
            rows = numpy.concatenate([F(images)[:, None], rows], axis=1)
        counts = F([images.count(i) for i in range(len(info))])
        self.check('BBoxTransform', [rows, deltas, info], [expected, counts], rtol=1e-3, atol=1e-3,
                   rotated=int(rotated), **options)

    def test_transform(self):
        for rotated in (False, True):
            for with_images in (False, True):
                for options in ({}, {'apply_scale': 0}, {'legacy_plus_one': 0}, {'correct_transform_coords': 0},
                                {'weights': [10.0, 10.0, 5.0, 5.0]}):
                    with self.subTest(rotated=rotated, with_images=with_images, **options):
                        self.check_all(rotated=rotated, with_images=with_images, **options)

    def test_angles(self):
        for options in ({'angle_bound_on': 0}, {'angle_bound_lo': 0, 'angle_bound_hi': 360},
                        {'clip_angle_thresh': 1000.0}, {'clip_angle_thresh': -1.0}):
            with self.subTest(**options):
                self.check_all(rotated=True, **options)

    def test_empty(self):
        none = numpy.zeros((0, 4), F)
        self.check('BBoxTransform', [none, none, self.INFO[:1]], [none, F([0])])

    def test_errors(self):
        rows, deltas = random_boxes(2, 1, False), random_array((2, 4))
        self.assertFails(C2g.Error.SHAPE, 'BBoxTransform', [rows, deltas[:, :3], self.INFO[:1]])
        self.assertFails(C2g.Error.SHAPE, 'BBoxTransform', [rows, deltas, self.INFO])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'BBoxTransform', [rows, deltas, self.INFO[:1]], weights=[1.0])
        self.assertFails(C2g.Error.RANGE, 'BBoxTransform', [rows, deltas, self.INFO[:1]], angle_bound_hi=0)
        for images in ((1, 0), (0, 3), (-1, 0), (0, numpy.nan)):
            given = numpy.concatenate([F(images)[:, None], rows], axis=1)
            message = self.assertFails(C2g.Error.RANGE, 'BBoxTransform', [given, deltas, self.INFO])
            self.assertIn('“input_0”', message)


class Proposals(OpTestCase):
    def check_all(self, shape=(2, 3, 4, 5), n_numbers=4, op_type='GenerateProposals', **options):
        n_images, n_anchors, height, width = shape
        plus_one = options.get('legacy_plus_one', 1)
        scores = random_array(shape, low=0)
        deltas = random_array((n_images, n_anchors * n_numbers, height, width), seed=2)
        anchors = random_boxes(n_anchors, 1, n_numbers == 5)
        info = numpy.array([[50, 60, 0.5], [70.5, 40.25, 1]] * (n_images + 1), F)[:n_images]
        stride = 1 / options.get('spatial_scale', 1 / 16)

        found, chances = [], []
        for image in range(n_images):
            order = numpy.argsort(-scores[image].ravel(), kind='stable')
            if options.get('pre_nms_topN', 6000) > 0:
                order = order[:options.get('pre_nms_topN', 6000)]
            rows, own = [], []
            for i in order:
                a, y, x = numpy.unravel_index(i, shape[1:])
                box = anchors[a].astype(float)
                box[:4 if n_numbers == 4 else 2] += ([x, y] * 2)[:4 if n_numbers == 4 else 2] * numpy.array(stride)
                box = boxes.transform(box, deltas[image, a * n_numbers:(a + 1) * n_numbers, y, x], plus_one=plus_one,
                                      offset=plus_one)
                box = boxes.clip(box, int(info[image, 0]), int(info[image, 1]), plus_one)
                if boxes.is_sound(box, *info[image, :2], options.get('min_size', 16) * info[image, 2], plus_one):
                    rows.append(box)
                    own.append(scores[image].flat[i])
            most = options.get('post_nms_topN', 300)
            kept = boxes.suppress(rows, own, options.get('nms_thresh', 0.7), plus_one, most if most > 0 else None)
            found += [[image, *rows[i]] for i in kept]
            chances += [own[i] for i in kept]
        self.check(op_type, [scores, deltas, info, anchors],
                   [F(found).reshape(-1, n_numbers + 1), F(chances)], rtol=1e-3, atol=1e-3, **options)

    def test_proposals(self):
        for n_numbers in (4, 5):
            for options in ({}, {'min_size': 0.0}, {'pre_nms_topN': 7, 'min_size': 1.0}, {'post_nms_topN': 3},
                            {'nms_thresh': 0.25, 'min_size': 4.0}, {'spatial_scale': 0.125},
                            {'legacy_plus_one': 0}, {'pre_nms_topN': 0, 'post_nms_topN': 0}):
                with self.subTest(n_numbers=n_numbers, **options):
                    self.check_all(n_numbers=n_numbers, **options)

    def test_shapes(self):
        for shape in ((1, 1, 1, 1), (3, 2, 7, 1), (0, 2, 3, 3), (2, 0, 3, 3), (1, 2, 0, 3)):
            self.check_all(shape, op_type='GenerateProposalsCPP')

    def test_errors(self):
        inputs = [random_array((1, 2, 3, 4)), random_array((1, 8, 3, 4)), random_array((1, 3)), random_array((2, 4))]
        for i, wrong in enumerate((random_array((2, 3, 4)), random_array((1, 9, 3, 4)), random_array((2, 3)),
                                   random_array((3, 4)))):
            given = inputs[:i] + [wrong] + inputs[i + 1:]
            message = self.assertFails(C2g.Error.SHAPE, 'GenerateProposals', given, 2)
            self.assertIn(f'“input_{i}”', message)
        self.assertFails(C2g.Error.RANGE, 'GenerateProposals', inputs, 2, spatial_scale=0.0)
