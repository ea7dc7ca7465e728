/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-argument-range-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

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
