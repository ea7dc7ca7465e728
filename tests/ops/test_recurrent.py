# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Steps of recurrent nets, and decoders of their results, compared with NumPy."""

from ops_testing import C2g, OpTestCase, numpy, random_array


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def step(i):
    return numpy.array([i], dtype=numpy.int32)


class Units(OpTestCase):
    SHAPES = (1, 1), (3, 5), (2, 17), (4, 8), (0, 3), (3, 0)

    def cases(self):
        """Returns shapes, and which sequences continue at each step: their lengths are 0, 1, 2…"""
        for n, n_units in self.SHAPES:
            lengths = numpy.arange(n, dtype=numpy.int32)
            for t in (0, 1, 3):
                yield (1, n, n_units), lengths, t, (t < lengths).reshape(1, n, 1)

    def test_gru(self):
        for shape, lengths, t, goes_on in self.cases():
            before = random_array(shape, seed=1)
            gates = random_array(shape[:2] + (3 * shape[2],), seed=2, low=-4, high=4)
            _, update, output = numpy.split(gates, 3, axis=2)
            after = before * sigmoid(update) + numpy.tanh(output) * (1 - sigmoid(update))

            self.check('GRUUnit', [before, gates, lengths, step(t)], [numpy.where(goes_on, after, before)])
            self.check('GRUUnit', [before, gates, lengths, step(t)], [numpy.where(goes_on, after, 0)],
                       drop_states=1)
            self.check('GRUUnit', [before, gates, step(t)], [after], sequence_lengths=0)

    def test_lstm(self):
        for shape, lengths, t, goes_on in self.cases():
            hidden, cells = (random_array(shape, seed=i) for i in (1, 2))
            gates = random_array(shape[:2] + (4 * shape[2],), seed=3, low=-4, high=4)
            for bias in (0.0, 1.5):
                enter, forget, leave, candidate = numpy.split(gates, 4, axis=2)
                new_cells = sigmoid(forget + bias) * cells + sigmoid(enter) * numpy.tanh(candidate)
                new_hidden = sigmoid(leave) * numpy.tanh(new_cells)

                self.check('LSTMUnit', [hidden, cells, gates, lengths, step(t)],
                           [numpy.where(goes_on, new_hidden, hidden), numpy.where(goes_on, new_cells, cells)],
                           forget_bias=bias)
                self.check('LSTMUnit', [hidden, cells, gates, lengths, step(t)],
                           [numpy.where(goes_on, new_hidden, 0), numpy.where(goes_on, new_cells, 0)],
                           forget_bias=bias, drop_states=1)
                self.check('LSTMUnit', [hidden, cells, gates, step(t)], [new_hidden, new_cells],
                           forget_bias=bias, sequence_lengths=0)

    def test_errors(self):
        x = random_array((1, 2, 3))
        lengths = numpy.array([1, 2], dtype=numpy.int32)
        for op_type, states, n_gates, n_outputs in (('GRUUnit', [x], 3, 1), ('LSTMUnit', [x, x], 4, 2)):
            gates = random_array((1, 2, 3 * n_gates))
            message = self.assertFails(C2g.Error.SHAPE, op_type, states + [gates[:, :, :-1], lengths, step(0)],
                                       n_outputs)
            self.assertIn(f'“input_{len(states)}”', message)
            self.assertFails(C2g.Error.SHAPE, op_type, states + [gates, lengths[:1], step(0)], n_outputs)
            self.assertFails(C2g.Error.SHAPE, op_type, states + [gates, lengths, step(0)[:0]], n_outputs)
            self.assertFails(C2g.Error.INVALID_ARGUMENT, op_type, states + [gates, step(0)], n_outputs)


def decode_greedily(x, merge):
    labels = x.argmax(1)
    last = numpy.append(0, labels[:-1])
    return [label for label, before in zip(labels, last) if label != 0 and not (merge and label == before)]


