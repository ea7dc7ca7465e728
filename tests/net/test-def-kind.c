/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/def-utils.h"

/* Valid files of another kind than the caller asks for. */

#define NET "name: 'n' op { input: 'x' output: 'y' name: 'o' type: 'Relu' } external_input: 'x'"
#define PLAN "name: 'p' network { name: 'n' op { type: 'Relu' } } execution_step { network: 'n' }"
#define META                                                                                       \
  "nets { key: 'k' value { " NET " } } blobs { key: 'b' value: 'x' } "                             \
  "modelInfo { project: 'p' version: '1' }"

static GBytes *
net_bytes (void)
{
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (NET, NULL);

  return c2g_net_def_to_bytes (net, NULL);
}

static GBytes *
plan_bytes (void)
{
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new_from_text (PLAN, NULL);

  return c2g_plan_def_to_bytes (plan, NULL);
}

static GBytes *
meta_bytes (void)
{
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new_from_text (META, NULL);

  return c2g_meta_net_def_to_bytes (meta, NULL);
}

static GBytes *
net_text (void)
{
  return def_bytes_of_text (NET);
}

static GBytes *
plan_text (void)
{
  return def_bytes_of_text (PLAN);
}

static GBytes *
meta_text (void)
{
  return def_bytes_of_text (META);
}

static GBytes *
image (void)
{
  return def_bytes_of_text ("\x89PNG\r\n\x1a\n");
}

static GBytes *
database (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  io_put_record (bytes, "x", io_new_chunk ("x", 2, 0, 2));
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static GBytes *
cut_net (void)
{
  g_autoptr (GBytes) bytes = net_bytes ();

  return g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) - 1);
}

static GBytes *
cut_plan (void)
{
  g_autoptr (GBytes) bytes = plan_bytes ();

  return g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) - 1);
}

static GBytes *
prose (void)
{
  return def_bytes_of_text ("A model that knows 10 digits\nSee README.md: it names them.\n");
}

static GBytes *
web_page (void)
{
  return def_bytes_of_text ("<!DOCTYPE html>\n<title>Not found</title>\n");
}

/* A number that no field has, as it is written for fields that are not known. */
static GBytes *
numbers (void)
{
  return def_bytes_of_text ("12345: 6");
}

static GBytes *
mistyped_text (void)
{
  return def_bytes_of_text ("nme: 'n' op { type: 'Relu' }");
}

static GBytes *
mistyped_block (void)
{
  return def_bytes_of_text ("# The net.\nopp { type: 'Relu' }");
}

/* Words of one byte a letter, which UTF-8 does not have. */
static GBytes *
latin (void)
{
  return def_bytes_of_text ("Ein Netz f\xfcr Bilder\n");
}

typedef GObject *(*Load) (GFile *, GCancellable *, GError **);

#define LOAD_NET ((Load) c2g_net_def_load_file)
#define LOAD_PLAN ((Load) c2g_plan_def_load_file)
#define LOAD_META ((Load) c2g_meta_net_def_load_file)

typedef struct
{
  const char *path;
  GBytes   *(*make) (void);
  Load        load;
  const char *message;
} Case;

static const Case cases[] = {
  { "plan-for-net", plan_bytes, LOAD_NET, "This is a plan (PlanDef), expected a net (NetDef)" },
  { "plan-text-for-net", plan_text, LOAD_NET, "This is a plan (PlanDef), expected a net (NetDef)" },
  { "meta-for-net", meta_bytes, LOAD_NET, "This is the description of a model (MetaNetDef), exp" },
  { "meta-text-for-net", meta_text, LOAD_NET, "This is the description of a model (MetaNetDef)" },
  { "database-for-net", database, LOAD_NET, "This is a minidb database, expected a net (NetDef)" },
  { "image-for-net", image, LOAD_NET, "This is a PNG image, expected a net (NetDef)" },
  { "net-for-plan", net_bytes, LOAD_PLAN, "This is a net (NetDef), expected a plan (PlanDef)" },
  { "net-text-for-plan", net_text, LOAD_PLAN, "This is a net (NetDef), expected a plan (PlanDef)" },
  { "meta-for-plan", meta_bytes, LOAD_PLAN, "This is the description of a model (MetaNetDef)" },
  { "database-for-plan", database, LOAD_PLAN, "This is a minidb database, expected a plan" },
  { "net-for-meta", net_bytes, LOAD_META,
    "This is a net (NetDef), expected the description of a model (MetaNetDef)" },
  { "net-text-for-meta", net_text, LOAD_META, "This is a net (NetDef), expected the description" },
  { "plan-for-meta", plan_bytes, LOAD_META, "This is a plan (PlanDef), expected the description" },
  { "prose-for-net", prose, LOAD_NET, "This is text, expected a net (NetDef)" },
  { "prose-for-plan", prose, LOAD_PLAN, "This is text, expected a plan (PlanDef)" },
  { "prose-for-meta", prose, LOAD_META, "This is text, expected the description of a model (MetaNetDef)" },
  { "web-page-for-net", web_page, LOAD_NET, "This is text, expected a net (NetDef)" },
  { "numbers-for-net", numbers, LOAD_NET, "This is text, expected a net (NetDef)" },
  { "mistyped-text", mistyped_text, LOAD_NET, "Line 1, column 1: NetDef has no field “nme”" },
  { "mistyped-block", mistyped_block, LOAD_NET, "Line 2, column 1: NetDef has no field “opp”" },
  { "latin-for-net", latin, LOAD_NET, "Damaged at offset" },
  { "damaged-net", cut_net, LOAD_NET, "Damaged at offset" },
  { "damaged-plan", cut_plan, LOAD_PLAN, "Damaged at offset" },
};

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (GFile) file = def_new_file ("model");
  g_autoptr (GBytes) bytes = test->make ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_replace_contents (file, g_bytes_get_data (bytes, NULL),
                                          g_bytes_get_size (bytes), NULL, FALSE,
                                          G_FILE_CREATE_NONE, NULL, NULL, NULL));
  g_assert_null (test->load (file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  if (strstr (error->message, test->message) == NULL)
    g_error ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "/model: "));
  def_remove_file (file);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/def-kind/%s", cases[i].path);

      g_test_add_data_func (path, &cases[i], test_case);
    }

  return c2g_test_run ();
}
