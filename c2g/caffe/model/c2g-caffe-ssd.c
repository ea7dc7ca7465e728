/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

/* Translates layers of SSD. The operators have the same arguments and defaults as Caffe's layers,
 * so the fields are copied. */

typedef enum
{
  INTEGER,
  BOOLEAN,
  NUMBER,
  NUMBERS,
  CODE_TYPE,
} FieldKind;

typedef struct
{
  const char *name;
  FieldKind   kind;
} Field;

/* The fields that are copied from each message, where the text has them. */
static const Field prior_fields[] = {
  { "aspect_ratio", NUMBERS },
  { "clip", BOOLEAN },
  { "flip", BOOLEAN },
  { "img_h", INTEGER },
  { "img_size", INTEGER },
  { "img_w", INTEGER },
  { "max_size", NUMBERS },
  { "min_size", NUMBERS },
  { "offset", NUMBER },
  { "step", NUMBER },
  { "step_h", NUMBER },
  { "step_w", NUMBER },
  { "variance", NUMBERS },
  { NULL },
};

static const Field detection_fields[] = {
  { "background_label_id", INTEGER },
  { "code_type", CODE_TYPE },
  { "confidence_threshold", NUMBER },
  { "keep_top_k", INTEGER },
  { "num_classes", INTEGER },
  { "share_location", BOOLEAN },
  { "variance_encoded_in_target", BOOLEAN },
  { NULL },
};

static const Field nms_fields[] = {
  { "eta", NUMBER },
  { "nms_threshold", NUMBER },
  { "top_k", INTEGER },
  { NULL },
};

static void
copy_code_type (C2gCaffeLayer    *self,
                C2gPrototxtField *message,
                C2gOperatorDef   *op,
                const char       *name)
{
  static const char *const code_types[] = { "", "CORNER", "CENTER_SIZE", "CORNER_SIZE", NULL };
  const gint64 code_type = c2g_prototxt_get_enum (&self->net->text, message, name, code_types, 1);

  c2g_operator_def_set_string (op, name, code_types[code_type]);
}

static void
copy_field (C2gCaffeLayer    *self,
            C2gPrototxtField *message,
            C2gOperatorDef   *op,
            const Field      *field)
{
  C2gPrototxt *text = &self->net->text;
  g_autoptr (GArray) numbers = NULL;

  switch (field->kind)
    {
    case INTEGER:
      c2g_operator_def_set_int (op, field->name, c2g_prototxt_get_int (text, message, field->name, 0));
      break;

    case BOOLEAN:
      c2g_operator_def_set_int (op, field->name, c2g_prototxt_get_bool (text, message, field->name, FALSE));
      break;

    case NUMBER:
      c2g_operator_def_set_float (op, field->name, c2g_prototxt_get_double (text, message, field->name, 0));
      break;

    case NUMBERS:
      numbers = c2g_prototxt_list_floats (text, message, field->name);
      c2g_operator_def_set_floats (op, field->name, (const float *) numbers->data, numbers->len);
      break;

    case CODE_TYPE:
    default:
      copy_code_type (self, message, op, field->name);
      break;
    }
}

static void
copy_fields (C2gCaffeLayer    *self,
             C2gPrototxtField *message,
             C2gOperatorDef   *op,
             const Field      *fields)
{
  for (; fields->name != NULL; fields++)
    if (c2g_prototxt_find (message, fields->name) != NULL)
      copy_field (self, message, op, fields);
}

static C2gOperatorDef *
new_op (C2gCaffeLayer *self)
{
  C2gOperatorDef *op = c2g_operator_def_new (self->type->op_type);

  for (guint i = 0; i < self->bottoms->len; i++)
    c2g_operator_def_add_input (op, c2g_caffe_layer_bottom (self, i));
  return op;
}

gboolean
c2g_caffe_translate_prior_box (C2gCaffeLayer  *self,
                               GError        **error)
{
  C2gOperatorDef *op = new_op (self);

  copy_fields (self, self->param, op, prior_fields);
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_translate_detection_output (C2gCaffeLayer  *self,
                                      GError        **error)
{
  C2gPrototxtField *nms = c2g_prototxt_find_message (&self->net->text, self->param, "nms_param");
  C2gOperatorDef *op = new_op (self);

  copy_fields (self, self->param, op, detection_fields);
  copy_fields (self, nms, op, nms_fields);
  return c2g_caffe_layer_emit (self, op, error);
}
