# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What the library and its sources say of an operator: its arguments, devices, outputs in place, and gradient."""

import functools
import re

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

# Setters of arguments, their kind, and an example value.
KINDS = {
    'set_int': ('integer', 1),
    'set_float': ('number', 1.0),
    'set_string': ('text', '?'),
    'set_ints': ('integers', [1]),
    'set_floats': ('numbers', [1.0]),
    'set_strings': ('texts', ['?']),
}

# Rows of arguments that are read into the state, with their name and default, and calls that read an argument.
READERS = re.compile(r'C2G_ARG_[A-Z_]+ \(\s*\w+,\s*[\w.]+,\s*"(\w+)",\s*([^,()]+)'
                     # The default is that of another argument.
                     r'(?!(?:[^()]|\([^()]*\))*C2G_ELSE)|'
                     r'c2g_(?:arguments|operator_get)_\w+ \(\s*[^,()]+,\s*"(\w+)"(?:,\s*([^,;]+?)\))?[;,) ]')
# Rows of the argument order.
ORDERS = re.compile(r'C2G_ARG_(?:ORDER|NCHW)')
ORDER = 'C2G_ARG_CHOICE (State, field, "order", "NCHW NHWC")'

# The beginnings of the paragraphs about arguments.
ARGUMENT_TITLES = 'Needs:', 'Arguments:', 'Without effect:', 'Refused:'

CUDA = C2g.Device.parse('cuda:0')

# PyGObject converts the constant to a signed number.
ANY_NUMBER = C2g.ANY_NUMBER % 2**32


def same_kind(value, other):
    if isinstance(value, list) and isinstance(other, list):
        return same_kind(value[0], other[0])
    return type(value) is type(other)


class Sources:
    """Facts about arguments from the sources: default values, and names that all operators accept."""

    def __init__(self, root):
        paths = [*(root / 'c2g' / 'ops').rglob('*.c'), *(root / 'c2g' / 'io').rglob('c2g-fill*.c')]
        self.texts = {path: path.read_text() for path in sorted(paths)}
        # Files without operators have code that several operators share.
        self.shared = {path for path, text in self.texts.items() if 'C2gKernel kernels[]' not in text}
        self.defaults = {}
        for path, text in self.texts.items():
            words = dict(re.findall(r'^#define (\w+) (.+)$', text, re.M)) | {'TRUE': '1', 'FALSE': '0', 'NULL': ''}
            for name, value, other, other_value in READERS.findall(ORDERS.sub(ORDER, text.replace('\\\n', '\n'))):
                name, value = name or other, value or other_value
                if value:
                    self.defaults.setdefault(name, {}).setdefault(path, set()).add(self.value(words.get(value, value)))
        self.literals = {name for text in self.texts.values() for name in re.findall(r'"(\w+)"', text)}
        known = (root / 'c2g' / 'net' / 'operator' / 'c2g-kernel-argument.c').read_text()
        self.common = ''.join(re.findall(r'"(.*)"', re.search(r'common\[\] =(.*?);', known, re.S)[1])).split()

    @staticmethod
    def value(text):
        if re.fullmatch(r'-?[\d.]+(e-?\d+)?f?', text):
            return text.rstrip('f').rstrip('.')
        # The default of a choice is its first word.
        return text.strip('"').split(' ')[0] if re.fullmatch(r'"[\w ]*"', text) else ''

    def default(self, op_type, name):
        """The default value, if the operator's file (or else the shared files) has exactly one."""
        places = self.defaults.get(name, {})
        own = [values for path, values in places.items() if f'"{op_type}"' in self.texts[path]]
        shared = [values for path, values in places.items() if path in self.shared]
        found = set().union(*(own or shared))
        return found.pop() if len(found) == 1 else ''

    def unread(self):
        """Arguments that the table lists as read, but that no source names."""
        return [(op_type, name) for op_type in C2g.Operator.list_types()
                for name in C2g.OperatorSchema.lookup(op_type).list_arguments(C2g.ArgumentUse.READ)
                if not name.endswith('*') and name not in self.literals]


