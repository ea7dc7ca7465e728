/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob.h>

#include <c2g/core/workspace/c2g-blob-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/**
 * C2gBlob:
 *
 * A slot that holds one thing of any type.
 *
 * A blob is empty, or its content is one of these:
 *
 * - an object, most often a [class@Tensor];
 * - any other value that a [struct@GObject.Value] can hold, such as an integer, a
 *   string or a boxed type;
 * - in C, a bare pointer with a [struct@TypeMeta] that says what it points to,
 *   owned by the blob or only shared with it.
 *
 * The content can change its type at any time. [method@Blob.ensure_tensor] and
 * [method@Blob.ensure] set new content only if the present one has another type. Code that asks
 * for another type than the blob holds gets a `C2G_ERROR_TYPE` that names the blob and both
 * types.
 *
 * A blob has a name if a [class@Workspace] created it, and keeps its last name when it is
 * removed from there. The memory of a tensor is reported under the name of the last named blob
 * that it was put into. When the tensor leaves that blob, its memory has no name. When the blob
 * is freed and the tensor is not, the memory keeps the name.
 *
 * ```c
 * g_autoptr (C2gBlob) blob = c2g_blob_new ();
 * C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);
 *
 * if (tensor == NULL ||
 *     !c2g_tensor_resize (tensor, (gint64[]) { 2, 3 }, 2, &error) ||
 *     !c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error))
 *   return FALSE;
 * ```
 *
 * ```python
 * blob = C2g.Blob()
 * blob.set_value(42)
 * print(blob.get_value(), blob.get_content_type().name)
 * blob.ensure_tensor(None).resize([2, 3])
 * ```
 *
 * ```js
 * const blob = new C2g.Blob();
 * blob.connect('changed', () => log(blob.content_type.name));
 * blob.set_value('text');
 * ```
 *
 * ## Ownership
 *
 * Getters return the content without a reference: it is valid until the content changes, so
 * take a reference to keep it longer. Old content is released after the new one is set and
 * [signal@Blob::changed] was emitted, so a destroy function or a handler may use the blob.
 *
 * ## Threads
 *
 * Only one thread may write the content of a blob, and no other thread may read it meanwhile.
 * Signals are emitted in the thread that changes the content. The name can be read and changed,
 * and references taken and dropped, in any thread.
 */

enum
{
  PROP_0,
  PROP_NAME,
  PROP_CONTENT_TYPE,
  PROP_VALUE,
  N_PROPS
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (C2gBlob, c2g_blob, G_TYPE_OBJECT)

static void
emit_changed (C2gBlob *self,
              GType    old_type,
              GType    new_type)
{
  g_object_ref (self);

  if (old_type != new_type)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CONTENT_TYPE]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_VALUE]);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0, old_type, new_type);

  g_object_unref (self);
}

static void
exchange (C2gBlob              *self,
          const C2gBlobContent *content,
          gboolean              stays_derived,
          C2gBlobContent       *old)
{
  GType new_type = c2g_blob_content_get_gtype (content);

  c2g_blob_put (self, content, stays_derived, old);
  if (old->kind != C2G_BLOB_EMPTY || new_type != G_TYPE_INVALID)
    emit_changed (self, c2g_blob_content_get_gtype (old), new_type);
}

void
c2g_blob_exchange (C2gBlob              *self,
                   const C2gBlobContent *content,
                   C2gBlobContent       *old)
{
  exchange (self, content, FALSE, old);
}

void
c2g_blob_replace (C2gBlob              *self,
                  const C2gBlobContent *content)
{
  C2gBlobContent old;

  c2g_blob_exchange (self, content, &old);
  c2g_blob_content_clear (&old);
}

void
c2g_blob_renew (C2gBlob              *self,
                const C2gBlobContent *content)
{
  C2gBlobContent old;

  exchange (self, content, TRUE, &old);
  c2g_blob_content_clear (&old);
}

