/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* A database class of a program: sorted, in memory, and with errors on demand. */

#define MEMORY_TYPE_DB (memory_db_get_type ())
G_DECLARE_FINAL_TYPE (MemoryDb, memory_db, MEMORY, DB, C2gDb)

/* The name of the virtual function, with "()", that returns FALSE or NULL without an error, and of
 * the one that sets an error although it succeeds. NULL means none. */
extern const char *memory_db_failing;
extern const char *memory_db_confused;
extern guint memory_db_n_closed;
/* Called by every virtual function, if set. */
extern void (*memory_db_hook) (const char *name);

/* Registers the class as "memory", unless it is registered. */
void memory_db_register (void);

G_END_DECLS
