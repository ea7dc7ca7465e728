/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-shape.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Caps of streams with one picture tensor, which c2gconvert outputs and c2ginference accepts:
 * makes, fixates and parses them. */

#define FIELD "tensor0"

/* The fields for height, width and channels of each layout. */
static const struct
{
  const char *name;
  const char *height;
  const char *width;
  const char *channels;
} layouts[] = {
  { "nchw", "d2", "d3", "d1" },
  { "nhwc", "d1", "d2", "d3" },
};

static void
set_length (GstStructure *structure,
            const char   *field,
            int           length)
{
  if (length > 0)
    gst_structure_set (structure, field, G_TYPE_INT, length, NULL);
  else
    gst_structure_set (structure, field, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
}

/* Sets a field to one of several texts, which end with NULL. */
static void
set_choice (GstStructure      *structure,
            const char        *field,
            const char *const *texts)
{
  g_auto (GValue) list = G_VALUE_INIT;

  if (texts[1] == NULL)
    {
      gst_structure_set (structure, field, G_TYPE_STRING, texts[0], NULL);
      return;
    }
  g_value_init (&list, GST_TYPE_LIST);
  for (; *texts != NULL; texts++)
    {
      GValue text = G_VALUE_INIT;

      g_value_init (&text, G_TYPE_STRING);
      g_value_set_string (&text, *texts);
      gst_value_list_append_and_take_value (&list, &text);
    }
  gst_structure_set_value (structure, field, &list);
}

static void
set_types (GstStructure      *structure,
           const C2gDataType *types)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (; *types != C2G_DATA_TYPE_UNDEFINED; types++)
    g_ptr_array_add (names, (gpointer) c2g_data_type_get_name (*types));
  g_ptr_array_add (names, NULL);
  set_choice (structure, "type", (const char *const *) names->pdata);
}

/* Writes a number with as few digits as it needs to be read again. */
static void
append_number (GString *text,
               double   number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.15g", number);
  g_string_append (text, g_ascii_strtod (digits, NULL) == number ? digits
                                                                 : g_ascii_dtostr (digits, sizeof digits, number));
}

char *
c2g_gst_shape_write_numbers (const double *numbers,
                             gsize         n)
{
  GString *text = g_string_new (NULL);
  gboolean are_equal = TRUE;

  for (gsize i = 1; i < n; i++)
    are_equal &= numbers[i] == numbers[0];
  append_number (text, numbers[0]);
  for (gsize i = 1; i < n && !are_equal; i++)
    append_number (g_string_append_c (text, ','), numbers[i]);

  return g_string_free (text, FALSE);
}

/* Output whose channels are open has any that are as many. */
static void
set_pixels (GstStructure         *structure,
            const C2gPictureForm *form,
            gboolean              is_output,
            C2gGstShapeFlags      flags)
{
  static const char *const all[][3] = { { "GRAY" }, { NULL }, { "RGB", "BGR" }, { "RGBA", "BGRA" } };
  const char *const known[] = { form->channels, NULL };

  if ((flags & C2G_GST_SHAPE_CHANNELS) != 0)
    set_choice (structure, "channels", known);
  else if (is_output)
    set_choice (structure, "channels", all[form->n_channels - 1]);
  if ((flags & C2G_GST_SHAPE_RANGE) != 0)
    {
      g_autofree char *mean = c2g_gst_shape_write_numbers (form->mean, form->n_channels);
      g_autofree char *scale = c2g_gst_shape_write_numbers (form->scale, form->n_channels);

      gst_structure_set (structure, "mean", G_TYPE_STRING, mean, "scale", G_TYPE_STRING, scale, NULL);
    }
}

GstCaps *
c2g_gst_shape_new (const C2gPictureForm *form,
                   const C2gDataType    *types,
                   const char           *name,
                   C2gGstShapeFlags      flags)
{
  const guint layout = form->is_nhwc ? 1 : 0;
  g_autoptr (GstStructure) structure =
    gst_structure_new ("tensor", "rank", G_TYPE_INT, C2G_PICTURE_N_DIMS, NULL);

  set_types (structure, types);
  set_length (structure, "d0", name != NULL ? 1 : 0);
  set_length (structure, layouts[layout].height, form->height);
  set_length (structure, layouts[layout].width, form->width);
  set_length (structure, layouts[layout].channels, form->n_channels);
  if (name != NULL)
    gst_structure_set (structure, "name", G_TYPE_STRING, name, "layout", G_TYPE_STRING,
                       layouts[layout].name, NULL);
  set_pixels (structure, form, name != NULL, flags);

  return gst_caps_new_simple (C2G_GST_CAPS_TENSORS, "format", G_TYPE_STRING, "static", FIELD,
                              GST_TYPE_STRUCTURE, structure, NULL);
}

