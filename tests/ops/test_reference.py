# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The pages of operators: entries that say too little or what is untrue are found."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'build-aux'))

from operator_examples import Example, run_examples  # noqa: E402
from operator_facts import Sources  # noqa: E402
from operator_pages import Page  # noqa: E402

CLIP = """### Clip

```text
X (…) → Y (…)

Y = min(max(X, min), max)

> X = [-2, 5], min = 0.0 → Y
```

Numbers that are too small or too large become the nearest one.
"""


class Reference(unittest.TestCase):
    sources = Sources(ROOT)

    def render(self, text):
        """Returns what the update makes of a page, and the faults that it finds."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'operators-x.md'
            path.write_text('Title: Operators: x\n\n' + text)
            page = Page(path)
        return page.render(self.sources, lambda op_type: page.entries[op_type].inputs), page

    def test_update(self):
        text, page = self.render(CLIP)
        self.assertEqual(page.faults, [])
        self.assertIn('> X = [-2, 5], min = 0.0 → Y = [0, 5]\n```\n\nNumbers that are', text)
        self.assertIn('In place: `X` → `Y`.', text)
        self.assertTrue(text.endswith('Arguments: `max` (number), `min` (number).\n'), text)
        self.assertEqual(page.anchor('Clip'), 'operators-x.html#clip')
        # The second update finds the work of the first.
        self.assertEqual(self.render(text.partition('\n\n')[2])[0], text)

    def test_untrue_result(self):
        text, _ = self.render(CLIP.replace('→ Y\n', '→ Y = [7, 7]\n'))
        self.assertIn('→ Y = [0, 5]\n', text)

    def test_faults(self):
        for old, new, fault in (('X (…) →', 'X (…), A (…) →', '1 to 1 inputs, and its entry 2 to 2'),
                                ('X (…) →', 'X (…), [A (…)] →', '1 to 1 inputs, and its entry 1 to 2'),
                                ('→ Y (…)', '→ Y (…), Y… (…)', '1 to 1 outputs'),
                                ('> X = [-2, 5], min = 0.0 → Y', '', 'an example'),
                                ('Y = min(max(X, min), max)\n', '', 'a formula'),
                                ('```', "'''", 'no block'),
                                ('min = 0.0', 'min = "a"', 'min'),
                                ('min = 0.0', 'min = zero', 'zero'),
                                ('become the', 'become the_nearest', 'does not know the_nearest'),
                                ('### Clip', '### Clip, Relu', 'Clip, Relu differ'),
                                ('> X', '> Relu: X', 'no example')):
            with self.subTest(fault):
                _, page = self.render(CLIP.replace(old, new))
                self.assertEqual(len(page.faults), 1)
                self.assertIn(fault, page.faults[0])

    def check_lines(self, *lines, names=('X',)):
        self.assertEqual(run_examples([line.removeprefix('> ') for line in lines], None, lambda op_type: names), list(lines))

    def test_values(self):
        for value in ('5', '[1.5, -2, 1e+09, 65504, nan, inf, 0]', 'int32 [[1, 2], [-3, 4]]', 'double [0.1235]', 'float16 [0.5]',
                      '[true, false]', '["a, b", "c"]', 'uint8 []', '[]'):
            self.check_lines(f'> Copy: X = {value} → Y = {value}')
        self.assertEqual(Example('X = [0.00001, 0.123456] → Y').inputs, [['X', '[0.00001, 0.123456]']])

    def test_shapes(self):
        self.check_lines('> ConstantFill: shape = [65] → Y = (65)')
        self.check_lines('> ConstantFill: shape = [2, 1] → Y = (2, 1)')
        self.check_lines('> ConstantFill: shape = [0, 3] → Y = (0, 3)')

    def test_steps(self):
        self.check_lines('> CreateCounter: init_count = 1 → counter', '> CountUp: counter → n = int64 1', '> CountUp: counter → n = int64 2')

    def test_many_inputs(self):
        self.check_lines('> Sum: X0 = [1], X1 = [2] → Y = [3]', names=('X…',))

    def test_nets(self):
        self.check_lines('> If: condition = true, X0 = [1], then_net = {op {type: "Negative" input: "X0" output: "Y"} external_input: "X0"}'
                         + '\n  → Y = [-1]', names=('condition', 'X…'))


if __name__ == '__main__':
    unittest.main()
