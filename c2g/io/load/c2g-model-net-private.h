/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* An immutable net that was read from a file. */
typedef struct _C2gModelNet C2gModelNet;

C2gModelNet *c2g_model_net_new                   (C2gSource      *source,
                                                  gboolean        is_text,
                                                  GCancellable   *cancellable,
                                                  GError        **error);
void         c2g_model_net_unref                 (C2gModelNet    *self);

/* NULL if it has none. */
const char  *c2g_model_net_get_name              (C2gModelNet    *self);
/* Counts the operators of one type, or all for NULL. */
guint        c2g_model_net_get_n_operators       (C2gModelNet    *self,
                                                  const char     *type);
char       **c2g_model_net_list_operator_types   (C2gModelNet    *self);
char       **c2g_model_net_list_external_inputs  (C2gModelNet    *self);
char       **c2g_model_net_list_external_outputs (C2gModelNet    *self);

/* Returns entries for the outputs of operators without inputs. The last operator that fills a
 * blob counts. A blob with unknown content is listed as empty. */
GPtrArray   *c2g_model_net_read_entries          (C2gModelNet    *self,
                                                  GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gModelNet, c2g_model_net_unref)

G_END_DECLS
