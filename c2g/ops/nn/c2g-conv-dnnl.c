/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-dnnl-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/nn/c2g-conv-plan-private.h>
#include <c2g/ops/support/c2g-dnnl-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <string.h>

/* Convolutions by oneDNN. It keeps filters in an order of its own, and its fast implementations have
 * the channels last, or in blocks. Images in another order are turned part by part, in memory that
 * stays in the cache of the thread. */
#define ENGINE "MKLDNN"

/* Fewest products of elements that are worth another thread. They take some microseconds. */
#define LEAST_PRODUCTS (1 << 17)

/* Most parts for each worker. */
#define MAX_PARTS 4

/* Floats of x and y that stay in the cache of a thread. */
#define N_CACHED (1 << 17)

/* Shapes that are kept, for nets that alternate between a few of them. */
#define MAX_VARIANTS 4

/* Winograd's algorithm computes 2 × 2 pixels at once. Where those begin changes the rounding. */
#define TILE 2

/* A run is divided into parts of some images, or of some rows of one. */
typedef struct
{
  C2gConvShape whole;
  gint64       n_images;
  gint64       n_rows;
} Division;

/* One thread computes a part with one call of oneDNN, which cannot be interrupted. */
typedef struct
{
  /* Index in plans. */
  guint         plan;
  gint64        x_offset;
  gint64        y_offset;
  dnnl_memory_t x;
  dnnl_memory_t y;
  dnnl_memory_t scratch;
  /* Only where the plan turns: the part in the images as they are. */
  dnnl_memory_t given_x;
  dnnl_memory_t given_y;
} Part;

/* The filters in an order that primitives have chosen; the variants of a convolution share them. */
typedef struct
{
  dnnl_memory_t memory;
  C2gScratch    scratch;
  gboolean      is_ordered;
} Filters;

/* All that is made for one division. */
typedef struct
{
  Division      division;
  /* Parts with the same shape share a C2gConvPlan. */
  GArray       *plans;
  /* Empty if the default way is the better one for the shape. */
  GArray       *parts;
  /* NULL if there are no parts. */
  Filters      *filters;
  dnnl_memory_t bias;
  /* Most bytes that a part needs, each a multiple of 64: for the primitive, and for the turned x
   * and y. */
  gsize         n_scratch_bytes;
  gsize         n_x_bytes;
  gsize         n_y_bytes;
  /* oneDNN's name of the first primitive; interned. */
  const char   *implementation;
} Variant;

struct _C2gConvDnnl
{
  /* The latest one is the first. */
  Variant *variants[MAX_VARIANTS];
};

static gboolean
check (dnnl_status_t   status,
       GError        **error)
{
  if (status == dnnl_success)
    return TRUE;
  if (status == dnnl_out_of_memory)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("Not enough memory for the engine “%s”"), ENGINE);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED, _("The engine “%s” failed with status %d"),
                 ENGINE, (int) status);
  return FALSE;
}

static void
clear_plan (gpointer data)
{
  c2g_conv_plan_clear (data);
}

static void
clear_memory (dnnl_memory_t *memory)
{
  if (*memory != NULL)
    dnnl_memory_destroy (*memory);
  *memory = NULL;
}

static void
clear_part (gpointer data)
{
  Part *part = data;

  clear_memory (&part->x);
  clear_memory (&part->y);
  clear_memory (&part->scratch);
  clear_memory (&part->given_x);
  clear_memory (&part->given_y);
}

static void
clear_filters (gpointer data)
{
  Filters *filters = data;

  clear_memory (&filters->memory);
  c2g_scratch_clear (&filters->scratch);
}

static void
filters_release (Filters *self)
{
  g_rc_box_release_full (self, clear_filters);
}

/* Leaves no part: then the default way computes. */
static void
forget (Variant *self)
{
  g_array_set_size (self->parts, 0);
  g_array_set_size (self->plans, 0);
  g_clear_pointer (&self->filters, filters_release);
  clear_memory (&self->bias);
  self->n_scratch_bytes = self->n_x_bytes = self->n_y_bytes = 0;
}

