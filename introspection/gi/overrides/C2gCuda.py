# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The Python overrides of C2gCuda, streams, events and allocators of GPUs: its functions take what those of C2g take."""

from gi.module import get_introspection_module

from ._c2g.calls import adapt_module

adapt_module(get_introspection_module('C2gCuda'))
