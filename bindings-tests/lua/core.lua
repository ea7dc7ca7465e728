-- Copyright 2026 The c2g authors
-- SPDX-License-Identifier: LGPL-2.1-or-later

package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path

local testing = require 'testing'
local test, equal, fails, collect, join = testing.test, testing.equal, testing.fails, testing.collect, testing.join
local new_tensor, new_floats, numbers_of = testing.new_tensor, testing.new_floats, testing.numbers_of
local lgi = testing.lgi
local C2g, GLib, Gio, GObject = lgi.C2g, lgi.GLib, lgi.Gio, lgi.GObject
local cpu = C2g.Device.cpu()
local reporter = C2g.MemoryReporter.get_default()

test('1.1 constructors', function ()
  for kind, instance in pairs {
    Blob = C2g.Blob.new(), CpuAllocator = C2g.CpuAllocator.new(), CpuContext = C2g.CpuContext.new(),
    Event = C2g.Event.new(nil), LimitingAllocator = C2g.LimitingAllocator.new(nil, 1),
    LoggingAllocator = C2g.LoggingAllocator.new(nil, nil), PoolAllocator = C2g.PoolAllocator.new(nil),
    Tensor = C2g.Tensor.new(), TrackingAllocator = C2g.TrackingAllocator.new(nil),
    Workspace = C2g.Workspace.new_with_parent(C2g.Workspace.new()),
  } do
    assert(C2g[kind]:is_type_of(instance), kind)
  end
  equal(C2g.Storage.new(cpu, 8, nil):get_n_bytes(), 8)
  equal(C2g.TypeMeta.lookup('float'):get_name(), 'float')
end)

test('1.2 bare constructors', function ()
  equal(C2g.LimitingAllocator { max_bytes = 100 }.max_bytes, 100)
  equal(C2g.Workspace().root_folder, '.')
  equal(C2g.Event():get_device():to_string(), 'cpu')
end)

test('1.4 data types', function ()
  equal(C2g.DataType.from_name('int64'), 'INT64')
  equal(C2g.DataType.get_item_size('DOUBLE'), 8)
  fails('NOT_FOUND', C2g.DataType.from_name('Float'))
end)

test('1.7 devices', function ()
  assert(C2g.Device.parse('cuda:1'):equal(C2g.Device.new('CUDA', 1)))
  fails('RANGE', C2g.Device.parse('cpu:1'))
end)

test('1.8 C only names', function ()
  for kind, name in pairs { Tensor = 'mutable_data', Blob = 'get_pointer', Storage = 'share_external' } do
    local ok, member = pcall(function () return C2g[kind][name] end)
    assert(not ok or member == nil, name)
  end
end)

test('2.1 round trip', function ()
  for _, dims in ipairs { {}, { 0 }, { 3, 0, 2 }, { 1 }, { 2, 3, 4 }, { 2 ^ 40 } } do
    equal(join(C2g.Tensor.new_sized(dims, nil):get_dims()), join(dims))
  end
  equal(C2g.Tensor.new_sized({}, nil):get_n_elements(), 1)
end)

test('2.3 resize and reshape', function ()
  local tensor = new_floats(1, 2, 3, 4, 5, 6)
  tensor:reshape { 2, 3 }
  tensor:resize { 3, 2 }
  equal(numbers_of(tensor), '1 2 3 4 5 6')
end)

test('2.5 sharing', function ()
  local tensor, other = new_floats(1, 2, 3), C2g.Tensor.new_sized({ 3, 1 }, nil)
  other:share_data(tensor)
  tensor:slice(1, 2):set_value(0, 20)
  equal(numbers_of(other), '1 20 3')
end)

test('3.1 in and out', function ()
  local tensor = new_tensor({ 4 }, 'UINT8')
  tensor:set_bytes(GLib.Bytes.new('a\0b\255'))
  equal(tensor:dup_bytes():get_data(), 'a\0b\255')
end)

test('3.2 lent bytes', function ()
  local tensor = C2g.Tensor.new_from_bytes('UINT8', { 2 }, GLib.Bytes.new('ab'))
  collect()
  equal(numbers_of(tensor), '97 98')
  assert(tensor:get_storage():is_read_only())
end)

