# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs trained models in every kind of net, and compares with their known results.

The models lie beside the repository; without them there is nothing to compare with.
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'ops'))

import gi  # noqa: E402
from gi.repository import GLib, Gio  # noqa: E402
from ops_testing import C2g, OpTestCase, new_array, new_tensor, numpy, random_array  # noqa: E402

try:
    gi.require_version('GdkPixbuf', '2.0')
    from gi.repository import GdkPixbuf
except (ImportError, ValueError):
    GdkPixbuf = None

MODELS = Path(__file__).resolve().parents[3] / 'shared' / 'models'
CPU = C2g.Device.cpu()

CIFAR_MEAN, CIFAR_DEVIATION = (113.865, 122.95, 125.307), (66.7048, 62.0887, 62.9932)

LENET = """name: 'lenet' external_output: 'softmax' external_input: 'data'
external_input: 'conv1_0' external_input: 'conv1_1' external_input: 'conv2_0' external_input: 'conv2_1'
external_input: 'ip1_0' external_input: 'ip1_1' external_input: 'ip2_0' external_input: 'ip2_1'
op { type: 'Conv' input: 'data' input: 'conv1_0' input: 'conv1_1' output: 'c1' arg { name: 'kernel' i: 5 } }
op { type: 'MaxPool' input: 'c1' output: 'p1' arg { name: 'kernel' i: 2 } arg { name: 'stride' i: 2 } }
op { type: 'Conv' input: 'p1' input: 'conv2_0' input: 'conv2_1' output: 'c2' arg { name: 'kernel' i: 5 } }
op { type: 'MaxPool' input: 'c2' output: 'p2' arg { name: 'kernel' i: 2 } arg { name: 'stride' i: 2 } }
op { type: 'FC' input: 'p2' input: 'ip1_0' input: 'ip1_1' output: 'f1' }
op { type: 'Relu' input: 'f1' output: 'f1' }
op { type: 'FC' input: 'f1' input: 'ip2_0' input: 'ip2_1' output: 'f2' }
op { type: 'Softmax' input: 'f2' output: 'softmax' }
"""

# A drawing of clothes like those that the net was trained with: a bright rectangle in 28 rows of 28.
SHAPES = {
    1: [(4, 8, 9, 19), (8, 26, 9, 13), (8, 26, 15, 19)],
    0: [(4, 25, 9, 19), (5, 11, 4, 24)],
    8: [(11, 26, 3, 25), (4, 6, 9, 19), (6, 11, 9, 11), (6, 11, 17, 19)],
    9: [(4, 24, 15, 25), (16, 24, 3, 25)],
}


def file_at(*parts):
    return Gio.File.new_for_path(str(MODELS.joinpath(*parts)))


def load(*parts):
    return C2g.Predictor.load(file_at(*parts), None, CPU, C2g.OptimizeFlags.ALL, None)


def read_floats(name, *dims):
    return numpy.fromfile(MODELS / name, dtype='<f4').reshape(dims)


def read_bitmap(path):
    """Returns a BMP file of 8 bits a pixel with a grey palette; its last line comes first."""
    data = path.read_bytes()
    begin, width, height = (int.from_bytes(data[at:at + 4], 'little') for at in (10, 18, 22))
    return numpy.frombuffer(data[begin:begin + width * height], numpy.uint8).reshape(height, width)[::-1]


def read_picture(model, name, crops=False):
    """Scales the picture to height, width and channels; `crop` takes the middle of it."""
    picture = GdkPixbuf.Pixbuf.new_from_file(str(MODELS / model / 'images' / name))
    width, height, n_channels = picture.get_width(), picture.get_height(), picture.get_n_channels()
    data = numpy.frombuffer(picture.read_pixel_bytes().get_data(), numpy.uint8)
    rows = [data[i * picture.get_rowstride():][:width * n_channels] for i in range(height)]
    array = numpy.stack(rows).reshape(height, width, n_channels)[:, :, :3].astype(numpy.float64)
    if crops:
        size = min(width, height)
        top, left = (height - size) // 2, (width - size) // 2
        array = array[top:top + size, left:left + size]
    return array


