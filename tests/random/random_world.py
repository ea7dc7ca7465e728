# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""A world of c2g objects and one of the model. Both get the same calls, and are compared."""

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

import model  # noqa: E402
from model import PLAIN, STRING, Fault  # noqa: E402
from model_workspace import Blob, Workspace  # noqa: E402

N_TENSORS, N_VIEWS, N_HELD, N_BLOBS, N_WORKSPACES = 5, 3, 2, 3, 4
NAMES = ['a', 'b', 'c', 'd', 'e']
TYPES = list(PLAIN) + [STRING]
DATA_TYPES = {name: getattr(C2g.DataType, name.upper()) for name in TYPES}
NAMES_OF_TYPES = {number: name for name, number in DATA_TYPES.items()}
NAMES_OF_TYPES[C2g.DataType.UNDEFINED] = None
ERRORS = {int(member): member.value_nick for member in map(C2g.Error, range(13))}

REPORTER = C2g.MemoryReporter.get_default()
AT_START = {block.get_address() for block in REPORTER.list_blocks(None)}
BYTES_AT_START = REPORTER.get_current_bytes(None)
C2g.Settings.get_default().set_zero_fill(True)
LIMITED = C2g.LimitingAllocator.new(None, model.NO_LIMIT)
C2g.Allocator.set_default(C2g.Device.cpu(), LIMITED)


class Difference(Exception):
    """c2g and the model differ."""


