# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Caffe's files and models."""

import tempfile
from pathlib import Path

from gi.repository import Gio

from c2g_testing import CPU, C2g, TestCase, numbers_of

TEXT = 'input: "x" input_shape { dim: 1 dim: 2 } layer { name: "l" type: "%s" bottom: "x" top: "y" bias_param { axis: 1 } }'


class CaffeFiles(TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.weights, self.text = (Gio.File.new_for_path(str(Path(folder.name, name))) for name in ('l.caffemodel', 'deploy.prototxt'))
        self.workspace = C2g.Workspace()
        tensor = self.workspace.create_tensor('l/0', C2g.DataType.FLOAT, [2])
        for i in range(2):
            tensor.set_value(i, 10 * i)
        self.workspace.save_checkpoint(self.weights, None, None)

    def write(self, kind):
        self.text.replace_contents((TEXT % kind).encode(), None, False, 0, None)

    def test_27_1_there_and_back(self):
        file = C2g.ModelFile.open(self.weights, None, None)
        self.assertEqual(file.get_kind(), C2g.ModelFileKind.CAFFEMODEL)
        self.assertEqual([entry.get_name() for entry in file.list_entries()], ['l/0'])
        self.assertEqual(numbers_of(file.load_blob('l/0', None).get_tensor()), [0, 10])
        options = C2g.LoadOptions(caffe2_names=True)
        self.assertEqual(C2g.Workspace().load_checkpoint(self.weights, options, None), ['l_w'])
        self.workspace.create_tensor('plain', C2g.DataType.FLOAT, [2]).set_value(0, 1)
        self.assertFails(C2g.Error.NOT_SUPPORTED, self.workspace.save_checkpoint, self.weights, None, None)
        self.workspace.save_checkpoint(self.weights, C2g.SaveOptions(skip_unsupported=True), None)
        self.assertEqual(C2g.Workspace().load_checkpoint(self.weights, None, None), ['l/0'])

    def test_27_3_blobs(self):
        blob = C2g.CaffeBlob.new(C2g.DataType.FLOAT, C2g.DataType.FLOAT, [2], None)
        for part, value in ((blob.ref_mutable_data_tensor, 5), (blob.ref_mutable_diff_tensor, 7)):
            part(C2g.DataType.FLOAT, None).fill(value)
        self.workspace.get_blob('l/0').set_object(blob)
        for has_diff, wanted in ((False, [0, 0]), (True, [7, 7])):
            self.workspace.save_checkpoint(self.weights, C2g.SaveOptions(caffe_diff=has_diff), None)
            self.assertEqual(numbers_of(C2g.ModelFile.open(self.weights, None, None).load_blob('l/0', None).get_tensor()), [5, 5])
            read = C2g.ModelFile.open(self.weights, C2g.LoadOptions(caffe_blobs=True), None).load_blob('l/0', None).get_object()
            self.assertEqual(numbers_of(read.ref_data_tensor(C2g.DataType.FLOAT, None)), [5, 5])
            self.assertEqual(numbers_of(read.ref_diff_tensor(C2g.DataType.FLOAT, None)), wanted)

    def test_27_2_net(self):
        self.write('Bias')
        workspace = C2g.Workspace()
        given = workspace.create_tensor('x', C2g.DataType.FLOAT, [1, 2])
        net = C2g.caffe_net_load(self.text, self.weights, workspace, None, 0, None)
        self.assertIs(workspace.get_tensor('x'), given)
        self.assertEqual((net.get_external_inputs(), net.get_external_outputs()), (['x', 'l/0'], ['y']))
        predictor = C2g.Predictor.load_nets(self.weights, self.text, None, CPU, C2g.OptimizeFlags.ALL, None)
        x = C2g.Workspace().create_tensor('x', C2g.DataType.FLOAT, [1, 2])
        for i in range(2):
            x.set_value(i, i + 1)
        self.assertEqual([numbers_of(y) for y in predictor.run([x])], [[1, 12]])
        self.write('Magic')
        self.assertFails(C2g.Error.NOT_SUPPORTED, C2g.caffe_net_load, self.text, self.weights, workspace, None, 0, None)
        self.write('Bias" top: "z')
        self.assertFails(C2g.Error.CORRUPT, C2g.caffe_net_load, self.text, self.weights, workspace, None, 0, None)

    def test_27_4_found(self):
        folder = self.weights.get_parent()
        self.assertFails(C2g.Error.NOT_FOUND, C2g.Predictor.find_files, folder, None)
        self.write('Bias')
        found, weights, text = C2g.Predictor.find_files(folder, None)
        self.assertTrue(found and weights.equal(self.weights) and text.equal(self.text))
        net = C2g.caffe_net_load(text, weights, None, None, 0, None)
        self.assertEqual((net.get_name(), net.get_external_inputs()), ('', ['x', 'l/0']))
        self.text.replace_contents(b'name: "n" ' + (TEXT % 'Bias').encode(), None, False, 0, None)
        predictor = C2g.Predictor.load(folder, None, None, C2g.OptimizeFlags.ALL, None)
        self.assertEqual(predictor.get_net().get_name(), 'n')
        self.assertIsNone(C2g.ModelFile.open(weights, None, None).get_net_name())