static void
variant_free (Variant *self)
{
  forget (self);
  g_array_unref (self->parts);
  g_array_unref (self->plans);
  g_free (self);
}

static Variant *
variant_new (const Division *division)
{
  Variant *self = g_new0 (Variant, 1);

  self->division = *division;
  self->plans = g_array_new (FALSE, FALSE, sizeof (C2gConvPlan));
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (self->plans, clear_plan);
  g_array_set_clear_func (self->parts, clear_part);
  return self;
}

/* A handle without memory, unless it has some already or there is nothing to remember. */
static dnnl_status_t
create_memory (const dnnl_memory_desc_t *described,
               dnnl_memory_t            *memory)
{
  if (*memory != NULL || dnnl_memory_desc_get_size (described) == 0)
    return dnnl_success;
  return dnnl_memory_create (memory, described, c2g_conv_cpu, DNNL_MEMORY_NONE);
}

static dnnl_status_t
create_filters (const dnnl_memory_desc_t  *ordered,
                Filters                  **filters)
{
  *filters = g_rc_box_new0 (Filters);
  return create_memory (ordered, &(*filters)->memory);
}

static dnnl_status_t
create_plan (Variant            *self,
             const C2gConvShape *shape)
{
  const dnnl_memory_desc_t *ordered = NULL;
  const_dnnl_primitive_desc_t desc;
  dnnl_status_t status = dnnl_success;
  C2gConvPlan plan;

  /* The first primitive chooses the order of the filters, and the others follow. */
  if (self->filters != NULL)
    status = dnnl_memory_get_memory_desc (self->filters->memory, &ordered);
  if (status == dnnl_success)
    status = c2g_conv_plan_init (&plan, shape, ordered);
  if (status != dnnl_success)
    return status;

  if (self->plans->len == 0)
    self->implementation = g_intern_string (c2g_conv_plan_get_implementation (&plan));
  g_array_append_val (self->plans, plan);
  desc = c2g_conv_plan_get_desc (&plan);
  if (self->filters == NULL)
    status = create_filters (dnnl_primitive_desc_query_md (desc, dnnl_query_weights_md, 0),
                             &self->filters);
  if (status == dnnl_success && shape->has_bias)
    status =
      create_memory (dnnl_primitive_desc_query_md (desc, dnnl_query_weights_md, 1), &self->bias);
  return status;
}

static dnnl_status_t
find_plan (Variant            *self,
           const C2gConvShape *shape,
           guint              *index)
{
  for (*index = 0; *index < self->plans->len; ++*index)
    if (memcmp (shape, &g_array_index (self->plans, C2gConvPlan, *index).shape, sizeof *shape) == 0)
      return dnnl_success;
  return create_plan (self, shape);
}

/* Makes a handle for a memory of the primitive, and a number at least its bytes. All scratch memory
 * begins at cache lines. */
static dnnl_status_t
add_memory (const_dnnl_primitive_desc_t  desc,
            dnnl_query_t                 what,
            dnnl_memory_t               *memory,
            gsize                       *n_bytes)
{
  const dnnl_memory_desc_t *described = dnnl_primitive_desc_query_md (desc, what, 0);

  if (n_bytes != NULL)
    *n_bytes = MAX (*n_bytes, (dnnl_memory_desc_get_size (described) + 63) / 64 * 64);
  return create_memory (described, memory);
}

/* The images as they are. */
static dnnl_status_t
create_given (const C2gConvPlan *plan,
              Part              *part)
{
  dnnl_memory_desc_t given;
  dnnl_status_t status = c2g_conv_shape_describe_x (&plan->shape, &given);

  if (status == dnnl_success && plan->turn_x != NULL)
    status = create_memory (&given, &part->given_x);
  if (status == dnnl_success)
    status = c2g_conv_shape_describe_y (&plan->shape, &given);
  if (status == dnnl_success && plan->turn_y != NULL)
    status = create_memory (&given, &part->given_y);
  return status;
}

