/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-labels-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Checks of class labels and probabilities, for loss operators. */

static const char *
get_name (C2gOperator *op,
          guint        input)
{
  return c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[input];
}

gboolean
c2g_operator_check_label (C2gOperator  *op,
                          guint         input,
                          gint64        label,
                          gint64        n_classes,
                          GError      **error)
{
  if (label >= 0 && label < n_classes)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, has the label %" PRId64 ", expected one of %" PRId64), input,
                   get_name (op, input), label, n_classes);
}

gboolean
c2g_operator_set_probability_error (C2gOperator  *op,
                                    guint         input,
                                    gint64        row,
                                    GError      **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Row %" PRId64 " of input %u, “%s”, has no probabilities"), row, input,
                   get_name (op, input));
}
