# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs the examples on the manual's pages of operators, and writes down what comes out.

    > X = [1, 2], exponent = 2.0 → Y = [1, 4]

Left of the arrow are inputs by the names that the entry has for them, and arguments; right of it outputs. A list of numbers is float;
"int32 [1, 2]" is of another type, and "[]" of no elements. Without a value the blob is one that an earlier line made. "Type: " before a line
runs another operator. Nets are in braces, as text.
"""

import ast
import json
import math
import re
import textwrap

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g  # noqa: E402

WIDTH = 118
# More elements than these are not shown, but their shape.
MAX_SHOWN = 64

WORDS = {'true': True, 'false': False, 'nan': math.nan, 'inf': math.inf}
BRACKETS = {'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}


def split(text, separator=','):
    """Splits at separators that are not in brackets or quotes."""
    parts, depth, is_quoted = [''], 0, False
    for character in text:
        is_quoted ^= character == '"'
        depth += 0 if is_quoted else BRACKETS.get(character, 0)
        if character == separator and depth == 0 and not is_quoted:
            parts.append('')
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def evaluate(node):
    if isinstance(node, ast.List):
        return [evaluate(item) for item in node.elts]
    if isinstance(node, ast.UnaryOp):
        return -evaluate(node.operand)
    return WORDS[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)


def parse(text):
    return evaluate(ast.parse(text, mode='eval').body)


def flat(value):
    return [item for part in value for item in flat(part)] if isinstance(value, list) else [value]


def dims_of(value):
    return [len(value), *(dims_of(value[0]) if value else [])] if isinstance(value, list) else []


def new_tensor(text):
    """Returns a tensor from text such as 'int32 [[1, 2]]'."""
    type_name, value = re.fullmatch(r'(?:([a-z]\w+) (?=\S))?(.*)', text, re.S).groups()
    value = parse(value)
    items = flat(value)
    if type_name is None:
        type_name = 'string' if items and isinstance(items[0], str) else 'bool' if items and isinstance(items[0], bool) else 'float'
    tensor = C2g.Tensor.new_sized(dims_of(value), None)
    tensor.allocate(C2g.DataType.from_name(type_name))
    for i, item in enumerate(items):
        tensor.set_element(i, item)
    return tensor


def show_item(item):
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, (str, bytes)):
        return json.dumps(item if isinstance(item, str) else item.decode(), ensure_ascii=False)
    is_whole = isinstance(item, int) or (item == round(item) if math.isfinite(item) and abs(item) < 1e6 else False)
    return str(round(item)) if is_whole else format(item, '.4g')


def show_items(items, dims):
    if not dims:
        return show_item(next(items))
    return '[' + ', '.join(show_items(items, dims[1:]) for _ in range(dims[0])) + ']'


def show(tensor, as_shape):
    """Returns a tensor as an example has it; only its shape if that was asked for, or if it is large."""
    dims = list(tensor.get_dims())
    n_items = tensor.get_n_elements()
    if as_shape or n_items > MAX_SHOWN or (n_items == 0 and dims != [0]):
        return '(' + ', '.join(map(str, dims)) + ')'
    data_type = tensor.get_data_type()
    is_plain = data_type in (C2g.DataType.FLOAT, C2g.DataType.BOOL, C2g.DataType.STRING) and (n_items > 0 or data_type == C2g.DataType.FLOAT)
    items = iter([tensor.get_element(i) for i in range(n_items)])
    return ('' if is_plain else C2g.DataType.get_name(data_type) + ' ') + show_items(items, dims)


def tensor_of(blob):
    """Returns the tensor in a blob, also that of a quantized one; None if there is none, as in the blob of a counter."""
    if blob.is_tensor(None):
        return blob.get_tensor()
    return blob.get_object().get_tensor() if isinstance(blob.get_object(), C2g.Int8Tensor) else None


def argument_text(name, text):
    """Returns an argument as the text of a definition."""
    if text.startswith('{'):
        return f'arg {{ name: "{name}" n {text} }}'
    value = parse(text)
    items = value if isinstance(value, list) else [value]
    field = 's' if all(isinstance(item, str) for item in items) else 'i' if all(isinstance(item, int) for item in items) else 'f'
    field = {'s': 'strings', 'i': 'ints', 'f': 'floats'}[field] if isinstance(value, list) else field
    values = ' '.join(f'{field}: {json.dumps(int(item) if isinstance(item, bool) else item, ensure_ascii=False)}' for item in items)
    return f'arg {{ name: "{name}" {values} }}'


class Example:
    """A line of an example: what is run, with what."""

    def __init__(self, text):
        before, arrow, after = text.partition('→')
        if not arrow:
            raise ValueError(f'no arrow in “{text}”')
        self.op_type, self.left = re.fullmatch(r'(?:(\w+):)?\s*(.*)', before.rstrip(), re.S).groups()
        self.inputs = [[part.strip() for part in item.split('=', 1)] for item in split(self.left)]
        self.outputs = [[part.strip() for part in item.split('=', 1)] for item in split(after)]

    def definition(self, op_type, names):
        """Returns the net of one operator as text. Of the names on the left, those in names are inputs."""
        is_input = {name: len(rest) == 0 or name in names or re.sub(r'\d+$', '', name) + '…' in names
                    for name, *rest in self.inputs}
        parts = [f'type: "{op_type}"', *(f'input: "{name}"' for name in is_input if is_input[name]),
                 *(f'output: "{name}"' for name, *_ in self.outputs),
                 *(argument_text(name, rest[0]) for name, *rest in self.inputs if not is_input[name])]
        return {name for name in is_input if is_input[name]}, f'op {{ {" ".join(parts)} }}'

    def run(self, workspace, op_type, names):
        inputs, text = self.definition(op_type, names)
        for name, *rest in self.inputs:
            if name in inputs and rest:
                workspace.create_blob(name).set_object(new_tensor(rest[0]))
        workspace.run_net_once(C2g.NetDef.new_from_text(text), None)

    def show(self, workspace):
        """Returns the line with what has come out."""
        outputs = []
        for name, *rest in self.outputs:
            tensor = tensor_of(workspace.get_blob(name))
            if tensor is not None:
                name += ' = ' + show(tensor, bool(rest) and rest[0].startswith('('))
            outputs.append(name)
        before = ' '.join(['>', *([self.op_type + ':'] if self.op_type else []), *([self.left] if self.left else [])])
        after = ('→ ' + ', '.join(outputs)).rstrip()
        line = f'{before} {after}'
        if '\n' not in line and len(line) <= WIDTH:
            return line
        return before + '\n' + textwrap.indent('\n'.join(wrap_values(after)), '  ')


def wrap_values(text):
    """Breaks a line between outputs."""
    lines = ['']
    for part in split(text):
        if lines[-1] and len(lines[-1]) + len(part) > WIDTH - 4:
            lines.append('  ')
        lines[-1] += (', ' if lines[-1].strip() else '') + part
    return [line + (',' if line is not lines[-1] else '') for line in lines]


def run_examples(texts, op_type, names_of):
    """Runs lines in one workspace, and returns them with what has come out.

    Lines that name no operator are for op_type. names_of() returns the names of the inputs of a type.
    """
    workspace = C2g.Workspace()
    lines = []
    for text in texts:
        example = Example(text)
        example.run(workspace, example.op_type or op_type, names_of(example.op_type or op_type))
        lines.append(example.show(workspace))
    return lines