static dnnl_status_t
add_part (Variant            *self,
          const C2gConvShape *shape,
          Part               *part)
{
  dnnl_status_t status = find_plan (self, shape, &part->plan);
  const_dnnl_primitive_desc_t desc;
  const C2gConvPlan *plan;

  if (status != dnnl_success)
    return status;
  g_array_append_vals (self->parts, part, 1);
  part = &g_array_index (self->parts, Part, self->parts->len - 1);
  plan = &g_array_index (self->plans, C2gConvPlan, part->plan);
  desc = c2g_conv_plan_get_desc (plan);
  status = add_memory (desc, dnnl_query_src_md, &part->x,
                       plan->turn_x != NULL ? &self->n_x_bytes : NULL);
  if (status == dnnl_success)
    status = add_memory (desc, dnnl_query_dst_md, &part->y,
                         plan->turn_y != NULL ? &self->n_y_bytes : NULL);
  if (status == dnnl_success)
    status =
      add_memory (desc, dnnl_query_scratchpad_md, &part->scratch, &self->n_scratch_bytes);
  if (status == dnnl_success)
    status = create_given (plan, part);
  return status;
}

/* Adds the part that begins at the image and the row of the output. */
static dnnl_status_t
add_part_at (Variant *self,
             gint64   image,
             gint64   row)
{
  const C2gConvShape *whole = &self->division.whole;
  const gint64 n_rows = MIN (self->division.n_rows, whole->out[0] - row);
  const gint64 reach = whole->dilation[0] * (whole->kernel[0] - 1) + 1;
  const gint64 first = row * whole->stride[0] - whole->head[0];
  const gint64 end = first + (n_rows - 1) * whole->stride[0] + reach;
  const gint64 begin = n_rows < whole->out[0] ? MAX (first, 0) : 0;
  C2gConvShape shape = *whole;
  Part part = { 0 };

  shape.n_images = MIN (self->division.n_images, whole->n_images - image);
  shape.out[0] = n_rows;
  if (n_rows < whole->out[0])
    {
      shape.head[0] = MAX (-first, 0);
      shape.tail[0] = MAX (end - whole->in[0], 0);
      shape.in[0] = MIN (end, whole->in[0]) - begin;
    }
  part.x_offset = image * whole->in[0] * whole->in[1] * whole->n_in +
                  begin * whole->in[1] * (whole->x_plane > 0 ? 1 : whole->n_in);
  part.y_offset = image * whole->out[0] * whole->out[1] * whole->n_out +
                  row * whole->out[1] * (whole->y_plane > 0 ? 1 : whole->n_out);
  return add_part (self, &shape, &part);
}

static dnnl_status_t
add_parts (Variant *self)
{
  const Division *division = &self->division;
  dnnl_status_t status = dnnl_success;

  for (gint64 image = 0; image < division->whole.n_images; image += division->n_images)
    for (gint64 row = 0; row < division->whole.out[0] && status == dnnl_success;
         row += division->n_rows)
      status = add_part_at (self, image, row);
  return status;
}

static gint64
divide_up (gint64 n,
           gint64 by)
{
  return (n + by - 1) / by;
}

/* Returns the number of parts for all workers. Several parts for each of them balance the load if one
 * is slower, but each part reads all filters: so they are not more than the images and the filters
 * allow. */
static gint64
count_parts (const C2gConvShape *whole,
             gint64              n_workers)
{
  const double n_floats =
    (double) whole->n_images *
    ((double) (whole->in[0] * whole->in[1]) * (double) whole->n_in +
     (double) (whole->out[0] * whole->out[1]) * (double) whole->n_out);
  const double n_filters = (double) whole->n_out * (double) (whole->n_in / whole->n_groups) *
                           (double) (whole->kernel[0] * whole->kernel[1]);

  return n_workers * (gint64) CLAMP (n_floats / (n_filters * (double) n_workers), 1, MAX_PARTS);
}

