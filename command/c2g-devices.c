/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "output/c2g-arguments.h"
#include "output/c2g-json.h"
#include "output/c2g-output.h"
#include "output/c2g-text-utils.h"

#include <glib/gi18n.h>

#include <inttypes.h>

/* The subcommand devices: lists the devices of the machine. */

/* The devices of the machine, and errors of the others. */
typedef struct
{
  /* The elements are of C2gDeviceInfo. */
  GPtrArray *infos;
  /* Reasons why there is no CUDA device, or why one cannot be used. */
  GPtrArray *errors;
} Devices;

static void
add_device (Devices       *devices,
            C2gDeviceType  type,
            int            index)
{
  g_autoptr (GError) error = NULL;
  C2gDevice *device = c2g_device_new (type, index, NULL);
  C2gDeviceInfo *info = c2g_device_info_new_for_device (device, &error);

  if (info != NULL)
    g_ptr_array_add (devices->infos, info);
  else
    g_ptr_array_add (devices->errors, g_strdup_printf ("%s: %s", c2g_device_to_string (device),
                                                       error->message));
}

/* Asks for the first CUDA device even if the count is 0, because the error gives the reason. */
static void
find_devices (Devices *devices)
{
  int n_cuda = c2g_device_count (C2G_DEVICE_TYPE_CUDA);

  add_device (devices, C2G_DEVICE_TYPE_CPU, 0);
  for (int i = 0; i < MAX (n_cuda, 1); i++)
    add_device (devices, C2G_DEVICE_TYPE_CUDA, i);
}

static void
print_info (C2gDeviceInfo *info)
{
  g_autofree char *total = c2g_text_format_size (c2g_device_info_get_total_bytes (info));
  g_autofree char *left = c2g_text_format_size (c2g_device_info_get_free_bytes (info));
  g_autofree char *name = c2g_text_escape (c2g_device_info_get_name (info));
  g_auto (GStrv) details = c2g_device_info_list_details (info);

  g_print ("%s: %s\n  ", c2g_device_to_string (c2g_device_info_get_device (info)), name);
  g_print (_("memory: %s, %s free"), total, left);
  g_print ("\n");
  for (char **detail = details; *detail != NULL; detail++)
    g_print (_("  %s: %s\n"), _(*detail), c2g_device_info_get_detail (info, *detail));
}

static void
print_devices (const Devices *devices)
{
  for (guint i = 0; i < devices->infos->len; i++)
    print_info (g_ptr_array_index (devices->infos, i));
  for (guint i = 0; i < devices->errors->len; i++)
    g_print ("%s\n", (const char *) g_ptr_array_index (devices->errors, i));
}

static void
add_json (JsonBuilder   *builder,
          C2gDeviceInfo *info)
{
  g_auto (GStrv) details = c2g_device_info_list_details (info);

  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "device",
                       c2g_device_to_string (c2g_device_info_get_device (info)));
  c2g_json_add_string (builder, "name", c2g_device_info_get_name (info));
  c2g_json_add_int (builder, "total_bytes", c2g_device_info_get_total_bytes (info));
  c2g_json_add_int (builder, "free_bytes", c2g_device_info_get_free_bytes (info));
  json_builder_set_member_name (builder, "details");
  json_builder_begin_object (builder);
  for (char **detail = details; *detail != NULL; detail++)
    c2g_json_add_string (builder, *detail, c2g_device_info_get_detail (info, *detail));
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static void
print_json (const Devices *devices)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "devices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < devices->infos->len; i++)
    add_json (builder, g_ptr_array_index (devices->infos, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "absent");
  json_builder_begin_array (builder);
  for (guint i = 0; i < devices->errors->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (devices->errors, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  c2g_json_print (builder);
}

static const C2gUsage usage = {
  .name = "devices",
  .summary = N_("Shows the devices that tensors can be on, and why there are not more."),
};

int
c2g_command_devices (int    argc,
                     char **argv)
{
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_("Print JSON for programs"), NULL },
    { NULL },
  };
  g_auto (GStrv) parameters = c2g_arguments_parse (&usage, entries, argc, argv);
  g_autoptr (GPtrArray) infos = NULL;
  g_autoptr (GPtrArray) errors = NULL;
  Devices devices;

  if (parameters == NULL)
    return C2G_STATUS_USAGE;

  infos = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_device_info_unref);
  errors = g_ptr_array_new_with_free_func (g_free);
  devices = (Devices) { infos, errors };
  find_devices (&devices);
  if (as_json)
    print_json (&devices);
  else
    print_devices (&devices);

  return C2G_STATUS_SUCCESS;
}
