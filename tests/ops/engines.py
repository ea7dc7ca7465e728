# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The ways there are to run an operator, all of which must give the same."""

import unittest

from ops_testing import C2g

XNNPACK = 'XNNPACK'


def has_xnnpack():
    return XNNPACK in C2g.Operator.list_engines('Conv', C2g.DeviceType.CPU)


def engines(weights=True):
    """What to add to the arguments of run () for each: weights tells whether there are any to be kept."""
    yield {}
    if has_xnnpack():
        yield {'engine': XNNPACK}
        if weights:
            yield {'engine': XNNPACK, 'convolution_transform_strategy': 'PRECOMPUTE'}


needs_xnnpack = unittest.skipUnless(has_xnnpack(), 'The engine XNNPACK is not there')