test('3.4 mapping', function ()
  local tensor = new_tensor({ 2 }, 'UINT8')
  local mapping = tensor:map { READ = true, WRITE = true }
  mapping:write(0, GLib.Bytes.new('ab'))
  equal(numbers_of(tensor), '97 98')
  equal(mapping:ref_bytes():get_data(), 'ab')
  fails('RANGE', mapping:write(1, GLib.Bytes.new('ab')))
  fails('INVALID_ARGUMENT', tensor:map {})
end)

test('3.5 unmapped', function ()
  local mapping = new_tensor({ 2 }, 'UINT8'):map('READ')
  mapping:unmap()
  equal(mapping:get_n_bytes(), 0)
  fails('INVALID_ARGUMENT', mapping:ref_bytes())
end)

test('4.1 codes', function ()
  fails('FAILED', C2g.Tensor.new_sized({ 1 }, nil):dup_bytes())
  fails('INVALID_ARGUMENT', C2g.Device.parse('nowhere'))
  fails('SHAPE', C2g.Tensor():resize { -1 })
  fails('TYPE', C2g.Blob():get_tensor())
  fails('RANGE', C2g.Tensor():resize { 2 ^ 40, 2 ^ 40 })
  fails('NO_MEMORY', C2g.Storage.new(cpu, 2 ^ 60, nil))
  fails('NOT_SUPPORTED', C2g.Blob():deserialize(GLib.Bytes.new('\10\1x\18\6Secret')))
  fails('DEVICE', C2g.Storage.new(C2g.Device.parse('cuda:1023'), 8, nil))
  fails('READ_ONLY', C2g.Storage.new_from_bytes(GLib.Bytes.new('a')):map('WRITE'))
  fails('BUSY', new_tensor({ 1 }):get_storage():reset())
  fails('CORRUPT', C2g.Blob():deserialize(GLib.Bytes.new(('\255'):rep(40))))
  fails('EXISTS', C2g.TypeMeta.register('float', 4))
  fails('NOT_FOUND', C2g.Workspace():get_blob('nobody'))
end)

test('5.1 notify', function ()
  local tensor, n = C2g.Tensor.new_sized({ 2 }, nil), 0
  tensor.on_notify['data-type'] = function () n = n + 1 end
  tensor:allocate('FLOAT')
  tensor:allocate('FLOAT')
  equal(n, 1)
end)

