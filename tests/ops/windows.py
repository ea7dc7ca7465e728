# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Convolutions by their definition, output by output."""

import itertools

import numpy


def channels_last(array):
    return numpy.moveaxis(array, 1, -1)


def padded(x, pads, value=0):
    """Pads x, which is NCHW. The pads are in Caffe2's order: all begins, then all ends."""
    n = len(pads) // 2
    return numpy.pad(x, [(0, 0), (0, 0)] + list(zip(pads[:n], pads[n:])), constant_values=value)


def patch(x, out, kernel, strides, dilations):
    """Returns the elements of padded images that one output depends on."""
    slices = [slice(o * s, o * s + d * (k - 1) + 1, d)
              for o, k, s, d in zip(out, kernel, strides, dilations)]
    return x[(slice(None), slice(None), *slices)]


def out_size(x, kernel, strides, dilations):
    return [(size - d * (k - 1) - 1) // s + 1
            for size, k, s, d in zip(x.shape[2:], kernel, strides, dilations)]


def conv(x, w, bias=None, strides=None, pads=None, dilations=None, group=1):
    """Computes Conv of images and filters in NCHW, in double precision."""
    kernel = w.shape[2:]
    strides = strides or [1] * len(kernel)
    dilations = dilations or [1] * len(kernel)
    x = padded(x, pads or [0] * 2 * len(kernel)).astype(numpy.float64)
    size = out_size(x, kernel, strides, dilations)
    y = numpy.zeros((x.shape[0], w.shape[0], *size))
    n_in, n_out = x.shape[1] // group, w.shape[0] // group
    for g in range(group):
        filters = w[g * n_out:(g + 1) * n_out].astype(numpy.float64).reshape(n_out, -1)
        for out in itertools.product(*map(range, size)):
            seen = patch(x[:, g * n_in:(g + 1) * n_in], out, kernel, strides, dilations)
            y[(slice(None), slice(g * n_out, (g + 1) * n_out), *out)] = \
                seen.reshape(x.shape[0], filters.shape[1]) @ filters.T
    if bias is not None:
        y += bias.reshape(1, -1, *[1] * len(kernel))
    return y.astype(numpy.float32)


def conv_transpose(x, w, bias=None, strides=None, pads=None, adjs=None, group=1, dilations=None):
    """Computes ConvTranspose: each input adds a scaled filter to the output; w is [C, M / group, kernel]."""
    kernel = w.shape[2:]
    n = len(kernel)
    strides = strides or [1] * n
    pads = pads or [0] * 2 * n
    adjs = adjs or [0] * n
    dilations = dilations or [1] * n
    size = [(s - 1) * step + d * (k - 1) + 1 + a
            for s, step, d, k, a in zip(x.shape[2:], strides, dilations, kernel, adjs)]
    n_in, n_out = x.shape[1] // group, w.shape[1]
    y = numpy.zeros((x.shape[0], n_out * group, *size))
    for g in range(group):
        for at in itertools.product(*map(range, x.shape[2:])):
            values = x[(slice(None), slice(g * n_in, (g + 1) * n_in), *at)].astype(numpy.float64)
            painted = numpy.tensordot(values, w[g * n_in:(g + 1) * n_in].astype(numpy.float64), 1)
            slices = [slice(a * s, a * s + d * (k - 1) + 1, d) for a, s, d, k in zip(at, strides, dilations, kernel)]
            y[(slice(None), slice(g * n_out, (g + 1) * n_out), *slices)] += painted
    y = y[(slice(None), slice(None), *[slice(h, s - t) for h, s, t in zip(pads[:n], size, pads[n:])])]
    if bias is not None:
        y += bias.reshape(1, -1, *[1] * n)
    return y.astype(numpy.float32)


def locally_connected(x, w, bias=None, strides=None, pads=None, dilations=None, group=1):
    """Computes a locally connected layer; w is [*places, M, C / group, *kernel], and bias is [*places, M]."""
    n = x.ndim - 2
    kernel = w.shape[n + 2:]
    strides = strides or [1] * n
    dilations = dilations or [1] * n
    x = padded(x, pads or [0] * 2 * n).astype(numpy.float64)
    size = out_size(x, kernel, strides, dilations)
    y = numpy.zeros((x.shape[0], w.shape[n], *size))
    for out in itertools.product(*map(range, size)):
        ends = [slice(o * s, o * s + d * (k - 1) + 1) for o, s, d, k in zip(out, strides, dilations, kernel)]
        seen = x[(slice(None), slice(None), *ends)]
        value = conv(seen, w[out], None if bias is None else bias[out], None, None, dilations, group)
        y[(slice(None), slice(None), *out)] = value.reshape(value.shape[:2])
    return y.astype(numpy.float32)
