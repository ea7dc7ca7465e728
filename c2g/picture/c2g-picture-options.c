/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/picture/c2g-picture-options-private.h>

#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gPictureOptions:
 *
 * How a model wants pictures: the size, the channels and the numbers.
 *
 * The options of `c2g run` and of the element `c2gtensorconvert`, for
 * [ctor@Tensor.new_from_picture]. A new object takes the size of the picture and the channels red,
 * green and blue of 0 to 255. Text is checked when a picture is converted.
 *
 * ```c
 * g_autoptr (C2gPictureOptions) options = c2g_picture_options_new ("imagenet");
 *
 * g_object_set (options, "size", "299x299", NULL);
 * ```
 *
 * ```python
 * options = C2g.PictureOptions(preset='imagenet', size='299x299')
 * ```
 *
 * ## Threads
 *
 * Options belong to one thread.
 */

enum
{
  PROP_0,
  PROP_PRESET,
  PROP_SIZE,
  PROP_MEAN,
  PROP_SCALE,
  PROP_CHANNELS,
  PROP_ORDER,
  PROP_CROP,
  PROP_LETTERBOX,
  PROP_SMOOTH,
  PROP_NEAREST,
  PROP_BYTES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gPictureOptions, c2g_picture_options, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_PRESET] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.preset),
  [PROP_SIZE] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.size),
  [PROP_MEAN] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.mean),
  [PROP_SCALE] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.scale),
  [PROP_CHANNELS] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.channels),
  [PROP_ORDER] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.order),
  [PROP_CROP] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.is_crop),
  [PROP_LETTERBOX] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.is_letterbox),
  [PROP_SMOOTH] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.is_smooth),
  [PROP_NEAREST] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.is_nearest),
  [PROP_BYTES] = C2G_PROPERTY_FIELD (C2gPictureOptions, arguments.is_bytes),
};

static void
c2g_picture_options_finalize (GObject *object)
{
  c2g_properties_clear (object, N_PROPS, props, rows);

  G_OBJECT_CLASS (c2g_picture_options_parent_class)->finalize (object);
}

static void
install_numbers (GParamFlags flags)
{
  /**
   * C2gPictureOptions:preset:
   *
   * The name of a known way to prepare pictures, or `NULL`.
   *
   * `imagenet`, `caffe`, `caffe2`, `cifar10`, `mnist`, `digits` or `stylizer`, as in `c2g run --preset`. Other
   * properties that are set replace those of the preset.
   */
  props[PROP_PRESET] = g_param_spec_string ("preset", NULL, NULL, NULL, flags);

  /**
   * C2gPictureOptions:size:
   *
   * The size of the tensor, such as `224x224`: width and height.
   *
   * `NULL` means that of the preset or, without one, that of the picture. Pictures are scaled to it.
   * A tensor that a program has made itself is not compared with it: the net says which it takes.
   */
  props[PROP_SIZE] = g_param_spec_string ("size", NULL, NULL, NULL, flags);

  /**
   * C2gPictureOptions:mean:
   *
   * What is subtracted from pixels of 0 to 255.
   *
   * One number, or one for each channel, separated by commas: `104,117,123`.
   */
  props[PROP_MEAN] = g_param_spec_string ("mean", NULL, NULL, NULL, flags);

  /**
   * C2gPictureOptions:scale:
   *
   * What pixels are then multiplied by.
   *
   * One number or fraction, or one for each channel, separated by commas: `1/255`.
   */
  props[PROP_SCALE] = g_param_spec_string ("scale", NULL, NULL, NULL, flags);

  /**
   * C2gPictureOptions:channels:
   *
   * The channels of the tensor: `RGB`, `BGR`, `GRAY`, `RGBA` or `BGRA`.
   *
   * `NULL` means those of the preset or, without one, `RGB`.
   */
  props[PROP_CHANNELS] = g_param_spec_string ("channels", NULL, NULL, NULL, flags);

  /**
   * C2gPictureOptions:order:
   *
   * The order of the dimensions: `NCHW` or `NHWC`.
   *
   * `NULL` means that of the preset or, without one, `NCHW`.
   */
  props[PROP_ORDER] = g_param_spec_string ("order", NULL, NULL, NULL, flags);
}

static void
install_choices (GParamFlags flags)
{
  /**
   * C2gPictureOptions:crop:
   *
   * Whether the middle of pictures is used, so that nothing is distorted.
   *
   * It excludes [property@PictureOptions:letterbox].
   */
  props[PROP_CROP] = g_param_spec_boolean ("crop", NULL, NULL, FALSE, flags);

  /**
   * C2gPictureOptions:letterbox:
   *
   * Whether pictures get gray borders, so that nothing is distorted.
   *
   * It excludes [property@PictureOptions:crop].
   */
  props[PROP_LETTERBOX] = g_param_spec_boolean ("letterbox", NULL, NULL, FALSE, flags);

  /**
   * C2gPictureOptions:smooth:
   *
   * Whether all pixels count when a picture is made smaller.
   *
   * Without it the four nearest ones do. It excludes [property@PictureOptions:nearest].
   */
  props[PROP_SMOOTH] = g_param_spec_boolean ("smooth", NULL, NULL, FALSE, flags);

  /**
   * C2gPictureOptions:nearest:
   *
   * Whether each new pixel is the nearest old one.
   *
   * It excludes [property@PictureOptions:smooth].
   */
  props[PROP_NEAREST] = g_param_spec_boolean ("nearest", NULL, NULL, FALSE, flags);

  /**
   * C2gPictureOptions:bytes:
   *
   * Whether the tensor has the pixels as bytes, `uint8`.
   *
   * Otherwise it has floats.
   */
  props[PROP_BYTES] = g_param_spec_boolean ("bytes", NULL, NULL, FALSE, flags);
}

static void
c2g_picture_options_class_init (C2gPictureOptionsClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_picture_options_finalize;

  install_numbers (flags);
  install_choices (flags);
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_picture_options_init (C2gPictureOptions *self)
{
}

/**
 * c2g_picture_options_new:
 * @preset: (nullable): a known way to prepare pictures, such as `imagenet`
 *
 * Creates options for pictures.
 *
 * Returns: (transfer full): new options
 */
C2gPictureOptions *
c2g_picture_options_new (const char *preset)
{
  return g_object_new (C2G_TYPE_PICTURE_OPTIONS, "preset", preset, NULL);
}

/**
 * c2g_picture_options_check:
 * @self: options
 * @error: return location for an error
 *
 * Checks the values of all options.
 *
 * Properties take any text, and what is wrong is otherwise an error of the first picture. Python
 * checks by this the preset, the size, the channels and the order when they are set.
 *
 * A wrong value is `C2G_ERROR_INVALID_ARGUMENT`; the message has the name of the option and, for a
 * mistyped preset, that which may be meant.
 *
 * Returns: `TRUE` if pictures can be made with the options
 */
gboolean
c2g_picture_options_check (C2gPictureOptions  *self,
                           GError            **error)
{
  C2gPictureForm form;

  g_return_val_if_fail (C2G_IS_PICTURE_OPTIONS (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_picture_options_get_form (self, &form, error);
}

gboolean
c2g_picture_options_get_form (C2gPictureOptions  *self,
                              C2gPictureForm     *form,
                              GError            **error)
{
  const C2gPictureArguments none = { NULL };

  return c2g_picture_form_parse (form, self != NULL ? &self->arguments : &none, error);
}
