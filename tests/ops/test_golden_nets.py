# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs whole nets, and compares each blob with what the real Caffe2 computed."""

import json
from pathlib import Path

from gi.repository import Gio
from ops_testing import C2g, OpTestCase, new_array, new_tensor, numpy

FOLDER = Path(__file__).resolve().parents[1] / 'data' / 'golden'


def load_net(name):
    return C2g.NetDef.load_file(Gio.File.new_for_path(str(FOLDER / name)))


def load_blobs(net):
    return {blob['name']: numpy.fromfile(FOLDER / blob['raw'], dtype=blob['dtype']).reshape(blob['dims'])
            for blob in net['blobs']}


class GoldenNets(OpTestCase):
    def test_nets(self):
        nets = json.loads((FOLDER / 'manifest.json').read_text())['nets']
        self.assertGreaterEqual(len(nets), 2)
        for net in nets:
            blobs = load_blobs(net)
            for net_type in ('simple', 'dag'):
                workspace = C2g.Workspace.new()
                workspace.run_net_once(load_net(net['init_net']))
                workspace.create_blob(net['input']).set_object(new_tensor(blobs[net['input']]))
                predict = load_net(net['predict_net'])
                predict.set_net_type(net_type)
                workspace.run_net_once(predict)
                for name, expected in blobs.items():
                    with self.subTest(net=net['name'], type=net_type, blob=name):
                        found = new_array(workspace.get_blob(name).get_tensor())
                        self.assertClose(found, expected, rtol=1e-5, atol=1e-5)
