/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/net/run/c2g-net.h>

G_BEGIN_DECLS

#define C2G_TYPE_NET_BENCHMARK (c2g_net_benchmark_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gNetBenchmark, c2g_net_benchmark, C2G, NET_BENCHMARK, GObject)

C2G_AVAILABLE_IN_ALL
C2gNetBenchmark *c2g_net_benchmark                       (C2gNet           *self,
                                                          guint             n_warm_ups,
                                                          guint             n_runs,
                                                          GCancellable     *cancellable,
                                                          GError          **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
void             c2g_net_measure_async                   (C2gNet               *self,
                                                          guint                 n_warm_ups,
                                                          guint                 n_runs,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              user_data);
C2G_AVAILABLE_IN_ALL
C2gNetBenchmark *c2g_net_measure_finish                  (C2gNet           *self,
                                                          GAsyncResult     *result,
                                                          GError          **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gNet          *c2g_net_benchmark_get_net               (C2gNetBenchmark  *self);
C2G_AVAILABLE_IN_ALL
guint            c2g_net_benchmark_get_n_runs            (C2gNetBenchmark  *self);
C2G_AVAILABLE_IN_ALL
double           c2g_net_benchmark_get_seconds           (C2gNetBenchmark  *self);
C2G_AVAILABLE_IN_ALL
double           c2g_net_benchmark_get_operator_seconds  (C2gNetBenchmark  *self,
                                                          guint             position);
C2G_AVAILABLE_IN_ALL
double           c2g_net_benchmark_get_operator_flops    (C2gNetBenchmark  *self,
                                                          guint             position);
C2G_AVAILABLE_IN_ALL
guint64          c2g_net_benchmark_get_operator_bytes    (C2gNetBenchmark  *self,
                                                          guint             position);
C2G_AVAILABLE_IN_ALL
char            *c2g_net_benchmark_to_text               (C2gNetBenchmark  *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
