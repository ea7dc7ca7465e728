/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-vfunc-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Checks the results of virtual functions that programs override, also in other languages. */

gboolean
c2g_vfunc_check_result (gpointer     object,
                        gboolean     is_done,
                        const char  *vfunc,
                        GError     **error)
{
  /* An error with a successful result is a mistake of the override. An exception of an
   * interpreter may leave no error. */
  if (is_done)
    g_clear_error (error);
  else if (error != NULL && *error == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("%s of %s failed without a reason; to succeed it has to return true"), vfunc,
                 G_OBJECT_TYPE_NAME (object));

  return is_done;
}

gboolean
c2g_vfunc_fail_not_implemented (gpointer     object,
                                const char  *vfunc,
                                GError     **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("%s does not implement %s"),
                   G_OBJECT_TYPE_NAME (object), vfunc);
}
