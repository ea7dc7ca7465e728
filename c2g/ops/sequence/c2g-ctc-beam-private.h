/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* CTC prefix beam search: finds the likeliest label sequences. After each step only the width
 * best sequences, the beam, are kept. */
typedef struct _C2gCtcBeam C2gCtcBeam;

C2gCtcBeam *c2g_ctc_beam_new        (gint64             width,
                                     float              threshold);
void        c2g_ctc_beam_free       (C2gCtcBeam        *self);

/* Starts a new sequence: the beam holds only the empty prefix. */
gboolean    c2g_ctc_beam_start      (C2gCtcBeam        *self,
                                     gint64             n_labels,
                                     GError           **error);
/* Takes one time step; x has one probability per label. */
gboolean    c2g_ctc_beam_step       (C2gCtcBeam        *self,
                                     const float       *x,
                                     GError           **error);

/* The beam, the likeliest prefix first. */
gint64      c2g_ctc_beam_get_n      (const C2gCtcBeam  *self);
gint64      c2g_ctc_beam_get_length (const C2gCtcBeam  *self,
                                     gint64             i);
void        c2g_ctc_beam_get_labels (const C2gCtcBeam  *self,
                                     gint64             i,
                                     gint32            *labels);
float       c2g_ctc_beam_get_chance (const C2gCtcBeam  *self,
                                     gint64             i);

G_END_DECLS