void
c2g_blob_set_type_error (C2gBlob     *self,
                         const char  *wanted,
                         GError     **error)
{
  g_autofree char *name = NULL;
  C2gBlobContent content;
  const char *held;

  if (error == NULL)
    return;

  name = c2g_blob_dup_name (self);
  c2g_blob_dup_content (self, &content);
  held = c2g_blob_content_get_type_name (&content);
  c2g_blob_content_clear (&content);

  if (name != NULL && held != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Blob “%s” holds %s, expected %s"), name, held, wanted);
  else if (name != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Blob “%s” is empty, expected %s"), name, wanted);
  else if (held != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("The blob holds %s, expected %s"), held, wanted);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("The blob is empty, expected %s"), wanted);
}

static void
get_boxed_value (C2gBlob *self,
                 GValue  *boxed)
{
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_content_get_value (&self->content, &value);
  g_value_set_boxed (boxed, &value);
}

static void
c2g_blob_get_property (GObject    *object,
                       guint       property_id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  C2gBlob *self = C2G_BLOB (object);

  switch (property_id)
    {
    case PROP_NAME:
      g_value_take_string (value, c2g_blob_dup_name (self));
      break;
    case PROP_CONTENT_TYPE:
      g_value_set_gtype (value, c2g_blob_get_content_type (self));
      break;
    case PROP_VALUE:
      get_boxed_value (self, value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      break;
    }
}

/* Emits nothing, and can run in any thread. It does not touch the label of the tensor, because
 * another thread may still be using the tensor. */
static void
c2g_blob_dispose (GObject *object)
{
  C2gBlob *self = C2G_BLOB (object);
  C2gBlobContent old = self->content;

  self->content = C2G_BLOB_CONTENT_INIT;
  c2g_blob_content_clear (&old);

  G_OBJECT_CLASS (c2g_blob_parent_class)->dispose (object);
}

static void
c2g_blob_finalize (GObject *object)
{
  C2gBlob *self = C2G_BLOB (object);

  /* Clears content that a destroy function has set during dispose. */
  c2g_blob_content_clear (&self->content);
  c2g_blob_clear_name (self);

  G_OBJECT_CLASS (c2g_blob_parent_class)->finalize (object);
}

static void
c2g_blob_class_init (C2gBlobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = c2g_blob_get_property;
  object_class->dispose = c2g_blob_dispose;
  object_class->finalize = c2g_blob_finalize;

  /**
   * C2gBlob:name: (getter dup_name)
   *
   * The name that the blob has in its workspace.
   *
   * The notification is emitted in the thread that renames the blob.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL,
                         NULL,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gBlob:content-type: (getter get_content_type)
   *
   * The type of what the blob holds, `G_TYPE_INVALID` when it is empty.
   */
  props[PROP_CONTENT_TYPE] =
    g_param_spec_gtype ("content-type", NULL, NULL,
                        G_TYPE_NONE,
                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gBlob:value:
   *
   * The content of the blob, as a value.
   *
   * It is the result of [method@Blob.get_value]. The notification is emitted just before each
   * [signal@Blob::changed], so a program can bind the property.
   */
  props[PROP_VALUE] =
    g_param_spec_boxed ("value", NULL, NULL,
                        G_TYPE_VALUE,
                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * C2gBlob::changed:
   * @self: the blob
   * @old_type: what the blob held
   * @new_type: what it holds now
   *
   * Emitted when the content of the blob has been replaced.
   *
   * The types are `G_TYPE_INVALID` for an empty blob and `G_TYPE_POINTER` for a bare
   * pointer. They are equal when the content was replaced by another of its type.
   * Writing into the tensor that the blob holds is not a change of the blob.
   */
  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed",
                  C2G_TYPE_BLOB,
                  G_SIGNAL_RUN_LAST,
                  0, NULL, NULL,
                  NULL,
                  G_TYPE_NONE, 2,
                  G_TYPE_GTYPE, G_TYPE_GTYPE);
}

static void
c2g_blob_init (C2gBlob *self)
{
}

void
c2g_blob_notify_name (C2gBlob *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
}

/**
 * c2g_blob_new:
 *
 * Makes an empty blob that belongs to no workspace and has no name.
 *
 * Returns: (transfer full): a new blob
 */
C2gBlob *
c2g_blob_new (void)
{
  return g_object_new (C2G_TYPE_BLOB, NULL);
}

/**
 * c2g_blob_get_content_type: (get-property content-type)
 * @self: a blob
 *
 * Gets the type of what the blob holds.
 *
 * Returns: the type; `G_TYPE_INVALID` if the blob is empty, and `G_TYPE_POINTER` if
 *   it holds a bare pointer
 */
GType
c2g_blob_get_content_type (C2gBlob *self)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), G_TYPE_INVALID);

  return c2g_blob_content_get_gtype (&self->content);
}

