/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-data-type.h>
#include <c2g/core/c2g-device.h>
#include <c2g/core/c2g-tensor.h>

G_BEGIN_DECLS

/* The structures and numbers of DLPack's C interface, in the layout that version 1 gives
 * them and that the one without a version always had. */

#define C2G_DL_MAJOR_VERSION 1
#define C2G_DL_MINOR_VERSION 1

/* No tensor has more; what claims to is no tensor. */
#define C2G_DL_MAX_DIMS 1024

typedef enum
{
  C2G_DL_DEVICE_CPU = 1,
  C2G_DL_DEVICE_CUDA = 2,
  C2G_DL_DEVICE_CUDA_HOST = 3,
} C2gDlDeviceType;

typedef enum
{
  C2G_DL_INT = 0,
  C2G_DL_UINT = 1,
  C2G_DL_FLOAT = 2,
  C2G_DL_OPAQUE_HANDLE = 3,
  C2G_DL_BFLOAT = 4,
  C2G_DL_COMPLEX = 5,
  C2G_DL_BOOL = 6,
} C2gDlTypeCode;

typedef enum
{
  C2G_DL_FLAG_READ_ONLY = 1 << 0,
  C2G_DL_FLAG_IS_COPIED = 1 << 1,
} C2gDlFlags;

/* What streams are called in DLPack, where handles begin behind these. */
#define C2G_DL_STREAM_NO_SYNC (-1)
#define C2G_DL_STREAM_NONE    0
#define C2G_DL_STREAM_LEGACY  1

typedef struct
{
  guint32 major;
  guint32 minor;
} C2gDlVersion;

typedef struct
{
  gint32 type;
  gint32 id;
} C2gDlDevice;

typedef struct
{
  guint8  code;
  guint8  bits;
  guint16 lanes;
} C2gDlType;

typedef struct
{
  gpointer     data;
  C2gDlDevice  device;
  gint32       n_dims;
  C2gDlType    type;
  gint64      *shape;
  /* In elements; NULL where there are no gaps. */
  gint64      *strides;
  guint64      byte_offset;
} C2gDlTensor;

typedef struct _C2gDlManaged          C2gDlManaged;
typedef struct _C2gDlManagedVersioned C2gDlManagedVersioned;

struct _C2gDlManaged
{
  C2gDlTensor   tensor;
  gpointer      manager;
  void        (*deleter) (C2gDlManaged *self);
};

struct _C2gDlManagedVersioned
{
  C2gDlVersion   version;
  gpointer       manager;
  void         (*deleter) (C2gDlManagedVersioned *self);
  guint64        flags;
  C2gDlTensor    tensor;
};

/* Whether DLPack knows the elements, and how it calls them. */
gboolean    c2g_dlpack_type_for_data_type (C2gDataType         data_type,
                                           C2gDlType          *type);
/* The same backwards, or a C2G_ERROR_TYPE that names the elements. */
gboolean    c2g_dlpack_type_to_data_type  (const C2gDlType    *type,
                                           C2gDataType        *data_type,
                                           GError            **error);

C2gDlDevice c2g_dlpack_device_for_device  (C2gDevice          *device);
/* Where the processor, or a GPU, reaches the memory; or an error that names the place. */
C2gDevice  *c2g_dlpack_device_to_device   (const C2gDlDevice  *device,
                                           GError            **error);

/* What a structure of somebody else was found to be. */
typedef struct
{
  C2gDlTensor  tensor;
  C2gDataType  data_type;
  C2gDevice   *device;
  /* Where the first element is. */
  guint8      *data;
  gint64       n_elements;
  gsize        n_bytes;
  gsize        item_size;
  /* Whether the elements lie as those of a c2g tensor do. */
  gboolean     is_contiguous;
} C2gDlView;

/* Checks everything that can be: whatever stands in the structure, nothing of it is believed. */
gboolean    c2g_dlpack_view_init          (C2gDlView          *self,
                                           const C2gDlTensor  *tensor,
                                           GError            **error);
/* Copies the elements, which need not be contiguous, in a row. */
void        c2g_dlpack_view_copy          (const C2gDlView    *self,
                                           guint8             *destination);

G_END_DECLS
