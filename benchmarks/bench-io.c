/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures writing and reading blobs and files through the public API of the shared library,
 * compared with memory and system calls for as many bytes. */

#include "bench.h"

#include <c2g/c2g.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_BYTES      (64u << 20)
#define N_INT8       (16u << 20)
#define N_STRINGS    (1u << 20)
#define STRING_BYTES 16
#define N_BLOBS      10000
#define N_LAYERS     1000

/* A model of 200 MiB: as many parameters, each of so many bytes. */
#define N_PARAMETERS    50u
#define PARAMETER_BYTES (4u << 20)
#define MODEL_BYTES     (N_PARAMETERS * PARAMETER_BYTES)

/* Results are stored here, so that the compiler does not remove the work that computes them. */
static volatile gsize sink;
static void *(*volatile copy_bytes) (void *, const void *, size_t) = memcpy;

/* Ends the program after an error, because it would time failed calls. */
static void
check (GError *error)
{
  if (error == NULL)
    return;
  g_printerr ("bench-io: %s\n", error->message);
  exit (EXIT_FAILURE);
}

/* Two arrays, for copies from one to the other. */

typedef struct
{
  void *source;
  void *destination;
} Places;

static void *
places_set_up (void)
{
  Places *self = g_new (Places, 1);

  self->source = g_malloc (N_BYTES);
  self->destination = g_malloc (N_BYTES);
  memset (self->source, 1, N_BYTES);
  memset (self->destination, 2, N_BYTES);
  return self;
}

static void
places_tear_down (void *data)
{
  Places *self = data;

  g_free (self->source);
  g_free (self->destination);
  g_free (self);
}

static void
places_copy (void          *data,
             unsigned long  n)
{
  Places *self = data;

  while (n-- > 0)
    copy_bytes (self->destination, self->source, N_BYTES);
}

/* Copies into fresh memory of the system, as a function that returns a new message must. */
static void
places_copy_to_new (void          *data,
                    unsigned long  n)
{
  Places *self = data;

  while (n-- > 0)
    {
      void *destination = g_malloc (N_BYTES);

      copy_bytes (destination, self->source, N_BYTES);
      sink += ((guint8 *) destination)[0];
      g_free (destination);
    }
}

/* A blob, its message, and a blob that the message is read into. */

typedef struct
{
  C2gBlob       *blob;
  C2gBlob       *target;
  GBytes        *bytes;
  GOutputStream *stream;
  C2gAllocator  *allocator;
} Message;

static C2gTensor *
new_tensor (C2gBlob     *blob,
            C2gDataType  data_type,
            gint64       n)
{
  GError *error = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);

  check (error);
  c2g_tensor_resize (tensor, &n, 1, &error);
  check (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  check (error);
  return tensor;
}

static Message *
message_finish (Message *self)
{
  GError *error = NULL;

  self->bytes = c2g_blob_serialize (self->blob, "blob", &error);
  check (error);
  self->target = c2g_blob_new ();
  return self;
}

static Message *
message_new (void)
{
  Message *self = g_new0 (Message, 1);

  self->blob = c2g_blob_new ();
  return self;
}

static void *
float_set_up (void)
{
  Message *self = message_new ();
  C2gTensor *tensor = new_tensor (self->blob, C2G_DATA_TYPE_FLOAT, N_BYTES / sizeof (float));

  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), 1, N_BYTES);
  return message_finish (self);
}

/* A stream over existing memory. */
static void *
float_stream_set_up (void)
{
  Message *self = float_set_up ();
  gsize n_bytes = g_bytes_get_size (self->bytes);
  void *buffer = g_malloc (n_bytes);

  memset (buffer, 0, n_bytes);
  self->stream = g_memory_output_stream_new (buffer, n_bytes, NULL, g_free);
  return self;
}

/* Every second value is negative, which takes ten bytes. */
static void *
int8_set_up (void)
{
  Message *self = message_new ();
  C2gTensor *tensor = new_tensor (self->blob, C2G_DATA_TYPE_INT8, N_INT8);
  gint8 *items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT8, NULL);

  for (gsize i = 0; i < N_INT8; i++)
    items[i] = i % 2 == 0 ? (gint8) (i % 128) : (gint8) (-(int) (i % 128) - 1);
  return message_finish (self);
}

