/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "corpus.h"
#include "own-type.h"

#include "tests/io/lmdb-utils.h"

#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

#include <glib/gstdio.h>

/* Writes small files that a fuzzer begins with, of every kind that its target reads:
 *
 *   make-corpus FOLDER TARGET
 */

static char *folder;
static char *wanted;

/* Targets that take every kind of file. */
static const char *const all_takers[] = { "model-file", "file", "round-trip", NULL };

void
corpus_put_only (const char *target,
                 const char *name,
                 GBytes     *bytes)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  if (g_str_equal (target, wanted))
    g_assert_true (g_file_set_contents (path, data == NULL ? "" : data, n_bytes, NULL));
}

void
corpus_put (const char *target,
            const char *name,
            GBytes     *bytes)
{
  corpus_put_only (target, name, bytes);
  for (gsize i = 0; all_takers[i] != NULL; i++)
    corpus_put_only (all_takers[i], name, bytes);
}

/* Blobs */

static void
fill (C2gTensor *tensor)
{
  static const double values[] = { 0, 1, 100, -7 };

  /* The type cannot have these elements, so they stay zero. */
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    c2g_tensor_set_value (tensor, i, values[i % G_N_ELEMENTS (values)], NULL);
}

static void
fill_strings (C2gTensor *tensor)
{
  GBytes **items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_STRING, NULL);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    if (i % 3 != 0)
      items[i] = g_bytes_new ("text", i % 5);
}

static C2gBlob *
add_blob (C2gWorkspace *workspace,
          const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);

/* The workspace owns the blob. */
  g_assert_nonnull (blob);
  return blob;
}

/* Takes ownership of the object. */
static void
add_object (C2gWorkspace *workspace,
            const char   *name,
            gpointer      object)
{
  g_autoptr (GObject) owned = object;

  c2g_blob_set_object (add_blob (workspace, name), owned);
}

static C2gTensor *
new_tensor (C2gDataType   data_type,
            const gint64 *dims,
            gsize         n_dims)
{
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
  if (data_type == C2G_DATA_TYPE_STRING)
    fill_strings (tensor);
  else
    fill (tensor);
  return tensor;
}

static void
add_tensors (C2gWorkspace *workspace,
             C2gDataType   data_type)
{
  static const struct
  {
    const char *suffix;
    gint64      dims[3];
    gsize       n_dims;
  } shapes[] = {
    { "", { 2, 3 }, 2 },
    { "-scalar", { 0 }, 0 },
    { "-empty", { 3, 0, 2 }, 3 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *name = g_strconcat (c2g_data_type_get_name (data_type), shapes[i].suffix,
                                           NULL);

      add_object (workspace, name, new_tensor (data_type, shapes[i].dims, shapes[i].n_dims));
    }
}

static void
add_value (C2gWorkspace *workspace,
           const char   *name,
           GType         gtype,
           gpointer      pointer,
           gint64        number)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, gtype);
  if (pointer != NULL)
    g_value_take_boxed (&value, pointer);
  else
    g_value_set_int64 (&value, number);
  c2g_blob_set_value (add_blob (workspace, name), &value);
}

static void
add_quantized (C2gWorkspace *workspace)
{
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_UINT8, (gint64[]) { 2, 2 }, 2);
  C2gQTensor *q_tensor = c2g_q_tensor_new ((gint64[]) { 3, 5 }, 2, 4, TRUE, NULL);

  for (guint i = 0; i < 15; i++)
    g_assert_true (c2g_q_tensor_set_bit (q_tensor, i % 4, i, i % 3 == 0, NULL));
  c2g_q_tensor_set_scale (q_tensor, 0.25);
  c2g_q_tensor_set_bias (q_tensor, -1);
  add_object (workspace, "quantized", q_tensor);
  add_object (workspace, "int8-tensor", c2g_int8_tensor_new (tensor, 0.5, 3));
}

