/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <c2g/c2g.h>

#include <glib/gstdio.h>

#include <string.h>

/* Makes many calls of each class, and tells what memory each of them leaves behind: flat-memory-c [N_CALLS]
 *
 * Rows that begin with “GLib” have nothing of c2g: they show what its base leaves. The last row leaks on purpose. The
 * program fails if a call of c2g leaves more than half a byte, or if that leak is not seen. */

#define N_ROUNDS 4
#define PAGE     4096
#define CONTROL  "a leak on purpose"
#define TEXT     "op { type: 'Relu' input: 'x' output: 'y' }"

typedef struct
{
  C2gTensor         *tensor;
  GBytes            *bytes;
  GBytes            *pixels;
  C2gWorkspace      *workspace;
  C2gPictureOptions *options;
  C2gPredictor      *predictor;
  GFile             *file;
  GPtrArray         *kept;
} Things;

static void
make_file (Things *self)
{
  g_object_unref (g_file_new_for_path ("/"));
}

static void
make_bytes (Things *self)
{
  g_bytes_unref (g_bytes_new ("abc", 3));
}

static void
construct (Things *self)
{
  g_object_unref (c2g_tensor_new_sized ((const gint64[]) { 2, 3 }, 2, NULL, NULL));
}

static void
from_bytes (Things *self)
{
  g_object_unref (c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, (const gint64[]) { 2, 3 }, 2, self->bytes, NULL));
}

static void
to_bytes (Things *self)
{
  g_bytes_unref (c2g_tensor_dup_bytes (self->tensor, NULL));
}

static void
slice (Things *self)
{
  g_object_unref (c2g_tensor_slice (self->tensor, 0, 1, NULL));
}

static void
element (Things *self)
{
  g_assert_cmpfloat (c2g_tensor_get_value (self->tensor, 1, NULL), >=, 0);
}

static void
set_element (Things *self)
{
  g_assert_true (c2g_tensor_set_value (self->tensor, 1, 2, NULL));
}

static void
dims (Things *self)
{
  gsize n_dims;

  g_assert_nonnull (c2g_tensor_get_dims (self->tensor, &n_dims));
}

static void
to_string (Things *self)
{
  g_free (c2g_tensor_to_string (self->tensor, 10));
}

static void
map (Things *self)
{
  C2gMapping *mapping = c2g_tensor_map (self->tensor, C2G_MAP_READ, NULL);

  c2g_mapping_unmap (mapping);
  c2g_mapping_unref (mapping);
}

static void
workspace_get (Things *self)
{
  g_object_unref (c2g_workspace_get_blob (self->workspace, "x", NULL));
}

static void
workspace_set (Things *self)
{
  g_assert_true (c2g_workspace_set_tensor (self->workspace, "y", self->tensor, NULL));
}

static void
blob_value (Things *self)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, "x", NULL);

  g_object_get_property (G_OBJECT (blob), "value", &value);
}

static void
fail (Things *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_tensor_reshape (self->tensor, (const gint64[]) { 7 }, 1, &error));
}

static void
run (Things *self)
{
  guint n;
  g_autofree C2gTensor **outputs = c2g_predictor_run (self->predictor, &self->tensor, 1, &n, NULL, NULL);

  g_assert_nonnull (outputs);
}

static void
pixels (Things *self)
{
  g_object_unref (c2g_tensor_new_from_pixels (self->pixels, 2, 2, 6, 3, self->options, NULL));
}

static void
define (Things *self)
{
  g_object_unref (c2g_net_def_new_from_text (TEXT, NULL));
}

static void
save_and_load (Things *self)
{
  g_autoptr (C2gWorkspace) other = c2g_workspace_new ();

  g_assert_true (c2g_workspace_save_checkpoint (self->workspace, self->file, NULL, NULL, NULL));
  g_assert_true (c2g_workspace_load_checkpoint (other, self->file, NULL, NULL, NULL));
}

static void
leak (Things *self)
{
  g_ptr_array_add (self->kept, g_malloc (48));
}