/* Makes parts whose turned x and y stay in the cache of a thread. */
static void
keep_in_cache (Division *division,
               gboolean  has_rows)
{
  const C2gConvShape *whole = &division->whole;
  const double row =
    (double) (whole->in[1] * whole->stride[0]) * (double) whole->n_in +
    (double) whole->out[1] * (double) whole->n_out;
  const double image = row * (double) whole->out[0];

  division->n_images = MIN (division->n_images, MAX ((gint64) (N_CACHED / image), 1));
  if (division->n_images == 1 && has_rows)
    division->n_rows = MIN (division->n_rows, MAX ((gint64) (N_CACHED / row), 1));
}

/* Lets each part begin at a tile, so that the number of threads changes no result. */
static void
keep_tiles (Division *division)
{
  if (division->n_rows < division->whole.out[0])
    division->n_rows = divide_up (division->n_rows, TILE) * TILE;
}

/* Divides a run for the workers, and further if it can be cancelled. Rows are parts only where each
 * window has something of the image. */
static void
divide (const C2gConvShape *whole,
        Division           *division)
{
  const gint64 n_workers = c2g_parallel_get_n_workers ();
  const gint64 n_parts = count_parts (whole, n_workers);
  const double work_of_row = (double) whole->out[1] * (double) whole->n_out *
                             (double) (whole->n_in / whole->n_groups) *
                             (double) (whole->kernel[0] * whole->kernel[1]);
  const double work = work_of_row * (double) whole->out[0];
  const gint64 reach = whole->dilation[0] * (whole->kernel[0] - 1) + 1;
  const gboolean has_rows = whole->head[0] < reach && whole->tail[0] < reach;
  const gint64 n_rows = whole->out[0];
  gint64 n_parts_per_image = divide_up (n_parts, whole->n_images);

  memset (division, 0, sizeof *division);
  division->whole = *whole;
  division->n_images = whole->n_images;
  division->n_rows = n_rows;
  if (whole->n_images % n_workers != 0)
    n_parts_per_image = MAX (n_parts_per_image, n_workers);
  if (n_workers > 1 && work * (double) whole->n_images >= 2 * LEAST_PRODUCTS)
    {
      if (has_rows && whole->n_images % n_parts != 0 && whole->n_images < 4 * n_workers)
        {
          division->n_images = 1;
          division->n_rows = MIN (n_rows, MAX (divide_up (n_rows, n_parts_per_image),
                                               (gint64) (LEAST_PRODUCTS / work_of_row)));
        }
      else
        division->n_images = MAX (divide_up (whole->n_images, n_parts), (gint64) (LEAST_PRODUCTS / work));
    }
  if (whole->x_plane > 0 || whole->is_winograd)
    keep_in_cache (division, has_rows);
  if (c2g_interrupt_cancellable != NULL)
    {
      division->n_images =
        MIN (division->n_images, MAX ((gint64) (C2G_INTERRUPT_PRODUCTS / work), 1));
      if (division->n_images == 1 && has_rows)
        division->n_rows =
          MIN (division->n_rows, MAX ((gint64) (C2G_INTERRUPT_PRODUCTS / work_of_row), 1));
    }
  if (whole->is_winograd)
    keep_tiles (division);
}

/* Leaves no part after a failure of oneDNN, which may not be able to make code in this process. */
static void
give_up (Variant       *self,
         dnnl_status_t  status)
{
  forget (self);
  if (status != dnnl_unimplemented)
    g_debug ("The engine “%s” failed with status %d, and the default one computes", ENGINE,
             (int) status);
}

/* Takes the filters of another variant in place of an own copy, if the order is the same. */
static void
share_filters (C2gConvDnnl *self,
               Variant     *variant)
{
  const dnnl_memory_desc_t *own, *other;

  for (guint i = 0; i < MAX_VARIANTS && self->variants[i] != NULL; i++)
    if (self->variants[i]->filters != NULL &&
        dnnl_memory_get_memory_desc (variant->filters->memory, &own) == dnnl_success &&
        dnnl_memory_get_memory_desc (self->variants[i]->filters->memory, &other) == dnnl_success &&
        dnnl_memory_desc_equal (own, other))
      {
        filters_release (variant->filters);
        variant->filters = g_rc_box_acquire (self->variants[i]->filters);
        return;
      }
}

