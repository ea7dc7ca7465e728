# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Makes the table of frames per second: a model in a pipeline, compared with `c2g run --repeat`."""

import os
import shlex
import subprocess
import time

# The time of a program with few frames is subtracted from that of one with more, so that loading does not count.
FEW, MANY = 20, 220
# One process may take a third longer than the next one of the same command. So they alternate, and the best one counts.
N_PAIRS = 3
TARGET = 0.97
SOURCE = 'videotestsrc num-buffers=1 ! video/x-raw,format=RGB,width=640,height=480 ! imagefreeze num-buffers={n} ! '
END = ' ! c2gdecode ! fakesink sync=false'

COMMANDS = {
    'run': 'c2g run {model} {picture} --repeat={n}',
    'element': 'gst-launch-1.0 -q ' + SOURCE + 'c2ginference model={model} channels=BGR' + END,
    'queue': 'gst-launch-1.0 -q ' + SOURCE + 'c2gconvert size=227x227 channels=BGR ! queue ! c2ginference model={model}' + END,
}


class Rates:
    def __init__(self, build_dir, model):
        self.build_dir = build_dir
        self.model = model
        self.rates = {}

    def _seconds(self, command, n, n_threads):
        line = command.format(n=n, model=self.model, picture=self.model / 'images' / 'pretzel.jpg')
        environment = {**os.environ, 'C2G_N_THREADS': str(n_threads)}
        begin = time.monotonic()
        subprocess.run(['meson', 'devenv', '-C', self.build_dir, *shlex.split(line)], check=True, capture_output=True,
                       env=environment)
        return time.monotonic() - begin

    def run(self):
        for n_threads in (1, 2) * N_PAIRS:
            for name, command in COMMANDS.items():
                seconds = self._seconds(command, MANY, n_threads) - self._seconds(command, FEW, n_threads)
                self.rates.setdefault((n_threads, name), []).append((MANY - FEW) / seconds)

    def make(self):
        lines = ['| threads of the model | `c2g run --repeat`, 1/s | frames/s by c2ginference alone | of the former '
                 '| frames/s by c2gconvert, queue, c2ginference | of the first | target | reached |',
                 '|---|--:|--:|--:|--:|--:|---|---|']
        for n_threads in 1, 2:
            run, element, queue = (max(self.rates[n_threads, name]) for name in COMMANDS)
            best = max(element, queue) / run
            lines.append(f'| {n_threads} | {run:.0f} | {element:.0f} | {element / run:.2f} | {queue:.0f} | {queue / run:.2f} '
                         f'| one of them ≥ {TARGET} | {"yes" if best >= TARGET else "**no**"} |')
        return lines