/* The name, the call, and how many times fewer it is made. */
static const struct
{
  const char *name;
  void        (*call) (Things *things);
  int         cost;
} classes[] = {
  { "GLib: g_file_new_for_path", make_file, 1 },
  { "GLib: g_bytes_new", make_bytes, 1 },
  { "construct", construct, 1 },
  { "from bytes", from_bytes, 1 },
  { "to bytes", to_bytes, 1 },
  { "slice", slice, 1 },
  { "element", element, 1 },
  { "set element", set_element, 1 },
  { "dims", dims, 1 },
  { "to string", to_string, 10 },
  { "map", map, 1 },
  { "workspace get", workspace_get, 1 },
  { "workspace set", workspace_set, 1 },
  { "blob value", blob_value, 1 },
  { "error", fail, 1 },
  { "predictor", run, 5 },
  { "pixels", pixels, 1 },
  { "definition", define, 1 },
  { "file", save_and_load, 100 },
  { CONTROL, leak, 1 },
};

static gint64
resident (void)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &contents, NULL, NULL));
  return g_ascii_strtoll (strchr (contents, ' '), NULL, 10) * PAGE;
}

/* Returns the bytes that a call leaves: the smallest growth of several rounds, after one that warms up. */
static double
measure (void   (*call) (Things *things),
         Things *things,
         gint64  n)
{
  gint64 least = G_MAXINT64;

  for (int round = 0; round < N_ROUNDS; round++)
    {
      const gint64 before = resident ();

      for (gint64 i = 0; i < n; i++)
        call (things);
      if (round > 0)
        least = MIN (least, resident () - before);
    }
  return (double) least / n;
}

static void
make_things (Things *self)
{
  static const guint8 zeros[24] = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("c2g-flat-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.minidb", NULL);
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (TEXT, NULL);

  self->bytes = g_bytes_new_static (zeros, 24);
  self->pixels = g_bytes_new_static (zeros, 12);
  self->tensor = c2g_tensor_new_sized ((const gint64[]) { 2, 3 }, 2, NULL, NULL);
  g_assert_true (c2g_tensor_set_bytes (self->tensor, self->bytes, NULL) ||
                 c2g_tensor_allocate (self->tensor, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_true (c2g_tensor_fill (self->tensor, 1, NULL));
  self->workspace = c2g_workspace_new ();
  g_assert_true (c2g_workspace_set_tensor (self->workspace, "x", self->tensor, NULL));
  self->options = g_object_new (C2G_TYPE_PICTURE_OPTIONS, "channels", "BGR", NULL);
  self->predictor = c2g_predictor_create (NULL, def, NULL, NULL, C2G_OPTIMIZE_ALL, NULL);
  self->file = g_file_new_for_path (path);
  self->kept = g_ptr_array_new_with_free_func (g_free);
}

static void
clear_things (Things *self)
{
  g_autoptr (GFile) folder = g_file_get_parent (self->file);

  g_file_delete (self->file, NULL, NULL);
  g_file_delete (folder, NULL, NULL);
  g_ptr_array_unref (self->kept);
  g_object_unref (self->file);
  g_object_unref (self->predictor);
  g_object_unref (self->options);
  g_object_unref (self->workspace);
  g_object_unref (self->tensor);
  g_bytes_unref (self->pixels);
  g_bytes_unref (self->bytes);
}

int
main (int    argc,
      char **argv)
{
  const gint64 n_calls = argc > 1 ? g_ascii_strtoll (argv[1], NULL, 10) : 100000;
  g_autoptr (GString) leaks = g_string_new (NULL);
  Things things;

  make_things (&things);
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      const gint64 n = n_calls / classes[i].cost / N_ROUNDS;
      const double left = measure (classes[i].call, &things, n);
      /* A few pages are noise of the allocator. */
      const gboolean is_leak = left > 0.5 && left * n > 4 * PAGE;

      if (is_leak && !g_str_has_prefix (classes[i].name, "GLib"))
        g_string_append (leaks, classes[i].name);
      g_print ("%s %8.2f bytes a call  %s\n", is_leak ? "LEAK" : "flat", left, classes[i].name);
    }
  clear_things (&things);
  return g_str_equal (leaks->str, CONTROL) ? 0 : 1;
}
