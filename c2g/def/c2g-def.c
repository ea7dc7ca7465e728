/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-def-private.h>

#include <c2g/def/c2g-argument-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-execution-step-private.h>
#include <c2g/def/c2g-meta-net-def-private.h>
#include <c2g/def/c2g-net-def-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/def/c2g-plan-def-private.h>
#include <c2g/io/wire/c2g-message-field-private.h>

#include <string.h>

/* Takes ownership of messages that were parsed, copies messages, and frees them. Each function
 * follows the descriptor of the message, field by field. */

typedef struct
{
  const ProtobufCMessageDescriptor *descriptor;
  GType                           (*get_type) (void);
  /* Called when a new definition has got its message, or NULL. */
  void                            (*filled)   (gpointer self);
} DefClass;

static const DefClass classes[] = {
  { &caffe2__operator_def__descriptor, c2g_operator_def_get_type, NULL },
  { &caffe2__net_def__descriptor, c2g_net_def_get_type, NULL },
  { &caffe2__execution_step__descriptor, c2g_execution_step_get_type, c2g_execution_step_filled },
  { &caffe2__plan_def__descriptor, c2g_plan_def_get_type, NULL },
  { &caffe2__meta_net_def__descriptor, c2g_meta_net_def_get_type, NULL },
};

#define HAS_LAYOUT(type) \
  G_STATIC_ASSERT (G_STRUCT_OFFSET (type, message) == G_STRUCT_OFFSET (C2gDef, message))

HAS_LAYOUT (C2gOperatorDef);
HAS_LAYOUT (C2gNetDef);
HAS_LAYOUT (C2gExecutionStep);
HAS_LAYOUT (C2gPlanDef);
HAS_LAYOUT (C2gMetaNetDef);

/* Returns NULL for messages that are not definitions. */
static const DefClass *
find_class (const ProtobufCMessage *message)
{
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i].descriptor == message->descriptor)
      return &classes[i];

  return NULL;
}

static gboolean
is_argument (const ProtobufCMessage *message)
{
  return message->descriptor == &caffe2__argument__descriptor;
}

gboolean
c2g_def_is_verbatim (const ProtobufCMessage *message)
{
  return is_argument (message) ||
         message->descriptor == &caffe2__device_option__descriptor ||
         message->descriptor == &caffe2__partition_info__descriptor;
}

gpointer
c2g_def_of (gpointer message)
{
  return (char *) message - G_STRUCT_OFFSET (C2gDef, message);
}

static gboolean
is_pointer (const ProtobufCFieldDescriptor *field)
{
  return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE;
}

static gboolean
is_list (const ProtobufCFieldDescriptor *field)
{
  return field->label == PROTOBUF_C_LABEL_REPEATED;
}

static gpointer
get_member (const ProtobufCFieldDescriptor *field,
            ProtobufCMessage               *message)
{
  return (char *) message + field->offset;
}

/* Makes a definition with a shallow copy of the message. */
static C2gDef *
new_shallow (const DefClass         *class,
             const ProtobufCMessage *message)
{
  C2gDef *self = g_object_new (class->get_type (), NULL);

  memcpy (&self->message, message, message->descriptor->sizeof_message);
  return self;
}

static void take_fields (ProtobufCMessage *message);

char *
c2g_def_take_text (char *text)
{
  char *valid;

  if (text == NULL || g_utf8_validate (text, -1, NULL))
    return text;

  valid = g_utf8_make_valid (text, -1);
  g_free (text);
  return valid;
}

/* Returns the message of a new definition or argument, or the message itself. */
static gpointer
take_message (ProtobufCMessage *message)
{
  if (is_argument (message))
    return c2g_argument_new_take ((Caffe2__Argument *) message);
  if (find_class (message) != NULL)
    return &((C2gDef *) c2g_def_new_take (message))->message;

  if (!c2g_def_is_verbatim (message))
    take_fields (message);
  return message;
}

static void
take_fields (ProtobufCMessage *message)
{
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    {
      const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
      gpointer *values;
      gsize n;

      if (!is_pointer (field))
        continue;

      n = c2g_message_field_get_values (field, message, (const guint8 **) &values);
      if (is_list (field))
        *(gpointer *) get_member (field, message) = values = c2g_list_reserve (values, n);
      for (gsize j = 0; j < n; j++)
        values[j] = field->type == PROTOBUF_C_TYPE_STRING ? c2g_def_take_text (values[j])
                                                          : take_message (values[j]);
    }
}