/* Varints of one, two and three bytes. */
static void *
float16_set_up (void)
{
  Message *self = message_new ();
  C2gTensor *tensor = new_tensor (self->blob, C2G_DATA_TYPE_FLOAT16, N_BYTES / 2);
  guint16 *items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT16, NULL);

  for (gsize i = 0; i < N_BYTES / 2; i++)
    items[i] = (guint16) (0x3c00 + i % 4096);
  return message_finish (self);
}

static void *
string_set_up (void)
{
  Message *self = message_new ();
  C2gTensor *tensor = new_tensor (self->blob, C2G_DATA_TYPE_STRING, N_STRINGS);
  GBytes **items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_STRING, NULL);

  for (gsize i = 0; i < N_STRINGS; i++)
    items[i] = g_bytes_new ("0123456789abcdef", STRING_BYTES);
  return message_finish (self);
}

static void
message_tear_down (void *data)
{
  Message *self = data;

  g_clear_object (&self->stream);
  g_bytes_unref (self->bytes);
  g_object_unref (self->blob);
  g_object_unref (self->target);
  if (self->allocator != NULL)
    c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL);
  g_clear_object (&self->allocator);
  g_free (self);
}

static void
message_serialize (void          *data,
                   unsigned long  n)
{
  Message *self = data;
  GError *error = NULL;

  while (n-- > 0)
    {
      GBytes *bytes = c2g_blob_serialize (self->blob, "blob", &error);

      check (error);
      sink += g_bytes_get_size (bytes);
      g_bytes_unref (bytes);
    }
}

static void
message_serialize_to_stream (void          *data,
                             unsigned long  n)
{
  Message *self = data;
  GError *error = NULL;

  while (n-- > 0)
    {
      g_seekable_seek (G_SEEKABLE (self->stream), 0, G_SEEK_SET, NULL, &error);
      check (error);
      c2g_blob_serialize_to_stream (self->blob, "blob", C2G_SERIALIZE_NONE, self->stream, NULL,
                                    &error);
      check (error);
    }
}

static void
message_deserialize (void          *data,
                     unsigned long  n)
{
  Message *self = data;
  GError *error = NULL;

  while (n-- > 0)
    {
      c2g_blob_deserialize (self->target, self->bytes, &error);
      check (error);
    }
}

/* The pool has memory for two tensors: each read reuses the block of the read before the last. */
static void *
float_pool_set_up (void)
{
  Message *self = float_set_up ();
  g_autoptr (C2gAllocator) upstream = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  GError *error = NULL;

  self->allocator = c2g_pool_allocator_new (upstream);
  c2g_allocator_set_default (c2g_device_cpu (), self->allocator, &error);
  check (error);
  message_deserialize (self, 2);
  return self;
}

/* Files with a few large tensors, or with many small ones. */

typedef struct
{
  char         *folder;
  GFile        *file;
  /* The text of a net of Caffe, or NULL. */
  GFile        *text;
  C2gWorkspace *workspace;
  void         *buffer;
} File;

static void
add_floats (C2gWorkspace *workspace,
            const char   *name,
            gsize         n_bytes)
{
  GError *error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  C2gTensor *tensor;

  check (error);
  tensor = new_tensor (blob, C2G_DATA_TYPE_FLOAT, n_bytes / sizeof (float));
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), 1, n_bytes);
}

static File *
file_new (const char *name)
{
  File *self = g_new0 (File, 1);
  g_autofree char *path = NULL;
  GError *error = NULL;

  self->folder = g_dir_make_tmp ("c2g-bench-XXXXXX", &error);
  check (error);
  path = g_build_filename (self->folder, name, NULL);
  self->file = g_file_new_for_path (path);
  self->workspace = c2g_workspace_new ();
  return self;
}

static void
file_save (File *self)
{
  GError *error = NULL;

  c2g_workspace_save_checkpoint (self->workspace, self->file, NULL, NULL, &error);
  check (error);
}

/* The names are those of layers, because Caffe's format needs such. */
static void *
file_set_up (const char *name,
             guint       n_tensors,
             gsize       n_bytes)
{
  File *self = file_new (name);

  for (guint i = 0; i < n_tensors; i++)
    {
      g_autofree char *tensor = g_strdup_printf ("tensor%u/0", i);

      add_floats (self->workspace, tensor, n_bytes);
    }
  file_save (self);
  return self;
}

