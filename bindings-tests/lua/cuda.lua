-- Copyright 2026 The c2g authors
-- SPDX-License-Identifier: LGPL-2.1-or-later

-- Streams, events, contexts and allocators of GPUs, or of the fake runtime.

package.path = arg[0]:gsub('[^/]*$', '') .. '?.lua;' .. package.path

local testing = require 'testing'
local test, equal, fails, collect = testing.test, testing.equal, testing.fails, testing.collect
local new_floats, numbers_of = testing.new_floats, testing.numbers_of
local lgi = testing.lgi
local C2g, GLib, Gio = lgi.C2g, lgi.GLib, lgi.Gio
local cpu, cuda, absent = C2g.Device.cpu(), C2g.Device.parse('cuda:0'), C2g.Device.parse('cuda:15')
local reporter = C2g.MemoryReporter.get_default()
local mib = 2 ^ 20

local found, C2gCuda = pcall(lgi.require, 'C2gCuda', '1')
if not found then
  testing.skip('there is no namespace C2gCuda')
end
local _, failure = C2g.Context.for_device(cuda)
if failure then
  testing.skip(failure.message)
end

local function new_far(context, ...)
  local far = C2g.Tensor.new_for_device(cuda)
  assert(far:copy_from(new_floats(...), context))
  return far
end

local function near(far)
  return numbers_of(far:to_device(cpu))
end

test('23.1 constructors', function ()
  local stream, event = C2gCuda.Stream.new(cuda), C2gCuda.Event.new(cuda)
  local storage = C2gCuda.CachingAllocator.new(cuda):allocate(8, nil)
  local tensor = C2g.Tensor.new_from_storage('FLOAT', { 2 }, storage, 0)
  for kind, instances in pairs {
    AsyncAllocator = { C2gCuda.AsyncAllocator.new(cuda), C2gCuda.AsyncAllocator.new_with_limit(cuda, mib) },
    CachingAllocator = { C2gCuda.CachingAllocator.new(cuda) },
    Context = { C2gCuda.Context.new(cuda), C2gCuda.Context.new_for_stream(stream) },
    Event = { event, C2gCuda.Event.new_with_timing(cuda), C2gCuda.Event.new_from_handle(cuda, event:get_handle()) },
    IpcExport = { C2gCuda.IpcExport.new(storage, nil), C2gCuda.IpcExport.new_for_tensor(tensor, nil) },
    PinnedAllocator = { C2gCuda.PinnedAllocator.new(), C2gCuda.PinnedAllocator() },
    Stream = { stream, C2gCuda.Stream.new_with_priority(cuda, -1),
      C2gCuda.Stream.new_from_handle(cuda, stream:get_handle()) },
  } do
    for _, instance in ipairs(instances) do
      assert(C2gCuda[kind]:is_type_of(instance), kind)
    end
  end
end)

test('23.2 absent devices', function ()
  for _, kind in ipairs { 'Stream', 'Event', 'Context', 'AsyncAllocator', 'CachingAllocator' } do
    assert(fails('DEVICE', C2gCuda[kind].new(absent)):find('cuda:15'), kind)
    assert(fails('DEVICE', C2gCuda[kind].new(cpu)):find('cpu'), kind)
  end
  fails('DEVICE', C2g.Context.for_device(absent))
  fails('DEVICE', new_floats(1):to_device(absent))
end)

test('23.3 bare constructors', function ()
  for _, kind in ipairs { 'AsyncAllocator', 'CachingAllocator' } do
    assert(fails('NOT_SUPPORTED', C2gCuda[kind]():allocate(1, nil)):find('_new'))
  end
end)

test('23.4 streams', function ()
  local stream, other = C2gCuda.Stream.new(cuda), C2gCuda.Stream.new_with_priority(cuda, 100)
  equal(stream:get_device():to_string(), 'cuda:0')
  assert(stream:get_handle() ~= other.handle)
  assert(C2gCuda.Stream.new_from_handle(cuda, stream:get_handle()):is_foreign() and not stream:is_foreign())
  fails('NOT_SUPPORTED', C2gCuda.Stream.new_from_handle(cuda, 2))
  local far = new_far(C2gCuda.Context.new_for_stream(stream), 1, 2)
  assert(other:wait(stream) and other:finish())
  equal(stream:query() .. ' ' .. other:query(), 'SUCCESS SUCCESS')
  equal(near(far), '1 2')
end)

