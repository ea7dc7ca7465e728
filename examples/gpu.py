#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Works on a GPU if there is one, otherwise on the CPU."""

import sys

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

SIZE = 256

NET = """
    name: 'mean'
    op { type: 'Relu' input: 'x' output: 'y' }
    op { type: 'AveragePool' input: 'y' output: 'mean' arg { name: 'global_pooling' i: 1 } }
"""


def find_device():
    if C2g.Device.count(C2g.DeviceType.CUDA) == 0:
        print('There is no GPU, the CPU does the work')
        return C2g.Device.cpu()
    device = C2g.Device.parse('cuda:0')
    print(f'{C2g.DeviceInfo.new_for_device(device).get_name()} does the work')
    return device


def run(device):
    # Draws random numbers on the device. A context orders the work there.
    context = C2g.Context.for_device(device)
    x = C2g.Tensor.new_sized([1, 1, SIZE, SIZE], device)
    x.allocate(C2g.DataType.FLOAT)
    context.seed(1)
    context.fill_uniform(x, -1, 1)
    context.finish()

    # A net runs on the device that its definition names.
    workspace = C2g.Workspace()
    workspace.create_blob('x').set_object(x)
    net_def = C2g.NetDef.new_from_text(NET)
    net_def.set_device(device)
    workspace.run_net_once(net_def, None)

    # Copies the result to the CPU.
    mean = workspace.get_blob('mean').get_tensor().to_device(C2g.Device.cpu())
    print(f'{SIZE * SIZE} numbers from -1 to 1, those below 0 made 0: {mean.get_value(0):.2f} on average')


try:
    run(find_device())
except GLib.Error as error:
    sys.exit(f'gpu: {error.message}')