def resize(array, height, width):
    """Interpolates between the four nearest pixels."""
    def places(n, wanted):
        at = numpy.clip((numpy.arange(wanted) + 0.5) * n / wanted - 0.5, 0, n - 1)
        first = at.astype(int)
        return first, numpy.minimum(first + 1, n - 1), at - first

    first, second, part = places(array.shape[0], height)
    array = array[first] * (1 - part)[:, None, None] + array[second] * part[:, None, None]
    first, second, part = places(array.shape[1], width)
    return array[:, first] * (1 - part)[None, :, None] + array[:, second] * part[None, :, None]


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Yields the numbers and contents of the fields of a protobuf message."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = read_varint(data, at)
        else:
            n, at = read_varint(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
            value, at = data[at:at + n], at + n
        yield key >> 3, value


def read_dims(shape):
    packed, at, dims = dict(fields(shape))[1], 0, []
    while at < len(packed):
        dim, at = read_varint(packed, at)
        dims.append(dim)
    return dims


def read_caffe_weights(path):
    """Returns the blobs of each layer, as NAME_0 and NAME_1."""
    weights = {}
    for number, layer in fields(path.read_bytes()):
        if number == 100:
            parts = list(fields(layer))
            name = next(value.decode() for number, value in parts if number == 1)
            for i, blob in enumerate(value for number, value in parts if number == 7):
                values = dict(fields(blob))
                weights[f'{name}_{i}'] = numpy.frombuffer(values[5], '<f4').reshape(read_dims(values[7]))
    return weights


def draw(rectangles):
    picture = numpy.zeros((28, 28), numpy.float32)
    for top, bottom, left, right in rectangles:
        picture[top:bottom, left:right] = 0.75
    return picture


def convolve(x, weights, bias):
    """Computes a convolution of one picture, without pads."""
    kernel = weights.shape[2]
    windows = numpy.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(1, 2))
    return numpy.einsum('chwij,ocij->ohw', windows, weights) + bias[:, None, None]