class Probe:
    """Finds the arguments that an operator reads, by its errors about values of a wrong kind."""

    def __init__(self, op_type, names):
        self.op_type = op_type
        self.schema = C2g.OperatorSchema.lookup(op_type)
        self.workspace = C2g.Workspace()
        self.names = names
        self.kinds = {}
        self.inputs = [f'{i}' for i in range(self.schema.get_min_inputs())]
        for name in self.inputs:
            self.workspace.create_blob(name)
        self.is_in_place = self.complaint({}, False) != '' and self.complaint({}, True) == ''

    def limits(self, name):
        """Returns the values that an argument may have, as the errors about others say."""
        kind = self.kinds.get(name)
        matches = [LIMITS.search(self.complaint({**self.base(), name: value})) for value in EXTREMES.get(kind, ())]
        found = list(dict.fromkeys(re.sub('[“”]', '', match[2]) for match in matches if match and match[1] == name))
        return found[0] if kind == 'text' and found else ' and '.join(found)

    def runs_on(self, device):
        """Returns whether the operator exists for the device; the device itself need not exist."""
        return 'not there for devices' not in self.complaint(self.base(), device=device)

    def base(self):
        """Returns values for the arguments that must be there."""
        examples = dict(KINDS.values())
        return {name: examples.get(self.kinds.get(name), 1) for name in self.schema.get_required_arguments()}

    def complaint(self, arguments, is_in_place=None, device=None):
        """Returns the error message for a definition with these arguments; it is in place if the type requires that."""
        schema = self.schema
        is_in_place = self.is_in_place if is_in_place is None else is_in_place
        outputs = [f'{j}' if is_in_place and schema.is_in_place_allowed(j, j) else f'out{j}'
                   for j in range(schema.get_min_outputs())]
        op = C2g.OperatorDef(op_type=self.op_type, inputs=self.inputs, outputs=outputs)
        if device is not None:
            op.set_device(device)
        for name, value in arguments.items():
            setter = next(setter for setter, (_, example) in KINDS.items() if same_kind(value, example))
            getattr(op, setter)(name, value)
        try:
            C2g.Operator.create(op, self.workspace)
            return ''
        except GLib.Error as error:
            return error.message

    def blame(self, message, arguments):
        """Returns the argument that a message names, and the right setter if the message names it."""
        name = next((name for name in re.findall('“(\\w+)”', message) if name in arguments), None)
        setter = re.search(r'as (set_\w+)\(\)', message)
        if name is not None:
            self.kinds[name] = self.kinds.get(name) or (KINDS[setter[1]][0] if setter else '')
        return name, setter[1] if setter else None

    def round(self, value):
        """Sets all arguments to one kind. An argument with an error is set rightly, and left out if that fails too."""
        required = self.schema.get_required_arguments()
        arguments = {name: value for name in self.names if name not in self.kinds or name in required}
        if value == '?' and 'order' in arguments:
            arguments['order'] = 'NCHW'
        changed = set()
        name, setter = self.blame(self.complaint(arguments), arguments)
        while name is not None:
            if name in changed or (setter is None and name not in required):
                del arguments[name]
            elif name == 'order':
                arguments[name] = 'NCHW'
            else:
                arguments[name] = KINDS[setter][1] if setter else 1 if value == '?' else '?'
            changed.add(name)
            name, setter = self.blame(self.complaint(arguments), arguments)

    def alone(self):
        """Tries arguments alone, whose errors another argument has hidden."""
        base = self.base()
        expected = self.complaint(base)
        for name in {name for name in self.names if not self.kinds.get(name)}:
            for value in '?', 1:
                message = self.complaint({**base, name: value})
                if message != expected:
                    self.blame(message, {name: value})
            # An argument that accepts both has several kinds, unless it is never read.
            if name not in self.kinds and f'“{name}”' in self.complaint({**base, name: [1]}):
                self.kinds[name] = ''

    def run(self):
        """Repeats rounds until nothing new is found, because some arguments are read only if others are not set."""
        for value in '?', 1:
            n_kinds = -1
            while len(self.kinds) > n_kinds:
                n_kinds = len(self.kinds)
                self.round(value)
        self.alone()
        return self.kinds


