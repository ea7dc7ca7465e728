/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-cudnn-work.h"

#include <math.h>
#include <string.h>

/* Convolutions and poolings of the fake cuDNN, by loops. */

static gsize
item_size (cudnnDataType_t type)
{
  return type == CUDNN_DATA_FLOAT ? 4 : 2;
}

static double
get_item (gconstpointer   items,
          gsize           i,
          cudnnDataType_t type)
{
  if (type == CUDNN_DATA_FLOAT)
    return ((const float *) items)[i];
  return fake_float_of_half (((const guint16 *) items)[i], type == CUDNN_DATA_HALF ? 10 : 7);
}

static void
set_item (gpointer        items,
          gsize           i,
          double          value,
          cudnnDataType_t type)
{
  if (type == CUDNN_DATA_FLOAT)
    ((float *) items)[i] = (float) value;
  else
    ((guint16 *) items)[i] = fake_half_of_float ((float) value, type == CUDNN_DATA_HALF ? 10 : 7);
}

static gsize
count_items (const struct cudnnTensorStruct *tensor)
{
  gsize last = 1;

  for (int i = 0; i < tensor->n_dims; i++)
    last += (gsize) (tensor->dims[i] - 1) * tensor->strides[i];

  return last;
}

static gsize
count_filter_items (const struct cudnnFilterStruct *filters)
{
  gsize n = 1;

  for (int i = 0; i < filters->n_dims; i++)
    n *= filters->dims[i];

  return n;
}

/* A place in three dimensions; the first one may be missing. */
typedef struct
{
  int at[3];
} Place;

static int
get_size (const int *dims,
          int        n_dims,
          int        i)
{
  const int missing = 3 - n_dims;

  return i < missing ? 1 : dims[i - missing];
}

static gboolean
next_place (Place     *place,
            const int *dims,
            int        n_dims)
{
  for (int i = 2; i >= 0; i--)
    {
      if (++place->at[i] < get_size (dims, n_dims, i))
        return TRUE;
      place->at[i] = 0;
    }

  return FALSE;
}

/* Finds the input that an output reads with one element of the filter; FALSE outside of the
 * image. */
static gboolean
find_input (const struct cudnnTensorStruct *x,
            int                             n_dims,
            const Place                    *out,
            const Place                    *kernel,
            const int                      *head,
            const int                      *stride,
            const int                      *dilation,
            gsize                          *offset)
{
  const int missing = 3 - n_dims;

  *offset = 0;
  for (int i = missing; i < 3; i++)
    {
      const int k = i - missing;
      const int at = out->at[i] * stride[k] - head[k] +
                     kernel->at[i] * (dilation != NULL ? dilation[k] : 1);

      if (at < 0 || at >= x->dims[k + 2])
        return FALSE;
      *offset += (gsize) at * x->strides[k + 2];
    }

  return TRUE;
}

static gsize
find_output (const struct cudnnTensorStruct *y,
             int                             n_dims,
             int                             image,
             int                             channel,
             const Place                    *out)
{
  const int missing = 3 - n_dims;
  gsize offset = (gsize) image * y->strides[0] + (gsize) channel * y->strides[1];

  for (int i = missing; i < 3; i++)
    offset += (gsize) out->at[i] * y->strides[i - missing + 2];

  return offset;
}

static gsize
find_filter_item (const struct cudnnFilterStruct *filters,
                  int                             filter,
                  int                             channel,
                  const Place                    *kernel)
{
  const int n_dims = filters->n_dims - 2;
  gsize n_kernel = 1, at = 0;

  for (int i = 3 - n_dims; i < 3; i++)
    {
      const int size = filters->dims[i - (3 - n_dims) + 2];

      at = at * size + kernel->at[i];
      n_kernel *= size;
    }

  return filters->is_last ? (filter * n_kernel + at) * filters->dims[1] + channel
                          : ((gsize) filter * filters->dims[1] + channel) * n_kernel + at;
}

