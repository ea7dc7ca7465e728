/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "corpus.h"

#include <c2g/io/numpy/c2g-zip-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

#include <zlib.h>

/* Converts a text to a message. */
static GBytes *
new_message (const ProtobufCMessageDescriptor *descriptor,
             const char                       *text)
{
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message = c2g_text_parse (descriptor, text, strlen (text), &error);
  GBytes *bytes;

  g_assert_no_error (error);
  bytes = c2g_wire_serialize (message, &error);
  g_assert_no_error (error);
  c2g_wire_free (message);
  return bytes;
}

static void
put_text (const char *target,
          const char *name,
          const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  corpus_put (target, name, bytes);
}

/* Forms of blobs that other programs write. */
static void
put_blobs (void)
{
  static const char *const blobs[] = {
    /* Floats as raw bytes, complete or only their upper halves. */
    "type: 'Tensor' tensor { dims: 2 raw_data: '\\0\\0\\x80?\\0\\0\\0@' name: 'a' }",
    "type: 'Tensor' tensor { dims: 2 raw_data: '\\x80?\\0@' data_format: 1 name: 'a' }",
    "type: 'Tensor' tensor { dims: 4 data_type: BOOL raw_data: '\\0\\1\\2\\xff' name: 'a' }",
    "type: 'Tensor' tensor { dims: 2 data_type: INT64 raw_data: '0123456789abcdef' }",
    "type: 'Tensor' tensor { dims: 2 data_type: FLOAT16 byte_data: '\\0<\\0@' }",
    "type: 'Tensor' tensor { dims: 3 data_type: BYTE byte_data: 'abc' }",
    "type: 'Tensor' tensor { dims: 3 data_type: UINT16 int32_data: -1 int32_data: 65536 "
    "  int32_data: 3 device_detail { device_type: CUDA cuda_gpu_id: 1 } segment { begin: 0 end: 3 } }",
    "type: 'Tensor' tensor { dims: 9 float_data: 1 float_data: 2 segment { begin: 4 end: 6 } }",
    "type: 'TensorCPU' tensor { dims: 1 double_data: 1e100 data_type: DOUBLE }",
    "name: 's' type: 'std::string' content: 'text' content_num_chunks: 1 content_chunk_id: 0",
    "name: 's' type: 'std::string' content: 'text' content_num_chunks: 2 content_chunk_id: 1",
    "name: 'o' type: 'fuzz::Own' content: 'text' content_num_chunks: 2 content_chunk_id: 1",
    "name: 'c' type: 'std::unique_ptr<Counter<int64_t>>' "
    "  tensor { dims: 2 data_type: INT64 int64_data: 1 int64_data: 2 }",
    "name: 'q' type: 'QTensor' qtensor { dims: 4 precision: 2 scale: 1 bias: 0 is_signed: false "
    "  data: 1 data: 2 }",
    "name: 'q' type: 'Int8TensorCPU' qtensor { dims: 2 precision: 32 scale: 0.5 bias: 0 "
    "  is_signed: true data: 100 data: -100 data_type: INT32 axis: 0 is_multiparam: false }",
    "name: 'r' type: 'DBReader' content: '\\x12\\x06minidb\\x1a\\x06minidb'",
    "type: 'Tensor' tensor { dims: 1 data_type: UNDEFINED string_data: '\\x0a\\x0cGCancellable' }",
    /* An array of NumPy cannot have so many dimensions. */
    "type: 'Tensor' tensor { dims: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
    "  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] float_data: 1 name: 'a' }",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (blobs); i++)
    {
      g_autofree char *name = g_strdup_printf ("blob-%zu", i);
      g_autoptr (GBytes) bytes = new_message (&caffe2__blob_proto__descriptor, blobs[i]);

      corpus_put ("blob", name, bytes);
    }
}

/* Nets */

