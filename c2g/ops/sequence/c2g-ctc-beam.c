/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/sequence/c2g-ctc-beam-private.h>

#include <c2g/ops/support/c2g-scratch-private.h>

#include <string.h>

/* CTC prefix beam search. The prefixes are nodes of a tree (a trie) with the empty prefix as the
 * root. Each step fills a table: a row for each member of the beam, a column for each label that
 * may extend it. If the extended prefix is itself a member of the beam, its probability is summed
 * in that member (Member.next), not in the table. */

/* Probability that the prefix ends in blank, and that it ends in its last label. */
typedef struct
{
  float blank;
  float label;
  /* TRUE if the current step has added to it. */
  guint is_reached;
} Chances;

typedef struct
{
  gint64 parent;
  gint64 first_child;
  gint64 next_sibling;
  gint64 length;
  gint32 label;
} Node;

typedef struct
{
  gint64  node;
  Chances chances;
  /* The probabilities after the current step. */
  Chances next;
} Member;

/* A candidate for the next beam: a member extended by label, or unchanged if label is 0. */
typedef struct
{
  gint64 member;
  gint32 label;
  float  chance;
} Candidate;

struct _C2gCtcBeam
{
  gint64     width;
  float      threshold;
  gint64     n_labels;

  C2gScratch nodes;
  gint64     n_nodes;

  /* The beam, and the beam of the step before with its table, which hold the probabilities of
   * prefixes that were dropped. */
  C2gScratch members;
  gint64     n_members;
  C2gScratch old_members;
  gint64     n_old_members;
  C2gScratch next_members;
  C2gScratch table;
  C2gScratch old_table;

  C2gScratch best;
  gint64     n_best;
  /* Index of the member that extends the current prefix by each label; -1 for none. */
  C2gScratch children;
  C2gScratch labels;
  /* Probabilities before this step of the prefixes that extend one member, by label. */
  C2gScratch old_row;
};

static Node *
get_node (const C2gCtcBeam *self,
          gint64            node)
{
  return (Node *) self->nodes.items + node;
}

C2gCtcBeam *
c2g_ctc_beam_new (gint64 width,
                  float  threshold)
{
  C2gCtcBeam *self = g_new0 (C2gCtcBeam, 1);

  self->width = width;
  self->threshold = threshold;
  return self;
}

void
c2g_ctc_beam_free (C2gCtcBeam *self)
{
  c2g_scratch_clear (&self->nodes);
  c2g_scratch_clear (&self->members);
  c2g_scratch_clear (&self->old_members);
  c2g_scratch_clear (&self->next_members);
  c2g_scratch_clear (&self->table);
  c2g_scratch_clear (&self->old_table);
  c2g_scratch_clear (&self->best);
  c2g_scratch_clear (&self->children);
  c2g_scratch_clear (&self->labels);
  c2g_scratch_clear (&self->old_row);
  g_free (self);
}

gboolean
c2g_ctc_beam_start (C2gCtcBeam  *self,
                    gint64       n_labels,
                    GError     **error)
{
  if (!c2g_scratch_extend (&self->nodes, 1, sizeof (Node), error) ||
      !c2g_scratch_extend (&self->members, 1, sizeof (Member), error) ||
      !c2g_scratch_extend (&self->children, n_labels, sizeof (gint64), error) ||
      !c2g_scratch_extend (&self->labels, n_labels, sizeof (gint32), error) ||
      !c2g_scratch_extend (&self->old_row, n_labels, sizeof (Chances), error))
    return FALSE;

  self->n_labels = n_labels;
  for (gint64 i = 0; i < n_labels; i++)
    ((gint64 *) self->children.items)[i] = -1;
  *get_node (self, 0) = (Node) { -1, -1, -1, 0, 0 };
  self->n_nodes = 1;
  *(Member *) self->members.items = (Member) { 0, { 1, 0, TRUE }, { 0 } };
  self->n_members = 1;
  self->n_old_members = 0;
  return TRUE;
}

/* Selects the labels above the threshold, or all labels if there are none. */
static gint64
prune (C2gCtcBeam  *self,
       const float *x)
{
  gint32 *labels = self->labels.items;
  gint64 n = 0;

  for (gint64 i = 0; i < self->n_labels; i++)
    if (x[i] > self->threshold)
      labels[n++] = (gint32) i;
  if (n > 0)
    return n;

  for (gint64 i = 0; i < self->n_labels; i++)
    labels[i] = (gint32) i;
  return self->n_labels;
}

/* Sets the members that extend the node's prefix in children, or resets them to -1. */
static void
mark_children (C2gCtcBeam *self,
               gint64      node,
               gboolean    marks)
{
  const Member *members = self->members.items;
  gint64 *children = self->children.items;

  for (gint64 i = 0; i < self->n_members; i++)
    if (get_node (self, members[i].node)->parent == node)
      children[get_node (self, members[i].node)->label] = marks ? i : -1;
}

