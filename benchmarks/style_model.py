# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes a model of floats of the style model: the net without what turns pixels into floats, and back.

Those operators are Caffe2's own and add random noise, so no other program can be compared with them.
"""

# Fields of Caffe2's NetDef and OperatorDef.
NET_OP, NET_INPUT, NET_OUTPUT = 2, 7, 8
OP_INPUT, OP_OUTPUT = 1, 2
LENGTH_DELIMITED = 2


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def write_varint(value):
    rest = b''
    while value >= 0x80:
        rest, value = rest + bytes([value & 0x7f | 0x80]), value >> 7
    return rest + bytes([value])


def read_fields(data):
    """Reads a message all of whose fields have a length, as those of these two have."""
    fields, at = [], 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 != LENGTH_DELIMITED:
            raise ValueError(f'a field of another kind, {key}')
        length, at = read_varint(data, at)
        fields.append((key >> 3, data[at:at + length]))
        at += length
    return fields


def write_fields(fields):
    return b''.join(write_varint(number << 3 | LENGTH_DELIMITED) + write_varint(len(value)) + value
                    for number, value in fields)


def find(operator, number):
    return next(value for field, value in read_fields(operator) if field == number)


def rename_input(operator, old, new):
    return write_fields([(number, new if (number, value) == (OP_INPUT, old) else value)
                         for number, value in read_fields(operator)])


def write(source, folder):
    """Writes the model that begins behind the operator that makes floats, and ends with the last one that computes."""
    fields = read_fields((source / 'predict_net.pb').read_bytes())
    operators = [value for number, value in fields if number == NET_OP]
    # The last two pad the picture, and make pixels of it.
    first, *kept = operators[:-2]
    kept[0] = rename_input(kept[0], find(first, OP_OUTPUT), b'data')
    read = {value for operator in kept for number, value in read_fields(operator) if number == OP_INPUT}
    weights = [value for number, value in fields if number == NET_INPUT and value in read]
    rest = [(number, value) for number, value in fields if number not in (NET_OP, NET_INPUT, NET_OUTPUT)]
    net = [*rest, *((NET_OP, operator) for operator in kept), (NET_INPUT, b'data'),
           *((NET_INPUT, name) for name in weights), (NET_OUTPUT, find(kept[-1], OP_OUTPUT))]
    folder.mkdir()
    (folder / 'predict_net.pb').write_bytes(write_fields(net))
    (folder / 'init_net.pb').symlink_to((source / 'mosaic' / 'init_net.pb').resolve())