/**
 * c2g_blob_get_n_bytes:
 * @self: a blob
 *
 * Gets the size of what the blob holds.
 *
 * This is the size of a tensor's elements, including the text of string elements; the length of
 * a string or of bytes; and the item size of a bare pointer's type. A program can register
 * other types with [func@Blob.register_stat]; all others have 0 bytes.
 *
 * Returns: the size in bytes
 */
gsize
c2g_blob_get_n_bytes (C2gBlob *self)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), 0);

  return c2g_blob_stat_n_bytes (self);
}

/**
 * c2g_blob_get_value:
 * @self: a blob
 * @value: (out caller-allocates): a zero-filled value, to be initialized
 *
 * Gets a copy of what the blob holds.
 *
 * The value of an empty blob is a `NULL` pointer, `None` in Python and `null` in
 * JavaScript.
 *
 * Some bindings free a returned value too early, or never. They have [method@Blob.copy_value]
 * and [property@Blob:value]; the page Languages says which of them to use.
 */
void
c2g_blob_get_value (C2gBlob *self,
                    GValue  *value)
{
  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (value != NULL && !G_IS_VALUE (value));

  c2g_blob_content_get_value (&self->content, value);
}

/**
 * c2g_blob_copy_value:
 * @self: a blob
 * @value: a value that the caller made, zero-filled or not
 *
 * Copies what the blob holds into a value that belongs to the caller.
 *
 * It is the result of [method@Blob.get_value], for bindings. The old content of @value is
 * released.
 */
void
c2g_blob_copy_value (C2gBlob *self,
                     GValue  *value)
{
  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (value != NULL);

  if (G_IS_VALUE (value))
    g_value_unset (value);
  c2g_blob_content_get_value (&self->content, value);
}

/**
 * c2g_blob_set_value:
 * @self: a blob
 * @value: (nullable): the new content, or `NULL` to empty the blob
 *
 * Makes the blob hold a copy of a value.
 *
 * For an object the blob takes a reference. A `NULL` object or pointer empties the blob.
 */
void
c2g_blob_set_value (C2gBlob      *self,
                    const GValue *value)
{
  C2gBlobContent content = C2G_BLOB_CONTENT_INIT;

  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (value == NULL || G_IS_VALUE (value));

  /* PyGObject passes NULL for None. */
  if (value == NULL)
    {
      c2g_blob_reset (self);
      return;
    }

  if (G_VALUE_HOLDS_OBJECT (value))
    {
      c2g_blob_set_object (self, g_value_get_object (value));
      return;
    }

  c2g_blob_content_init_value (&content, value);
  c2g_blob_replace (self, &content);
}

/**
 * c2g_blob_get_object:
 * @self: a blob
 *
 * Gets the object that the blob holds, of whatever class.
 *
 * Returns: (transfer none) (nullable): the object, or `NULL` if the blob holds none
 */
GObject *
c2g_blob_get_object (C2gBlob *self)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);

  return self->content.kind == C2G_BLOB_OBJECT ? self->content.object : NULL;
}