test('23.5 events', function ()
  local stream, other = C2gCuda.Stream.new(cuda), C2gCuda.Stream.new(cuda)
  local start, finish = C2gCuda.Event.new_with_timing(cuda), C2gCuda.Event.new_with_timing(cuda)
  assert(start:record(stream))
  local far = new_far(C2gCuda.Context.new_for_stream(stream), 1, 2)
  assert(finish:record(stream) and finish:wait(other) and finish:finish())
  equal(finish:query(), 'SUCCESS')
  assert(finish:get_elapsed(start) >= 0)
  assert(C2gCuda.Event.new_from_handle(cuda, finish.handle):is_foreign())
  equal(near(far), '1 2')
end)

test('23.6 contexts', function ()
  local stream = C2gCuda.Stream.new(cuda)
  local context, other = C2gCuda.Context.new_for_stream(stream), C2gCuda.Context.new(cuda)
  assert(context:get_stream() == stream and context.stream == stream and other.stream ~= stream)
  assert(C2gCuda.Context:is_type_of(C2g.Context.for_device(cuda)))
  other.tf32_products = true
  other:set_tf32_convolutions(false)
  assert(other:get_tf32_products() and not other.tf32_convolutions)
  local far, event = new_far(context, 1, 2, 3), C2g.Event.new(cuda)
  assert(context:record(event) and other:wait(event))
  local copy = far:clone(other)
  assert(other:fill(far, 7) and other:finish() and event:is_finished())
  equal(near(copy) .. ', ' .. near(far), '1 2 3, 7 7 7')
end)

test('23.7 random numbers', function ()
  local drawn = {}
  for i = 1, 2 do
    local context = C2gCuda.Context.new(cuda)
    local far = new_far(context, 0, 0, 0, 0)
    context:seed(42)
    assert(context:fill_uniform(far, -1, 1) and context:finish())
    drawn[i] = near(far)
  end
  equal(drawn[1], drawn[2])
end)

test('23.8 there and back', function ()
  local tensor = new_floats(1, 2, 3, 4)
  local far = tensor:to_device(cuda)
  equal(far:get_device():to_string(), 'cuda:0')
  assert(far:get_address() ~= tensor:get_address())
  equal(near(far) .. ', ' .. near(far:slice(1, 3)), '1 2 3 4, 2 3')
  fails('NOT_SUPPORTED', C2g.Tensor.new_sized({ 1 }, cuda):allocate('STRING'))
end)

test('23.9 what the processor does not reach', function ()
  assert(fails('DEVICE', new_far(nil, 1):map('READ')):find('cuda:0'))
end)

test('23.11 nets', function ()
  local workspace = C2g.Workspace()
  workspace:create_blob('x'):set_object(new_floats(-1, 0, 2))
  local net = workspace:create_net(C2g.NetDef.new_from_text([[
    name: 'net' device_option { device_type: 1 }
    op { type: 'CopyCPUToGPU' input: 'x' output: 'far' }
    op { type: 'Relu' input: 'far' output: 'far' }
    op { type: 'CopyGPUToCPU' input: 'far' output: 'near' }]]), false)
  assert(net:run(nil))
  equal(numbers_of(workspace:get_blob('near'):get_tensor()), '0 0 2')
  equal(workspace:get_blob('far'):get_tensor():get_device():to_string(), 'cuda:0')
end)

test('23.25 graphs', function ()
  local workspace, stats = C2g.Workspace(), C2g.StatRegistry.get_default()
  workspace:create_blob('x'):set_object(new_far(nil, -1, 0, 2))
  local net = workspace:create_net(C2g.NetDef.new_from_text([[
    device_option { device_type: 1 } op { type: 'Relu' input: 'x' output: 'y' }]]), false)
  net.device_graph = true
  local before = stats:get_value('net/graph_runs')
  for i = 1, 4 do
    assert(workspace:get_blob('x'):get_tensor():copy_from(new_floats(-1, i, 2), nil))
    assert(net:run(nil))
    equal(near(workspace:get_blob('y'):get_tensor()), '0 ' .. i .. ' 2')
  end
  assert(net:get_device_graph() and stats:get_value('net/graph_runs') - before == 2)
  net:set_device_graph(false)
  assert(not net.device_graph)
end)