gpointer
c2g_def_new_take (gpointer message)
{
  const DefClass *class = find_class (message);
  C2gDef *self = new_shallow (class, message);

  g_free (message);
  take_fields (&self->message);
  if (class->filled != NULL)
    class->filled (self);
  return self;
}

static void copy_fields (ProtobufCMessage *message);

static gpointer
copy_message (ProtobufCMessage *message)
{
  ProtobufCMessage *copy;

  if (is_argument (message))
    return c2g_argument_ref ((C2gArgument *) message);
  if (find_class (message) != NULL)
    return &((C2gDef *) c2g_def_copy (c2g_def_of (message)))->message;

  copy = g_memdup2 (message, message->descriptor->sizeof_message);
  copy_fields (copy);
  return copy;
}

static void
copy_value (const ProtobufCFieldDescriptor *field,
            gpointer                        value)
{
  ProtobufCBinaryData *bytes = value;
  gpointer *pointer = value;

  if (field->type == PROTOBUF_C_TYPE_BYTES)
    bytes->data = g_memdup2 (bytes->data, bytes->len);
  else if (field->type == PROTOBUF_C_TYPE_STRING)
    *pointer = g_strdup (*pointer);
  else if (field->type == PROTOBUF_C_TYPE_MESSAGE)
    *pointer = copy_message (*pointer);
}

static void
copy_unknown_fields (ProtobufCMessage *message)
{
  message->unknown_fields = g_memdup2 (message->unknown_fields,
                                       message->n_unknown_fields * sizeof *message->unknown_fields);
  for (guint i = 0; i < message->n_unknown_fields; i++)
    {
      ProtobufCMessageUnknownField *field = &message->unknown_fields[i];

      field->data = g_memdup2 (field->data, field->len);
    }
}

static gpointer
copy_list (const ProtobufCFieldDescriptor *field,
           gconstpointer                   values,
           gsize                           n)
{
  gsize size = c2g_message_field_get_size (field);

  if (n == 0 || !is_pointer (field))
    return g_memdup2 (values, n * size);
  return memcpy (c2g_list_reserve (NULL, n), values, n * size);
}

/* Makes a shallow copy of a message a deep one. */
static void
copy_fields (ProtobufCMessage *message)
{
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    {
      const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
      guint8 *values;
      gsize n = c2g_message_field_get_values (field, message, (const guint8 **) &values);

      if (is_list (field))
        *(gpointer *) get_member (field, message) = values = copy_list (field, values, n);
      for (gsize j = 0; j < n; j++)
        copy_value (field, values + j * c2g_message_field_get_size (field));
    }

  copy_unknown_fields (message);
}

gpointer
c2g_def_copy (gpointer self)
{
  const ProtobufCMessage *message = &((C2gDef *) self)->message;
  const DefClass *class = find_class (message);
  C2gDef *copy = new_shallow (class, message);

  copy_fields (&copy->message);
  if (class->filled != NULL)
    class->filled (copy);
  return copy;
}

static void
free_value (const ProtobufCFieldDescriptor *field,
            gpointer                        value)
{
  ProtobufCBinaryData *bytes = value;
  gpointer *pointer = value;

  if (field->type == PROTOBUF_C_TYPE_BYTES)
    g_free (bytes->data);
  else if (field->type == PROTOBUF_C_TYPE_STRING)
    g_free (*pointer);
  else if (field->type == PROTOBUF_C_TYPE_MESSAGE)
    c2g_def_free_message (*pointer);
}

static void
free_fields (ProtobufCMessage *message)
{
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    {
      const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
      guint8 *values;
      gsize n = c2g_message_field_get_values (field, message, (const guint8 **) &values);

      for (gsize j = 0; j < n; j++)
        free_value (field, values + j * c2g_message_field_get_size (field));
      if (is_list (field))
        g_free (values);
    }

  for (guint i = 0; i < message->n_unknown_fields; i++)
    g_free (message->unknown_fields[i].data);
  g_free (message->unknown_fields);
}

void
c2g_def_free_message (gpointer message)
{
  if (message == NULL)
    return;
  if (is_argument (message))
    c2g_argument_unref (message);
  else if (find_class (message) != NULL)
    g_object_unref (c2g_def_of (message));
  else
    {
      free_fields (message);
      g_free (message);
    }
}

void
c2g_def_finalize (GObject *object)
{
  free_fields (&((C2gDef *) object)->message);

  G_OBJECT_CLASS (g_type_class_peek (G_TYPE_OBJECT))->finalize (object);
}