/**
 * c2g_blob_set_object:
 * @self: a blob
 * @object: (nullable): the new content, or `NULL` to empty the blob
 *
 * Makes the blob hold an object.
 *
 * Nothing happens if it holds this object already.
 */
void
c2g_blob_set_object (C2gBlob *self,
                     GObject *object)
{
  C2gBlobContent content = C2G_BLOB_CONTENT_INIT;

  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (object == NULL || G_IS_OBJECT (object));

  if (object != NULL)
    {
      if (c2g_blob_holds_object (self, object))
        return;
      content.kind = C2G_BLOB_OBJECT;
      content.object = g_object_ref (object);
    }

  c2g_blob_replace (self, &content);
}

/**
 * c2g_blob_get_tensor:
 * @self: a blob
 * @error: return location for an error
 *
 * Gets the tensor that the blob holds.
 *
 * If it holds none, the error is `C2G_ERROR_TYPE`.
 *
 * Returns: (transfer none): the tensor, or `NULL` with @error set
 */
C2gTensor *
c2g_blob_get_tensor (C2gBlob  *self,
                     GError  **error)
{
  C2gTensor *tensor;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  tensor = c2g_blob_content_get_tensor (&self->content);
  if (tensor == NULL)
    c2g_blob_set_type_error (self, g_type_name (C2G_TYPE_TENSOR), error);

  return tensor;
}

/**
 * c2g_blob_is_empty:
 * @self: a blob
 *
 * Tells whether the blob holds nothing.
 *
 * Returns: true if it is empty
 */
gboolean
c2g_blob_is_empty (C2gBlob *self)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), TRUE);

  return self->content.kind == C2G_BLOB_EMPTY;
}

/**
 * c2g_blob_is_type:
 * @self: a blob
 * @gtype: a type
 *
 * Tells whether the blob holds something of a type, or of one derived from it.
 *
 * Returns: true if it does; an empty blob holds nothing of any type
 */
gboolean
c2g_blob_is_type (C2gBlob *self,
                  GType    gtype)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);

  if (self->content.kind == C2G_BLOB_EMPTY)
    return FALSE;

  return g_type_is_a (c2g_blob_content_get_gtype (&self->content), gtype);
}

/**
 * c2g_blob_is_tensor:
 * @self: a blob
 * @device: (nullable): a device, or `NULL` for any
 *
 * Tells whether the blob holds a tensor on a device.
 *
 * Returns: true if it does
 */
gboolean
c2g_blob_is_tensor (C2gBlob   *self,
                    C2gDevice *device)
{
  C2gTensor *tensor;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);

  tensor = c2g_blob_content_get_tensor (&self->content);

  return tensor != NULL && (device == NULL || c2g_tensor_get_device (tensor) == device);
}

/**
 * c2g_blob_ensure_tensor:
 * @self: a blob
 * @device: (nullable): a device, or `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the tensor that the blob holds, or makes it hold a new one.
 *
 * Content of another type, and a tensor on another device, is replaced.
 *
 * Returns: (transfer none): the tensor, or `NULL` with @error set
 */
C2gTensor *
c2g_blob_ensure_tensor (C2gBlob    *self,
                        C2gDevice  *device,
                        GError    **error)
{
  C2gBlobContent content = { .kind = C2G_BLOB_OBJECT };

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (device == NULL)
    device = c2g_device_cpu ();

  if (!c2g_blob_is_tensor (self, device))
    {
      content.object = G_OBJECT (c2g_tensor_new_for_device (device));
      c2g_blob_renew (self, &content);
    }

  /* Read the blob again: a signal handler may have replaced the new tensor. */
  return c2g_blob_get_tensor (self, error);
}

/**
 * c2g_blob_ensure:
 * @self: a blob
 * @gtype: a type
 * @is_new: (out) (optional): whether the content is a new one
 * @error: return location for an error
 *
 * Makes sure that the blob holds content of a type: keeps the present content if it has that
 * type.
 *
 * New content is an object made without any properties, a number of value zero, or
 * an empty string. Abstract classes, interfaces and boxed types have no such
 * default, and are refused with `C2G_ERROR_TYPE`; the blob then is as it was.
 *
 * Returns: true if it worked
 */
