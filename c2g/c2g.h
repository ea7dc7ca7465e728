/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define C2G_INSIDE
#include <c2g/core/c2g-adaptor-allocator.h>
#include <c2g/core/c2g-allocator.h>
#include <c2g/core/c2g-blob-stat.h>
#include <c2g/core/c2g-blob.h>
#include <c2g/core/c2g-context.h>
#include <c2g/core/c2g-cpu-allocator.h>
#include <c2g/core/c2g-cpu-context.h>
#include <c2g/core/c2g-data-type.h>
#include <c2g/core/c2g-device-backend.h>
#include <c2g/core/c2g-device.h>
#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-event.h>
#include <c2g/core/c2g-failure-callback-allocator.h>
#include <c2g/core/c2g-int8-tensor.h>
#include <c2g/core/c2g-limiting-allocator.h>
#include <c2g/core/c2g-logging-allocator.h>
#include <c2g/core/c2g-mapping.h>
#include <c2g/core/c2g-memory-block.h>
#include <c2g/core/c2g-memory-reporter.h>
#include <c2g/core/c2g-pool-allocator.h>
#include <c2g/core/c2g-q-tensor.h>
#include <c2g/core/c2g-settings.h>
#include <c2g/core/c2g-storage.h>
#include <c2g/core/c2g-tensor.h>
#include <c2g/core/c2g-tracking-allocator.h>
#include <c2g/core/c2g-type-meta.h>
#include <c2g/core/c2g-types.h>
#include <c2g/core/c2g-version-macros.h>
#include <c2g/core/c2g-version.h>
#include <c2g/core/c2g-workspace.h>
#include <c2g/io/c2g-blob-io.h>
#include <c2g/io/c2g-db-cursor.h>
#include <c2g/io/c2g-db-reader.h>
#include <c2g/io/c2g-db-transaction.h>
#include <c2g/io/c2g-db.h>
#include <c2g/io/c2g-file-entry.h>
#include <c2g/io/c2g-load-options.h>
#include <c2g/io/c2g-model-file.h>
#include <c2g/io/c2g-progress.h>
#include <c2g/io/c2g-save-options.h>
#include <c2g/io/c2g-serializer.h>
#include <c2g/io/c2g-workspace-io.h>
#include <c2g/io/c2g-workspace-save.h>
#include <c2g/net/c2g-argument.h>
#include <c2g/net/c2g-execution-step.h>
#include <c2g/net/c2g-meta-net-def.h>
#include <c2g/net/c2g-net-benchmark.h>
#include <c2g/net/c2g-net-def.h>
#include <c2g/net/c2g-net-types.h>
#include <c2g/net/c2g-net.h>
#include <c2g/net/c2g-observer.h>
#include <c2g/net/c2g-operator-def.h>
#include <c2g/net/c2g-operator-schema.h>
#include <c2g/net/c2g-operator.h>
#include <c2g/net/c2g-plan-def.h>
#include <c2g/net/c2g-predictor.h>
#include <c2g/net/c2g-stat-registry.h>
#include <c2g/net/c2g-workspace-net.h>
#include <c2g/net/c2g-workspace-plan.h>

#undef C2G_INSIDE
