# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The pages doc/operators-*.md: of each operator a heading and a block that are written by hand, and what the library says.

    ### Pow

    ```text
    X (…), [A (…)] → Y (…)

    Y = X^A, or X^exponent

    > X = [1, 2], exponent = 2.0 → Y = [1, 4]
    ```

    More text, if there is more to say.

The first line of the block names inputs and outputs with their shapes; those in brackets are optional, and a last "X…" stands for any
number of further ones. The formula follows, and examples. The update adds what stands above the block and behind the text, and the results of
the examples.
"""

import re
from fnmatch import fnmatch

from gi.repository import GLib

from operator_examples import Example, run_examples, split
from operator_facts import ARGUMENT_TITLES, describe

BLOCK = re.compile(r'```text\n(.*?)\n```', re.S)
NAME = re.compile(r'(\[?)([^\W\d_]\w*…?)')


def parse_names(text):
    """Returns the names in one side of a signature, and how many of them are needed."""
    matches = [NAME.match(part) for part in split(text)]
    if None in matches:
        raise ValueError(f'“{text}” is not a list of names')
    names = [match[2] for match in matches]
    return names, sum(not match[1] and not match[2].endswith('…') for match in matches)


class Entry:
    """A heading that names operators, and the block below it."""

    def __init__(self, section):
        self.section = section
        self.names = section.splitlines()[0].removeprefix('### ').split(', ')
        block = BLOCK.search(section)
        if block is None:
            raise ValueError(f'{self.names[0]} has no block ```text')
        before, *parts = re.split(r'^> ', block[1], flags=re.M)
        signature, _, self.formula = before.strip('\n').partition('\n\n')
        self.signature = signature.strip()
        self.formula = self.formula.strip('\n')
        left, arrow, right = ' '.join(self.signature.split()).partition('→')
        if not arrow or not self.formula.strip() or not parts:
            raise ValueError(f'{self.names[0]} needs a line with an arrow, a formula and an example')
        self.inputs, self.n_needed_inputs = parse_names(left)
        self.outputs, self.n_needed_outputs = parse_names(right)
        self.examples = [part.strip() for part in parts]
        paragraphs = section[block.end():].strip().split('\n\n')
        self.texts = [text for text in paragraphs if text and not text.startswith(ARGUMENT_TITLES)]

    def check_numbers(self, schema, any_number):
        """Compares the numbers of inputs and outputs with the schema's."""
        for words, names, n_needed, least, most in (
                ('inputs', self.inputs, self.n_needed_inputs, schema.get_min_inputs(), schema.get_max_inputs()),
                ('outputs', self.outputs, self.n_needed_outputs, schema.get_min_outputs(), schema.get_max_outputs())):
            n_names = any_number if names and names[-1].endswith('…') else len(names)
            if (n_needed, n_names) != (least, most):
                raise ValueError(f'{self.names[0]} has {least} to {most} {words}, and its entry {n_needed} to {n_names}')

    def check_words(self, arguments):
        """Looks for words with an underscore that are neither inputs, outputs nor arguments."""
        known = {*arguments, *(name.rstrip('…') for name in (*self.inputs, *self.outputs))}
        words = re.findall(r'\b[a-z][a-z0-9]*(?:_[A-Za-z0-9]+)+', ' '.join([self.formula, *self.texts]))
        unknown = [word for word in words if word not in known and not any(fnmatch(word, name) for name in known)]
        if unknown:
            raise ValueError(f'{self.names[0]} does not know {", ".join(unknown)}')

    def lines_of(self, op_type):
        """The numbers of the lines for a type: those with its name if there are any, else those without one; and lines for operators
        that are not of this entry."""
        types = [Example(text).op_type for text in self.examples]
        wanted = op_type if op_type in types else None
        return [i for i, each in enumerate(types) if each == wanted or (each is not None and each not in self.names)]

    def run(self, names_of):
        """Runs the examples under every name; returns the lines with their results."""
        shown = {}
        for op_type in self.names:
            lines = self.lines_of(op_type)
            if all(Example(self.examples[i]).op_type not in (None, op_type) for i in lines):
                raise ValueError(f'{op_type} has no example')
            for i, line in zip(lines, run_examples([self.examples[i] for i in lines], op_type, names_of)):
                if shown.setdefault(i, line) != line:
                    raise ValueError(f'{op_type} gives {line}, and another name {shown[i]}')
        return [shown[i] for i in range(len(self.examples))]

    def render(self, sources, names_of):
        facts = {describe(op_type, sources, self) for op_type in self.names}
        if len(facts) > 1:
            raise ValueError(f'{", ".join(self.names)} differ, and need entries of their own: {" / ".join(map(str, facts))}')
        summary, arguments = facts.pop()
        lines = '\n'.join(self.run(names_of))
        block = f'```text\n{self.signature}\n\n{self.formula}\n\n{lines}\n```'
        return '\n\n'.join([f'### {", ".join(self.names)}', summary, block, *self.texts, *arguments]) + '\n\n'


class Page:
    """A page, cut into entries and what stands between them."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.title = re.match(r'Title: (.*)', self.text)[1]
        self.entries, self.parts, self.faults = {}, [], []
        for section in re.split(r'^(?=## |### )', self.text, flags=re.M):
            part = section
            if section.startswith('### '):
                try:
                    part = Entry(section)
                    self.entries.update(dict.fromkeys(part.names, part))
                except ValueError as error:
                    self.faults.append(str(error))
            self.parts.append(part)

    def anchor(self, op_type):
        """The link to an entry; its anchor is what Python-Markdown makes of the heading."""
        return f'{self.path.stem}.html#{re.sub("[, ]+", "-", ", ".join(self.entries[op_type].names)).lower()}'

    def render(self, sources, names_of):
        texts = []
        for part in self.parts:
            try:
                texts.append(part if isinstance(part, str) else part.render(sources, names_of))
            except (ValueError, KeyError, GLib.Error) as error:
                self.faults.append(f'{part.names[0]}: {error}')
                texts.append(part.section)
        return ''.join(texts).rstrip('\n') + '\n'