/* Makes all that a run needs. There are no parts if the default way shall compute. */
static Variant *
create_variant (C2gConvDnnl    *self,
                const Division *division)
{
  Variant *variant = variant_new (division);
  dnnl_status_t status = dnnl_unimplemented;

  if (c2g_conv_shape_is_plain (&division->whole))
    status = add_parts (variant);
  if (status != dnnl_success)
    give_up (variant, status);
  else
    share_filters (self, variant);
  return variant;
}

/* Finds the variant or makes it, and makes it the first one. The one that was not needed for the
 * longest time makes room. */
static Variant *
ensure_variant (C2gConvDnnl   *self,
                const C2gConv *conv,
                gboolean       is_winograd)
{
  Division division;
  C2gConvShape whole;
  Variant *found;
  guint at = 0;

  c2g_conv_shape_find (conv, &whole);
  whole.is_winograd = is_winograd;
  divide (&whole, &division);
  while (at < MAX_VARIANTS - 1 && self->variants[at] != NULL &&
         memcmp (&division, &self->variants[at]->division, sizeof division) != 0)
    at++;
  found = self->variants[at];
  if (found == NULL || memcmp (&division, &found->division, sizeof division) != 0)
    {
      found = create_variant (self, &division);
      g_clear_pointer (&self->variants[at], variant_free);
    }
  memmove (&self->variants[1], self->variants, at * sizeof self->variants[0]);
  self->variants[0] = found;
  return found;
}

static dnnl_status_t
turn (dnnl_primitive_t primitive,
      dnnl_memory_t    from,
      dnnl_memory_t    to)
{
  const dnnl_exec_arg_t arguments[] = { { DNNL_ARG_FROM, from }, { DNNL_ARG_TO, to } };

  return dnnl_primitive_execute (primitive, c2g_conv_stream, G_N_ELEMENTS (arguments), arguments);
}

static dnnl_status_t
reorder (dnnl_memory_t from,
         dnnl_memory_t to)
{
  const dnnl_memory_desc_t *old, *new;
  dnnl_primitive_t primitive;
  dnnl_status_t status;

  dnnl_memory_get_memory_desc (from, &old);
  dnnl_memory_get_memory_desc (to, &new);
  status = c2g_conv_create_turn (old, new, &primitive);
  if (status != dnnl_success)
    return status;
  status = turn (primitive, from, to);
  dnnl_primitive_destroy (primitive);
  return status;
}

/* Puts filters with the channels last in order by way of the other plain order, the only one from
 * which oneDNN makes those of Winograd's algorithm. */
static dnnl_status_t
reorder_twice (const Variant *self,
               dnnl_memory_t  given,
               gpointer       between)
{
  dnnl_memory_t plain = NULL;
  dnnl_memory_desc_t description;
  dnnl_status_t status =
    c2g_conv_shape_describe_filters (&self->division.whole, FALSE, &description);

  if (status == dnnl_success)
    status = dnnl_memory_create (&plain, &description, c2g_conv_cpu, between);
  if (status == dnnl_success)
    status = reorder (given, plain);
  if (status == dnnl_success)
    status = reorder (plain, self->filters->memory);
  clear_memory (&plain);
  return status;
}

