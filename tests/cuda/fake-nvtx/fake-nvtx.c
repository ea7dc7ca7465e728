/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <glib.h>

/* A tool needs the types only. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

/* A profiler that writes down the ranges of NVTX: "(text" where one begins, and ")" where it ends. */

static GMutex lock;
static GString *written;

int         InitializeInjectionNvtx2 (NvtxGetExportTableFunc_t get_table);
const char *fake_nvtx_get_written    (void);

static void
write_down (const char *before,
            const char *text)
{
  g_mutex_lock (&lock);
  if (written == NULL)
    written = g_string_new (NULL);
  g_string_append_printf (written, "%s%s", before, text);
  g_mutex_unlock (&lock);
}

const char *
fake_nvtx_get_written (void)
{
  return written != NULL ? written->str : "";
}

static nvtxDomainHandle_t
create_domain (const char *name)
{
  write_down (name, ":");
  return (nvtxDomainHandle_t) &lock;
}

static int
push (nvtxDomainHandle_t           domain,
      const nvtxEventAttributes_t *attributes)
{
  g_assert_true (domain == (nvtxDomainHandle_t) &lock);
  g_assert_cmpint (attributes->messageType, ==, NVTX_MESSAGE_TYPE_ASCII);
  write_down ("(", attributes->message.ascii);
  return 0;
}

static int
pop (nvtxDomainHandle_t domain)
{
  g_assert_true (domain == (nvtxDomainHandle_t) &lock);
  write_down (")", "");
  return 0;
}

/* NVTX calls this when a program first uses it. */
int
InitializeInjectionNvtx2 (NvtxGetExportTableFunc_t get_table)
{
  const NvtxExportTableCallbacks *callbacks = get_table (NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table;
  unsigned int n;

  if (callbacks == NULL || !callbacks->GetModuleFunctionTable (NVTX_CB_MODULE_CORE2, &table, &n))
    return 0;

  *table[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer) create_domain;
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer) push;
  *table[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer) pop;
  return 1;
}