/* Fills old_row: the probabilities, before this step, of the prefixes that extend node, by their
 * last label. It is 0 for prefixes that were not computed. */
static void
fill_old_row (const C2gCtcBeam *self,
              gint64            node)
{
  Chances *row = self->old_row.items;
  const Member *old = self->old_members.items;
  const Chances *table = self->old_table.items;

  memset (row, 0, self->n_labels * sizeof (Chances));
  for (gint64 i = 0; i < self->n_old_members; i++)
    if (old[i].node == node)
      memcpy (row, table + i * self->n_labels, self->n_labels * sizeof (Chances));
  for (gint64 i = 0; i < self->n_old_members; i++)
    if (get_node (self, old[i].node)->parent == node)
      row[get_node (self, old[i].node)->label] = old[i].chances;
}

static void
add (Chances *chances,
     float    blank,
     float    label)
{
  chances->blank += blank;
  chances->label += label;
  chances->is_reached = TRUE;
}

/* Extends a member by label. A repeated label extends the prefix only after a blank; otherwise it
 * is the same prefix again. If the longer prefix is no member of the beam, what it had before this
 * step (old_row) goes on here; a member does that itself. */
static void
follow_label (C2gCtcBeam  *self,
              Member      *member,
              Chances     *row,
              gint32       label,
              const float *x)
{
  const Node *node = get_node (self, member->node);
  const Chances *before = &member->chances;
  const Chances *old = (const Chances *) self->old_row.items + label;
  const gint64 child = ((const gint64 *) self->children.items)[label];
  Chances *longer = child >= 0 ? &((Member *) self->members.items)[child].next : &row[label];

  if (node->length > 0 && node->label == label)
    {
      add (longer, 0, x[label] * before->blank);
      add (&member->next, 0, x[label] * before->label);
    }
  else
    add (longer, 0, x[label] * (before->blank + before->label));

  if (child < 0)
    add (longer, x[0] * (old->blank + old->label), x[label] * old->label);
}

static void
follow (C2gCtcBeam  *self,
        gint64       i,
        gint64       n_labels,
        const float *x)
{
  Member *member = (Member *) self->members.items + i;
  Chances *row = (Chances *) self->table.items + i * self->n_labels;
  const gint32 *labels = self->labels.items;

  memset (row, 0, self->n_labels * sizeof (Chances));
  fill_old_row (self, member->node);
  mark_children (self, member->node, TRUE);
  for (gint64 j = 0; j < n_labels; j++)
    {
      if (labels[j] == 0)
        add (&member->next, x[0] * (member->chances.blank + member->chances.label), 0);
      else
        follow_label (self, member, row, labels[j], x);
    }
  mark_children (self, member->node, FALSE);
}

/* A prefix read from its end: the node, and one label behind it, or 0 for none. */
typedef struct
{
  gint64 node;
  gint32 label;
} Tail;

static gint32
take_label (const C2gCtcBeam *self,
            Tail             *tail)
{
  const Node *node = get_node (self, tail->node);
  gint32 label = tail->label;

  if (label != 0)
    {
      tail->label = 0;
      return label;
    }
  tail->node = node->parent;
  return node->label;
}

/* Compares two prefixes in lexicographic order. */
static int
compare_sequences (const C2gCtcBeam *self,
                   const Candidate  *a,
                   const Candidate  *b)
{
  const Member *members = self->members.items;
  Tail left = { members[a->member].node, a->label }, right = { members[b->member].node, b->label };
  const gint64 n_left = get_node (self, left.node)->length + (left.label != 0);
  const gint64 n_right = get_node (self, right.node)->length + (right.label != 0);
  int order = (n_left > n_right) - (n_left < n_right);

  for (gint64 i = n_right; i < n_left; i++)
    take_label (self, &left);
  for (gint64 i = n_left; i < n_right; i++)
    take_label (self, &right);

  while (left.node != right.node || left.label != right.label)
    {
      const gint32 left_label = take_label (self, &left), right_label = take_label (self, &right);

      if (left_label != right_label)
        order = left_label < right_label ? -1 : 1;
    }
  return order;
}

static gboolean
is_better (const C2gCtcBeam *self,
           const Candidate  *a,
           const Candidate  *b)
{
  if (a->chance > b->chance || a->chance < b->chance)
    return a->chance > b->chance;
  return compare_sequences (self, a, b) < 0;
}

/* Inserts a candidate into the sorted array best, unless it is full of better ones. */
static void
propose (C2gCtcBeam    *self,
         gint64         member,
         gint32         label,
         const Chances *chances)
{
  const Candidate candidate = { member, label, chances->blank + chances->label };
  Candidate *best = self->best.items;
  gint64 at;

  if (!chances->is_reached)
    return;
  if (self->n_best == self->width)
    {
      if (!is_better (self, &candidate, &best[self->n_best - 1]))
        return;
      self->n_best--;
    }

  for (at = self->n_best; at > 0 && is_better (self, &candidate, &best[at - 1]); at--)
    best[at] = best[at - 1];
  best[at] = candidate;
  self->n_best++;
}

