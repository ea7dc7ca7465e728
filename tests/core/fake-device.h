/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-backend.h>

G_BEGIN_DECLS

/* A device that is in fact the processor's memory: what c2g asks of a device can be seen, and made
 * to fail. */

typedef enum
{
  FAKE_FINE,
  FAKE_NOTHING,
  FAKE_NOTHING_WITH_ERROR,
  FAKE_OTHER_DEVICE,
} FakeMood;

typedef struct
{
  FakeMood mood;
  int      n_devices;
  gboolean has_driver;
  /* How often these were asked for. */
  int      n_copies;
  int      n_finished;
  int      n_uses;
  int      n_waits;
  int      n_waits_for_uses;
} FakeDevice;

extern FakeDevice fake_device;

/* It has no contexts in the order of others.  Of what operators ask for there is only the sign of
 * numbers to be changed, which is done when the context is finished. */
extern const C2gDeviceBackend fake_device_backend;

/* Registers it, and counts from 0. */
void fake_device_use (void);

G_END_DECLS
