/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/interop/c2g-dlpack.h>

G_BEGIN_DECLS

/* Structures and constants of DLPack's C interface: version 1, and the layout without a version
 * that existed before. */

#define C2G_DL_MAJOR_VERSION 1
#define C2G_DL_MINOR_VERSION 1

/* Limit on the number of dimensions, against corrupt structures. */
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

/* Numbers for streams in DLPack's __dlpack__ (stream). Numbers above 2 are handles. */
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
  /* Strides in elements; NULL if the tensor is contiguous. */
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

/* Returns FALSE if DLPack has no such element type. */
gboolean    c2g_dlpack_type_for_data_type (C2gDataType         data_type,
                                           C2gDlType          *type);
/* Converts back. Fails with a C2G_ERROR_TYPE that names the type. */
gboolean    c2g_dlpack_type_to_data_type  (const C2gDlType    *type,
                                           C2gDataType        *data_type,
                                           GError            **error);

C2gDlDevice c2g_dlpack_device_for_device  (C2gDevice          *device);
/* Returns the CPU or a CUDA device. Fails with an error that names other device types. */
C2gDevice  *c2g_dlpack_device_to_device   (const C2gDlDevice  *device,
                                           GError            **error);

/* Checks that the tensor has data of a type that DLPack knows. */
gboolean    c2g_dlpack_check_elements     (C2gTensor          *self,
                                           GError            **error);
/* Pins the elements for another library, whose stream may use them. */
C2gMapping *c2g_dlpack_pin                (C2gTensor          *self,
                                           C2gDlpackFlags      flags,
                                           gint64              stream,
                                           GError            **error);

/* A checked copy of another library's tensor description. */
typedef struct
{
  C2gDlTensor  tensor;
  C2gDataType  data_type;
  C2gDevice   *device;
  /* Address of the first element; NULL if there are no elements. */
  guint8      *data;
  gint64       n_elements;
  gsize        n_bytes;
  gsize        item_size;
  /* TRUE if the elements are contiguous in row-major order. */
  gboolean     is_contiguous;
} C2gDlView;

/* Checks everything that can be checked. The structure comes from foreign code and may be
 * wrong. */
gboolean    c2g_dlpack_view_init          (C2gDlView          *self,
                                           const C2gDlTensor  *tensor,
                                           GError            **error);
/* Copies the elements, which may be strided, to contiguous memory. */
void        c2g_dlpack_view_copy          (const C2gDlView    *self,
                                           guint8             *destination);

G_END_DECLS