static void
find_best (C2gCtcBeam *self)
{
  const Member *members = self->members.items;

  self->n_best = 0;
  for (gint64 i = 0; i < self->n_members; i++)
    {
      const Chances *row = (const Chances *) self->table.items + i * self->n_labels;

      propose (self, i, 0, &members[i].next);
      for (gint64 label = 1; label < self->n_labels; label++)
        propose (self, i, (gint32) label, &row[label]);
    }
}

/* Returns the child of parent for label, and creates the node if needed. */
static gint64
find_child (C2gCtcBeam *self,
            gint64      parent,
            gint32      label)
{
  gint64 child = get_node (self, parent)->first_child;

  while (child >= 0 && get_node (self, child)->label != label)
    child = get_node (self, child)->next_sibling;
  if (child >= 0)
    return child;

  child = self->n_nodes++;
  *get_node (self, child) = (Node) {
    parent, -1, get_node (self, parent)->first_child, get_node (self, parent)->length + 1, label
  };
  get_node (self, parent)->first_child = child;
  return child;
}

/* Turns the candidates in best into the beam; the beam and the table become the old ones. */
static void
turn (C2gCtcBeam *self)
{
  const Candidate *best = self->best.items;
  Member *members = self->members.items, *next = self->next_members.items;
  const Chances *table = self->table.items;
  C2gScratch room;

  for (gint64 i = 0; i < self->n_best; i++)
    {
      const Member *member = &members[best[i].member];

      next[i] = (Member) { member->node, member->next, { 0 } };
      if (best[i].label != 0)
        {
          next[i].node = find_child (self, member->node, best[i].label);
          next[i].chances = table[best[i].member * self->n_labels + best[i].label];
        }
    }
  for (gint64 i = 0; i < self->n_members; i++)
    members[i].chances = members[i].next;

  room = self->old_members;
  self->old_members = self->members;
  self->n_old_members = self->n_members;
  self->members = self->next_members;
  self->n_members = self->n_best;
  self->next_members = room;
  room = self->old_table;
  self->old_table = self->table;
  self->table = room;
}

/* Reserves the buffers that are swapped. All of them have the same size, because the next
 * sequence may start with any of them. */
static gboolean
reserve_turning (C2gCtcBeam  *self,
                 gint64       n_cells,
                 gint64       n_best,
                 GError     **error)
{
  return c2g_scratch_extend (&self->table, n_cells, sizeof (Chances), error) &&
         c2g_scratch_extend (&self->old_table, n_cells, sizeof (Chances), error) &&
         c2g_scratch_extend (&self->members, n_best, sizeof (Member), error) &&
         c2g_scratch_extend (&self->old_members, n_best, sizeof (Member), error) &&
         c2g_scratch_extend (&self->next_members, n_best, sizeof (Member), error);
}

gboolean
c2g_ctc_beam_step (C2gCtcBeam   *self,
                   const float  *x,
                   GError      **error)
{
  gint64 n_cells, n_best, n_labels;

  if (__builtin_mul_overflow (self->n_members, self->n_labels, &n_cells))
    n_cells = G_MAXINT64 / 2;
  /* Candidates: each member unchanged, and extended by each label except blank. */
  n_best = MIN (self->width, n_cells);
  if (!reserve_turning (self, n_cells, n_best, error) ||
      !c2g_scratch_extend (&self->best, n_best, sizeof (Candidate), error) ||
      !c2g_scratch_extend (&self->nodes, self->n_nodes + n_best, sizeof (Node), error))
    return FALSE;

  n_labels = prune (self, x);
  for (gint64 i = 0; i < self->n_members; i++)
    follow (self, i, n_labels, x);
  find_best (self);
  turn (self);
  return TRUE;
}

gint64
c2g_ctc_beam_get_n (const C2gCtcBeam *self)
{
  return self->n_members;
}

static gint64
member_node (const C2gCtcBeam *self,
             gint64            i)
{
  return ((const Member *) self->members.items)[i].node;
}

gint64
c2g_ctc_beam_get_length (const C2gCtcBeam *self,
                         gint64            i)
{
  return get_node (self, member_node (self, i))->length;
}

void
c2g_ctc_beam_get_labels (const C2gCtcBeam *self,
                         gint64            i,
                         gint32           *labels)
{
  gint64 node = member_node (self, i);

  for (gint64 at = get_node (self, node)->length; at-- > 0;)
    {
      labels[at] = get_node (self, node)->label;
      node = get_node (self, node)->parent;
    }
}

float
c2g_ctc_beam_get_chance (const C2gCtcBeam *self,
                         gint64            i)
{
  const Chances *chances = &((const Member *) self->members.items)[i].chances;

  return chances->blank + chances->label;
}
