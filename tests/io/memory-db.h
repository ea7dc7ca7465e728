/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* A database of a program's own, in memory and sorted; what it is told to do wrong, it
 * does. */

#define MEMORY_TYPE_DB (memory_db_get_type ())
G_DECLARE_FINAL_TYPE (MemoryDb, memory_db, MEMORY, DB, C2gDb)

/* The names of virtual functions, with "()", that say nothing but FALSE or NULL; and one
 * that sets an error beside its success.  NULL for none. */
extern const char *memory_db_failing;
extern const char *memory_db_confused;
extern guint memory_db_n_closed;
/* Called from within every virtual function, if it is there. */
extern void (*memory_db_hook) (const char *name);

/* Registers it as "memory" unless it is. */
void memory_db_register (void);

G_END_DECLS
