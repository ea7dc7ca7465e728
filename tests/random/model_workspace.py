# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""The model of blobs and workspaces, by the same rules."""

from model import Fault, Tensor


class Label:
    """Gives the memory of a tensor the blob's name, as long as a blob holds the tensor."""

    def __init__(self, blob):
        self.blob = blob

    @property
    def name(self):
        return self.blob.name if self.blob is not None else ''


class Blob:
    """The model of a blob. Its content is None, a Tensor, or any value of Python."""

    def __init__(self, name=None):
        self.name = name
        self.content = None
        self.label = None
        self.events = []

    def let_go(self):
        if self.label is not None:
            self.label.blob = None
            self.label = None
        return self.content

    def take(self, content):
        self.content = content
        if isinstance(content, Tensor) and self.name is not None:
            self.label = Label(self)
            content.set_label(self.label)

    def set(self, content):
        if content is None and self.content is None:
            return
        if isinstance(content, Tensor) and content is self.content:
            return
        old = self.let_go()
        self.take(content)
        self.events.append(('changed', kind(old), kind(content)))

    def ensure(self, wanted, make):
        """Returns True if the content is new."""
        if self.content is not None and kind(self.content) == wanted:
            return False
        self.set(make())
        return True

    @property
    def n_bytes(self):
        if isinstance(self.content, Tensor):
            return self.content.n_bytes + sum(len(text) for text in self.content.contents() if isinstance(text, str))
        return len(self.content) if isinstance(self.content, str) else 0

    def get_tensor(self):
        if not isinstance(self.content, Tensor):
            raise Fault('type')
        return self.content

    def swap(self, other):
        if self is other or self.content is None and other.content is None:
            return
        mine, theirs = self.let_go(), other.let_go()
        self.take(theirs)
        other.take(mine)
        self.events.append(('changed', kind(other.content), kind(self.content)))
        other.events.append(('changed', kind(self.content), kind(other.content)))

    def move_from(self, other):
        if self is other or self.content is None and other.content is None:
            return
        old, moved = self.let_go(), other.let_go()
        other.take(None)
        self.take(moved)
        self.events.append(('changed', kind(old), kind(self.content)))
        if self.content is not None:
            other.events.append(('changed', kind(self.content), kind(None)))

    def steal(self):
        if not isinstance(self.content, Tensor):
            return None
        tensor = self.content
        self.set(None)
        return tensor


def kind(content):
    """Returns the name of the content's GType."""
    if content is None:
        return 'invalid'
    return {Tensor: 'C2gTensor', int: 'gint', float: 'gdouble', str: 'gchararray'}[type(content)]


class Workspace:
    def __init__(self, parent=None):
        self.parent = parent
        self.blobs = {}
        # name: (workspace, name there)
        self.forwards = {}
        self.events = []

    def find(self, name):
        """Looks up a blob: locally, then where the name is forwarded to, then in the parent."""
        if name in self.blobs:
            return self.blobs[name]
        if name in self.forwards:
            return self.find_forwarded(name)
        return self.parent.find(name) if self.parent is not None else None

    def get(self, name):
        blob = self.find(name)
        if blob is None:
            raise Fault('not-found')
        return blob

    def create(self, name):
        blob = self.find(name)
        if blob is None and name in self.forwards:
            raise Fault('not-found')
        return blob if blob is not None else self.create_local(name)

    def create_local(self, name):
        if name not in self.blobs:
            self.blobs[name] = Blob(name)
            self.events.append(('blob-added', name))
        return self.blobs[name]

    def remove(self, name):
        if name not in self.blobs:
            return False
        del self.blobs[name]
        self.events.append(('blob-removed', name))
        return True

    def rename(self, old, new):
        if old not in self.blobs:
            raise Fault('not-found')
        if old == new:
            return
        if self.find(new) is not None or new in self.forwards:
            raise Fault('exists')
        self.blobs[new] = self.blobs.pop(old)
        self.blobs[new].name = new
        self.events.append(('blob-renamed', new, old))

    def clear(self):
        self.forwards.clear()
        for name in list(self.blobs):
            self.remove(name)

    def names(self):
        """Returns all blobs that can be found from here."""
        names = set(self.blobs) | {name for name in self.forwards if self.find(name) is not None}
        hidden = set(self.forwards)
        if self.parent is not None:
            names |= {name for name in self.parent.names() if name not in hidden}
        return names

    def reaches(self, other):
        """Returns True if looking up a name here may end in the other workspace."""
        if self is other:
            return True
        below = [workspace for workspace, name in self.forwards.values()]
        if self.parent is not None:
            below.append(self.parent)
        return any(workspace.reaches(other) for workspace in below)

    def add_mapping(self, parent, names, parent_names, skip_defined):
        for there in parent_names:
            if parent.find(there) is None:
                raise Fault('not-found')
        if parent.reaches(self):
            raise Fault('invalid-argument')
        new = {}
        for name, there in zip(names, parent_names):
            known = new.get(name, self.forwards.get(name))
            if known == (parent, there):
                continue
            if known is None and self.find(name) is None:
                new[name] = (parent, there)
            elif not skip_defined:
                raise Fault('exists')
        self.forwards.update(new)

    def copy_forwarded(self, names):
        """Makes the forwarded names local, each with a copy of the tensor."""
        copies = []
        for name in names:
            if name in self.forwards:
                blob = self.find_forwarded(name)
                if blob is None:
                    raise Fault('not-found')
                copies.append((name, blob.get_tensor().clone()))
        for name, tensor in copies:
            # A name may be given twice.
            if self.forwards.pop(name, None) is None:
                continue
            self.create_local(name).set(tensor)

    def find_forwarded(self, name):
        workspace, there = self.forwards[name]
        return workspace.find(there)