/* Tensors of elements without a type number: types of c2g, of GLib, and of the program. */
static void
add_items (C2gWorkspace *workspace)
{
  C2gTypeMeta *const metas[] = {
    c2g_type_meta_lookup (FUZZ_OWN_ELEMENT_TYPE, NULL),
    c2g_type_meta_for_gtype (G_TYPE_BYTES, NULL),
    c2g_type_meta_for_gtype (G_TYPE_STRING, NULL),
    c2g_type_meta_for_gtype (C2G_TYPE_TENSOR, NULL),
    c2g_type_meta_for_gtype (FUZZ_TYPE_OWN, NULL),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (metas); i++)
    {
      g_autofree char *name = g_strdup_printf ("items-%zu", i);
      C2gTensor *tensor = c2g_tensor_new_sized ((gint64[]) { 3 }, 1, NULL, NULL);

      g_assert_true (c2g_tensor_allocate_meta (tensor, metas[i], NULL));
      add_object (workspace, name, tensor);
    }
}

static void
set_item (C2gWorkspace *workspace,
          const char   *name,
          const GValue *value)
{
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, name, NULL);

  g_assert_true (c2g_tensor_set_element (tensor, 1, value, NULL));
}

static void
fill_items (C2gWorkspace *workspace)
{
  g_autoptr (C2gBlob) own = fuzz_new_own_blob ("element");
  g_auto (GValue) own_value = G_VALUE_INIT;
  g_auto (GValue) bytes = G_VALUE_INIT;
  g_auto (GValue) text = G_VALUE_INIT;
  g_auto (GValue) tensor = G_VALUE_INIT;

  g_value_take_boxed (g_value_init (&bytes, G_TYPE_BYTES), g_bytes_new ("bytes", 5));
  g_value_set_static_string (g_value_init (&text, G_TYPE_STRING), "text");
  g_value_take_object (g_value_init (&tensor, C2G_TYPE_TENSOR),
                       new_tensor (C2G_DATA_TYPE_INT16, (gint64[]) { 2 }, 1));
  c2g_blob_get_value (own, &own_value);

  set_item (workspace, "items-1", &bytes);
  set_item (workspace, "items-2", &text);
  set_item (workspace, "items-3", &tensor);
  set_item (workspace, "items-4", &own_value);
}

/* Every kind of content of a blob. */
static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) own = fuzz_new_own_blob ("content of several chunks");

  for (int data_type = C2G_DATA_TYPE_FLOAT; data_type <= C2G_DATA_TYPE_UINT64; data_type++)
    if (c2g_type_meta_for_data_type (data_type, NULL) != NULL && data_type != C2G_DATA_TYPE_BYTE)
      add_tensors (workspace, data_type);
  add_value (workspace, "bytes", G_TYPE_BYTES, g_bytes_new ("some\0text", 9), 0);
  add_value (workspace, "no-bytes", G_TYPE_BYTES, g_bytes_new (NULL, 0), 0);
  add_value (workspace, "counter", G_TYPE_INT64, NULL, 42);
  add_quantized (workspace);
  add_items (workspace);
  fill_items (workspace);
  c2g_blob_move_from (add_blob (workspace, "own"), own);
  return workspace;
}

/* Messages */

static const guint8 *
find_field (GBytes  *message,
            guint32  number,
            gsize   *n_bytes)
{
  C2gWireReader fields;
  C2gWireField field;

  c2g_wire_reader_init (&fields, g_bytes_get_data (message, NULL), g_bytes_get_size (message), 0);
  while (c2g_wire_reader_next (&fields, &field, NULL))
    if (field.number == number)
      {
        *n_bytes = field.n_bytes;
        return field.data;
      }

  return NULL;
}

/* The message of a tensor, alone and in a file of several. */
static void
put_tensor (const char *name,
            GBytes     *message,
            GByteArray *protodb)
{
  g_autofree char *tensor_name = g_strconcat (name, "-tensor", NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) one = NULL;
  GByteArray *array;
  gsize n_bytes;
  const guint8 *data = find_field (message, 3, &n_bytes);

  if (data == NULL)
    return;

  bytes = g_bytes_new (data, n_bytes);
  corpus_put ("blob", tensor_name, bytes);

  array = g_byte_array_new ();
  c2g_wire_put_bytes (array, 1, data, n_bytes);
  g_byte_array_append (protodb, array->data, array->len);
  one = g_byte_array_free_to_bytes (array);
  corpus_put_only ("protodb", tensor_name, one);
  corpus_put_only ("db-write", tensor_name, one);
}