test('23.29 half', function ()
  local init = C2g.NetDef.new_from_text([[
    op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 1 ints: 3 }
         arg { name: 'values' floats: 1 floats: 2 floats: 1 } }
    op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 2049 } }]])
  local predict = C2g.NetDef.new_from_text([[
    external_input: 'x' external_input: 'w' external_input: 'b' op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }]])
  local x, saved = new_floats(1, 2, 3), {}
  assert(x:reshape { 1, 3 })
  -- There is no 2049 in float16.
  for i, case in ipairs { { 'ALL', '2057', 1 }, { 'HALF', '2056', 3 } } do
    local predictor = C2g.Predictor.create(init, predict, nil, cuda, C2g.OptimizeFlags[case[1]])
    local y = predictor:run({ x }, nil)[1]
    local file = Gio.File.new_tmp('c2g-XXXXXX')
    equal(near(y), case[2])
    equal(y:get_data_type(), 'FLOAT')
    equal(predictor:get_net():get_n_operators(), case[3])
    assert(predictor:save(file, nil))
    saved[i] = file:load_contents(nil)
    file:delete(nil)
    assert(predictor:optimize(C2g.OptimizeFlags.NONE))
    equal(predictor:get_net():get_n_operators(), 1)
  end
  equal(saved[1], saved[2])
end)

test('23.12 stream-ordered allocator', function ()
  local allocator, context = C2gCuda.AsyncAllocator.new(cuda), C2gCuda.Context.new(cuda)
  local storage = allocator:allocate(mib, context)
  assert(allocator:get_used_bytes() >= mib and allocator.reserved_bytes >= mib)
  storage:reset()
  assert(context:finish())
  equal(allocator:get_used_bytes(), 0)
  assert(allocator:get_peak_used_bytes() >= mib and allocator:get_peak_bytes() >= mib)
  assert(allocator:trim(0) >= mib)
  equal(allocator:get_reserved_bytes(), 0)
  assert(allocator:set_release_threshold(mib))
  equal(allocator:get_release_threshold(), mib)
  fails('NO_MEMORY', C2gCuda.AsyncAllocator.new_with_limit(cuda, mib):allocate(2 ^ 40, nil))
end)

test('23.13 caching allocator', function ()
  local allocator = C2gCuda.CachingAllocator.new(cuda)
  local storage = allocator:allocate(1000, nil)
  equal(allocator:get_requested_bytes(), 1000)
  equal(allocator:get_allocated_bytes(), 1024)
  equal(allocator.n_allocated, 1)
  equal(reporter:get_current_bytes(cuda), 1000)
  storage:reset()
  equal(allocator:get_n_allocated(), 0)
  equal(allocator:trim(0), allocator:get_peak_bytes())
  equal(allocator:get_cached_bytes(), 0)
  local managed = C2gCuda.CachingAllocator.new_managed(cuda)
  local shared = managed:allocate(8, nil)
  equal(shared:get_device(), cuda)
  shared:reset()
  assert(managed:trim(0) > 0)
end)

test('23.26 snapshot', function ()
  local allocator = C2gCuda.CachingAllocator.new(cuda)
  local file, storage = Gio.File.new_tmp('c2g-XXXXXX'), allocator:allocate(1000, nil)
  assert(allocator:save_snapshot(file, nil))
  local text = file:load_contents(nil)
  file:delete(nil)
  assert(text:sub(1, 3) == '\128\2}' and text:find('active_allocated'))
  local saved, failure = allocator:save_snapshot(Gio.File.new_for_path('/proc/none/memory'), nil)
  assert(not saved and failure:matches(Gio.IOErrorEnum, 'NOT_FOUND'))
  equal(storage:get_n_bytes(), 1000)
end)

test('23.27 history', function ()
  local allocator = C2gCuda.CachingAllocator.new(cuda)
  local file = Gio.File.new_tmp('c2g-XXXXXX')
  allocator.history_max_entries = 10
  equal(allocator:get_history_max_entries(), 10)
  allocator:allocate(1000, nil):reset()
  assert(allocator:save_snapshot(file, nil))
  local text = file:load_contents(nil)
  file:delete(nil)
  assert(text:find('segment_alloc') and text:find('free_completed') and text:find('time_us'))
end)

