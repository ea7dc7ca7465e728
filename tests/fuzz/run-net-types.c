/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "run-net.h"

#include <string.h>

/* A kind, and the names of its arguments. Operators are asked which of them they read. */
static const char *const argument_names[] = {
  "b absolute_path add_axis allow_incomplete angle_bound_on apply_scale average broadcast "
  "broadcast_on_rows cls_agnostic_bbox_reg correct_transform_coords count_include_pad "
  "disable_scopes drop_states elementwise_affine fast_gelu global_pooling grad has_cond "
  "has_trip_count include_last_offset input_as_shape input_boxes_include_bg_cls keep_device "
  "keepdims legacy_plus_one load_all log_D_trick match_outer merge_repeated "
  "normalized_lr_adaption output_classes_include_bg_cls pad_minf return_presence_mask rotated "
  "run_once save_scopes sequence_lengths soft_nms_enabled to_file trans_a trans_b "
  "unjoined_lr_loss use_scaling_lengths wrap_indices is_test nesterov average_by_batch_size "
  "label_prob every every_n across_channels ceil_mode clip flip normalize_variance out_max_val "
  "share_location variance_encoded_in_target",
  "i axis batch detections_per_im dim_size group init_count k legacy_pad limit max_length "
  "min_block_size modulo repeat_from_axis seed tiles Y_zero_point angle_bound_hi angle_bound_lo "
  "axis_a axis_b axis_w beam_width block_size chunk_size dim embedding_size length n_split "
  "noise_size num_batches num_candidates num_loop_carried_deps num_reduce_dim num_shards p pad "
  "pad_b pad_l pad_r pad_t radius shard_id size top_k kernel kernel_h kernel_w stride stride_h "
  "stride_w dilation dilation_h dilation_w adj adj_h adj_w active_period inactive_period "
  "active_first num_iter num_iter_1 num_iter_2 stepsize max_iter n1 n2 period "
  "constant_warmup_num_iter linear_warmup_num_iter cosine_period cyclical_step_size max min to "
  "dtype background_label_id img_h img_size img_w keep_top_k num_classes",
  "f Y_scale alpha amplitude base_lr beta beta1 beta2 bias clip_angle_thresh decay epsilon "
  "exponent fill_val forget_bias height_scale lr_alpha margin mean momentum nms noise_std "
  "prune_threshold ratio scale score_thresh soft_nms_min_score_thres soft_nms_sigma std "
  "threshold value weight_decay width_scale start_multiplier gamma power end_multiplier "
  "multiplier_1 multiplier_2 multiplier m1 m2 m3 max_lr min_lr t_mult lr_shrink "
  "start_warmup_multiplier cosine_max_lr cosine_min_lr cosine_t_mult cosine_lr_shrink "
  "cyclical_max_lr cyclical_decay confidence_threshold eta nms_threshold step step_h step_w",
  "s add_prefix axis_str db db_name db_type delimiter mode order policy soft_nms_method "
  "strip_prefix prefix suffix text code_type norm_region",
  "I axes dims ends extra_shape pads shape split starts sub_policy_num_iters kernels strides "
  "dilations adjs values offset",
  "F weights aspect_ratio max_size min_size variance",
  "S source_blob_names blob_name_overrides dbs",
  "N body cond_net loop_net then_net else_net"
};

/* Arguments that operators read without declaring them: lists, and those that are read after
 * another one. */
static const struct
{
  const char *type;
  const char *names;
} hidden_arguments[] = {
  { "Pool", "stride stride_h stride_w strides pad pad_t pad_l pad_b pad_r pads dilation dilations "
            "count_include_pad ceil_mode" },
  { "Conv", "stride stride_h stride_w strides pad pad_t pad_l pad_b pad_r pads dilation dilations "
            "dilation_h dilation_w group adj adj_h adj_w adjs" },
  { "Crop", "axis offset" },
  { "PriorBox", "min_size min_size max_size aspect_ratio variance" },
  { "DetectionOutput", "num_classes num_classes" },
  { "LC", "stride strides pad pads dilation dilations group" },
  { "Fill", "shape shape shape extra_shape values value dtype min max" },
  { "Range", "shape" },
  { "Reduce", "axes axes" },
  { "Moments", "axes axes" },
  { "Slice", "starts ends" },
  { "Split", "split split" },
  { "Transpose", "axes axes" },
  { "Reshape", "shape shape" },
  { "Squeeze", "dims dims" },
  { "ExpandDims", "dims dims" },
  { "Shape", "axes axes" },
  { "PadImage", "pads pads" },
  { "LearningRate", "policy policy gamma power start_multiplier end_multiplier multiplier "
                    "multiplier_1 multiplier_2 m1 m2 m3 n1 n2 max_lr min_lr t_mult lr_shrink "
                    "num_iter num_iter_1 num_iter_2 stepsize max_iter period active_period "
                    "inactive_period active_first start_warmup_multiplier cosine_period "
                    "constant_warmup_num_iter linear_warmup_num_iter sub_policy_num_iters decay" },
  { "Load", "dbs source_blob_names db db_type" },
  { "Save", "db db_type chunk_size blob_name_overrides absolute_path" },
  { "Checkpoint", "db db_type every" },
  { "DB", "db_type num_shards shard_id" },
  { "SequenceMask", "radius grad fill_val axis repeat_from_axis batch sequence_lengths" },
  { "Cast", "to to" },
  { "BatchGather", "axis" },
  { "IntegralImage", "order" },
  { "BoxWithNMSLimit", "output_classes_include_bg_cls" },
  { "Sparse", "weight_decay" },
  { "Tile", "tiles axis" },
  { "TopK", "k axis" },
  { "Stylizer", "weights" },
  { "SpatialBN", "num_batches" }
};

