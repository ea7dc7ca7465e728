# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The ways there are to run an operator, all of which must give the same."""

import unittest

from ops_testing import C2g

MKLDNN = 'MKLDNN'
XNNPACK = 'XNNPACK'


def has_engine(engine):
    return engine in C2g.Operator.list_engines('Conv', C2g.DeviceType.CPU)


def has_xnnpack():
    return has_engine(XNNPACK)


def engines(weights=True):
    """What to add to the arguments of run () for each: weights tells whether there are any to be kept."""
    yield {}
    for engine in filter(has_engine, (MKLDNN, XNNPACK)):
        yield {'engine': engine}
        if weights:
            yield {'engine': engine, 'convolution_transform_strategy': 'PRECOMPUTE'}


needs_xnnpack = unittest.skipUnless(has_xnnpack(), 'The engine XNNPACK is not there')