class World(model.World):
    """A few slots for each kind of object. The real object is beside its model, and lives as long as the model."""

    def __init__(self):
        super().__init__()
        self.real = {}
        self.log = []
        self.slots = [self.new_tensor() for _ in range(N_TENSORS)]
        self.view_slots = [None] * N_VIEWS
        self.held_slots = [None] * N_HELD
        self.blob_slots = [self.adopt(C2g.Blob.new(), Blob()) for _ in range(N_BLOBS)]
        self.workspaces = []
        for i in range(N_WORKSPACES):
            # The second and third workspace are below the one before, the others have no parent.
            parent = self.workspaces[i - 1] if i in (1, 2) else None
            real = C2g.Workspace.new_with_parent(self.real[parent]) if parent else C2g.Workspace.new()
            self.workspaces.append(self.adopt(real, Workspace(parent)))
        self.settings = C2g.Settings.get_default()
        self.settings.set_keep_on_shrink(True)
        self.settings.set_max_keep_on_shrink(model.NO_LIMIT)
        LIMITED.set_max_bytes(model.NO_LIMIT)

    def adopt(self, real, twin):
        """Pairs a real object with its model. The signals of the real one are recorded beside it."""
        self.real[twin] = real
        heard = twin.heard = []
        if isinstance(twin, model.Tensor):
            real.connect('reallocated', lambda o, old, new: heard.append(('reallocated', old, new)))
            real.connect('resized', lambda o: heard.append(('resized',)))
            real.connect('notify::data-type', lambda o, p: heard.append(('data-type',)))
            real.connect('notify::device', lambda o, p: heard.append(('device',)))
        elif isinstance(twin, Blob):
            real.connect('changed', lambda o, old, new: heard.append(('changed', old.name, new.name)))
        elif isinstance(twin, Workspace):
            real.connect('blob-added', lambda o, blob: heard.append(('blob-added', blob.get_name())))
            real.connect('blob-removed', lambda o, blob: heard.append(('blob-removed', blob.get_name())))
            real.connect('blob-renamed', lambda o, blob, old: heard.append(('blob-renamed', blob.get_name(), old)))
        return twin

    def new_tensor(self):
        return self.adopt(C2g.Tensor.new(), model.Tensor(self))

    def all_blobs(self):
        found = list(self.blob_slots)
        for workspace in self.workspaces:
            found += workspace.blobs.values()
        return found

    def tensors(self):
        found = dict.fromkeys(self.slots)
        found.update(dict.fromkeys(blob.content for blob in self.all_blobs() if isinstance(blob.content, model.Tensor)))
        return list(found)

    def views(self):
        return [view for view in self.view_slots if view is not None]

    def holders(self):
        return [held for held in self.held_slots if held is not None]

    def forget_the_dead(self):
        """Releases the real objects whose models nothing holds any more."""
        alive = set(self.tensors()) | set(self.all_blobs()) | set(self.workspaces)
        alive |= {view for view in self.view_slots if view is not None}
        alive |= set(self.holders())
        for twin in [twin for twin in self.real if twin not in alive]:
            del self.real[twin]

    def close(self):
        """Releases everything. No object may be left."""
        self.real.clear()
        if REPORTER.get_current_bytes(None) != BYTES_AT_START:
            raise Difference(f'{REPORTER.get_current_bytes(None)} bytes are live at the end, {BYTES_AT_START} at the start')

    # Calls

    def both(self, text, on_model, on_real):
        """Calls both, compares their errors, and returns both results."""
        self.log.append(text)
        fault = error = None
        expected = result = None
        try:
            expected = on_model()
        except Fault as caught:
            fault = caught.code
        try:
            result = on_real()
        except GLib.Error as caught:
            if caught.domain != 'c2g-error-quark':
                raise Difference(f'{text}: error of domain {caught.domain}: {caught.message}')
            error = ERRORS[caught.code]
            if not caught.message:
                raise Difference(f'{text}: an error without a message')
        if fault != error:
            raise Difference(f'{text}: c2g says {error or "fine"}, the model {fault or "fine"}')
        return fault is None, expected, result

    def name_of(self, twin):
        for prefix, slots in (('t', self.slots), ('v', self.view_slots), ('s', self.held_slots), ('b', self.blob_slots),
                              ('w', self.workspaces)):
            for i, slot in enumerate(slots):
                if slot is twin:
                    return f'{prefix}{i}'
        return f'({type(twin).__name__} in a blob)'

    # Comparing

    def compare(self):
        self.forget_the_dead()
        for tensor in self.tensors():
            self.compare_tensor(tensor, self.real[tensor])
        for view in self.view_slots:
            if view is not None:
                self.compare_view(view, self.real[view])
        for storage in self.holders():
            self.compare_storage(storage, self.real[storage])
        for blob in self.all_blobs():
            self.compare_blob(blob, self.real[blob])
        for workspace in self.workspaces:
            self.compare_workspace(workspace, self.real[workspace])
        self.compare_ledger()

    def same(self, twin, what, expected, got):
        if expected != got:
            raise Difference(f'{self.name_of(twin)}: {what} is {got!r}, should be {expected!r}')

    def same_events(self, twin):
        expected, twin.events = twin.events, []
        self.same(twin, 'what was signalled', sorted(expected), sorted(twin.heard))
        twin.heard.clear()

    def compare_tensor(self, tensor, real):
        same = self.same
        self.same_events(tensor)
        same(tensor, 'is_defined', tensor.is_defined, real.is_defined())
        same(tensor, 'dims', tensor.shape, list(real.get_dims()))
        same(tensor, 'n_elements', tensor.n_elements, real.get_n_elements())
        same(tensor, 'data type', tensor.data_type, NAMES_OF_TYPES[real.get_data_type()])
        same(tensor, 'n_bytes', tensor.n_bytes, real.get_n_bytes())
        same(tensor, 'capacity', tensor.capacity, real.get_capacity())
        same(tensor, 'is_allocated', tensor.is_allocated, real.is_allocated())
        same(tensor, 'shares_data', tensor.shares_data, real.shares_data())
        same(tensor, 'keep-on-shrink', tensor.keep_on_shrink, real.get_keep_on_shrink())
        same(tensor, 'max-keep-on-shrink', tensor.max_keep_on_shrink, real.get_max_keep_on_shrink())
        if tensor.storage is not None:
            self.compare_storage(tensor.storage, real.get_storage())
            same(tensor, 'address', tensor.storage.address + tensor.offset if tensor.n_bytes else None,
                 real.get_address() if tensor.n_bytes else None)
        if tensor.is_defined and (tensor.storage is not None or tensor.n_elements == 0):
            if tensor.data_type == STRING:
                got = [real.get_element(i) for i in range(tensor.n_elements)]
            else:
                got = real.dup_bytes().get_data() or b''
            same(tensor, 'contents', tensor.contents(), got)

    def compare_storage(self, storage, real):
        held_here = 0 if storage in self.real and self.real[storage] is real else 1
        if storage.address is None:
            storage.address = real.get_address()
        self.same(storage, 'address of the block', storage.address, real.get_address())
        self.same(storage, 'bytes of the block', storage.n_bytes, real.get_n_bytes())
        self.same(storage, 'is_read_only', storage.read_only, real.is_read_only())
        self.same(storage, 'use_count', self.use_count(storage) + held_here, real.use_count())
        self.same(storage, 'n_views', self.n_views(storage), real.get_n_views())

    def compare_view(self, view, real):
        got = real.get_data() or b''
        self.same(view, 'contents', view.contents(), bytes(got))
        if view.frozen_contents is not None:
            self.same(view, 'contents promised', view.frozen_contents, bytes(got))

    def compare_blob(self, blob, real):
        self.same_events(blob)
        self.same(blob, 'name', blob.name, real.get_name())
        self.same(blob, 'is_empty', blob.content is None, real.is_empty())
        self.same(blob, 'n_bytes', blob.n_bytes, real.get_n_bytes())
        if isinstance(blob.content, model.Tensor):
            self.same(blob, 'tensor', True, real.get_object() is self.real[blob.content])
            self.same(blob, 'is_tensor', True, real.is_tensor(None))
        else:
            self.same(blob, 'value', blob.content, real.get_value())
            self.same(blob, 'is_tensor', False, real.is_tensor(None))

    def compare_workspace(self, workspace, real):
        self.same_events(workspace)
        self.same(workspace, 'local blobs', sorted(workspace.blobs), sorted(real.list_local_blobs()))
        self.same(workspace, 'blobs', sorted(workspace.names()), sorted(real.list_blobs()))
        listed = [real.get_item(i) for i in range(real.get_n_items())]
        self.same(workspace, 'list', {self.real[blob] for blob in workspace.blobs.values()}, set(listed))
        for name in NAMES:
            self.same(workspace, f'has_blob ({name})', workspace.find(name) is not None, real.has_blob(name))

    def compare_ledger(self):
        own = [storage for storage in self.storages() if not storage.is_foreign]
        blocks = REPORTER.list_blocks(None)
        expected = sorted((storage.address, storage.n_bytes, storage.label.name if storage.label else '') for storage in own)
        got = sorted((block.get_address(), block.get_n_bytes(), block.get_name() or '') for block in blocks
                     if block.get_address() not in AT_START)
        self.same(self, 'the list of blocks', expected, got)
        self.same(self, 'current bytes', self.used_bytes() + BYTES_AT_START, REPORTER.get_current_bytes(None))
        self.same(self, 'blocks', len(own) + len(AT_START), REPORTER.get_n_blocks(None))
        self.same(self, 'bytes of the limit', self.used_bytes(), LIMITED.get_used_bytes())
