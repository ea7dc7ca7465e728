# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares every learning-rate policy with Python, for the iterations around each of its limits."""

from math import cos, floor, log, pi

from ops_testing import C2g, OpTestCase, numpy, run

BASE = -0.5


def warm_up(i, start, n):
    return 1 if i >= n else start + (1 - start) * i / n


def constant_then_linear(i, start, n_constant, n_linear):
    return start if i < n_constant else warm_up(i - n_constant, start, n_linear)


def cyclical(i, largest, decay, n):
    turn = i // (2 * n)
    return 1 + (abs(largest) / abs(BASE) - 1) * max(0, 1 - abs(i / n - 2 * (turn + 1) + 1)) * decay ** turn


def cosine(i, largest, least, period, factor, shrink):
    n, length, begin = i // period, period, i // period * period
    if factor != 1:
        n = floor(log(1 - i / period * (1 - factor)) / log(factor))
        length, begin = period * factor ** n, period * (1 - factor ** n) / (1 - factor)
    least, largest = least * shrink ** n, largest * shrink ** n
    return least + 0.5 * (largest - least) * (1 + cos(pi * (i - begin) / length))


def slope(i, first, n_first, second, n_second):
    if i < n_first:
        return first
    return second if i >= n_second else first + (second - first) * (i - n_first) / (n_second - n_first)


WARM_UP = {'start_warmup_multiplier': 0.25, 'constant_warmup_num_iter': 8, 'linear_warmup_num_iter': 7}

