# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The loop that the programs of Python share, so that all are timed alike."""

import statistics
import time


def measure(function, *arguments):
    """Returns the nanoseconds of the processor that a call takes: the median of 7 samples of at least 10 ms each."""
    samples = []
    for _ in range(7):
        begin = time.process_time_ns()
        n = 0
        while n == 0 or time.process_time_ns() - begin < 10e6:
            function(*arguments)
            n += 1
        samples.append((time.process_time_ns() - begin) / n)
    return statistics.median(samples)