static gboolean
order_filters (Variant        *self,
               const C2gConv  *conv,
               gboolean        is_constant,
               GError        **error)
{
  const gboolean is_nhwc = conv->place.channels_last;
  const gboolean is_twice = is_nhwc && self->division.whole.is_winograd;
  Filters *filters = self->filters;
  const dnnl_memory_desc_t *ordered;
  dnnl_memory_desc_t description;
  C2gScratch between = { 0 };
  dnnl_memory_t given = NULL;
  dnnl_status_t status;

  if (filters->is_ordered && is_constant)
    return TRUE;
  status = c2g_conv_shape_describe_filters (&self->division.whole, is_nhwc, &description);
  dnnl_memory_get_memory_desc (filters->memory, &ordered);
  if (!c2g_scratch_extend (&filters->scratch, dnnl_memory_desc_get_size (ordered), 1, error) ||
      (is_twice &&
       !c2g_scratch_extend (&between, dnnl_memory_desc_get_size (&description), 1, error)))
    return FALSE;
  dnnl_memory_set_data_handle (filters->memory, filters->scratch.items);

  if (status == dnnl_success)
    status = dnnl_memory_create (&given, &description, c2g_conv_cpu, (gpointer) conv->filters);
  if (status == dnnl_success)
    status = is_twice ? reorder_twice (self, given, between.items)
                      : reorder (given, filters->memory);
  clear_memory (&given);
  c2g_scratch_clear (&between);
  filters->is_ordered = status == dnnl_success;
  if (status != dnnl_success)
    give_up (self, status);
  return TRUE;
}

/* Running */

typedef struct
{
  const Variant *variant;
  const C2gConv *conv;
  gpointer       scratch;
  /* Accessed atomically: the first failure. */
  int            status;
} Run;

static gsize
count_bytes (const Variant *self)
{
  return self->n_scratch_bytes + self->n_x_bytes + self->n_y_bytes;
}

/* Tells the memories of a part where they are. */
static void
place_part (const Run  *run,
            const Part *part,
            guint8     *scratch)
{
  const Variant *variant = run->variant;
  gpointer x = (gpointer) (run->conv->x + part->x_offset);
  gpointer y = run->conv->y + part->y_offset;

  if (part->scratch != NULL)
    dnnl_memory_set_data_handle (part->scratch, scratch);
  if (part->given_x != NULL)
    {
      dnnl_memory_set_data_handle (part->given_x, x);
      x = scratch + variant->n_scratch_bytes;
    }
  if (part->given_y != NULL)
    {
      dnnl_memory_set_data_handle (part->given_y, y);
      y = scratch + variant->n_scratch_bytes + variant->n_x_bytes;
    }
  dnnl_memory_set_data_handle (part->x, x);
  dnnl_memory_set_data_handle (part->y, y);
}

/* Puts the sum where the primitive adds to it. */
static dnnl_status_t
place_sum (const C2gConv     *conv,
           const C2gConvPlan *plan,
           const Part        *part)
{
  const C2gConvShape *shape = &plan->shape;
  dnnl_status_t status;

  if (plan->turn_sum == NULL)
    {
      if (conv->sum != conv->y)
        memcpy (conv->y + part->y_offset, conv->sum + part->y_offset,
                shape->n_images * shape->out[0] * shape->out[1] * shape->n_out * sizeof (float));
      return dnnl_success;
    }
  dnnl_memory_set_data_handle (part->given_y, (gpointer) (conv->sum + part->y_offset));
  status = turn (plan->turn_sum, part->given_y, part->y);
  dnnl_memory_set_data_handle (part->given_y, conv->y + part->y_offset);
  return status;
}

static dnnl_status_t
run_part (const Run  *run,
          const Part *part,
          guint       worker)
{
  const Variant *variant = run->variant;
  const C2gConvPlan *plan = &g_array_index (variant->plans, C2gConvPlan, part->plan);
  guint8 *scratch = (guint8 *) run->scratch + worker * count_bytes (variant);
  dnnl_exec_arg_t arguments[] = { { DNNL_ARG_SRC, part->x },
                                  { DNNL_ARG_WEIGHTS, variant->filters->memory },
                                  { DNNL_ARG_DST, part->y },
                                  { DNNL_ARG_BIAS, variant->bias },
                                  { 0 } };
  int n = variant->bias != NULL ? 4 : 3;
  dnnl_status_t status = dnnl_success;

  if (part->scratch != NULL)
    arguments[n++] = (dnnl_exec_arg_t) { DNNL_ARG_SCRATCHPAD, part->scratch };

  place_part (run, part, scratch);
  if (run->conv->sum != NULL)
    status = place_sum (run->conv, plan, part);
  if (plan->has_zeros)
    memset (scratch + variant->n_scratch_bytes, 0, variant->n_x_bytes);
  if (status == dnnl_success && plan->turn_x != NULL)
    status = turn (plan->turn_x, part->given_x, part->x);
  if (status == dnnl_success)
    status = dnnl_primitive_execute (plan->primitive, c2g_conv_stream, n, arguments);
  if (status == dnnl_success && plan->turn_y != NULL)
    status = turn (plan->turn_y, part->y, part->given_y);
  return status;
}

