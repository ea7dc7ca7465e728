# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of the time of nets without their operators."""

from programs import number

# The number of operators in the nets of bench-net.c.
N_OPERATORS = 1000

# The row, its title, and the target in nanoseconds for each operator.
ROWS = [
    ('simple', 'simple net', 28),
    ('dag-chain', 'dag, each operator reads what the one before made', 200),
    ('dag-apart', 'dag, no operator has to wait for another', 200),
]


def make(program):
    lines = ['| net of operators that do nothing | ns an operator | target | reached |', '|---|--:|---|---|']
    for name, title, target in ROWS:
        own = program.nanoseconds(name) / N_OPERATORS
        lines.append(f'| {title} | {number(own)} | ≤ {target} ns | {"yes" if own <= target else "**no**"} |')
    return lines
