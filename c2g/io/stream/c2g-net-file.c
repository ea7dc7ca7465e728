/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* For O_PATH. */
#define _GNU_SOURCE

#include "config.h"

#include <c2g/io/stream/c2g-net-file-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that nets name: finds them, checks the file access of the workspace, and opens them.
 *
 * A model may be a stranger's program, so a limited path is resolved in two steps.
 *
 * First realpath() resolves all links, and the result must be below the allowed folder. Then the
 * file is opened along that result, one folder after the other, and no step follows a symbolic
 * link. If another process replaces a folder by a link between the two steps, opening fails and no
 * file outside is touched. */

/* O_PATH opens a folder without the right to list it. */
#ifdef O_PATH
# define O_WALK (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#else
# define O_WALK (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#endif

/* Key of the object data that marks a confined file. */
#define CONFINED "c2g-confined"

static const char *
get_nick (C2gFileAccess access)
{
  switch (access)
    {
    case C2G_FILE_ACCESS_NONE:
      return "none";
    case C2G_FILE_ACCESS_MODEL:
      return "model";
    case C2G_FILE_ACCESS_ROOT_FOLDER:
      return "root-folder";
    case C2G_FILE_ACCESS_ALL:
    default:
      return "all";
    }
}

/* A request: the path, its use, and the operator type that asks. */
typedef struct
{
  const C2gFileRules *rules;
  const char         *user;
  const char         *path;
  C2gFileUse          use;
} Request;

static void
deny (const Request  *request,
      C2gFileAccess   needed,
      GError        **error)
{
  g_autofree char *name = g_filename_display_name (request->path);

  g_set_error (error, C2G_ERROR, C2G_ERROR_DENIED,
               request->use == C2G_FILE_USE_WRITE
                 ? _("%s must not write the file “%s”: file-access of the workspace is “%s”, and "
                     "this needs “%s”")
                 : _("%s must not read the file “%s”: file-access of the workspace is “%s”, and "
                     "this needs “%s”"),
               request->user, name, get_nick (request->rules->access), get_nick (needed));
}

static void
deny_outside (const Request  *request,
              const char     *folder,
              GError        **error)
{
  g_autofree char *name = g_filename_display_name (request->path);
  g_autofree char *folder_name = g_filename_display_name (folder);

  g_set_error (error, C2G_ERROR, C2G_ERROR_DENIED,
               _("%s must not use the file “%s”, which is outside of “%s”: file-access of the "
                 "workspace is “%s”, and this needs “%s”"),
               request->user, name, folder_name, get_nick (request->rules->access),
               get_nick (C2G_FILE_ACCESS_ALL));
}

static GFile *
fail_errno (const char  *path,
            int          code,
            GError     **error)
{
  g_autofree char *name = g_filename_display_name (path);

  c2g_set_errno (error, name, code);
  return NULL;
}