static void
run_some_parts (gsize    begin,
                gsize    end,
                guint    worker,
                gpointer data)
{
  Run *run = data;
  const int n_threads = c2g_dnnl_set_n_threads (1);

  for (gsize i = begin; i < end && g_atomic_int_get (&run->status) == dnnl_success; i++)
    {
      const int status = run_part (run, &g_array_index (run->variant->parts, Part, i), worker);

      if (status != dnnl_success)
        g_atomic_int_set (&run->status, status);
    }
  c2g_dnnl_set_n_threads (n_threads);
}

static gboolean
run_parts (const Variant  *variant,
           const C2gConv  *conv,
           C2gScratch     *scratch,
           GError        **error)
{
  const guint n_workers = MIN (c2g_parallel_get_n_workers (), variant->parts->len);
  Run run = { variant, conv, .status = dnnl_success };

  if (!c2g_scratch_extend (scratch, n_workers, count_bytes (variant), error))
    return FALSE;
  run.scratch = scratch->items;
  if (variant->bias != NULL)
    dnnl_memory_set_data_handle (variant->bias, (gpointer) conv->bias);
  c2g_parallel_for_workers (variant->parts->len, 1, n_workers, run_some_parts, &run);
  return check (run.status, error);
}

gboolean
c2g_conv_dnnl_start (void)
{
  static gsize state;

  if (g_once_init_enter (&state))
    g_once_init_leave (&state,
                       dnnl_engine_create (&c2g_conv_cpu, dnnl_cpu, 0) == dnnl_success &&
                           dnnl_stream_create (&c2g_conv_stream, c2g_conv_cpu, dnnl_stream_default_flags) == dnnl_success
                         ? 1
                         : 2);
  return state == 1;
}

gboolean
c2g_conv_dnnl_has_winograd (void)
{
  return (dnnl_get_effective_cpu_isa () & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core;
}

const char *
c2g_conv_dnnl_get_version (void)
{
  static char *text;

  if (g_once_init_enter (&text))
    {
      const dnnl_version_t *version = dnnl_version ();

      g_once_init_leave (&text, g_strdup_printf ("oneDNN-%d.%d.%d-isa-%d", version->major,
                                                 version->minor, version->patch,
                                                 (int) dnnl_get_effective_cpu_isa ()));
    }
  return text;
}

C2gConvDnnl *
c2g_conv_dnnl_new (void)
{
  return c2g_conv_dnnl_start () ? g_new0 (C2gConvDnnl, 1) : NULL;
}

void
c2g_conv_dnnl_free (C2gConvDnnl *self)
{
  for (guint i = 0; i < MAX_VARIANTS; i++)
    g_clear_pointer (&self->variants[i], variant_free);
  g_free (self);
}

gboolean
c2g_conv_dnnl_run (C2gConvDnnl    *self,
                   const C2gConv  *conv,
                   gboolean        is_winograd,
                   gboolean        is_constant,
                   C2gScratch     *scratch,
                   const char    **implementation,
                   GError        **error)
{
  const int n_threads = c2g_dnnl_set_n_threads (1);
  Variant *variant = ensure_variant (self, conv, is_winograd);
  const gboolean is_ready =
    variant->parts->len == 0 || order_filters (variant, conv, is_constant, error);

  c2g_dnnl_set_n_threads (n_threads);
  /* The filters may have made oneDNN fail. */
  *implementation = variant->parts->len > 0 ? variant->implementation : NULL;
  return is_ready && (*implementation == NULL || run_parts (variant, conv, scratch, error));
}