static const GstStructure *
get_tensor (GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return gst_structure_has_field_typed (structure, FIELD, GST_TYPE_STRUCTURE)
           ? gst_value_get_structure (gst_structure_get_value (structure, FIELD))
           : NULL;
}

GstCaps *
c2g_gst_shape_choose (GstCaps    *caps,
                      const char *name)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  g_autoptr (GstCaps) chosen = NULL;

  for (guint i = 1;; i++)
    {
      g_autofree char *field = g_strdup_printf ("tensor%u", i);
      const GValue *value = gst_structure_get_value (structure, field);

      if (value == NULL || !GST_VALUE_HOLDS_STRUCTURE (value))
        return gst_caps_ref (caps);
      if (g_strcmp0 (gst_structure_get_string (gst_value_get_structure (value), "name"), name) != 0)
        continue;
      chosen = gst_caps_copy (caps);
      gst_caps_set_value (chosen, FIELD, value);
      return g_steal_pointer (&chosen);
    }
}

/* Returns an index into layouts, or -1. */
static int
find_layout (const GstStructure *tensor)
{
  const char *name = gst_structure_get_string (tensor, "layout");

  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (g_strcmp0 (name, layouts[i].name) == 0)
      return i;

  return -1;
}

/* Sets what nobody has said. Pixels that stay bytes have neither mean nor scale. */
static void
set_defaults (GstStructure *tensor)
{
  if (g_strcmp0 (gst_structure_get_string (tensor, "type"), "uint8") == 0)
    gst_structure_remove_fields (tensor, "mean", "scale", NULL);
  else if (!gst_structure_has_field (tensor, "scale"))
    gst_structure_set (tensor, "mean", G_TYPE_STRING, "0", "scale", G_TYPE_STRING, "1", NULL);
}

GstCaps *
c2g_gst_shape_fix (GstCaps *caps,
                   int      width,
                   int      height)
{
  GstCaps *first = gst_caps_truncate (gst_caps_make_writable (caps));
  const GstStructure *offered = gst_caps_is_empty (first) ? NULL : get_tensor (first);
  const int layout = offered != NULL ? find_layout (offered) : -1;

  if (layout >= 0)
    {
      g_autoptr (GstStructure) tensor = gst_structure_copy (offered);

      gst_structure_fixate_field_nearest_int (tensor, layouts[layout].width, width);
      gst_structure_fixate_field_nearest_int (tensor, layouts[layout].height, height);
      gst_structure_fixate (tensor);
      set_defaults (tensor);
      gst_caps_set_simple (first, FIELD, GST_TYPE_STRUCTURE, tensor, NULL);
    }

  return gst_caps_fixate (first);
}

C2gDataType
c2g_gst_shape_parse (GstCaps             *caps,
                     C2gPictureArguments *arguments)
{
  const GstStructure *tensor = get_tensor (caps);
  const int layout = tensor != NULL ? find_layout (tensor) : -1;
  const char *type = layout >= 0 ? gst_structure_get_string (tensor, "type") : NULL;
  int width, height;

  if (type == NULL || !gst_structure_get_int (tensor, layouts[layout].width, &width) ||
      !gst_structure_get_int (tensor, layouts[layout].height, &height))
    return C2G_DATA_TYPE_UNDEFINED;

  arguments->size = g_strdup_printf ("%dx%d", width, height);
  arguments->order = g_strdup (layouts[layout].name);
  arguments->channels = g_strdup (gst_structure_get_string (tensor, "channels"));
  arguments->mean = g_strdup (gst_structure_get_string (tensor, "mean"));
  arguments->scale = g_strdup (gst_structure_get_string (tensor, "scale"));

  return c2g_data_type_from_name (type, NULL);
}

/* Returns the options for pixels of which FLAGS tells. */
static char *
describe_pixels (const C2gPictureForm *form,
                 C2gGstShapeFlags      flags)
{
  g_autofree char *mean = c2g_gst_shape_write_numbers (form->mean, form->n_channels);
  g_autofree char *scale = c2g_gst_shape_write_numbers (form->scale, form->n_channels);

  if ((flags & C2G_GST_SHAPE_RANGE) == 0)
    return g_strdup_printf ("channels=%s", form->channels);

  return g_strdup_printf ("channels=%s mean=%s scale=%s", form->channels, mean, scale);
}

/* Digits may have been left out where numbers were written. */
static gboolean
are_near (const double *a,
          const double *b,
          gsize         n)
{
  for (gsize i = 0; i < n; i++)
    if (fabs (a[i] - b[i]) > 1e-3 * MAX (fabs (a[i]), fabs (b[i])))
      return FALSE;

  return TRUE;
}