static const char *const nets[] = {
  "name: \"net\"\n"
  "op {\n"
  "  output: \"x\" type: \"ConstantFill\"\n"
  "  arg { name: \"shape\" ints: 2 ints: 3 }\n"
  "  arg { name: \"value\" f: 1.5 }\n"
  "}\n"
  "op {\n"
  "  output: \"n\" type: \"ConstantFill\"\n"
  "  arg { name: \"dtype\" i: 10 } arg { name: \"value\" i: -5 }\n"
  "}\n"
  "op { input: \"x\" output: \"y\" type: \"Relu\" # nothing\n"
  "  device_option { device_type: CUDA cuda_gpu_id: 0 } is_gradient_op: true }\n"
  "op { output: \"z\" type: \"XavierFill\" engine: 'CUDNN' }\n"
  "type: 'simple' num_workers: 0x4\n"
  "external_input: \"data\" external_output: \"y\"\n",
  "op {\n"
  "  output: \"w\" type: \"GivenTensorFill\"\n"
  "  arg { name: \"shape\" ints: 2 }\n"
  "  arg { name: \"values\" floats: -1e3 floats: inf }\n"
  "}\n"
  "op {\n"
  "  output: \"d\" type: \"GivenTensorDoubleFill\"\n"
  "  arg { name: \"shape\" ints: [2] }\n"
  "  arg { name: \"values\" floats: [1, nan] }\n"
  "};\n"
  "op {\n"
  "  output: \"s\" type: \"GivenTensorStringFill\"\n"
  "  arg { name: \"shape\" ints: 1 ints: 2 }\n"
  "  arg { name: \"values\" strings: \"\\001a\" strings: 'b\\n\\x4' 'c' }\n"
  "}\n"
  "op {\n"
  "  output: \"i\" type: \"GivenTensorIntFill\"\n"
  "  arg { name: \"shape\" ints: 2 }\n"
  "  arg { name: \"values\" ints: -1 ints: 0x7f }\n"
  "}\n",
  "op { output: 's' type: 'ConstantFill'\n"
  "  arg { name: 'shape' ints: 3 } arg { name: 'dtype' i: 4 } arg { name: 'value' s: 'x' } }\n"
  "op { output: 'd' type: 'ConstantFill'\n"
  "  arg { name: 'dtype' i: 13 } arg { name: 'value' f: 0.5 } }\n"
  "op { output: 'b' type: 'GivenTensorBoolFill'\n"
  "  arg < name: 'shape' ints: 2 > arg < name: 'values' ints: 0 ints: 1 > }\n"
  "op { output: 'h' type: 'GivenTensorInt16Fill' arg { name: 'values' ints: -32768 } }\n"
  "op { output: 'l' type: 'GivenTensorInt64Fill' arg { name: 'values' ints: 5 } }\n",
  "op { output: 'huge' type: 'ConstantFill' arg { name: 'shape' ints: [100000, 20000] } }\n",
  "op { type: 'If' arg { name: 'then_net' n { op { arg { nets { name: 'a' } nets { } } } } }\n"
  "  arg { t { dims: 2 float_data: 1 float_data: -0 device_detail { node_name: 'n' } } }\n"
  "  arg { tensors { data_type: INT8 int32_data: -1 segment { begin: 0 end: 1 } } }\n"
  "  arg { qtensors { precision: 8 scale: 0.1 bias: 1e300 is_signed: false axis: 1 } }\n"
  "  debug_info: 'd' domain: 'c10' op_version: -1 control_input: 'c' 100: 0x01020304 }\n"
  "partition_info { name: 'p' device_id: 1 backend_options { backend_name: 'b'\n"
  "  option { key: 'k' val: 'v' } } } 101: 0x0102030405060708 102: 'x' 103: 5\n",
};

static void
put_nets (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autofree char *name = g_strdup_printf ("net-%zu", i);
      g_autofree char *text_name = g_strconcat (name, "-text", NULL);
      g_autoptr (GBytes) bytes = new_message (&caffe2__net_def__descriptor, nets[i]);

      put_text ("text", text_name, nets[i]);
      corpus_put ("net", name, bytes);
    }
}