static gboolean
add_chunk (const char *key,
           GBytes     *value,
           gpointer    user_data)
{
  const guint16 length = GUINT16_TO_LE (g_bytes_get_size (value));

  g_byte_array_append (user_data, (const guint8 *) &length, sizeof length);
  g_byte_array_append (user_data, g_bytes_get_data (value, NULL), g_bytes_get_size (value));
  return TRUE;
}

static void
put_chunks (C2gBlob    *blob,
            const char *name)
{
  GByteArray *array = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;

  c2g_blob_serialize_chunks (blob, name, 2, C2G_SERIALIZE_NONE, add_chunk, array, NULL);
  bytes = g_byte_array_free_to_bytes (array);
  corpus_put_only ("chunks", name, bytes);
}

static void
put_messages (C2gWorkspace *workspace)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);
  GByteArray *protodb = g_byte_array_new ();
  g_autoptr (GBytes) all = NULL;

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, NULL);
      g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, *name, NULL);

      g_assert_nonnull (bytes);
      corpus_put ("blob", *name, bytes);
      put_tensor (*name, bytes, protodb);
      put_chunks (blob, *name);
    }

  all = g_byte_array_free_to_bytes (protodb);
  corpus_put ("protodb", "all", all);
}

/* Files */

static GBytes *
save (C2gWorkspace     *workspace,
      C2gModelFileKind  kind,
      const char       *name,
      gint64            chunk_size,
      gboolean          compress)
{
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

  c2g_save_options_set_kind (options, kind);
  c2g_save_options_set_chunk_size (options, chunk_size);
  c2g_save_options_set_compress (options, compress);
  c2g_save_options_set_skip_unsupported (options, TRUE);
  if (kind == C2G_MODEL_FILE_KIND_SAFETENSORS)
    c2g_save_options_set_metadata (options, "format", "c\"2\"g");
  if (name != NULL)
    c2g_save_options_set_names (options, (const char *const[]) { name, NULL });
  return c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, NULL);
}

/* Writes all blobs, or one of them, as every kind of file that can hold it. */
static void
put_files (C2gWorkspace *workspace,
           const char   *blob)
{
  static const struct
  {
    const char       *target;
    C2gModelFileKind  kind;
    gint64            chunk_size;
    gboolean          compress;
  } files[] = {
    { "minidb", C2G_MODEL_FILE_KIND_MINIDB, C2G_DEFAULT_CHUNK_SIZE, FALSE },
    { "minidb", C2G_MODEL_FILE_KIND_MINIDB, 2, FALSE },
    { "safetensors", C2G_MODEL_FILE_KIND_SAFETENSORS, 0, FALSE },
    { "npz", C2G_MODEL_FILE_KIND_NPZ, 0, FALSE },
    { "npz", C2G_MODEL_FILE_KIND_NPZ, 0, TRUE },
    { "npy", C2G_MODEL_FILE_KIND_NPY, 0, FALSE },
    { "caffemodel", C2G_MODEL_FILE_KIND_BINARYPROTO, 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%s-%zu", blob != NULL ? blob : "all",
                                               files[i].target, i);
      g_autoptr (GBytes) bytes = save (workspace, files[i].kind, blob, files[i].chunk_size,
                                       files[i].compress);

      if (bytes == NULL)
        continue;
      corpus_put (files[i].target, name, bytes);
      if (files[i].kind == C2G_MODEL_FILE_KIND_MINIDB)
        corpus_put_only ("db-write", name, bytes);
    }
}

/* Every type of tensor that NumPy has. */
static void
put_arrays (C2gWorkspace *workspace)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *file_name = g_strconcat (*name, "-array", NULL);
      g_autoptr (GBytes) bytes = save (workspace, C2G_MODEL_FILE_KIND_NPY, *name, 0, FALSE);

      if (bytes != NULL)
        corpus_put_only ("npy", file_name, bytes);
    }
}