gboolean
c2g_gst_shape_has_pixels (GstCaps               *caps,
                          const C2gPictureForm  *form,
                          C2gGstShapeFlags       flags,
                          char                 **given_text,
                          char                 **wanted_text)
{
  g_auto (C2gPictureArguments) arguments = { NULL };
  C2gPictureForm given;

  if (flags == 0 || c2g_gst_shape_parse (caps, &arguments) == C2G_DATA_TYPE_UNDEFINED || arguments.channels == NULL ||
      !c2g_picture_form_parse (&given, &arguments, NULL) || given.n_channels != form->n_channels)
    return TRUE;
  if (((flags & C2G_GST_SHAPE_CHANNELS) == 0 || g_str_equal (given.channels, form->channels)) &&
      ((flags & C2G_GST_SHAPE_RANGE) == 0 || (are_near (given.mean, form->mean, form->n_channels) &&
                                              are_near (given.scale, form->scale, form->n_channels))))
    return TRUE;

  *given_text = describe_pixels (&given, flags);
  *wanted_text = describe_pixels (form, flags);
  return FALSE;
}

/* Words for caps */

static void
append_dim (GString      *text,
            const GValue *value)
{
  if (G_VALUE_HOLDS_INT (value))
    g_string_append_printf (text, "%d", g_value_get_int (value));
  else
    g_string_append_c (text, 'N');
}

/* Appends the type, if there is only one, and the dimensions: “float [1, 3, N, N]”. */
static void
append_tensor (GString            *text,
               const GstStructure *tensor)
{
  const char *type = gst_structure_get_string (tensor, "type");

  if (type != NULL)
    g_string_append_printf (text, "%s ", type);
  g_string_append_c (text, '[');
  for (guint i = 0;; i++)
    {
      g_autofree char *field = g_strdup_printf ("d%u", i);
      const GValue *value = gst_structure_get_value (tensor, field);

      if (value == NULL)
        break;
      g_string_append (text, i > 0 ? ", " : "");
      append_dim (text, value);
    }
  g_string_append_c (text, ']');
}

/* Returns the shapes of the tensors, or all fields if the structure is called NAME; NULL otherwise. */
static char *
describe_structure (const GstStructure *structure,
                    const char         *name)
{
  GString *text;

  if (!gst_structure_has_field_typed (structure, FIELD, GST_TYPE_STRUCTURE))
    return name != NULL && gst_structure_has_name (structure, name) ? gst_structure_to_string (structure) : NULL;

  text = g_string_new (NULL);
  for (guint i = 0;; i++)
    {
      g_autofree char *field = g_strdup_printf ("tensor%u", i);
      const GValue *value = gst_structure_get_value (structure, field);

      if (value == NULL || !GST_VALUE_HOLDS_STRUCTURE (value))
        break;
      g_string_append (text, i > 0 ? " + " : "");
      append_tensor (text, gst_value_get_structure (value));
    }

  return g_string_free (text, FALSE);
}

/* Takes ownership of TEXT. */
static void
add_text (GPtrArray *texts,
          char      *text)
{
  if (text == NULL || g_ptr_array_find_with_equal_func (texts, text, g_str_equal, NULL))
    g_free (text);
  else
    g_ptr_array_add (texts, text);
}

char *
c2g_gst_caps_describe (GstCaps    *caps,
                       const char *name)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  const guint n = gst_caps_is_any (caps) ? 0 : gst_caps_get_size (caps);

  if (n == 0)
    return gst_caps_to_string (caps);
  for (guint i = 0; i < n; i++)
    add_text (texts, describe_structure (gst_caps_get_structure (caps, i), name));
  if (texts->len == 0)
    for (guint i = 0; i < n; i++)
      add_text (texts, g_strdup (gst_structure_get_name (gst_caps_get_structure (caps, i))));
  g_ptr_array_add (texts, NULL);

  return g_strjoinv (_(" or "), (char **) texts->pdata);
}

GstCaps *
c2g_gst_caps_filter (GstCaps *caps,
                     GstCaps *filter)
{
  g_autoptr (GstCaps) all = caps;

  return filter != NULL ? gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST) : g_steal_pointer (&all);
}

GstCaps *
c2g_gst_caps_choose_first (GstPad  *src,
                           GstCaps *caps)
{
  g_autoptr (GstCaps) all = caps;

  for (guint i = 0; i < gst_caps_get_size (all); i++)
    {
      g_autoptr (GstCaps) offered = gst_caps_copy_nth (all, i);
      g_autoptr (GstCaps) wanted = gst_pad_peer_query_caps (src, offered);

      if (gst_caps_is_empty (wanted))
        continue;
      wanted = gst_caps_fixate (g_steal_pointer (&wanted));
      if (gst_caps_is_fixed (wanted))
        return g_steal_pointer (&wanted);
    }

  return NULL;
}
