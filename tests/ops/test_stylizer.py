# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The first and the last operator of nets for style transfer."""

import numpy

from ops_testing import C2g, GLib, OpTestCase, new_array, new_op, new_tensor, random_array, run

PREPROCESS = 'PackedInt8BGRANHWCToNCHWCStylizerPreprocess'
DEPROCESS = 'BRGNCHWCToPackedInt8BGRAStylizerDeprocess'
NOISE = '__CAFFE2_STYLIZER_NOISE__'
MEAN = numpy.array([103.9, 116.8, 123.7], dtype=numpy.float32)


def picture(shape):
    return random_array(shape, numpy.uint8, high=25.5)


class Stylizer(OpTestCase):
    def test_preprocess(self):
        for shape in ((1, 5, 7, 4), (2, 3, 4, 4), (0, 3, 4, 4), (1, 0, 3, 4), (1, 30, 20, 4)):
            x = picture(shape)
            with self.subTest(shape=shape):
                expected = numpy.moveaxis(x[..., :3].astype(numpy.float32) - MEAN, -1, 1)
                self.check(PREPROCESS, [x, MEAN], [expected], noise_std=0.0)

    def run_with_noise(self, workspace, x, **arguments):
        workspace.create_blob('x').set_object(new_tensor(x))
        workspace.create_blob('mean').set_object(new_tensor(MEAN))
        op = C2g.Operator.create(new_op(PREPROCESS, ['x', 'mean'], ['y'], **arguments), workspace)
        op.run()
        return new_array(workspace.get_blob('y').get_tensor())

    def test_noise(self):
        x = picture((2, 30, 20, 4))
        workspace = C2g.Workspace.new()
        y = self.run_with_noise(workspace, x)
        noise = new_array(workspace.get_blob(NOISE).get_tensor())
        self.assertEqual(noise.shape, (491,))
        self.assertAlmostEqual(noise.std(), 10, delta=1.5)
        # The noise begins anew with each picture, and continues from channel to channel of a pixel.
        repeated = numpy.resize(noise, 30 * 20 * 3).reshape(30, 20, 3)
        self.assertClose(y, numpy.moveaxis(x[..., :3] - MEAN + repeated, -1, 1).astype(numpy.float32), atol=1e-4)
        # The other channels stay as they are.
        numpy.testing.assert_array_equal(self.run_with_noise(workspace, x, noise_std=3.0), y)

        with self.assertRaises(GLib.Error) as caught:
            self.run_with_noise(workspace, x, noise_size=492)
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.SHAPE))
        self.assertIn(NOISE, caught.exception.message)

    def test_deprocess(self):
        for shape in ((1, 3, 5, 7), (2, 3, 4, 3), (0, 3, 4, 4), (1, 3, 0, 3)):
            x = random_array(shape, low=-300, high=300)
            with self.subTest(shape=shape):
                colors = numpy.clip(numpy.moveaxis(x, 1, -1) + MEAN, 0, 255).astype(numpy.uint8)
                alpha = numpy.full((*colors.shape[:3], 1), 255, dtype=numpy.uint8)
                self.check(DEPROCESS, [x, MEAN], [numpy.concatenate([colors, alpha], axis=3)])

    def test_not_numbers(self):
        x = numpy.array([numpy.nan, numpy.inf, -numpy.inf], dtype=numpy.float32).reshape(1, 3, 1, 1)
        y, = run(DEPROCESS, [x, MEAN])
        self.assertEqual(list(y.flat), [0, 255, 0, 255])

    def test_faults(self):
        x, y = picture((1, 5, 7, 4)), random_array((1, 3, 5, 7))
        for op_type, good, wrong in ((PREPROCESS, x, x[..., :3]), (DEPROCESS, y, y[:, :2])):
            with self.subTest(op_type=op_type):
                self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, op_type, [wrong, MEAN]))
                self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, op_type, [good[0], MEAN]))
                self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, op_type, [good, MEAN[:2]]))
                self.assertFails(C2g.Error.TYPE, op_type, [good.astype(numpy.float64), MEAN])
        self.assertFails(C2g.Error.RANGE, PREPROCESS, [x, MEAN], noise_size=0)
        self.assertFails(C2g.Error.RANGE, PREPROCESS, [x, MEAN], noise_std=-1.0)