/* A text of Caffe, which has a net with a layer of each version. */
static void
put_caffe (void)
{
  static const char text[] =
    "name: 'n' input: 'x' input_shape { dim: 1 dim: 2 dim: 3 dim: 3 }\n"
    "layer { name: 'l' type: 'Convolution' bottom: 'x' top: 'c' include { phase: TEST }\n"
    "  convolution_param { num_output: 2 kernel_size: 1 pad: 1 } }\n"
    "layers < name: 'r' type: RELU, bottom: ['c'], top: 'c'; >\n"
    "layer { name: 'p' type: 'Pooling' bottom: 'c' top: 'p' pooling_param { pool: AVE kernel_size: 2 } }\n"
    "layer { name: 's' type: 'Scale' bottom: 'p' bottom: 'p' top: 's' scale_param { axis: 0 } }\n"
    "layer { name: 't' type: 'Slice' bottom: 's' top: 'a' top: 'b' slice_param { slice_point: 1 } }\n"
    "layer { name: 'e' type: 'Eltwise' bottom: 'a' bottom: 'b' top: 'e' eltwise_param { coeff: [1, -1] } }\n"
    "layer { name: 'f' type: 'Reshape' bottom: 'e' top: 'f' reshape_param { shape { dim: 0 dim: -1 } } }\n"
    "layer { name: 'm' type: 'Softmax' bottom: 'f' top: 'm' softmax_param { axis: -1 } }\n";
  static const char rows[] =
    "input: 'x' input: 'z' input_shape { dim: 4 dim: 2 dim: 5 dim: 4 } input_shape { dim: 4 }\n"
    "layer { type: 'SPP' bottom: 'x' top: 'p' spp_param { pyramid_height: 2 pool: AVE } }\n"
    "layer { type: 'BatchReindex' bottom: 'p' bottom: 'z' top: 'b' }\n"
    "layer { type: 'Filter' bottom: 'b' bottom: 'z' top: 'f' }\n"
    "layer { name: 'l' type: 'LSTM' bottom: 'x' bottom: 'z' top: 'h' recurrent_param { num_output: 2 expose_hidden: false } }\n";
  static const guint8 net[] =
    "\n\3net\xa2\6\x17\n\3a/b\x12\1T\x3a\13\x2a\4\0\0\x80\x3f\x3a\3\n\1\1\x50\1"
    "\x12\x15\x12\1d\x22\1c\x28\4\x32\13\x2a\4\0\0\x80\x3f\x3a\3\n\1\1"
    "\x12\x19\n\x17\n\1v\x12\4conv\x92\3\13\x2a\4\0\0\x80\x3f\x3a\3\n\1\1";
  g_autoptr (GBytes) bytes = g_bytes_new_static (net, sizeof net - 1);

  put_text ("prototxt", "caffe", text);
  put_text ("prototxt", "caffe-rows", rows);
  corpus_put ("caffemodel", "caffe", bytes);
}

/* Messages that contain nets. */
static void
put_definitions (void)
{
  static const char plan_text[] =
    "name: 'plan' network { name: 'net' op { type: 'Relu' } }\n"
    "execution_step { name: 'outer' num_iter: 3 substep { network: ['net', 'net'] }\n"
    "  substep { run_every_ms: 100 report_net: 'r' report_interval: 1 100: 1 }\n"
    "  concurrent_substeps: true should_stop_blob: 's' only_once: true create_workspace: false\n"
    "  criteria_network: 'c' num_concurrent_instances: 2 }\n";
  static const char meta_text[] =
    "blobs { key: 'INPUTS_BLOB_TYPE' value: ['a', 'b'] 100: 1 }\n"
    "nets { key: 'PREDICT_NET_TYPE' value { name: 'net' op { } } 101: 'x' }\n"
    "modelInfo { project: 'p' modelClass: 'c' version: 'v' predictorType: 't' modelId: 'i' 9: 1 }\n"
    "plans { key: 'TRAIN_PLAN_TYPE' value { execution_step { network: 'net' } } }\n"
    "applicationSpecificInfo { key: 'k' value: 'v' } blobsOrder: 'a' preLoadBlobs: 'b'\n";
  g_autoptr (GBytes) plan = new_message (&caffe2__plan_def__descriptor, plan_text);
  g_autoptr (GBytes) meta = new_message (&caffe2__meta_net_def__descriptor, meta_text);

  corpus_put_only ("net", "plan", plan);
  corpus_put_only ("net", "meta", meta);
}