static void
put_all_files (C2gWorkspace *workspace)
{
  static const char *const names[] = {
    "float",
    "bool",
    "string",
    "int64",
    "float16-scalar",
    "bfloat16",
    "uint8-empty",
    "own",
  };

  put_files (workspace, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    put_files (workspace, names[i]);
}

/* The file has more than the part that is read first. */
static void
put_large (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GBytes) bytes = NULL;

  add_object (workspace, "a", new_tensor (C2G_DATA_TYPE_INT64, (gint64[]) { 100, 100 }, 2));
  add_object (workspace, "b", new_tensor (C2G_DATA_TYPE_FLOAT, (gint64[]) { 20000 }, 1));
  add_object (workspace, "c", new_tensor (C2G_DATA_TYPE_STRING, (gint64[]) { 7 }, 1));
  bytes = save (workspace, C2G_MODEL_FILE_KIND_MINIDB, NULL, 9000, FALSE);
  corpus_put_only ("file", "large", bytes);
}

/* Messages of Caffe and NVCaffe */

static void
put_caffe_blobs (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_FLOAT16,
                                       C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_UINT32, C2G_DATA_TYPE_BOOL };
  static const C2gCaffeProtoFlags flags[] = { C2G_CAFFE_PROTO_DIFF, C2G_CAFFE_PROTO_DIFF | C2G_CAFFE_PROTO_BVLC };

  for (gsize i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (flags); i++)
    {
      g_autofree char *name = g_strdup_printf ("caffe-%zu", i);
      g_autoptr (C2gCaffeBlob) blob =
        c2g_caffe_blob_new (types[i / 2], C2G_DATA_TYPE_FLOAT, (gint64[]) { 2, 3 }, 2, NULL, NULL);
      g_autoptr (GBytes) bytes = c2g_caffe_blob_to_proto (blob, flags[i % 2], NULL);

      corpus_put_only ("caffe-blob", name, bytes);
    }
}

/* LMDB */

static void
put_lmdb (const char *name,
          GBytes     *bytes)
{
  corpus_put ("lmdb", name, bytes);
  corpus_put_only ("db-write", name, bytes);
}

/* The pages have the smallest size, so that few bytes have many pages. */
static void
put_databases (void)
{
  static const guint n_records[] = { 0, 1, 8, 24, 80 };

  for (guint i = 0; i < G_N_ELEMENTS (n_records); i++)
    {
      g_autofree char *name = g_strdup_printf ("records-%u", n_records[i]);
      g_autoptr (GBytes) bytes = lmdb_build (512, n_records[i]);

      put_lmdb (name, bytes);
    }
}

static gboolean
add_record (const char *key,
            GBytes     *value,
            gpointer    user_data)
{
  g_autoptr (GBytes) key_bytes = g_bytes_new (key, strlen (key));

  lmdb_builder_add (user_data, key_bytes, value);
  return TRUE;
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* A checkpoint that is written without liblmdb. */
static void
put_checkpoint (C2gWorkspace *workspace)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);
  g_autoptr (GBytes) bytes = NULL;
  LmdbBuilder builder;

  qsort (names, g_strv_length (names), sizeof *names, compare_texts);
  lmdb_builder_init (&builder, 512);
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, NULL);

      c2g_blob_serialize_chunks (blob, *name, 3, C2G_SERIALIZE_NONE, add_record, &builder, NULL);
    }
  bytes = lmdb_builder_finish (&builder);
  put_lmdb ("checkpoint", bytes);
}

/* A checkpoint by liblmdb, if it is installed. */
static void
put_saved_database (C2gWorkspace *workspace)
{
  g_autofree char *place = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (place, "saved.lmdb", NULL);
  g_autofree char *data_path = g_build_filename (path, "data.mdb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *data = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize n_bytes;

  if (c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, NULL))
    {
      g_assert_true (g_file_get_contents (data_path, &data, &n_bytes, NULL));
      bytes = g_bytes_new (data, n_bytes);
      put_lmdb ("saved", bytes);
    }
  lmdb_remove (place);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (C2gWorkspace) workspace = NULL;

  g_assert_cmpint (argc, ==, 3);
  folder = argv[1];
  wanted = argv[2];
  g_assert_cmpint (g_mkdir_with_parents (folder, 0777), ==, 0);
  fuzz_register_own_types ();

  workspace = new_workspace ();
  put_messages (workspace);
  put_all_files (workspace);
  put_arrays (workspace);
  put_large ();
  put_caffe_blobs ();
  corpus_put_hand_made ();
  corpus_put_nets ();
  put_databases ();
  put_checkpoint (workspace);
  put_saved_database (workspace);
  return 0;
}
