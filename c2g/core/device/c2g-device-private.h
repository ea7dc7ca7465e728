/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/memory/c2g-allocator.h>

G_BEGIN_DECLS

/* Devices are interned and live as long as the process. So pointers to them are kept without a
 * reference and can be compared. The counters of the ledger are stored here, which saves a
 * look-up. */
struct _C2gDevice
{
  C2gDeviceType  type;
  int            index;
  char          *name;

  /* The allocator that replaces the built-in one, or NULL. Written under the lock of
   * c2g-allocator-default.c; read without it only to test for NULL. */
  C2gAllocator  *default_allocator;

  /* Atomic counters, see c2g-ledger.c. */
  gsize          current_bytes;
  gsize          peak_bytes;
  gsize          total_bytes;
  gsize          external_bytes;
};

/* Inside the library the function of this name needs no call. */
G_GNUC_INTERNAL extern C2gDevice c2g_device_the_cpu;

#define c2g_device_cpu() (&c2g_device_the_cpu)

#define C2G_N_DEVICE_TYPES   2
#define C2G_N_DEVICE_INDICES 1024

/* Calls FUNC for every device that was requested so far, in order. */
void c2g_device_foreach (void   (*func) (C2gDevice *device,
                                         gpointer   user_data),
                         gpointer user_data);

G_END_DECLS