# Values that arguments with limits refuse, and what the errors say of the limits. Some operators refuse one of the orders.
EXTREMES = {'integer': (-2**31, 2**31 - 1), 'number': (-3e38, 3e38), 'text': ('NHWC', '?')}
LIMITS = re.compile(r'“(\w+)” is [^,]*, expected (?:one )?((?:from|more than|at least|at most) [^,]*|“?\w+”?(?: or \w+)*$)')


def describe_argument(sources, op_type, name, kind, is_required):
    default = '' if is_required else sources.default(op_type, name)
    texts = [text for text in (kind, probe(op_type).limits(name), f'else {default}' if default else '') if text]
    return f'`{name}`' + (f' ({", ".join(texts)})' if texts else '')


@functools.cache
def probe(op_type):
    """Returns a probe that has run, the same one for each type."""
    made = Probe(op_type, set(C2g.OperatorSchema.lookup(op_type).list_arguments(C2g.ArgumentUse.READ)))
    made.run()
    return made


@functools.cache
def runs_on_cuda(op_type):
    return probe(op_type).runs_on(CUDA)


def in_place(schema, inputs, outputs):
    """Returns what may be in place, by names."""
    return [f'`{inputs[i]}`' + (f' → `{outputs[j]}`' if inputs[i] != outputs[j] else '')
            for i in range(len(inputs)) for j in range(len(outputs)) if schema.is_in_place_allowed(i, j)]


def gradient(op_type, inputs, outputs):
    """Returns the operator that computes the gradient, or an empty text."""
    op = C2g.OperatorDef(op_type=op_type, inputs=inputs, outputs=outputs)
    try:
        made = op.make_gradient(None)
    except GLib.Error:
        return ''
    left, right = (', '.join(f'`{name}`' for name in names) for names in (made.get_inputs(), made.get_outputs()))
    return f' The gradient is `{made.get_op_type()}`: {left} → {right}.'


def describe_arguments(schema, op_type, sources, kinds):
    """Returns a paragraph for each use of arguments."""
    read, ignored, refused = (sorted(schema.list_arguments(use)) for use in (C2g.ArgumentUse.READ, C2g.ArgumentUse.IGNORED,
                                                                             C2g.ArgumentUse.REFUSED))
    required = schema.get_required_arguments()
    needed = [describe_argument(sources, op_type, name, kinds.get(name, ''), True) for name in required]
    others = [describe_argument(sources, op_type, name, kinds.get(name, ''), False) for name in read if name not in required]
    lists = needed, others, *([f'`{name}`' for name in names] for names in (ignored, refused))
    return tuple(f'{title} {", ".join(names)}.' for title, names in zip(ARGUMENT_TITLES, lists) if names)


def describe(op_type, sources, entry):
    """Returns what stands above an entry's block, and what below it."""
    schema = C2g.OperatorSchema.lookup(op_type)
    entry.check_numbers(schema, ANY_NUMBER)
    entry.check_words(schema.list_arguments(C2g.ArgumentUse.READ))
    text = f'{schema.get_documentation()}. ' + ('Runs on the CPU and CUDA.' if runs_on_cuda(op_type) else 'Runs on the CPU.')
    pairs = in_place(schema, *([name for name in names if not name.endswith('…')] for names in (entry.inputs, entry.outputs)))
    if pairs:
        text += f' {"Always in place" if probe(op_type).is_in_place else "In place"}: {", ".join(pairs)}.'
    text += gradient(op_type, entry.inputs, entry.outputs)
    return text, describe_arguments(schema, op_type, sources, probe(op_type).kinds)