/* Like realpath(), but the result is freed with g_free(). */
static char *
dup_real_path (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

static gboolean
is_below (const char *path,
          const char *folder)
{
  gsize length = strlen (folder);

  while (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && path[length] == '/';
}

/* Returns the path without "." and empty parts; NULL if it contains ".." or if nothing is left. */
static char *
dup_plain_path (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autoptr (GString) plain = g_string_new (NULL);

  for (char **part = parts; *part != NULL; part++)
    {
      if (g_str_equal (*part, ".."))
        return NULL;
      if (**part != '\0' && !g_str_equal (*part, "."))
        g_string_append_printf (plain, "%s%s", plain->len > 0 ? "/" : "", *part);
    }

  return plain->len > 0 ? g_string_free (g_steal_pointer (&plain), FALSE) : NULL;
}

/* Resolves all links. If the file does not exist yet, its folder must exist. A dangling link is
 * refused, because a writer would follow it. Returns NULL with errno set on failure. */
static char *
resolve (const char *path)
{
  g_autofree char *real = dup_real_path (path);
  g_autofree char *parent = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  struct stat status;

  if (real != NULL || errno != ENOENT)
    return g_steal_pointer (&real);

  parent = g_path_get_dirname (path);
  folder = dup_real_path (parent);
  if (folder == NULL)
    return NULL;
  name = g_path_get_basename (path);
  real = g_build_filename (folder, name, NULL);
  if (lstat (real, &status) == 0)
    {
      errno = ELOOP;
      return NULL;
    }
  return g_steal_pointer (&real);
}

/* Returns TRUE if a path that cannot be resolved leaves the folder on its way. Then the net must
 * not learn why it cannot be resolved: that would tell about files outside. */
static gboolean
leaves (const char *path,
        const char *real_folder)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *real = dup_real_path (parent);

  /* The system resolves no longer paths. The limit also bounds this recursion. */
  if (real == NULL)
    return strlen (path) >= PATH_MAX || leaves (parent, real_folder);
  return !g_str_equal (real, real_folder) && !is_below (real, real_folder);
}

static GFile *
new_confined (const char *real)
{
  GFile *file = g_file_new_for_path (real);

  g_object_set_data (G_OBJECT (file), CONFINED, GINT_TO_POINTER (TRUE));
  return file;
}

/* Returns the file of a path that begins at START, if it is below FOLDER. NULL without an error
 * means that there is no such file. */
static GFile *
find_below (const Request  *request,
            const char     *folder,
            const char     *start,
            const char     *plain,
            GError        **error)
{
  g_autofree char *real_folder = dup_real_path (folder);
  g_autofree char *path = g_build_filename (start, plain, NULL);
  g_autofree char *real = real_folder != NULL ? resolve (path) : NULL;
  int code = errno;

  if (real == NULL && (code == ELOOP || (real_folder != NULL && leaves (path, real_folder))))
    deny_outside (request, folder, error);
  else if (real == NULL && code != ENOENT && code != ENOTDIR)
    fail_errno (path, code, error);
  else if (real != NULL && !is_below (real, real_folder))
    deny_outside (request, folder, error);
  else if (real != NULL)
    return new_confined (real);
  return NULL;
}

/* Tries the path from the model's folder, and from the folder above it, because exporters write
 * both. If a file to be read exists in the folder above but not below the model's folder,
 * *above_error says what access would help. A net that only checks for existence does not learn of
 * such a file. */
static GFile *
find_in_model (const Request  *request,
               const char     *plain,
               GError        **above_error,
               GError        **error)
{
  const char *folder = request->rules->model_folder;
  g_autofree char *above = g_path_get_dirname (folder);
  const char *starts[] = { folder, above };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      g_autofree char *path = g_build_filename (starts[i], plain, NULL);
      g_autoptr (GError) local_error = NULL;
      g_autoptr (GFile) file = find_below (request, folder, starts[i], plain, &local_error);

      if (file != NULL && g_file_query_exists (file, NULL))
        return g_steal_pointer (&file);
      if (local_error != NULL && i == 0)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
      if (local_error != NULL && request->use == C2G_FILE_USE_READ &&
          g_file_test (path, G_FILE_TEST_EXISTS))
        g_propagate_error (above_error, g_steal_pointer (&local_error));
    }

  return NULL;
}

/* Finds a file under an access limit: beside the model, unless it is to be written, and then below the
 * root folder. */
static GFile *
find_confined (const Request  *request,
               gboolean        is_absolute,
               GError        **error)
{
  const C2gFileRules *rules = request->rules;
  g_autofree char *plain = dup_plain_path (request->path);
  gboolean is_inside = plain != NULL && !is_absolute && !g_path_is_absolute (request->path);
  gboolean may_use_root = rules->access >= C2G_FILE_ACCESS_ROOT_FOLDER;
  gboolean has_model = rules->model_folder != NULL && request->use != C2G_FILE_USE_WRITE;
  gboolean may_use_model = rules->access >= C2G_FILE_ACCESS_MODEL && has_model;
  C2gFileAccess needed = has_model ? C2G_FILE_ACCESS_MODEL : C2G_FILE_ACCESS_ROOT_FOLDER;
  g_autoptr (GError) above_error = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GFile) file = NULL;

  if (!is_inside || (!may_use_root && !may_use_model))
    {
      deny (request, is_inside ? needed : C2G_FILE_ACCESS_ALL, error);
      return NULL;
    }

  if (may_use_model)
    file = find_in_model (request, plain, &above_error, &local_error);
  if (file == NULL && local_error == NULL && may_use_root)
    file = find_below (request, rules->root_folder, rules->root_folder, plain, &local_error);
  if (local_error == NULL && above_error != NULL &&
      (file == NULL || !g_file_query_exists (file, NULL)))
    {
      g_clear_object (&file);
      local_error = g_steal_pointer (&above_error);
    }
  if (file == NULL && local_error == NULL)
    {
      g_autofree char *path = g_build_filename (may_use_root ? rules->root_folder : rules->model_folder, plain, NULL);

      fail_errno (path, ENOENT, &local_error);
    }

  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return g_steal_pointer (&file);
}

