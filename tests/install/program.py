# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g  # noqa: E402

assert C2g.check_version(C2g.MAJOR_VERSION, C2g.MINOR_VERSION, C2g.MICRO_VERSION)
assert hasattr(C2g.Tensor, '__dlpack__')
assert 'Gives the tensor a shape.' in str(C2g.Tensor.resize.__doc__)
print('c2g', C2g.get_version_string())