def search(x, width, threshold):
    """Returns the likeliest sequences and their probabilities. Those that end with a label are separate from the others."""
    blank, label = {(): 1.0}, {(): 0.0}
    beam, found = {()}, []
    for row in x.astype(numpy.float64):
        next_blank, next_label = {}, {}

        def add(chances, sequence, chance):
            chances[sequence] = chances.get(sequence, 0) + chance

        likely = [c for c in range(len(row)) if row[c] > threshold] or range(len(row))
        for sequence in beam:
            b, p = blank.get(sequence, 0), label.get(sequence, 0)
            for c in likely:
                if c == 0:
                    add(next_blank, sequence, row[0] * (b + p))
                    continue
                longer = sequence + (c,)
                if sequence and sequence[-1] == c:
                    add(next_label, longer, row[c] * b)
                    add(next_label, sequence, row[c] * p)
                else:
                    add(next_label, longer, row[c] * (b + p))
                if longer not in beam:
                    add(next_blank, longer, row[0] * (blank.get(longer, 0) + label.get(longer, 0)))
                    add(next_label, longer, row[c] * label.get(longer, 0))
        blank, label = next_blank, next_label
        chances = {one: blank.get(one, 0) + label.get(one, 0) for one in {*blank, *label}}
        found = sorted(((chance, one) for one, chance in chances.items()), key=lambda pair: (-pair[0], pair[1]))
        beam = {one for _, one in found[:width]}
    return found[:width]


def integers(values):
    return numpy.array(values, dtype=numpy.int32)


class Decoders(OpTestCase):
    SHAPES = (6, 3, 4), (1, 1, 2), (9, 2, 3), (5, 2, 1), (0, 2, 3), (4, 0, 3)

    def cases(self):
        for shape in self.SHAPES:
            x = random_array(shape, seed=sum(shape), low=0.01)
            lengths = integers([(2 * i + 1) % (shape[0] + 1) for i in range(shape[1])])
            yield x / numpy.maximum(x.sum(2, keepdims=True), 1e-6), lengths

    def test_greedy(self):
        for x, lengths in self.cases():
            for merge in (True, False):
                whole = [decode_greedily(x[:, i], merge) for i in range(len(lengths))]
                self.check('CTCGreedyDecoder', [x], [integers([len(one) for one in whole]), integers(sum(whole, []))],
                           merge_repeated=merge)
                part = [decode_greedily(x[:n, i], merge) for i, n in enumerate(lengths)]
                self.check('CTCGreedyDecoder', [x, lengths],
                           [integers([len(one) for one in part]), integers(sum(part, []))], merge_repeated=merge)

    def test_greedy_repeats(self):
        x = numpy.eye(4, dtype=numpy.float32)[[0, 2, 2, 0, 2, 3, 3, 0]].reshape(8, 1, 4)
        self.check('CTCGreedyDecoder', [x], [integers([3]), integers([2, 2, 3])])
        self.check('CTCGreedyDecoder', [x], [integers([5]), integers([2, 2, 2, 3, 3])], merge_repeated=0)

    def check_beam(self, x, lengths, width, n, threshold):
        n_found, labels, chances = [], [], []
        for i, length in enumerate(lengths):
            best = search(x[:length, i], width, threshold)[:n]
            for chance, sequence in best + [(0, ())] * (n - len(best)):
                n_found.append(len(sequence))
                labels += sequence
                chances.append(chance)
        self.check('CTCBeamSearchDecoder', [x, integers(lengths)],
                   [integers(n_found), integers(labels), numpy.array(chances, dtype=numpy.float32)],
                   beam_width=width, num_candidates=n, prune_threshold=threshold)

    def test_beam(self):
        for x, lengths in self.cases():
            for width, n in ((1, 1), (3, 2), (10, 4), (2, 2)):
                for threshold in (0.001, 0.2, 2.0):
                    with self.subTest(shape=x.shape, width=width, n=n, threshold=threshold):
                        self.check_beam(x, lengths, width, n, threshold)

    def test_beam_without_lengths(self):
        x = next(self.cases())[0]
        best = [search(x[:, i], 10, 0.001)[0][1] for i in range(x.shape[1])]
        self.check('CTCBeamSearchDecoder', [x], [integers([len(one) for one in best]), integers(sum(best, ()))])

    def test_errors(self):
        x = random_array((3, 2, 4))
        for op_type in ('CTCGreedyDecoder', 'CTCBeamSearchDecoder'):
            for lengths in ((4, 1), (-1, 1)):
                message = self.assertFails(C2g.Error.RANGE, op_type, [x, integers(lengths)], 2)
                self.assertIn(f'“input_1”, has the length {lengths[0]} at 0', message)
            self.assertFails(C2g.Error.SHAPE, op_type, [x, integers([1])], 2)
            self.assertFails(C2g.Error.SHAPE, op_type, [x[0]], 2)
            self.assertFails(C2g.Error.SHAPE, op_type, [x[:, :, :0]], 2)
        for arguments in ({'beam_width': 0}, {'num_candidates': 11}, {'num_candidates': 0}):
            self.assertFails(C2g.Error.RANGE, 'CTCBeamSearchDecoder', [x], 2, **arguments)