POLICIES = (
    ({'policy': 'fixed'}, lambda i: 1),
    ({'policy': 'alter', 'active_period': 3, 'inactive_period': 5}, lambda i: i % 8 < 3),
    ({'policy': 'alter', 'active_period': 3, 'inactive_period': 5, 'active_first': 0}, lambda i: i % 8 >= 5),
    ({'policy': 'step', 'stepsize': 8, 'gamma': 0.5}, lambda i: 0.5 ** (i // 8)),
    ({'policy': 'exp', 'gamma': 0.875}, lambda i: 0.875 ** i),
    ({'policy': 'gate', 'num_iter': 8, 'multiplier_1': 3.0, 'multiplier_2': -2.0}, lambda i: 3 if i < 8 else -2),
    ({'policy': 'gate', 'num_iter': 8, 'multiplier_2': 4.0}, lambda i: 1 if i < 8 else 4),
    ({'policy': 'inv', 'gamma': 0.125, 'power': 0.75}, lambda i: (1 + 0.125 * i) ** -0.75),
    ({'policy': 'poly', 'max_iter': 32, 'power': 2.0}, lambda i: (1 - i / 32) ** 2),
    ({'policy': 'linearWarmup', 'num_iter': 8, 'start_multiplier': 0.25}, lambda i: warm_up(i, 0.25, 8)),
    ({'policy': 'constantWarmup', 'num_iter': 8, 'multiplier': 0.25}, lambda i: 0.25 if i < 8 else 1),
    ({'policy': 'constantWarmup', 'num_iter': 8}, lambda i: 0.5 if i < 8 else 1),
    ({'policy': 'pieceWarmup', 'm1': 3.0, 'n1': 7, 'm2': 4.0, 'n2': 16, 'm3': 5.0},
     lambda i: 3 if i < 7 else 4 if i < 16 else 5),
    ({'policy': 'hill', 'num_iter': 8, 'start_multiplier': 0.25, 'gamma': 0.5, 'power': 0.75, 'end_multiplier': 0.125},
     lambda i: warm_up(i, 0.25, 8) if i < 8 else max(0.125, (1 + 0.5 * (i - 8)) ** -0.75)),
    ({'policy': 'slope', 'num_iter_1': 7, 'multiplier_1': 3.0, 'num_iter_2': 16, 'multiplier_2': -2.0},
     lambda i: slope(i, 3, 7, -2, 16)),
    ({'policy': 'cyclical', 'max_lr': 2.0, 'stepsize': 8, 'decay': 0.75}, lambda i: cyclical(i, 2, 0.75, 8)),
    ({'policy': 'cosine', 'max_lr': 2.0, 'min_lr': 0.5, 'period': 8}, lambda i: cosine(i, 2, 0.5, 8, 1, 0.99)),
    ({'policy': 'cosine', 'max_lr': 2.0, 'min_lr': 0.5, 'period': 6, 't_mult': 1.5, 'lr_shrink': 0.75},
     lambda i: cosine(i, 2, 0.5, 6, 1.5, 0.75)),
    ({'policy': 'constantThenLinearWarmup', **WARM_UP}, lambda i: constant_then_linear(i, 0.25, 8, 7)),
    ({'policy': 'compositeCosine', 'cosine_max_lr': 2.0, 'cosine_min_lr': 0.5, 'cosine_period': 6,
      'cosine_t_mult': 1.5, 'cosine_lr_shrink': 0.75, **WARM_UP},
     lambda i: constant_then_linear(i, 0.25, 8, 7) if i < 15 else cosine(i - 15, 2, 0.5, 6, 1.5, 0.75)),
    ({'policy': 'compositeCyclical', 'cyclical_max_lr': 2.0, 'cyclical_step_size': 4, 'cyclical_decay': 0.75, **WARM_UP},
     lambda i: constant_then_linear(i, 0.25, 8, 7) if i < 15 else cyclical(i - 15, 2, 0.75, 4)),
    # These policies count iterations from 1, but pass them to their parts unchanged.
    ({'policy': 'composite', 'sub_policy_num_iters': [7, 9, 2], 'sub_policy_0_policy': 'exp',
      'sub_policy_0_gamma': 0.5, 'sub_policy_1_policy': 'fixed', 'sub_policy_1_lr_scale': 3.0,
      'sub_policy_2_policy': 'step', 'sub_policy_2_stepsize': 4, 'sub_policy_2_gamma': 0.5},
     lambda i: 0.5 ** i if i < 8 else 3 if i < 17 else 0.5 ** (i // 4)),
)


class LearningRate(OpTestCase):
    def test_policies(self):
        for arguments, multiply in POLICIES:
            for i in (0, 1, 6, 7, 8, 14, 15, 16, 17, 20, 31):
                if arguments['policy'] == 'composite' and i == 0:
                    continue
                with self.subTest(i=i, **arguments):
                    self.check('LearningRate', [numpy.array([i])], [numpy.float32(BASE * multiply(i))],
                               base_lr=BASE, **arguments)

    def test_each_is_there(self):
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LearningRate', [numpy.array([1])], base_lr=0.5,
                                   policy='none')
        self.assertIn('none', message)

    def test_errors(self):
        for arguments in ({'policy': 'step', 'gamma': 0.5}, {'policy': 'exp'}, {'policy': 'poly', 'power': 1.0},
                          {'policy': 'inv', 'gamma': 1.0}, {'policy': 'alter', 'active_period': 1},
                          {'policy': 'alter', 'active_period': 0, 'inactive_period': 0},
                          {'policy': 'slope', 'num_iter_1': 5, 'num_iter_2': 5},
                          {'policy': 'hill', 'num_iter': 5, 'gamma': 1.0, 'power': 1.0, 'end_multiplier': 2.0},
                          {'policy': 'composite'}, {'policy': 'composite', 'sub_policy_num_iters': [0]},
                          {'policy': 'composite', 'sub_policy_num_iters': [2 ** 63 - 1],
                           'sub_policy_0_policy': 'fixed'},
                          {'policy': 'cosine', 'period': 0}, {'policy': 'cyclical'}):
            with self.subTest(**arguments):
                self.assertFails(C2g.Error.RANGE, 'LearningRate', [numpy.array([1])], base_lr=0.5, **arguments)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LearningRate', [numpy.array([1])], base_lr=0.5,
                         policy='composite', sub_policy_num_iters=[1], sub_policy_0_policy='composite')

    def test_iterations(self):
        self.check('Iter', [numpy.array([41])], [numpy.array([42])], in_place={0: 0})
        self.assertFails(C2g.Error.RANGE, 'LearningRate', [numpy.array([1])], base_lr=0.5, policy='step', stepsize=-1)

    def test_iterations_from_nothing(self):
        found, = run('Iter', [])
        self.assertClose(found, numpy.array([2]))
