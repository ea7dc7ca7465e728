# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What nets take beside their operators."""

from programs import number

# As many as the nets of bench-net.c have.
N_OPERATORS = 1000

# Row, what it is, and how many nanoseconds an operator are wanted.
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