gboolean
c2g_blob_ensure (C2gBlob   *self,
                 GType      gtype,
                 gboolean  *is_new,
                 GError   **error)
{
  C2gBlobContent content = C2G_BLOB_CONTENT_INIT;
  gboolean keeps;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (gtype != G_TYPE_INVALID, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self->content.kind == C2G_BLOB_OBJECT)
    keeps = c2g_blob_is_type (self, gtype);
  else
    keeps = c2g_blob_get_content_type (self) == gtype;

  if (!keeps && !c2g_blob_content_init_default (&content, gtype, error))
    return FALSE;

  if (is_new != NULL)
    *is_new = !keeps;
  if (!keeps)
    c2g_blob_renew (self, &content);

  return TRUE;
}

/**
 * c2g_blob_reset:
 * @self: a blob
 *
 * Empties the blob.
 */
void
c2g_blob_reset (C2gBlob *self)
{
  g_return_if_fail (C2G_IS_BLOB (self));

  c2g_blob_replace (self, &C2G_BLOB_CONTENT_INIT);
}

/* Gives SELF the content of OTHER, and OTHER that of SELF if KEEPS_OLD, otherwise none. */
static void
take_content (C2gBlob  *self,
              C2gBlob  *other,
              gboolean  keeps_old)
{
  const C2gBlobContent none = C2G_BLOB_CONTENT_INIT;
  C2gBlobContent old = self->content, content = other->content;
  const C2gBlobContent *rest = keeps_old ? &old : &none;
  const GType old_type = c2g_blob_content_get_gtype (&old);
  const GType new_type = c2g_blob_content_get_gtype (&content);
  const GType rest_type = c2g_blob_content_get_gtype (rest);
  g_autoptr (C2gBlob) self_ref = NULL;
  g_autoptr (C2gBlob) other_ref = NULL;

  if (self == other || (c2g_blob_is_empty (self) && c2g_blob_is_empty (other)))
    return;

  self_ref = g_object_ref (self);
  other_ref = g_object_ref (other);
  c2g_blob_put_both (self, &content, other, rest);

  emit_changed (self, old_type, new_type);
  if (new_type != G_TYPE_INVALID || rest_type != G_TYPE_INVALID)
    emit_changed (other, new_type, rest_type);
  if (!keeps_old)
    c2g_blob_content_clear (&old);
}

/**
 * c2g_blob_swap:
 * @self: a blob
 * @other: another blob
 *
 * Exchanges what two blobs hold; each keeps its name.
 *
 * Nothing is copied. The signals are emitted after both blobs have changed.
 */
void
c2g_blob_swap (C2gBlob *self,
               C2gBlob *other)
{
  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (C2G_IS_BLOB (other));

  take_content (self, other, TRUE);
}

/**
 * c2g_blob_move_from:
 * @self: a blob
 * @other: another blob
 *
 * Takes over what another blob holds, which is empty then.
 *
 * Nothing is copied. Moving a blob to itself changes nothing. The signals are emitted after
 * both blobs have changed.
 */
void
c2g_blob_move_from (C2gBlob *self,
                    C2gBlob *other)
{
  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (C2G_IS_BLOB (other));

  take_content (self, other, FALSE);
}

/**
 * c2g_blob_steal_object:
 * @self: a blob
 *
 * Takes the object out of the blob, which is empty then.
 *
 * Returns: (transfer full) (nullable): the object, or `NULL` if the blob holds none
 *   and stays as it is
 */
GObject *
c2g_blob_steal_object (C2gBlob *self)
{
  C2gBlobContent old;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);

  if (self->content.kind != C2G_BLOB_OBJECT)
    return NULL;

  c2g_blob_exchange (self, &C2G_BLOB_CONTENT_INIT, &old);

  return old.object;
}
