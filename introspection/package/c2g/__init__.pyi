# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

from gi.repository.C2g import *

__version__: str