/* Parts of the names of types whose results change with another run, or with other random
 * numbers. */
static const char *const changing_types[] = {
  "Uniform", "Gaussian", "Xavier", "MSRA", "Glorot", "Dropout", "Stylizer", "Iter", "Atomic",
  "Count", "Alias", "Save", "Checkpoint", "Load", "DB", "Print"
};

static GArray *all_names;
static GPtrArray *operator_types;

static void
list_names (void)
{
  all_names = g_array_new (FALSE, FALSE, sizeof (RunNetArgumentName));
  for (gsize i = 0; i < G_N_ELEMENTS (argument_names); i++)
    {
      /* Only the array is freed: the table keeps the strings. */
      g_autofree char **names = g_strsplit (argument_names[i] + 2, " ", -1);

      for (gsize j = 0; names[j] != NULL; j++)
        {
          RunNetArgumentName name = { names[j], argument_names[i][0] };

          g_array_append_val (all_names, name);
        }
    }
}

/* The definition has as many inputs and outputs as the type requires, and the inputs exist. */
static void
add_blobs (C2gOperatorDef    *def,
           C2gWorkspace      *workspace,
           C2gOperatorSchema *schema)
{
  for (guint i = 0; i < c2g_operator_schema_get_min_inputs (schema); i++)
    {
      g_autofree char *name = g_strdup_printf ("i%u", i);
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);

      g_assert_nonnull (blob);
      c2g_operator_def_add_input (def, name);
    }
  for (guint i = 0; i < c2g_operator_schema_get_min_outputs (schema); i++)
    {
      g_autofree char *name = g_strdup_printf ("o%u", i);

      c2g_operator_def_add_output (def, name);
    }
}

/* Removes the argument that the error is about. */
static gboolean
take_named (RunNetType     *type,
            C2gOperatorDef *def,
            const char     *message)
{
  for (guint i = 0; i < all_names->len; i++)
    {
      RunNetArgumentName name = g_array_index (all_names, RunNetArgumentName, i);
      g_autofree char *quoted = g_strdup_printf ("“%s”", name.name);

      if (strstr (message, quoted) != NULL && c2g_operator_def_remove_argument (def, name.name))
        {
          g_array_append_val (type->arguments, name);
          return TRUE;
        }
    }
  return FALSE;
}

/* The example has every argument, with a kind that no operator reads. Each argument that the
 * operator complains about is one that it knows. */
static void
ask_for_arguments (RunNetType     *type,
                   C2gOperatorDef *example)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_copy (example);
  gboolean is_new = TRUE;

  c2g_operator_def_set_op_type (def, type->name);
  add_blobs (def, workspace, type->schema);
  while (is_new)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gOperator) op = c2g_operator_create (def, workspace, &error);

      is_new = op == NULL && take_named (type, def, error->message);
    }
}

static void
add_hidden_argument (RunNetType *type,
                     const char *hidden)
{
  for (guint i = 0; i < all_names->len; i++)
    {
      RunNetArgumentName name = g_array_index (all_names, RunNetArgumentName, i);

      if (g_str_equal (name.name, hidden))
        g_array_append_val (type->arguments, name);
    }
}

static void
add_hidden_arguments (RunNetType *type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (hidden_arguments); i++)
    {
      g_auto (GStrv) names = g_strsplit (hidden_arguments[i].names, " ", -1);

      for (gsize j = 0; names[j] != NULL; j++)
        if (strstr (type->name, hidden_arguments[i].type) != NULL)
          add_hidden_argument (type, names[j]);
    }
}

static RunNetType *
new_type (const char     *name,
          C2gOperatorDef *example)
{
  RunNetType *type = g_new0 (RunNetType, 1);

  type->name = g_strdup (name);
  type->schema = c2g_operator_schema_lookup (name, NULL);
  type->arguments = g_array_new (FALSE, FALSE, sizeof (RunNetArgumentName));
  for (gsize i = 0; i < G_N_ELEMENTS (changing_types); i++)
    type->is_changing |= strstr (name, changing_types[i]) != NULL;
  ask_for_arguments (type, example);
  add_hidden_arguments (type);
  return type;
}

void
run_net_list_types (void)
{
  g_auto (GStrv) names = c2g_operator_list_types ();
  g_autoptr (C2gOperatorDef) example = c2g_operator_def_new ("");
  g_autoptr (C2gNetDef) net = c2g_net_def_new ("n");
  C2gNetDef *nets[] = { net, net };

  list_names ();
  for (guint i = 0; i < all_names->len; i++)
    {
      const char *name = g_array_index (all_names, RunNetArgumentName, i).name;
      g_autoptr (C2gArgument) argument = c2g_argument_new_nets (name, nets, 2, NULL);

      c2g_operator_def_set_argument (example, argument);
    }

  operator_types = g_ptr_array_new ();
  for (gsize i = 0; names[i] != NULL; i++)
    g_ptr_array_add (operator_types, new_type (names[i], example));
}

const RunNetType *
run_net_pick_type (guint number)
{
  return operator_types->pdata[number % operator_types->len];
}

GArray *
run_net_get_names (void)
{
  return all_names;
}