static void *
model_set_up (const char *name)
{
  return file_set_up (name, N_PARAMETERS, PARAMETER_BYTES);
}

static void *
safetensors_set_up (void)
{
  return model_set_up ("file.safetensors");
}

static void *
safetensors_small_set_up (void)
{
  return file_set_up ("file.safetensors", 1, 1 << 20);
}

static void *
minidb_set_up (void)
{
  return model_set_up ("file.minidb");
}

static void *
lmdb_set_up (void)
{
  return model_set_up ("file.lmdb");
}

static void *
caffemodel_set_up (void)
{
  return model_set_up ("file.caffemodel");
}

static void
add_layer (GString      *text,
           C2gWorkspace *workspace,
           guint         i)
{
  g_autofree char *weights = g_strdup_printf ("conv%u/0", i);
  g_autofree char *bias = g_strdup_printf ("conv%u/1", i);
  C2gTensor *tensor;

  g_string_append_printf (text,
                          "layer { name: 'conv%u' type: 'Convolution' bottom: 'x%u' top: 'x%u'\n"
                          "  convolution_param { num_output: 8 kernel_size: 1 } }\n"
                          "layer { name: 'relu%u' type: 'ReLU' bottom: 'x%u' top: 'x%u' }\n",
                          i, i, i + 1, i, i + 1, i + 1);
  add_floats (workspace, bias, 8 * sizeof (float));
  add_floats (workspace, weights, 64 * sizeof (float));
  tensor = c2g_workspace_get_tensor (workspace, weights, NULL);
  c2g_tensor_reshape (tensor, (const gint64[]){ 8, 8, 1, 1 }, 4, NULL);
}

/* Writes a net of Caffe in which every second layer is in place. */
static void *
net_set_up (void)
{
  File *self = file_new ("net.caffemodel");
  g_autoptr (GString) text = g_string_new ("input: 'x0' input_shape { dim: 1 dim: 8 dim: 2 dim: 2 }\n");
  GError *error = NULL;

  for (guint i = 0; i < N_LAYERS / 2; i++)
    add_layer (text, self->workspace, i);
  file_save (self);
  self->text = g_file_new_build_filename (self->folder, "deploy.prototxt", NULL);
  g_file_set_contents (g_file_peek_path (self->text), text->str, text->len, &error);
  check (error);
  return self;
}

static void *
plain_set_up (void)
{
  File *self = safetensors_set_up ();

  self->buffer = g_malloc (MODEL_BYTES);
  memset (self->buffer, 0, MODEL_BYTES);
  return self;
}

static void *
many_set_up (void)
{
  File *self = file_new ("file.minidb");

  for (guint i = 0; i < N_BLOBS; i++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u_weight", i);

      add_floats (self->workspace, name, 64 * sizeof (float));
    }
  file_save (self);
  return self;
}

static void
file_tear_down (void *data)
{
  File *self = data;
  g_autoptr (GFileEnumerator) children = g_file_enumerate_children (self->file, "standard::name", 0, NULL, NULL);
  GFile *child;

  /* An LMDB database is a folder. */
  while (children != NULL && g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) && child != NULL)
    g_file_delete (child, NULL, NULL);
  g_file_delete (self->file, NULL, NULL);
  if (self->text != NULL)
    g_file_delete (self->text, NULL, NULL);
  g_clear_object (&self->text);
  rmdir (self->folder);
  g_object_unref (self->workspace);
  g_object_unref (self->file);
  g_free (self->folder);
  g_free (self->buffer);
  g_free (self);
}

/* Reads like `cat`: the file piece by piece into one buffer. */
static void
file_cat (void          *data,
          unsigned long  n)
{
  File *self = data;

  while (n-- > 0)
    {
      int fd = open (g_file_peek_path (self->file), O_RDONLY);
      gssize n_read;

      while ((n_read = read (fd, self->buffer, 128 << 10)) > 0)
        sink += n_read;
      close (fd);
    }
}

/* Reads the whole file into new memory. */
static void
file_read (void          *data,
           unsigned long  n)
{
  File *self = data;

  while (n-- > 0)
    {
      int fd = open (g_file_peek_path (self->file), O_RDONLY);
      char *buffer = g_malloc (MODEL_BYTES);

      sink += read (fd, buffer, MODEL_BYTES);
      close (fd);
      g_free (buffer);
    }
}