test('5.2 reallocated', function ()
  local tensor, heard = new_tensor { 2 }, {}
  tensor.on_reallocated = function (_, old, new) heard[#heard + 1] = old .. '->' .. new end
  tensor:resize { 100 }
  tensor:allocate('FLOAT')
  equal(join(heard), '8->0 0->400')
end)

test('5.4 changed', function ()
  local blob, n = C2g.Blob(), 0
  blob.on_changed = function () n = n + 1 end
  blob.on_notify['value'] = function () n = n + 10 end
  blob:ensure_tensor(nil)
  blob:reset()
  equal(n, 22)
end)

test('5.6 items-changed', function ()
  local workspace, heard = C2g.Workspace(), {}
  workspace.on_items_changed = function (_, ...) heard[#heard + 1] = table.concat({ ... }, '') end
  workspace:create_blob('a')
  workspace:create_blob('b')
  workspace:remove_blob('a')
  equal(join(heard), '001 101 010')
end)

test('6.1 exact integers', function ()
  -- Lua's numbers are doubles; exact integers are read as bytes.
  local tensor = new_tensor({ 1 }, 'INT64')
  tensor:set_int64(0, 2 ^ 53)
  equal(tensor:dup_bytes():get_data(), '\0\0\0\0\0\0\32\0')
end)

test('6.3 strings', function ()
  local tensor = new_tensor({ 2 }, 'STRING')
  tensor:set_element(0, GObject.Value(GObject.Type.STRING, 'grün 绿'))
  tensor:set_element(1, GObject.Value(GLib.Bytes, GLib.Bytes.new('\255\0')))
  equal(tensor:get_element(0).value, 'grün 绿')
  equal(tensor:get_element(1).value:get_data(), '\255\0')
end)

test('6.7 registered', function ()
  local tensor = C2g.Tensor.new_sized({ 1 }, nil)
  tensor:allocate_meta(C2g.TypeMeta.register('point of the Lua tests', 3))
  tensor:set_element(0, GObject.Value(GLib.Bytes, GLib.Bytes.new('abc')))
  equal(tensor:get_element(0).value:get_data(), 'abc')
end)

test('7.1 values', function ()
  local blob = C2g.Blob()
  for kind, value in pairs { INT = 3, DOUBLE = 2.5, STRING = 'grün 绿', BOOLEAN = true } do
    blob:set_value(GObject.Value(GObject.Type[kind], value))
    equal(blob:get_value().value, value)
  end
end)

test('7.3 nothing', function ()
  local blob = C2g.Blob()
  blob:set_value(GObject.Value(GObject.Type.INT, 3))
  blob:set_value(nil)
  assert(blob:is_empty())
  equal(blob:get_object(), nil)
end)

test('7.4 ensure', function ()
  local blob = C2g.Blob()
  -- lgi leaves out the boolean result of functions with an error.
  equal(blob:ensure(GObject.Type.INT), true)
  equal(blob:ensure(GObject.Type.INT), false)
  equal(blob:ensure_tensor(nil), blob:get_tensor())
end)

test('8.1 names', function ()
  local workspace = C2g.Workspace()
  local blob = workspace:create_blob('data')
  equal(workspace:get_blob('data'), blob)
  equal(workspace:lookup_blob('data'), blob)
  equal(workspace:lookup_blob('Data'), nil)
  workspace:create_blob('绿/1')
  equal(join(workspace:list_blobs()), 'data 绿/1')
  equal(workspace:remove_blob('data'), true)
  equal(blob.name, 'data')
end)

test('8.3 mapping', function ()
  local other, workspace = C2g.Workspace(), C2g.Workspace()
  other:create_blob('a'):set_object(new_floats(5))
  workspace:add_blob_mapping(other, { 'b' }, { 'a' }, false)
  workspace:copy_forwarded_tensors(nil)
  equal(join(workspace:list_local_blobs()), 'b')
end)

test('9.2 random', function ()
  local context = C2g.Context.for_device(cpu)
  local first, second = new_tensor { 100 }, new_tensor { 100 }
  context:seed(42)
  context:fill_uniform(first, -1, 1)
  context:seed(42)
  context:fill_uniform(second, -1, 1)
  assert(first:dup_bytes():equal(second:dup_bytes()))
end)

test('9.3 events', function ()
  local context, event = C2g.CpuContext.new(), C2g.Event.new(nil)
  context:record(event)
  fails('BUSY', context:record(event))
  assert(event:finish())
  equal(event:query(), 'SUCCESS')
end)

test('10.2 blocks', function ()
  local workspace = C2g.Workspace()
  workspace:create_blob('weights'):set_object(new_tensor { 1000 })
  local blocks = reporter:list_blocks(cpu)
  equal(blocks[1]:get_n_bytes(), 4000)
  equal(blocks[1]:get_name(), 'weights')
  assert(reporter:dup_report():find('weights'))
end)

test('10.6 tuning', function ()
  local settings = C2g.Settings.get_default()
  local folder = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-lua-XXXXXX'))
  local file = folder:get_child('tuning')
  settings.tune = true
  assert(settings:save_tuning(file) and settings:load_tuning(file))
  settings.tune = false
  GLib.file_set_contents(file:get_path(), 'something else')
  fails('CORRUPT', settings:load_tuning(file))
  file:delete()
  folder:delete()
end)

test('10.7 tuning in the background', function ()
  local settings = C2g.Settings.get_default()
  local folder = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-lua-XXXXXX'))
  local file = folder:get_child('tuning')
  local function finish(name)
    local loop, given = GLib.MainLoop(nil, false), nil
    settings[name .. '_async'](settings, file, nil, function (_, result)
      given = result
      loop:quit()
    end)
    loop:run()
    return settings[name .. '_finish'](settings, given)
  end
  assert(finish('save_tuning') and finish('load_tuning'))
  GLib.file_set_contents(file:get_path(), 'something else')
  fails('CORRUPT', finish('load_tuning'))
  file:delete()
  folder:delete()
end)

test('11.1 stack', function ()
  local limiting = C2g.LimitingAllocator.new(C2g.PoolAllocator.new(nil), 1000)
  local storage = limiting:allocate(600, nil)
  fails('NO_MEMORY', limiting:allocate(401, nil))
  storage:reset()
  equal(limiting:get_used_bytes(), 0)
  assert(limiting:trim(0) >= 600)
end)

test('11.2 failure callback', function ()
  local limiting = C2g.LimitingAllocator.new(nil, 100)
  local last
  local allocator = C2g.FailureCallbackAllocator.new(limiting, function (_, _, n_tries)
    last = n_tries
    limiting.max_bytes = 500
    return true
  end)
  equal(allocator:allocate(400, nil):get_n_bytes(), 400)
  equal(last, 1)
end)

local Own = lgi.package('C2gLuaTests')
local Counting = Own:class('Counting', C2g.Allocator)
local ground = C2g.CpuAllocator.new()

function Counting:do_allocate(n_bytes, context)
  if self.priv.refuse then
    return nil
  end
  self.priv.live = (self.priv.live or 0) + n_bytes
  return ground:allocate(n_bytes, context)
end

function Counting:do_released(_, n_bytes)
  self.priv.live = self.priv.live - n_bytes
end

test('12.2 upstream', function ()
  local allocator = Counting()
  local storage = allocator:allocate(1000, nil)
  equal(allocator.priv.live, 1000)
  collect()
  storage:reset()
  equal(allocator.priv.live, 0)
end)

test('12.5 refused', function ()
  local allocator = Counting()
  allocator.priv.refuse = true
  assert(fails('FAILED', allocator:allocate(1000, nil)):find('Counting'))
end)

test('13.2 mapping outlives tensor', function ()
  local tensor = new_tensor({ 2 }, 'UINT8')
  tensor:set_bytes(GLib.Bytes.new('ab'))
  local mapping = tensor:map('READ')
  tensor = nil
  collect()
  equal(mapping:ref_bytes():get_data(), 'ab')
end)

test('22.1 there and back', function ()
  local tensor = new_floats(1, 2, 3)
  local back = C2g.Tensor.new_from_dlpack(tensor:to_dlpack('VERSIONED', nil, 0), 'VERSIONED', nil)
  equal(back:get_address(), tensor:get_address())
  back:set_value(1, 42)
  equal(tensor:get_value(1), 42)
end)

test('33.1 indices', function ()
  local tensor, twos = new_tensor { 2, 3 }, new_tensor({ 3 }, 'INT32')
  twos:fill(2)
  tensor[1], tensor[2] = 1, twos
  equal(numbers_of(tensor), '1 1 1 2 2 2')
  tensor[2][1], tensor[2][2], tensor[2][3] = 4, 5, 6
  equal(numbers_of(tensor), '1 1 1 4 5 6')
  equal(tensor[2][3], 6)
  tensor[1] = tensor[2]
  equal(numbers_of(tensor), '4 5 6 4 5 6')
  for _, i in ipairs { 0, 3, 1.5 } do
    local ok, message = pcall(function () return tensor[i] end)
    assert(not ok and message:find('from 1 to 2'), message)
  end
  assert(not pcall(function () tensor[1] = new_tensor { 2 } end))
  local words, flags = new_tensor({ 1 }, 'STRING'), new_tensor({ 1 }, 'BOOL')
  words[1], flags[1] = 'cat', true
  equal(words[1], 'cat')
  equal(flags[1], true)
  assert(not pcall(function () flags[1] = 7 end))
  for _, content in pairs { {}, print, C2g.Tensor, tensor } do
    local ok, message = pcall(function () tensor[2][1] = content end)
    assert(not ok and message:find('expected a number, a string or a boolean, got a ', 1, true), message)
  end
  assert(not pcall(function () tensor[2][1] = nil end))
  for _, content in pairs { {}, 'x', true, C2g.Workspace() } do
    local ok, message = pcall(function () tensor[1] = content end)
    assert(not ok and message:find('expected a number or a C2g.Tensor for a row, got a ', 1, true), message)
  end
  equal(numbers_of(tensor), '4 5 6 4 5 6')
  -- Others keep the read-only memory.
  local lent = C2g.Tensor.new_from_bytes('UINT8', { 2, 1 }, GLib.Bytes.new('ab'))
  lent[1] = 65
  equal(lent:dup_bytes():get_data(), 'Ab')
end)

test('33.2 content by name', function ()
  local workspace, tensor = C2g.Workspace(), new_floats(1, 2)
  workspace.weights, workspace.label = tensor, 'cat'
  equal(workspace.weights, tensor)
  equal(workspace.weights[2], 2)
  equal(workspace.label, 'cat')
  equal(workspace.nothing, nil)
  equal(workspace.root_folder, '.')
  workspace.label = nil
  equal(join(workspace:list_blobs()), 'weights')
  assert(not pcall(function () workspace.weights = 3 end))
end)

testing.run()
