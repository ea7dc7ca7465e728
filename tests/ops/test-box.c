/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/op-cases.h"

/* Operators on boxes and regions: they report errors, and allocate nothing in their second run. */

#define SCORES VALUES ("s", "3, 2", "0.1, 0.9, 0.2, 0.8, 0.3, 0.7")
#define BOXES VALUES ("b", "3, 4", "0, 0, 9, 9, 1, 1, 9, 9, 20, 20, 29, 29")
#define ONE_CLASS "arg { name: 'cls_agnostic_bbox_reg' i: 1 }"
#define INFO VALUES ("i", "1, 3", "30, 40, 1")
#define IMAGES FLOATS ("x", "2, 3, 6, 7")
#define REGIONS VALUES ("r", "2, 5", "0, 1, 1, 4, 4, 1, -3, 0, 9, 5")
#define SCORED FLOATS ("s", "2, 3, 4, 5")
#define PROPOSALS(deltas, info, anchors) \
  SCORED FLOATS ("d", deltas) FLOATS ("i", info) FLOATS ("a", anchors)

static const OpFailure failures[] = {
  { "scores", FLOATS ("s", "3") BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z'",
    C2G_ERROR_SHAPE, "“s”" },
  { "no-classes", FLOATS ("s", "3, 0") BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z'",
    C2G_ERROR_SHAPE, "“s”" },
  { "columns", SCORES BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z'",
    C2G_ERROR_SHAPE, "“b”, has the shape [3, 4], expected [3, 8]" },
  { "rotated", SCORES BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z' "
    "arg { name: 'cls_agnostic_bbox_reg' i: 1 } arg { name: 'rotated' i: 1 }",
    C2G_ERROR_SHAPE, "“b”, has the shape [3, 4], expected [3, 5]" },
  { "splits-sum", SCORES BOXES VALUES ("n", "2", "1, 1"),
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' input: 'n' output: 'x' output: 'y' "
    "output: 'z' arg { name: 'cls_agnostic_bbox_reg' i: 1 }",
    C2G_ERROR_RANGE, "“n”, has lengths with the sum 2, expected 3" },
  { "splits-negative", SCORES BOXES VALUES ("n", "2", "-1, 4"),
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' input: 'n' output: 'x' output: 'y' "
    "output: 'z' arg { name: 'cls_agnostic_bbox_reg' i: 1 }",
    C2G_ERROR_RANGE, "“n”, is -1 at 0, expected a number from 0 to 3" },
  { "splits-huge", SCORES BOXES VALUES ("n", "2", "1e30, 3"),
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' input: 'n' output: 'x' output: 'y' "
    "output: 'z' arg { name: 'cls_agnostic_bbox_reg' i: 1 }",
    C2G_ERROR_RANGE, "“n”" },
  { "method", SCORES BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z' "
    "arg { name: 'soft_nms_method' s: 'none' }",
    C2G_ERROR_INVALID_ARGUMENT, "“none”" },
  { "transform-deltas", BOXES INFO FLOATS ("d", "3, 6"),
    "type: 'BBoxTransform' input: 'b' input: 'd' input: 'i' output: 'y'",
    C2G_ERROR_SHAPE, "“d”" },
  { "transform-info", BOXES FLOATS ("i", "2, 3"),
    "type: 'BBoxTransform' input: 'b' input: 'b' input: 'i' output: 'y'",
    C2G_ERROR_SHAPE, "“i”" },
  { "transform-image", INFO VALUES ("b", "1, 5", "1, 0, 0, 9, 9") FLOATS ("d", "1, 4"),
    "type: 'BBoxTransform' input: 'b' input: 'd' input: 'i' output: 'y'",
    C2G_ERROR_RANGE, "“b”, has the image 1 at 0" },
  { "transform-weights", BOXES INFO,
    "type: 'BBoxTransform' input: 'b' input: 'b' input: 'i' output: 'y' "
    "arg { name: 'weights' floats: [1, 2] }",
    C2G_ERROR_INVALID_ARGUMENT, "“weights” has 2 numbers" },
  { "transform-angles", BOXES INFO,
    "type: 'BBoxTransform' input: 'b' input: 'b' input: 'i' output: 'y' "
    "arg { name: 'angle_bound_lo' i: 10 }",
    C2G_ERROR_RANGE, "“angle_bound_hi” is 90" },
  { "proposal-deltas", PROPOSALS ("2, 13, 4, 5", "2, 3", "3, 4"),
    "type: 'GenerateProposals' input: 's' input: 'd' input: 'i' input: 'a' output: 'x' "
    "output: 'y'",
    C2G_ERROR_SHAPE, "“d”" },
  { "proposal-info", PROPOSALS ("2, 12, 4, 5", "2, 4", "3, 4"),
    "type: 'GenerateProposals' input: 's' input: 'd' input: 'i' input: 'a' output: 'x' "
    "output: 'y'",
    C2G_ERROR_SHAPE, "“i”" },
  { "proposal-anchors", PROPOSALS ("2, 12, 4, 5", "2, 3", "3, 6"),
    "type: 'GenerateProposals' input: 's' input: 'd' input: 'i' input: 'a' output: 'x' "
    "output: 'y'",
    C2G_ERROR_SHAPE, "“a”" },
  { "proposal-scale", PROPOSALS ("2, 12, 4, 5", "2, 3", "3, 4"),
    "type: 'GenerateProposals' input: 's' input: 'd' input: 'i' input: 'a' output: 'x' "
    "output: 'y' arg { name: 'spatial_scale' f: 0 }",
    C2G_ERROR_RANGE, "“spatial_scale” is 0" },
  { "region-image", IMAGES VALUES ("r", "1, 5", "2, 0, 0, 1, 1"),
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y'",
    C2G_ERROR_RANGE, "“r”, has the image 2 at 0" },
  { "region-huge", IMAGES VALUES ("r", "1, 5", "0, -3e38, 0, 3e38, 1"),
    "type: 'RoIPool' input: 'x' input: 'r' output: 'y'",
    C2G_ERROR_RANGE, "“r”, has the box [-3e+38, 0, 3e+38, 1] at 0" },
  { "region-order", IMAGES VALUES ("r", "1, 4", "3, 0, 1, 1"),
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y' arg { name: 'aligned' i: 1 }",
    C2G_ERROR_RANGE, "“r”, has the box [3, 0, 1, 1] at 0" },
  { "region-shape", IMAGES FLOATS ("r", "2, 6"),
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y'",
    C2G_ERROR_SHAPE, "“r”" },
  { "region-empty-image", FLOATS ("x", "1, 2, 0, 3") REGIONS,
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "pooled", IMAGES REGIONS,
    "type: 'RoIPool' input: 'x' input: 'r' output: 'y' arg { name: 'pooled_h' i: 0 }",
    C2G_ERROR_RANGE, "“pooled_h” is 0" },
  { "pooled-huge", IMAGES REGIONS,
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y' "
    "arg { name: 'pooled_h' i: 2147483647 } arg { name: 'pooled_w' i: 2147483647 }",
    C2G_ERROR_RANGE, "" },
  { "ratio", IMAGES REGIONS,
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y' "
    "arg { name: 'sampling_ratio' i: 2147483647 }",
    C2G_ERROR_RANGE, "“sampling_ratio”" },
  { "pool-test", IMAGES REGIONS,
    "type: 'RoIPool' input: 'x' input: 'r' output: 'y' output: 'z' "
    "arg { name: 'is_test' i: 1 }",
    C2G_ERROR_INVALID_ARGUMENT, "2 outputs" },
  { "pool-order", IMAGES REGIONS,
    "type: 'RoIPool' input: 'x' input: 'r' output: 'y' arg { name: 'order' s: 'NHWC' }",
    C2G_ERROR_NOT_SUPPORTED, "NHWC" },
};

