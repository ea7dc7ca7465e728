/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-backend.h>

G_BEGIN_DECLS

/* A fake device that uses CPU memory. Tests can count and log the requests to it, and make them
 * fail. With FAKE_NO_WORK all objects are created, but the work of contexts fails. */

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
  /* A bit for each C2gComputeKind that the device says it has, besides its own. It cannot do them:
   * a request for one ends the test. */
  guint64  claims;
  int      n_devices;
  gboolean has_driver;
  /* Number of resets; each one loses all memory. */
  guint    epoch;
  /* Offset from the real address of its memory to the address that it returns. */
  gsize    distance;
  /* A log of requests and their streams, or NULL. */
  GString *heard;
  /* Counts of requests. All members below are atomic. */
  int      n_contexts;
  int      n_copies;
  int      n_finished;
  int      n_uses;
  int      n_waits;
  int      n_waits_for_uses;
  /* Bytes copied to the CPU and from it, and the size of the largest copy. */
  gsize    n_bytes_from;
  gsize    n_bytes_to;
  gsize    n_bytes_largest;
} FakeDevice;

extern FakeDevice fake_device;

/* Stream of the contexts that the library creates for itself. */
#define FAKE_OWN_STREAM 42

/* The backend. Contexts on foreign streams do not wait for other work there. The only operator
 * function is the negation of numbers, which runs when the context is finished. */
extern const C2gDeviceBackend fake_device_backend;

/* Registers the backend and resets the counters. */
void        fake_device_use           (void);

C2gContext *fake_device_new_context   (C2gDevice  *device,
                                       guint64     stream);

/* Logs a request to a stream; compares the log since the last call. */
void        fake_device_hear          (const char *what,
                                       guint64     stream);
void        fake_device_assert_heard  (const char *expected);

G_END_DECLS
