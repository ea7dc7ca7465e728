/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-argument-range-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

void
c2g_arguments_check_range (C2gArguments *self,
                           const char   *name,
                           double        value,
                           gboolean      is_right)
{
  if (!is_right && self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The argument “%s” is %g, which is out of range"), name, value);
}

void
c2g_arguments_check_count (C2gArguments *self,
                           const char   *name,
                           gint64        value,
                           gboolean      is_right)
{
  if (!is_right && self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The argument “%s” is %" PRId64 ", which is out of range"), name, value);
}

gboolean
c2g_arguments_transform_once (C2gArguments *self)
{
  const char *strategy = c2g_arguments_string (self, "convolution_transform_strategy", "COMPUTE");
  const gboolean is_once = g_str_equal (strategy, "PRECOMPUTE");

  if (!is_once && !g_str_equal (strategy, "COMPUTE") && self->error == NULL)
    g_set_error (&self->error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” is “%s”, expected “%s” or “%s”"),
                 "convolution_transform_strategy", strategy, "COMPUTE", "PRECOMPUTE");
  return is_once;
}
