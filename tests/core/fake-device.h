/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-backend.h>

G_BEGIN_DECLS

/* A device that is in fact the processor's memory: what c2g asks of a device can be seen, and made
 * to fail.  The last of these gives whatever is asked for, but nothing that contexts are to do
 * succeeds. */

typedef enum
{
  FAKE_FINE,
  FAKE_NOTHING,
  FAKE_NOTHING_WITH_ERROR,
  FAKE_OTHER_DEVICE,
  FAKE_NO_WORK,
} FakeMood;

typedef struct
{
  FakeMood mood;
  int      n_devices;
  gboolean has_driver;
  /* The number of resets, each of which lost all memory. */
  guint    epoch;
  /* The distance from its memory to the addresses that it gives for it. */
  gsize    distance;
  /* A log of requests and their streams, or NULL. */
  GString *heard;
  /* Counts of requests; atomic, as all that follows. */
  int      n_contexts;
  int      n_copies;
  int      n_finished;
  int      n_uses;
  int      n_waits;
  int      n_waits_for_uses;
  /* The bytes of copies to the processor and from it, and the largest of all copies. */
  gsize    n_bytes_from;
  gsize    n_bytes_to;
  gsize    n_bytes_largest;
} FakeDevice;

extern FakeDevice fake_device;

/* The stream of contexts that c2g asks for itself. */
#define FAKE_OWN_STREAM 42

/* It has no contexts in the order of others.  Of what operators ask for there is only the sign of
 * numbers to be changed, which is done when the context is finished. */
extern const C2gDeviceBackend fake_device_backend;

/* Registers it, and counts from 0. */
void        fake_device_use           (void);

C2gContext *fake_device_new_context   (C2gDevice  *device,
                                       guint64     stream);

/* Notes that something was asked of a stream; what was noted since the last time. */
void        fake_device_hear          (const char *what,
                                       guint64     stream);
void        fake_device_assert_heard  (const char *expected);

G_END_DECLS
