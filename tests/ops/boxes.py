# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Reference implementations of the operators on boxes, in plain Python. A box is a row of corners, or of center, size and angle."""

from math import cos, exp, log, pi, sin

import numpy


def area(box, plus_one=1):
    if len(box) == 5:
        return box[2] * box[3]
    return (box[2] - box[0] + plus_one) * (box[3] - box[1] + plus_one)


def corners(box):
    x, y, width, height, angle = box
    c, s = cos(-angle * pi / 180), sin(-angle * pi / 180)
    return [(x + c * u * width - s * v * height, y + s * u * width + c * v * height)
            for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]


def is_inside(point, box):
    c, s = cos(-box[4] * pi / 180), sin(-box[4] * pi / 180)
    x, y = point[0] - box[0], point[1] - box[1]
    return abs(c * x + s * y) <= box[2] / 2 + 1e-9 and abs(c * y - s * x) <= box[3] / 2 + 1e-9


def crossings(a, b):
    """Returns where the sides of two boxes meet."""
    for i in range(4):
        (x1, y1), (x2, y2) = a[i], a[(i + 1) % 4]
        for j in range(4):
            (x3, y3), (x4, y4) = b[j], b[(j + 1) % 4]
            det = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
            if abs(det) < 1e-12:
                continue
            t = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / det
            u = ((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1)) / det
            if 0 <= t <= 1 and 0 <= u <= 1:
                yield x1 + t * (x2 - x1), y1 + t * (y2 - y1)


def intersection(a, b, plus_one=1):
    """Returns the overlap of two rotated boxes: the area of the polygon of their common points, ordered around its middle."""
    if len(a) == 4:
        width = min(a[2], b[2]) - max(a[0], b[0]) + plus_one
        height = min(a[3], b[3]) - max(a[1], b[1]) + plus_one
        return max(width, 0) * max(height, 0)
    ends = corners(a), corners(b)
    points = [point for point in ends[0] if is_inside(point, b)]
    points += [point for point in ends[1] if is_inside(point, a)]
    points += crossings(*ends)
    if len(points) < 3:
        return 0
    points = numpy.array(points)
    middle = points.mean(0)
    points = points[numpy.argsort(numpy.arctan2(*(points - middle).T[::-1]))]
    x, y = points.T
    return abs(numpy.dot(x, numpy.roll(y, -1)) - numpy.dot(y, numpy.roll(x, -1))) / 2


def overlap(a, b, plus_one=1):
    a, b = numpy.float64(a), numpy.float64(b)
    both = intersection(a, b, plus_one)
    return both / (area(a, plus_one) + area(b, plus_one) - both)


def suppress(boxes, scores, threshold, plus_one=1, n=None):
    """Returns the numbers of the boxes that do not overlap better ones too much, the best first (NMS)."""
    kept = []
    for i in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if len(kept) != n and all(overlap(boxes[j], boxes[i], plus_one) <= threshold for j in kept):
            kept.append(i)
    return kept


def suppress_softly(boxes, scores, weigh, least, plus_one=1):
    """Returns the numbers and scores of the boxes that still have the minimum score after it is reduced by overlaps (soft NMS)."""
    scores = dict(enumerate(map(float, scores)))
    kept = []
    while scores:
        best = max(scores, key=lambda i: scores[i])
        kept.append((best, scores.pop(best)))
        scores = {i: score * weigh(overlap(boxes[best], boxes[i], plus_one)) for i, score in scores.items()}
        scores = {i: score for i, score in scores.items() if score >= least}
    return [i for i, _ in kept], [score for _, score in kept]


def transform(box, deltas, weights=(1, 1, 1, 1), plus_one=1, offset=1, bounds=(-90, 90)):
    box, deltas = numpy.float64(box), numpy.float64(deltas)
    dx, dy, dw, dh = deltas[:4] / weights
    dw, dh = (min(d, log(1000 / 16)) for d in (dw, dh))
    if len(box) == 5:
        angle = box[4] + deltas[4] * 180 / pi
        if bounds is not None and angle < bounds[0]:
            angle += bounds[1] - bounds[0]
        elif bounds is not None and angle > bounds[1]:
            angle -= bounds[1] - bounds[0]
        return numpy.array([box[0] + dx * box[2], box[1] + dy * box[3], box[2] * exp(dw), box[3] * exp(dh), angle])
    size = box[2:] - box[:2] + plus_one
    middle = box[:2] + size / 2 + (dx, dy) * size
    size *= exp(dw), exp(dh)
    return numpy.concatenate([middle - size / 2, middle + size / 2 - offset])


def clip(box, height, width, plus_one=1, threshold=1):
    if len(box) == 4:
        return numpy.clip(box, 0, numpy.array([width, height] * 2) - plus_one)
    if abs(box[4]) > threshold:
        return box
    half = (box[2:4] - plus_one) / 2
    ends = clip(numpy.concatenate([box[:2] - half, box[:2] + half]), height, width, plus_one)
    return numpy.concatenate([(ends[:2] + ends[2:]) / 2, ends[2:] - ends[:2] + plus_one, box[4:]])


def is_sound(box, height, width, least, plus_one=1):
    if len(box) == 4:
        size = box[2:] - box[:2] + plus_one
        middle = box[:2] + size / 2
    else:
        middle, size = box[:2], box[2:4]
    return bool(all(size >= least) and middle[0] < width and middle[1] < height)