/* Without a limit paths work as in Caffe2; a file to be read may also be beside the model. */
static GFile *
find_anywhere (const Request *request,
               gboolean       is_absolute)
{
  const C2gFileRules *rules = request->rules;
  const char *folder = request->use != C2G_FILE_USE_WRITE ? rules->model_folder : NULL;
  g_autofree char *above = folder != NULL ? g_path_get_dirname (folder) : NULL;
  const char *starts[] = { folder, above };

  if (is_absolute || g_path_is_absolute (request->path))
    return g_file_new_for_path (request->path);
  for (guint i = 0; folder != NULL && i < G_N_ELEMENTS (starts); i++)
    {
      g_autoptr (GFile) file = g_file_new_build_filename (starts[i], request->path, NULL);

      if (g_file_query_exists (file, NULL))
        return g_steal_pointer (&file);
    }

  return g_file_new_build_filename (rules->root_folder, request->path, NULL);
}

GFile *
c2g_net_file_find (const C2gFileRules  *rules,
                   const char          *user,
                   const char          *path,
                   gboolean             is_absolute,
                   C2gFileUse           use,
                   GError             **error)
{
  const Request request = { rules, user, path, use };

  return rules->access == C2G_FILE_ACCESS_ALL ? find_anywhere (&request, is_absolute)
                                              : find_confined (&request, is_absolute, error);
}

gboolean
c2g_net_file_is_confined (GFile *file)
{
  return g_object_get_data (G_OBJECT (file), CONFINED) != NULL;
}

GFile *
c2g_net_file_get_child (GFile      *folder,
                        const char *name)
{
  GFile *file = g_file_get_child (folder, name);

  if (c2g_net_file_is_confined (folder))
    g_object_set_data (G_OBJECT (file), CONFINED, GINT_TO_POINTER (TRUE));
  return file;
}

/* Opens the folders of a path one by one, from the root. */
static int
walk (char   **parts,
      guint    n_parts)
{
  int folder = open ("/", O_WALK);

  for (guint i = 0; i < n_parts && folder >= 0; i++)
    {
      int next = openat (folder, parts[i], O_WALK);
      int code = errno;

      close (folder);
      errno = code;
      folder = next;
    }

  return folder;
}

/* Returns the parts of an absolute path without empty ones. */
static char **
split (GFile *file)
{
  const char *path = g_file_peek_path (file);

  return g_strsplit (path + strspn (path, "/"), "/", -1);
}

int
c2g_net_file_open_folder (GFile *file)
{
  g_auto (GStrv) parts = split (file);

  return walk (parts, g_strv_length (parts) - 1);
}

int
c2g_net_file_open (GFile  *file,
                   int     flags,
                   mode_t  mode)
{
  g_auto (GStrv) parts = NULL;
  guint n_parts;
  int folder, fd, code;

  if (!c2g_net_file_is_confined (file))
    return open (g_file_peek_path (file), flags, mode);

  parts = split (file);
  n_parts = g_strv_length (parts);
  folder = walk (parts, n_parts - 1);
  if (folder < 0)
    return -1;
  fd = openat (folder, parts[n_parts - 1], flags | O_NOFOLLOW, mode);
  code = errno;
  close (folder);
  errno = code;
  return fd;
}