static double
convolve (const FakeCudnnWork *work,
          int                  image,
          int                  filter,
          const Place         *out)
{
  const struct cudnnConvolutionStruct *conv = &work->conv;
  const int n_channels = work->filters.dims[1];
  const int group = filter / (work->filters.dims[0] / conv->n_groups);
  Place kernel = { { 0 } };
  double sum = 0;

  do
    {
      gsize offset;

      if (!find_input (&work->x, conv->n_dims, out, &kernel, conv->head, conv->stride,
                       conv->dilation, &offset))
        continue;
      offset += (gsize) image * work->x.strides[0] +
                (gsize) group * n_channels * work->x.strides[1];
      for (int channel = 0; channel < n_channels; channel++)
        sum += get_item (work->x_items, offset + (gsize) channel * work->x.strides[1],
                         work->x.type) *
               get_item (work->filter_items,
                         find_filter_item (&work->filters, filter, channel, &kernel), work->x.type);
    }
  while (next_place (&kernel, work->filters.dims + 2, conv->n_dims));

  return sum;
}

static double
pool (const FakeCudnnWork *work,
      int                  image,
      int                  channel,
      const Place         *out)
{
  const struct cudnnPoolingStruct *window = &work->pool;
  const gboolean is_max = window->mode == CUDNN_POOLING_MAX;
  double result = is_max ? -INFINITY : 0;
  Place kernel = { { 0 } };
  int n = 0, n_all = 0;

  do
    {
      gsize offset;
      double item;

      n_all++;
      if (!find_input (&work->x, window->n_dims, out, &kernel, window->head, window->stride, NULL,
                       &offset))
        continue;
      n++;
      item = get_item (work->x_items,
                       offset + (gsize) image * work->x.strides[0] +
                         (gsize) channel * work->x.strides[1],
                       work->x.type);
      result = is_max ? MAX (result, item) : result + item;
    }
  while (next_place (&kernel, window->kernel, window->n_dims));

  if (is_max)
    return result;
  return result / (window->mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? n_all : n);
}

static void
compute (const FakeCudnnWork *work,
         double (*find) (const FakeCudnnWork *work, int image, int channel, const Place *out))
{
  const int n_dims = work->y.n_dims - 2;

  for (int image = 0; image < work->y.dims[0]; image++)
    for (int channel = 0; channel < work->y.dims[1]; channel++)
      {
        Place out = { { 0 } };

        do
          {
            const gsize at = find_output (&work->y, n_dims, image, channel, &out);
            double result = work->alpha * find (work, image, channel, &out);

            if (work->beta != 0)
              result += work->beta * get_item (work->sum_items, at, work->y.type);
            if (work->biases != NULL)
              result = MAX (result + get_item (work->biases, channel, work->y.type), 0);
            set_item (work->y_items, at, result, work->y.type);
          }
        while (next_place (&out, work->y.dims + 2, n_dims));
      }
}

void
fake_cudnn_invoke_conv (dim3     grid,
                        dim3     block,
                        size_t   n_shared_bytes,
                        void   **args)
{
  const FakeCudnnWork *work = args[0];

  compute (work, convolve);
  if (work->workspace != NULL)
    memset (work->workspace, 0xee, work->n_workspace_bytes);
}

void
fake_cudnn_invoke_pool (dim3     grid,
                        dim3     block,
                        size_t   n_shared_bytes,
                        void   **args)
{
  compute (args[0], pool);
}

void
fake_cudnn_note_work (dim3   grid,
                      dim3   block,
                      void **args)
{
  const FakeCudnnWork *work = args[0];
  const gsize size = item_size (work->y.type);
  const gsize n_bytes = count_items (&work->y) * size;

  fake_cuda_note_access (work->x_items, count_items (&work->x) * size, FALSE);
  if (work->filter_items != NULL)
    fake_cuda_note_access (work->filter_items,
                           count_filter_items (&work->filters) * size, FALSE);
  if (work->biases != NULL)
    fake_cuda_note_access (work->biases, work->y.dims[1] * size, FALSE);
  if (work->beta != 0)
    fake_cuda_note_access (work->sum_items, n_bytes, FALSE);
  fake_cuda_note_access (work->y_items, n_bytes, TRUE);
  if (work->workspace != NULL)
    fake_cuda_note_access (work->workspace, work->n_workspace_bytes, TRUE);
}