static const OpRepeated repeated[] = {
  { SCORES BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z' "
    "output: 'k' output: 'l' output: 'm' arg { name: 'cls_agnostic_bbox_reg' i: 1 }" },
  { SCORES BOXES,
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z' "
    "arg { name: 'cls_agnostic_bbox_reg' i: 1 } arg { name: 'soft_nms_enabled' i: 1 }" },
  { SCORES VALUES ("b", "3, 5", "5, 5, 9, 4, 30, 6, 5, 9, 4, 60, 20, 20, 5, 5, 0"),
    "type: 'BoxWithNMSLimit' input: 's' input: 'b' output: 'x' output: 'y' output: 'z' "
    "arg { name: 'cls_agnostic_bbox_reg' i: 1 } arg { name: 'rotated' i: 1 }" },
  { BOXES INFO,
    "type: 'BBoxTransform' input: 'b' input: 'b' input: 'i' output: 'y' output: 'z'" },
  { PROPOSALS ("2, 12, 4, 5", "2, 3", "3, 4"),
    "type: 'GenerateProposals' input: 's' input: 'd' input: 'i' input: 'a' output: 'x' "
    "output: 'y' arg { name: 'min_size' f: 0 }" },
  { PROPOSALS ("2, 15, 4, 5", "2, 3", "3, 5"),
    "type: 'GenerateProposals' input: 's' input: 'd' input: 'i' input: 'a' output: 'x' "
    "output: 'y' arg { name: 'min_size' f: 0 }" },
  { IMAGES REGIONS,
    "type: 'RoIAlign' input: 'x' input: 'r' output: 'y' arg { name: 'pooled_h' i: 3 } "
    "arg { name: 'pooled_w' i: 2 }" },
  { IMAGES REGIONS,
    "type: 'RoIPool' input: 'x' input: 'r' output: 'y' output: 'z' "
    "arg { name: 'pooled_h' i: 3 } arg { name: 'pooled_w' i: 2 }" },
};

OP_CASES_MAIN ("box")