/* Positions of readers in the databases that the target makes. */
static void
put_readers (void)
{
  static const char *const readers[][3] = {
    { "minidb", "minidb", NULL },
    { "lmdb", "lmdb", NULL },
    { "lmdb", "lmdb", "c#%0" },
    { "lmdb", "lmdb/data.mdb", "zz" },
    { "minidb", "missing", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_autofree char *name = g_strdup_printf ("reader-%zu", i);
      GByteArray *array = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL;

      c2g_wire_put_bytes (array, 1, "reader", 6);
      c2g_wire_put_bytes (array, 2, readers[i][1], strlen (readers[i][1]));
      c2g_wire_put_bytes (array, 3, readers[i][0], strlen (readers[i][0]));
      if (readers[i][2] != NULL)
        c2g_wire_put_bytes (array, 4, readers[i][2], strlen (readers[i][2]));
      bytes = g_byte_array_free_to_bytes (array);
      corpus_put_only ("db-reader", name, bytes);
    }
}

/* NumPy */

static GBytes *
new_array (guint8      version,
           const char *header,
           gsize       n_bytes)
{
  GByteArray *array = g_byte_array_new ();
  const guint8 start[] = { 0x93, 'N', 'U', 'M', 'P', 'Y', version, 0 };

  g_byte_array_append (array, start, sizeof start);
  c2g_zip_put (array, version == 1 ? 2 : 4, strlen (header));
  g_byte_array_append (array, (const guint8 *) header, strlen (header));
  for (gsize i = 0; i < n_bytes; i++)
    c2g_zip_put (array, 1, i % 4 == 0 ? 'a' + i : 0);
  return g_byte_array_free_to_bytes (array);
}

static void
put_arrays (void)
{
  static const struct
  {
    const char *header;
    gsize       n_bytes;
  } arrays[] = {
    { "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 2), }  \n", 96 },
    { "{'descr': '>i4', 'fortran_order': True, 'shape': (3, 2), }\n", 24 },
    { "{'descr': '>u2', 'fortran_order': False, 'shape': (5,), }\n", 10 },
    { "{'shape': (4, 2), 'fortran_order': True, 'descr': '|u1'}\n", 8 },
    { "{'descr': '<U2', 'fortran_order': False, 'shape': (3,), }\n", 24 },
    { "{'descr': '>U1', 'fortran_order': True, 'shape': (2, 2), }\n", 16 },
    { "{'descr': '|S5', 'fortran_order': True, 'shape': (2, 2), }\n", 20 },
    { "{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", 1 },
    { "{'descr': '<f2', 'fortran_order': False, 'shape': (0, 7), }\n", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      g_autofree char *name = g_strdup_printf ("array-%zu", i);
      g_autoptr (GBytes) bytes = new_array (1 + i % 3, arrays[i].header, arrays[i].n_bytes);

      corpus_put ("npy", name, bytes);
    }
}

/* Archives */

/* The fields of a member's header, which is local or in the directory. 2^32 - 1 means that the
 * number is in the extra field after the name. */
static void
put_header (GByteArray *file,
            GBytes     *array,
            gboolean    is_central)
{
  static const char name[] = "a.npy";
  gsize n_bytes = g_bytes_get_size (array);

  c2g_zip_put (file, 4, is_central ? C2G_ZIP_CENTRAL_MARK : C2G_ZIP_LOCAL_MARK);
  if (is_central)
    c2g_zip_put (file, 2, 45);
  c2g_zip_put (file, 2, 45);
  c2g_zip_put (file, 8, 0);
  c2g_zip_put (file, 4, crc32_z (0, g_bytes_get_data (array, NULL), n_bytes));
  c2g_zip_put (file, 8, G_MAXUINT64);
  c2g_zip_put (file, 2, strlen (name));
  c2g_zip_put (file, 2, is_central ? 28 : 20);
  if (is_central)
    {
      c2g_zip_put (file, 8, 0);
      c2g_zip_put (file, 2, 0);
      c2g_zip_put (file, 4, G_MAXUINT32);
    }
  g_byte_array_append (file, (const guint8 *) name, strlen (name));
  c2g_zip_put (file, 2, C2G_ZIP_EXTRA_ZIP64);
  c2g_zip_put (file, 2, is_central ? 24 : 16);
  c2g_zip_put (file, 8, n_bytes);
  c2g_zip_put (file, 8, n_bytes);
  if (is_central)
    c2g_zip_put (file, 8, 0);
}

/* All numbers are in the extra field for large ones. */
static void
put_large_archive (void)
{
  g_autoptr (GBytes) array = new_array (1, "{'descr': '|u1', 'fortran_order': False, 'shape': (8,)}\n",
                                        8);
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  gsize directory, end;

  put_header (file, array, FALSE);
  g_byte_array_append (file, g_bytes_get_data (array, NULL), g_bytes_get_size (array));
  directory = file->len;
  put_header (file, array, TRUE);
  end = file->len;

  c2g_zip_put (file, 4, C2G_ZIP_END64_MARK);
  c2g_zip_put (file, 8, C2G_ZIP_END64_BYTES - 12);
  c2g_zip_put (file, 4, 45 | 45 << 16);
  c2g_zip_put (file, 8, 0);
  c2g_zip_put (file, 8, 1);
  c2g_zip_put (file, 8, 1);
  c2g_zip_put (file, 8, end - directory);
  c2g_zip_put (file, 8, directory);
  c2g_zip_put (file, 4, C2G_ZIP_LOCATOR_MARK);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 8, end);
  c2g_zip_put (file, 4, 1);
  c2g_zip_put (file, 4, C2G_ZIP_END_MARK);
  c2g_zip_put (file, 4, 0);
  c2g_zip_put (file, 8, G_MAXUINT64);
  c2g_zip_put (file, 4, G_MAXUINT32);
  c2g_zip_put (file, 2, 0);
  bytes = g_byte_array_free_to_bytes (file);
  corpus_put ("npz", "large-archive", bytes);
}

static void
put_safetensors (void)
{
  static const char header[] = "{\"__metadata__\": {\"\\u0041\\ud83d\\ude00\": \"b\\n\"},\n"
                               " \"f8\": {\"dtype\": \"F8_E4M3\", \"shape\": [2, 1],"
                               " \"data_offsets\": [0, 2]},\t"
                               "\"\\u00e9\":{\"data_offsets\":[2,10],\"shape\":[],\"dtype\":\"I64\"},"
                               "\"b\":{\"dtype\":\"BOOL\",\"shape\":[1,3],\"data_offsets\":[10,13]},"
                               "\"e\":{\"dtype\":\"BF16\",\"shape\":[0],\"data_offsets\":[13,13]}}  ";
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;

  c2g_zip_put (file, 8, strlen (header));
  g_byte_array_append (file, (const guint8 *) header, strlen (header));
  c2g_zip_put (file, 8, 0x0102030405060708);
  c2g_zip_put (file, 5, 0x0102030401);
  bytes = g_byte_array_free_to_bytes (file);
  corpus_put ("safetensors", "hand-made", bytes);
}

static void
put_settings (void)
{
  put_text ("model-info", "input", "[modelinfo]\nversion=1.0\n[data]\nid=data\ntype=uint8\ndims=-1,3,224,224\ndims-order=row-major\n"
                                   "dir=input\nranges=-1.0,1.0;0.0,2.5;0,255\n[out]\ndims=1,PLACEHOLDER\ndir=output\n");
  put_text ("model-info", "columns", "[modelinfo]\nversion=1.0\n[x]\ntype=float32\ndims=4,6,1\ndims-order=col-major\nranges=0,0\n");
  put_text ("model-info", "form", "[picture]\npreset=caffe2\nsize=224x224\nmean=104,117,123\nscale=1/255\nchannels=BGR\norder=NHWC\n"
                                  "crop=true\n");
  put_text ("value-info", "caffe2", "{\"data\": [1, [1, 3, 227, 227]], \"bytes\": [6, [1, -1, 224, 224, 3]]}");
  put_text ("value-info", "strange", "{\"other\": -1.5e3, \"\\u0041\\n\": {\"a\": [2, [3, 9223372036854775808]]}, 'x': [1, [\"a\", {}]], /* # */");
  put_text ("gst-nns-caps", "one", "\nuint8\n3:224:224:1\n");
  put_text ("gst-nns-caps", "several", "3\nfloat32,uint8.Int64\n1:1,4294967295: 2,3:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1\n");
}

void
corpus_put_hand_made (void)
{
  put_settings ();
  put_blobs ();
  put_nets ();
  put_caffe ();
  put_definitions ();
  put_readers ();
  put_arrays ();
  put_large_archive ();
  put_safetensors ();
}
