# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The Python overrides of C2g, which make its classes feel like those of Python and NumPy.

They only add: c2g's functions take and give what they take and give in C. The page Languages of the manual lists what is added.
"""

from ._c2g import calls, workspace  # noqa: F401
from ._c2g.docs import document
from ._c2g.objects import caught
from ._c2g.sharing import from_dlpack
from ._c2g.tensor import as_tensor, from_buffer, from_numpy

document(calls.DEFAULTS)

__all__ = ['as_tensor', 'caught', 'from_buffer', 'from_dlpack', 'from_numpy']
