# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators on regions of interest, compared with plain Python, which computes one sample after the other."""

from math import ceil, floor

from ops_testing import C2g, OpTestCase, numpy, random_array

F = numpy.float32
REGIONS = F([[1, 0, 0, 5, 4], [0, 1.25, 0.5, 3.75, 3.5], [1, -3, -2, 2, 9], [0, 2, 2, 2, 2], [0, 4, 3, 1, 1],
             [1, 100, 100, 120, 130], [0, 0.5, 0.5, 7.5, 6.5]])


def sample(plane, y, x):
    """Interpolates between the four nearest pixels, for all channels at once."""
    height, width = plane.shape[1:]
    if not (-1 <= y <= height and -1 <= x <= width):
        return numpy.zeros(len(plane))
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = floor(y), floor(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    return ((plane[:, top, left] * (right - x if right > left else 1) +
             plane[:, top, right] * (x - left)) * (bottom - y if bottom > top else 1) +
            (plane[:, bottom, left] * (right - x if right > left else 1) +
             plane[:, bottom, right] * (x - left)) * (y - top))


def align(x, region, n_rows, n_columns, scale, ratio, aligned):
    image, (x1, y1, x2, y2) = int(region[0]), region[1:] * scale - (0.5 if aligned else 0)
    least = 0 if aligned else 1
    height, width = max(y2 - y1, least) / n_rows, max(x2 - x1, least) / n_columns
    rows = ratio if ratio > 0 else ceil(height)
    columns = ratio if ratio > 0 else ceil(width)
    result = numpy.zeros((x.shape[1], n_rows, n_columns))
    for i in range(n_rows):
        for j in range(n_columns):
            for k in range(rows):
                for m in range(columns):
                    result[:, i, j] += sample(x[image], y1 + (i + (k + 0.5) / rows) * height,
                                              x1 + (j + (m + 0.5) / columns) * width)
    return result / max(rows * columns, 1)


def bounds(start, end, n, i, size):
    start, end = (floor(abs(at) + 0.5) * (1 if at > 0 else -1) for at in (start, end))
    length = F(max(end - start + 1, 1)) / F(n)
    return [min(max(int(at) + start, 0), size) for at in (numpy.floor(F(i) * length), numpy.ceil(F(i + 1) * length))]


def pool(x, region, n_rows, n_columns, scale):
    """Returns the largest pixels, and their positions."""
    image, (x1, y1, x2, y2) = int(region[0]), region[1:] * F(scale)
    n_channels, height, width = x.shape[1:]
    result, places = numpy.zeros((n_channels, n_rows, n_columns), F), numpy.full((n_channels, n_rows, n_columns), -1)
    for i in range(n_rows):
        for j in range(n_columns):
            top, bottom = bounds(y1, y2, n_rows, i, height)
            left, right = bounds(x1, x2, n_columns, j, width)
            if n_channels and top < bottom and left < right:
                part = x[image, :, top:bottom, left:right].reshape(n_channels, -1)
                at = part.argmax(1)
                result[:, i, j] = part.max(1)
                places[:, i, j] = (top + at // (right - left)) * width + left + at % (right - left)
    return result, places


class Align(OpTestCase):
    def check_all(self, x, regions, n_rows=2, n_columns=3, scale=1.0, ratio=-1, aligned=0):
        expected = F([align(x, region, n_rows, n_columns, scale, ratio, aligned) for region in regions])
        expected = expected.reshape(len(regions), x.shape[1], n_rows, n_columns)
        arguments = {'pooled_h': n_rows, 'pooled_w': n_columns, 'spatial_scale': scale, 'sampling_ratio': ratio,
                     'aligned': aligned}
        self.check('RoIAlign', [x, regions], [expected], **arguments)
        self.check('RoIAlign', [x.transpose(0, 2, 3, 1), regions], [expected.transpose(0, 2, 3, 1)], order='NHWC',
                   **arguments)

    def test_align(self):
        x = random_array((2, 3, 6, 7))
        for n_rows, n_columns in ((1, 1), (2, 3), (7, 5)):
            for ratio in (-1, 0, 1, 2, 5):
                for scale in (1.0, 0.5, 0.0625):
                    self.check_all(x, REGIONS, n_rows, n_columns, scale, ratio)

    def test_aligned(self):
        x = random_array((2, 3, 6, 7))
        regions = REGIONS[[0, 1, 2, 3, 5, 6]]
        for ratio in (-1, 2):
            self.check_all(x, regions, ratio=ratio, aligned=1)

    def test_shapes(self):
        for shape in ((1, 1, 1, 1), (2, 17, 3, 1), (2, 0, 3, 3), (1, 2, 1, 9)):
            x = random_array(shape)
            self.check_all(x, REGIONS[REGIONS[:, 0] < shape[0]])
            self.check_all(x, REGIONS[:0])

    def test_without_images(self):
        x = random_array((1, 2, 4, 4))
        expected = F([align(x, region, 1, 1, 1, -1, 0) for region in REGIONS * [0, 1, 1, 1, 1]])
        self.check('RoIAlign', [x, REGIONS[:, 1:]], [expected])

    def test_far_away(self):
        x = random_array((1, 1, 4, 4))
        regions = F([[0, -1e30, -1e30, 1e30, 1e30], [0, 1e30, 0, 2e30, 5], [0, -1e9, -1e9, 1e9, 1e9]])
        self.check('RoIAlign', [x, regions], [None])

    def test_errors(self):
        x = random_array((2, 3, 6, 7))
        for region in ((2, 0, 0, 1, 1), (-1, 0, 0, 1, 1), (numpy.nan, 0, 0, 1, 1), (0, numpy.nan, 0, 1, 1),
                       (0, 0, 0, 0, numpy.inf), (0, -3e38, 0, 3e38, 1)):
            for op_type in ('RoIAlign', 'RoIPool'):
                message = self.assertFails(C2g.Error.RANGE, op_type, [x, F([region])])
                self.assertIn('“input_1”', message)
        self.assertFails(C2g.Error.RANGE, 'RoIAlign', [x, F([[0, 3, 0, 1, 1]])], aligned=1)
        for arguments in ({'pooled_h': 0}, {'pooled_w': -1}, {'spatial_scale': 0.0}, {'sampling_ratio': 2 ** 31 - 1}):
            self.assertFails(C2g.Error.RANGE, 'RoIAlign', [x, REGIONS], **arguments)
        for op_type in ('RoIAlign', 'RoIPool'):
            self.assertFails(C2g.Error.SHAPE, op_type, [x[0], REGIONS])
            self.assertFails(C2g.Error.SHAPE, op_type, [x[:, :, :0], REGIONS])
            self.assertFails(C2g.Error.SHAPE, op_type, [x, REGIONS[:, :3]])
        self.assertFails(C2g.Error.SHAPE, 'RoIPool', [x, REGIONS[:, :4]])
        self.assertFails(C2g.Error.NOT_SUPPORTED, 'RoIPool', [x, REGIONS], order='NHWC')


class Pool(OpTestCase):
    def test_pool(self):
        for shape in ((2, 3, 6, 7), (2, 1, 1, 1), (2, 0, 3, 3)):
            x = random_array(shape)
            for n_rows, n_columns in ((1, 1), (2, 3), (7, 5)):
                for scale in (1.0, 0.5, 0.0625):
                    for regions in (REGIONS, REGIONS[:0]):
                        both = [pool(x, region, n_rows, n_columns, scale) for region in regions]
                        out_shape = (len(regions), shape[1], n_rows, n_columns)
                        largest = F([one for one, _ in both]).reshape(out_shape)
                        places = numpy.array([one for _, one in both], numpy.int32).reshape(out_shape)
                        arguments = {'pooled_h': n_rows, 'pooled_w': n_columns, 'spatial_scale': scale}
                        self.check('RoIPool', [x, regions], [largest, places], **arguments)
                        self.check('RoIPool', [x, regions], [largest], is_test=1, **arguments)