test('23.28 expandable segments', function ()
  local allocator = C2gCuda.CachingAllocator.new_expandable(cuda)
  assert(allocator.expandable_segments)
  for n = 4, 36, 4 do
    allocator:allocate(n * mib, nil):reset()
  end
  assert(allocator.peak_bytes < 48 * mib)
  equal(allocator.n_segments, 1)
end)

test('23.14 limits', function ()
  local allocator, heard = C2gCuda.CachingAllocator.new(cuda), 0
  allocator.on_pressure = function (_, n_bytes)
    heard = n_bytes
  end
  allocator:set_max_bytes(32 * mib)
  equal(allocator.max_bytes, 32 * mib)
  assert(fails('NO_MEMORY', allocator:allocate(64 * mib, nil)):find(('%d'):format(32 * mib)))
  equal(heard, 64 * mib)
  equal(allocator:get_n_ooms(), 1)
  allocator.max_fraction = 0.5
  equal(allocator:get_max_fraction(), 0.5)
end)

test('23.15 pinned allocator', function ()
  local allocator = C2gCuda.PinnedAllocator()
  equal(allocator:get_device():to_string(), 'cpu')
  local storage = allocator:allocate(1000, nil)
  assert(allocator:get_allocated_bytes() >= 1000)
  storage:reset()
  equal(allocator:get_allocated_bytes(), 0)
  equal(allocator:trim(0), allocator:get_peak_bytes())
  allocator:set_max_bytes(0)
  fails('NO_MEMORY', allocator:allocate(1, nil))
end)

test('23.17 default', function ()
  local allocator = C2gCuda.CachingAllocator.new(cuda)
  C2g.Allocator.set_default(cuda, allocator)
  local far = new_far(nil, 1, 2)
  C2g.Allocator.set_default(cuda, nil)
  equal(allocator:get_n_allocated(), 1)
  far:free_memory()
  collect()
  equal(allocator:get_n_allocated(), 0)
end)

test('23.19 streams of others', function ()
  local stream = C2gCuda.Stream.new(cuda)
  local context = C2gCuda.Context.new_for_stream(stream)
  local far = new_far(context, 1, 2, 3)
  equal(C2g.dlpack_get_stream(cuda, context), stream:get_handle())
  local managed = far:to_dlpack('VERSIONED', nil, stream:get_handle())
  local back = C2g.Tensor.new_from_dlpack(managed, 'VERSIONED', context)
  equal(back:get_address(), far:get_address())
  assert(context:fill(back, 7) and context:finish())
  equal(near(far), '7 7 7')
  -- The memory goes back when the work is done that was queued so far.
  managed, back = nil, nil
  testing.collect()
  assert(context:finish())
end)

-- The part of the other process: it finds 3 in the memory, and writes 4.
local function use_elsewhere(text)
  local handle, context = GLib.Bytes.new(GLib.base64_decode(text)), C2gCuda.Context.new(cuda)
  local tensor = assert(C2gCuda.ipc_open_tensor(handle, context))
  equal(near(tensor), '3 3')
  equal(C2gCuda.ipc_open_storage(handle, context):get_n_bytes(), 8)
  assert(context:fill(tensor, 4) and context:finish())
end

test('23.21 other process', function ()
  local context, allocator = C2gCuda.Context.new(cuda), C2gCuda.CachingAllocator.new(cuda)
  local far = C2g.Tensor.new_from_storage('FLOAT', { 2 }, allocator:allocate(8, context), 0)
  assert(context:fill(far, 3))
  local export = C2gCuda.IpcExport.new_for_tensor(far, context)
  local handle = export:get_handle()
  equal(export:get_storage():get_address(), far:get_address())
  for _, open in ipairs { C2gCuda.ipc_open_storage, C2gCuda.ipc_open_tensor } do
    fails('NOT_SUPPORTED', open(handle, context))
    fails('CORRUPT', open(GLib.Bytes.new('handle'), context))
  end
  local child = assert(Gio.Subprocess.new({ arg[-1], arg[0], GLib.base64_encode(handle:get_data()) }, {}))
  assert(child:wait_check(nil))
  equal(near(far), '4 4')
end)

if arg[1] then
  use_elsewhere(arg[1])
else
  testing.run()
end