static void
load (File     *self,
      gboolean  memory_map)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  GError *error = NULL;

  c2g_load_options_set_load_all (options, TRUE);
  c2g_load_options_set_memory_map (options, memory_map);
  g_strfreev (c2g_workspace_load_checkpoint (workspace, self->file, options, NULL, &error));
  check (error);
}

static void
file_load (void          *data,
           unsigned long  n)
{
  while (n-- > 0)
    load (data, FALSE);
}

static void
file_map (void          *data,
          unsigned long  n)
{
  while (n-- > 0)
    load (data, TRUE);
}

/* No element is read. */
static void
file_open (void          *data,
           unsigned long  n)
{
  File *self = data;
  GError *error = NULL;

  while (n-- > 0)
    {
      g_object_unref (c2g_model_file_open (self->file, NULL, NULL, &error));
      check (error);
    }
}

static void
file_list (void          *data,
           unsigned long  n)
{
  File *self = data;
  GError *error = NULL;

  while (n-- > 0)
    {
      g_autoptr (C2gModelFile) model_file = c2g_model_file_open (self->file, NULL, NULL, &error);
      C2gFileEntry **entries;
      guint n_entries;

      check (error);
      entries = c2g_model_file_list_entries (model_file, &n_entries);
      if (n_entries != N_BLOBS)
        exit (EXIT_FAILURE);
      for (gsize i = 0; i < n_entries; i++)
        c2g_file_entry_unref (entries[i]);
      g_free (entries);
    }
}

static void
net_translate (void          *data,
               unsigned long  n)
{
  File *self = data;
  GError *error = NULL;

  while (n-- > 0)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) net = c2g_caffe_net_load (self->text, self->file, workspace, NULL, 0, NULL, &error);

      check (error);
      if (c2g_net_def_get_n_operators (net) != N_LAYERS)
        exit (EXIT_FAILURE);
    }
}

int
main (int    argc,
      char **argv)
{
  static const BenchRow rows[] = {
    { "memcpy", places_set_up, places_tear_down, places_copy, 0 },
    { "memcpy-new", places_set_up, places_tear_down, places_copy_to_new, 0 },
    { "serialize-float", float_set_up, message_tear_down, message_serialize, 0 },
    { "serialize-float-stream", float_stream_set_up, message_tear_down,
      message_serialize_to_stream, 0 },
    { "deserialize-float", float_set_up, message_tear_down, message_deserialize, 0 },
    { "deserialize-float-pool", float_pool_set_up, message_tear_down, message_deserialize, 0 },
    { "serialize-int8", int8_set_up, message_tear_down, message_serialize, 0 },
    { "deserialize-int8", int8_set_up, message_tear_down, message_deserialize, 0 },
    { "serialize-float16", float16_set_up, message_tear_down, message_serialize, 0 },
    { "deserialize-float16", float16_set_up, message_tear_down, message_deserialize, 0 },
    { "serialize-string", string_set_up, message_tear_down, message_serialize, 0 },
    { "deserialize-string", string_set_up, message_tear_down, message_deserialize, 0 },
    { "cat", plain_set_up, file_tear_down, file_cat, 0 },
    { "read-new", plain_set_up, file_tear_down, file_read, 0 },
    { "load-safetensors", safetensors_set_up, file_tear_down, file_load, 0 },
    { "load-minidb", minidb_set_up, file_tear_down, file_load, 0 },
    { "load-lmdb", lmdb_set_up, file_tear_down, file_load, 0 },
    { "map-safetensors", safetensors_set_up, file_tear_down, file_map, 0 },
    { "map-safetensors-small", safetensors_small_set_up, file_tear_down, file_map, 0 },
    { "list-10000", many_set_up, file_tear_down, file_list, 0 },
    { "load-caffemodel", caffemodel_set_up, file_tear_down, file_load, 0 },
    { "list-caffemodel", caffemodel_set_up, file_tear_down, file_open, 0 },
    { "translate-1000", net_set_up, file_tear_down, net_translate, 0 },
  };

  return bench_main (argc, argv, "c2g", c2g_get_version_string (), rows, G_N_ELEMENTS (rows));
}
