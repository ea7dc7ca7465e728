# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""A net, the operator written in Python that it runs, and an observer."""

import threading

from gi.repository import GObject

from c2g_testing import C2g, GLib, new_floats, numbers_of

NET_TYPES = 'simple', 'dag'

BRANCHES = """name: 'net' num_workers: 4
op { type: 'GivenTensorFill' output: 'x'
  arg { name: 'shape' ints: 3 } arg { name: 'values' floats: 1 floats: -2 floats: 3 } }
op { type: 'Relu' input: 'x' output: 'r' }
op { type: 'python.Scale' input: 'x' output: 'd' }
op { type: 'python.Scale' input: 'r' output: 'e' }
op { type: 'Abs' input: 'd' output: 'a' }
op { type: 'Sqr' input: 'r' output: 's' }
op { type: 'python.Scale' input: 'a' output: 'y' }
"""


class Scale(C2g.Operator):
    """Multiplies by a factor, in the thread that runs the net."""

    def do_set_up(self):
        self.factor = self.get_float('factor', 2)
        self.thread = threading.get_ident()
        return True

    def do_run(self):
        if threading.get_ident() != self.thread:
            raise GLib.Error.new_literal(C2g.Error.quark(), 'another thread', C2g.Error.BUSY)
        source, target = self.get_input_tensor(0), self.get_output_tensor(0)
        if source is not target:
            target.copy_from(source, None)
        for i in range(target.get_n_elements()):
            target.set_value(i, self.factor * target.get_value(i))
        return True


class Watch(GObject.Object, C2g.Observer):
    def __init__(self):
        super().__init__()
        self.calls = []

    def do_before_run(self, subject):
        self.calls.append((subject, 'before'))

    def do_after_run(self, subject, is_done):
        self.calls.append((subject, is_done))


def new_schema():
    schema = C2g.OperatorSchema.new(1, 1, 1, 1)
    schema.allow_in_place(0, 0)
    return schema


def register(kind, schema=None, engine=None, name=None):
    return C2g.Operator.register(name or f'python.{kind.__name__}', C2g.DeviceType.CPU, engine, kind, schema)


register(Scale, new_schema())


def new_operator(op_type, inputs=(), outputs=(), **floats):
    op = C2g.OperatorDef.new(op_type)
    op.set_inputs(inputs)
    op.set_outputs(outputs)
    for name, value in floats.items():
        op.set_float(name, value)
    return op


def new_workspace(**blobs):
    workspace = C2g.Workspace()
    for name, numbers in blobs.items():
        workspace.create_blob(name).set_object(new_floats(*numbers))
    return workspace


def new_net(net_type='simple', text=BRANCHES):
    workspace = C2g.Workspace()
    net_def = C2g.NetDef.new_from_text(text)
    net_def.set_net_type(net_type)
    return workspace, workspace.create_net(net_def, False)


def values(workspace, name):
    return numbers_of(workspace.get_tensor(name))
