/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture-options.h"

#include <glib/gi18n.h>

/* Defines the options of commands that convert pictures to tensors. */

GOptionEntry *
c2g_picture_add_entries (const GOptionEntry  *entries,
                         C2gPictureArguments *arguments)
{
  const GOptionEntry own[] = {
    { "preset", 0, 0, G_OPTION_ARG_STRING, &arguments->preset,
      N_("Take pictures as a model wants them: imagenet, caffe, caffe2, cifar10, mnist, digits or "
         "stylizer"),
      N_("NAME") },
    { "size", 0, 0, G_OPTION_ARG_STRING, &arguments->size, N_("Scale pictures to so many pixels"),
      N_("WxH") },
    { "crop", 0, 0, G_OPTION_ARG_NONE, &arguments->is_crop,
      N_("Take the middle of pictures, so that nothing is distorted"), NULL },
    { "letterbox", 0, 0, G_OPTION_ARG_NONE, &arguments->is_letterbox,
      N_("Add gray borders to pictures, so that nothing is distorted"), NULL },
    { "smooth", 0, 0, G_OPTION_ARG_NONE, &arguments->is_smooth,
      N_("Let all pixels count when a picture is made smaller"), NULL },
    { "nearest", 0, 0, G_OPTION_ARG_NONE, &arguments->is_nearest,
      N_("Take the nearest pixel when a picture is scaled"), NULL },
    { "mean", 0, 0, G_OPTION_ARG_STRING, &arguments->mean,
      N_("Subtract this from pixels of 0 to 255; one number, one for each channel, or a .binaryproto"),
      N_("X[,Y…]") },
    { "scale", 0, 0, G_OPTION_ARG_STRING, &arguments->scale,
      N_("Then multiply them by this, such as 1/255"), N_("X[,Y…]") },
    { "channels", 0, 0, G_OPTION_ARG_STRING, &arguments->channels,
      N_("Channels of the tensor: RGB (default), BGR, GRAY, RGBA, BGRA"), N_("CHANNELS") },
    { "order", 0, 0, G_OPTION_ARG_STRING, &arguments->order,
      N_("Order of its dimensions: NCHW (default) or NHWC"), N_("ORDER") },
    { "bytes", 0, 0, G_OPTION_ARG_NONE, &arguments->is_bytes,
      N_("Give pixels as bytes, uint8, in place of float"), NULL },
    { NULL },
  };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (GOptionEntry));

  for (; entries->long_name != NULL; entries++)
    g_array_append_vals (all, entries, 1);
  g_array_append_vals (all, own, G_N_ELEMENTS (own));
  return g_array_steal (all, NULL);
}
