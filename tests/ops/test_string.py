# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators on strings, compared with Python's."""

from ops_testing import C2g, OpTestCase, numpy, random_array, run

TEXTS = 'abc', '', 'ab', 'cab', 'a', 'abab', 'ä', 'xäb'
SHAPES = (8,), (2, 4), (2, 2, 2), (1,), (0,), (3, 0)


def strings(*texts):
    return numpy.array(texts, dtype=object)


class Strings(OpTestCase):
    def check_texts(self, op_type, expected, x, **arguments):
        found, = run(op_type, [x], **arguments)
        self.assertEqual(found.shape, expected.shape)
        self.assertEqual(list(found.flat), list(expected.flat))

    def check_each(self, op_type, function, **arguments):
        for shape in SHAPES:
            texts = [TEXTS[i % len(TEXTS)] for i in range(int(numpy.prod(shape)))]
            x = numpy.array(texts + [''], dtype=object)[:-1].reshape(shape)
            y = numpy.array([function(text) for text in texts] + [''], dtype=object)[:-1].reshape(shape)
            self.check_texts(op_type, y, x, **arguments)

    def test_starts_with(self):
        for prefix in ('ab', '', 'abcd', 'ä'):
            self.check_each('StringStartsWith', lambda text: text.startswith(prefix), prefix=prefix)

    def test_ends_with(self):
        for suffix in ('ab', '', 'abcd', 'ä'):
            self.check_each('StringEndsWith', lambda text: text.endswith(suffix), suffix=suffix)

    def test_equals(self):
        for wanted in ('ab', '', 'abcd', 'ä'):
            self.check_each('StringEquals', lambda text: text == wanted, text=wanted)

    # The operators cut bytes and not characters. These cuts do not split a character.

    def test_prefix(self):
        for length in (0, 1, 3, 100):
            x = strings('abc', '', 'abcdef', 'a')
            self.check_texts('StringPrefix', strings(*[text[:length] for text in x]), x, length=length)
        self.check_texts('StringPrefix', strings('äb', 'xä'), strings('äbc', 'xäb'))

    def test_suffix(self):
        for length in (1, 3, 100):
            x = strings('abc', '', 'abcdef', 'a')
            self.check_texts('StringSuffix', strings(*[text[-length:] for text in x]), x, length=length)
        self.check_texts('StringSuffix', strings('äb', ''), strings('xäb', ''))
        self.check_texts('StringSuffix', strings(''), strings('abc'), length=0)

    def test_default_length(self):
        self.check_texts('StringPrefix', strings('abc'), strings('abcdef'))
        self.check_texts('StringSuffix', strings('def'), strings('abcdef'))

    def test_join(self):
        x = strings('abc', '', 'ab', 'cab', 'x', '')
        for delimiter in (',', '', ' - '):
            self.check_texts('StringJoin', strings(*[text + delimiter for text in x]), x, delimiter=delimiter)
            for axis in (0, 1):
                rows = x.reshape(3, 2) if axis == 0 else x.reshape(3, 2).T
                expected = strings(*[''.join(text + delimiter for text in row) for row in rows])
                self.check_texts('StringJoin', expected, x.reshape(3, 2), delimiter=delimiter, axis=axis)

    def test_join_numbers(self):
        for dtype in (numpy.int32, numpy.int64, numpy.int16, bool):
            x = random_array((3, 2), dtype=dtype)
            expected = strings(*[''.join(f'{int(value)},' for value in row) for row in x])
            self.check_texts('StringJoin', expected, x)
        self.check_texts('StringJoin', strings('0.5,-2,', '1e+20,3.25,'),
                         numpy.array([[0.5, -2], [1e20, 3.25]], dtype=numpy.float32))

    def test_errors(self):
        x = strings('a', 'b')
        message = self.assertFails(C2g.Error.TYPE, 'StringEquals', [numpy.array([1])])
        self.assertIn('input_0', message)
        self.assertFails(C2g.Error.RANGE, 'StringPrefix', [x], length=-1)
        self.assertFails(C2g.Error.SHAPE, 'StringJoin', [x], axis=1)
        self.assertFails(C2g.Error.RANGE, 'StringJoin', [x], axis=2)
        self.assertFails(C2g.Error.SHAPE, 'StringJoin', [x.reshape(1, 1, 2)])