def pool(x):
    channels, height, width = x.shape
    return x.reshape(channels, height // 2, 2, width // 2, 2).max(axis=(2, 4))


def forward(picture, weights):
    """Computes the net of the exported predictor with NumPy, in double precision."""
    x = picture[None].astype(numpy.float64)
    for name in 'conv1', 'conv2':
        x = pool(convolve(x, weights[f'{name}_w'], weights[f'{name}_b']))
    x = numpy.maximum(weights['fc3_w'] @ x.ravel() + weights['fc3_b'], 0)
    x = weights['pred_w'] @ x + weights['pred_b']
    x = numpy.exp(x - x.max())
    return x / x.sum()


@unittest.skipUnless(MODELS.is_dir(), f'{MODELS.name} does not lie beside the repository')
class Models(OpTestCase):
    def run_model(self, predictor, array):
        """Nets of every type give the same bytes."""
        output, = predictor.run([new_tensor(array)], None)
        found = new_array(output).copy()
        workspace, name = predictor.get_workspace(), predictor.get_outputs()[0]
        for net_type in 'simple', 'dag':
            net_def = predictor.get_net().get_definition().copy()
            net_def.set_net_type(net_type)
            net_def.set_device(CPU)
            for i in range(net_def.get_n_operators()):
                net_def.get_operator(i).set_device(CPU)
            workspace.run_net_once(net_def, None)
            self.assertEqual(new_array(workspace.get_blob(name).get_tensor()).tobytes(), found.tobytes())
        return found

    def assertGuesses(self, output, expected, tolerance):
        values = output.ravel()
        self.assertAlmostEqual(float(values.sum(dtype=numpy.float64)), 1, places=4)
        for index, (label, probability) in zip(numpy.argsort(-values), expected):
            self.assertEqual(index, label)
            self.assertLessEqual(abs(values[index] - probability), tolerance)

    def test_squeezenet(self):
        output = self.run_model(load('squeezenet11'),
                                read_floats('squeezenet11/flower_input_1x3x227x227.f32', 1, 3, 227, 227))
        self.assertGuesses(output, [(985, 0.982259), (309, 0.011932), (946, 0.004790), (325, 0.000340),
                                    (944, 0.000239)], 2e-6)

    def test_cifar10(self):
        output = self.run_model(load('cifar10_resnet32'),
                                read_floats('cifar10_resnet32/nnstreamer_data_5.f32', 1, 3, 32, 32))
        self.assertGuesses(output, [(5, 0.9999999)], 1e-6)

    def test_fashion(self):
        predictor = load('fashionmnist_minidb', 'mnist_model.minidb')
        self.assertEqual((predictor.get_inputs(), predictor.get_outputs()), (['data'], ['softmax']))
        workspace = predictor.get_workspace()
        weights = {name: new_array(workspace.get_blob(name).get_tensor()) for name in
                   ('conv1_w', 'conv1_b', 'conv2_w', 'conv2_b', 'fc3_w', 'fc3_b', 'pred_w', 'pred_b')}
        self.assertEqual(sum(each.size for each in weights.values()), 431080)
        pictures = random_array((100, 1, 28, 28), low=0)
        for i, shape in enumerate(SHAPES.values()):
            pictures[i] = draw(shape)
        output = self.run_model(predictor, pictures)
        expected = numpy.stack([forward(picture[0], weights) for picture in pictures])
        self.assertClose(output, expected.astype(numpy.float32))
        self.assertEqual(list(output[:len(SHAPES)].argmax(axis=1)), list(SHAPES))

    def test_lenet(self):
        # The database lies beside the folder of the model.
        with self.assertRaises(GLib.Error) as caught:
            load('lenet_lmdb', 'deploy_models')
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.DENIED), caught.exception.message)
        parent = C2g.Workspace(file_access=C2g.FileAccess.ROOT_FOLDER, root_folder=str(MODELS / 'lenet_lmdb'))
        predictor = C2g.Predictor.load(file_at('lenet_lmdb', 'deploy_models'), parent, CPU, C2g.OptimizeFlags.ALL, None)
        for i, digit in enumerate((7, 2, 1, 0, 4, 1, 4, 9, 5, 9)):
            picture = read_bitmap(MODELS / 'lenet_lmdb' / 'imgs' / f'{i}.bmp')
            output = self.run_model(predictor, picture[None, None].astype(numpy.float32) / 256)
            self.assertEqual(output.argmax(), digit)

    def test_caffe_lenet(self):
        """Runs weights of Caffe in a net that is written here."""
        workspace = C2g.Workspace()
        for name, array in read_caffe_weights(MODELS / 'caffe_lenet' / 'lenet_iter_9000.caffemodel').items():
            workspace.create_blob(name).set_object(new_tensor(array))
        predictor = C2g.Predictor.create(None, C2g.NetDef.new_from_text(LENET), workspace, None, C2g.OptimizeFlags.ALL)
        pictures = numpy.stack([read_bitmap(MODELS / 'lenet_lmdb' / 'imgs' / f'{i}.bmp') for i in range(10)])
        output = self.run_model(predictor, pictures[:, None].astype(numpy.float32) / 256)
        self.assertEqual(list(output.argmax(axis=1)), [7, 2, 1, 0, 4, 1, 4, 9, 5, 9])

    def picture(self, model, name, size, crops=False, mean=(0, 0, 0), deviation=(1, 1, 1)):
        """Returns planes of blue, green and red."""
        if GdkPixbuf is None:
            self.skipTest('GdkPixbuf was not found')
        array = resize(read_picture(model, name, crops), size, size)[:, :, ::-1]
        array = (array - numpy.array(mean)) / numpy.array(deviation)
        return array.transpose(2, 0, 1)[None].astype(numpy.float32)

    def test_pictures_of_squeezenet(self):
        predictor = load('squeezenet11')
        output = self.run_model(predictor, self.picture('squeezenet11', 'car.png', 227))
        self.assertGuesses(output, [(817, 0.836418), (511, 0.094568), (479, 0.041920)], 0.005)
        for name, guess in (('pretzel.jpg', (932, 0.9996)), ('orangutan.jpg', (365, 0.9921))):
            output = self.run_model(predictor, self.picture('squeezenet11', name, 227, True, (128, 128, 128)))
            self.assertGuesses(output, [guess], 0.005)

    def test_pictures_of_cifar10(self):
        predictor = load('cifar10_resnet32')
        for name, label, probability, tolerance in (('frog.jpg', 6, 0.997764, 0.005), ('truck.jpg', 9, 0.75, 0.25)):
            picture = self.picture('cifar10_resnet32', name, 32, False, CIFAR_MEAN, CIFAR_DEVIATION)
            self.assertGuesses(self.run_model(predictor, picture), [(label, probability)], tolerance)

    def test_style(self):
        """The result is as opaque as the picture, painted everywhere, and neither black nor white."""
        predictor = C2g.Predictor.load_nets(file_at('style_transfer', 'mosaic', 'init_net.pb'),
                                            file_at('style_transfer', 'predict_net.pb'), None, CPU, C2g.OptimizeFlags.ALL, None)
        rows, columns = numpy.mgrid[:64, :80]
        picture = numpy.stack([rows * 3, columns * 3, (rows + columns) % 256, numpy.full((64, 80), 255)], axis=2)
        output = self.run_model(predictor, picture[None].astype(numpy.uint8))
        self.assertEqual((output.shape, output.dtype), ((1, 64, 80, 4), numpy.uint8))
        self.assertTrue((output[..., 3] == 255).all())
        self.assertGreater(numpy.abs(output[0, ..., :3].astype(int) - picture[..., :3]).mean(), 10)
        self.assertTrue(30 < output[..., :3].mean() < 225)
