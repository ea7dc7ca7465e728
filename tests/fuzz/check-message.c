/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "check-message.h"

#include <c2g/def/c2g-def-private.h>
#include <c2g/def/c2g-meta-net-def-private.h>
#include <c2g/def/c2g-net-def-private.h>
#include <c2g/def/c2g-plan-def-private.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

static ProtobufCMessage *
parse (const ProtobufCMessageDescriptor *descriptor,
       GBytes                           *bytes)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);
  ProtobufCMessage *message = c2g_wire_parse (descriptor, data, n_bytes, 0, &error);

  g_assert_no_error (error);
  return message;
}

static ProtobufCMessage *
parse_text (const ProtobufCMessageDescriptor *descriptor,
            const char                       *text)
{
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message = c2g_text_parse (descriptor, text, strlen (text), &error);

  g_assert_no_error (error);
  return message;
}

static void
check_binary (const ProtobufCMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_wire_serialize (message, &error);
  ProtobufCMessage *back;

  g_assert_no_error (error);
  back = parse (message->descriptor, bytes);
  g_assert_true (c2g_message_equal (message, back));
  c2g_wire_free (back);
}

/* The line begins with the number of an unknown field, or may have a NaN. Then the text is the same
 * again, but the bytes may have had another form. */
static gboolean
is_exact (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (gsize i = 0; lines[i] != NULL; i++)
    if (g_ascii_isdigit (g_strchug (lines[i])[0]) || strstr (lines[i], "nan") != NULL)
      return FALSE;

  return TRUE;
}

static void
check_text (const ProtobufCMessage *message)
{
  g_autofree char *text = c2g_text_print (message);
  ProtobufCMessage *back = parse_text (message->descriptor, text);
  g_autofree char *again = c2g_text_print (back);

  g_assert_cmpstr (text, ==, again);
  if (is_exact (text))
    g_assert_true (c2g_message_equal (message, back));
  c2g_wire_free (back);
}

void
fuzz_check_message (const ProtobufCMessage *message)
{
  check_binary (message);
  check_text (message);
}

static void
check_net (Caffe2__NetDef *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) net = c2g_def_new_take (message);
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (net);
  g_autoptr (GBytes) bytes = c2g_net_def_to_bytes (net, &error);
  g_autoptr (C2gNetDef) back = NULL;

  g_assert_no_error (error);
  back = c2g_net_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_def_equal (net, copy));
  g_assert_true (c2g_net_def_equal (net, back));
}

static void
check_plan (Caffe2__PlanDef *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPlanDef) plan = c2g_def_new_take (message);
  g_autoptr (C2gPlanDef) copy = c2g_plan_def_copy (plan);
  g_autoptr (GBytes) bytes = c2g_plan_def_to_bytes (plan, &error);
  g_autoptr (C2gPlanDef) back = NULL;

  g_assert_no_error (error);
  back = c2g_plan_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_plan_def_equal (plan, copy));
  g_assert_true (c2g_plan_def_equal (plan, back));
}

static void
check_meta_net (Caffe2__MetaNetDef *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gMetaNetDef) meta = c2g_def_new_take (message);
  g_autoptr (GBytes) bytes = c2g_meta_net_def_to_bytes (meta, &error);
  g_autoptr (C2gMetaNetDef) back = NULL;
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  back = c2g_meta_net_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  again = c2g_meta_net_def_to_bytes (back, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, again));
}

void
fuzz_check_definition (ProtobufCMessage *message)
{
  if (message->descriptor == &caffe2__net_def__descriptor)
    check_net ((Caffe2__NetDef *) message);
  else if (message->descriptor == &caffe2__plan_def__descriptor)
    check_plan ((Caffe2__PlanDef *) message);
  else
    check_meta_net ((Caffe2__MetaNetDef *) message);
}
