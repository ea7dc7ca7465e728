-- Copyright 2026 The c2g authors
-- SPDX-License-Identifier: LGPL-2.1-or-later

-- Makes many calls of each class, and tells what memory each of them leaves behind: lua5.1 flat-memory.lua [N_CALLS]
--
-- Rows that begin with “lgi” have nothing of c2g: they show what the language itself leaves. The last row leaks on
-- purpose. The program fails if a call of c2g leaves more than half a byte, or if that leak is not seen.

local lgi = require 'lgi'
local C2g, Gio, GLib, GObject = lgi.require('C2g', '1'), lgi.Gio, lgi.GLib, lgi.GObject

local N_ROUNDS, PAGE, CONTROL = 4, 4096, 'a leak on purpose'
local n_calls = tonumber(arg[1]) or 100000
local kept = {}

local tensor = C2g.Tensor.new_sized({ 2, 3 }, nil)
tensor:allocate('FLOAT')
tensor:fill(1)
local bytes = GLib.Bytes.new(('\0'):rep(24))
local pixels = GLib.Bytes.new(('\0'):rep(12))
local workspace = C2g.Workspace.new()
workspace:set_tensor('x', tensor)
local options = C2g.PictureOptions { channels = 'BGR' }
local text = "op { type: 'Relu' input: 'x' output: 'y' }"
local predictor = C2g.Predictor.create(nil, C2g.NetDef.new_from_text(text), nil, nil, { 'ALL' })
local folder = GLib.dir_make_tmp('c2g-flat-XXXXXX')
local file = Gio.File.new_for_path(folder .. '/a.minidb')

local function save_and_load()
  assert(workspace:save_checkpoint(file, nil, nil))
  assert(C2g.Workspace.new():load_checkpoint(file, nil, nil))
end

-- The name, the call, and how many times fewer it is made.
local classes = {
  { 'lgi: Gio.File.new_for_path', function () return Gio.File.new_for_path('/') end, 1 },
  { 'lgi: GLib.Bytes.new', function () return GLib.Bytes.new('abc') end, 1 },
  { 'lgi: GObject.Value', function () return GObject.Value(GObject.Type.INT, 1) end, 1 },
  { 'construct', function () return C2g.Tensor.new_sized({ 2, 3 }, nil) end, 1 },
  { 'from bytes', function () return C2g.Tensor.new_from_bytes('FLOAT', { 2, 3 }, bytes) end, 1 },
  { 'to bytes', function () return tensor:dup_bytes() end, 1 },
  { 'slice', function () return tensor[1] end, 1 },
  { 'element', function () return tensor[1][2] end, 1 },
  { 'set element', function () tensor[1][2] = 5 end, 1 },
  { 'dims', function () return tensor:get_dims() end, 1 },
  { 'to string', function () return tensor:to_string(10) end, 10 },
  { 'map', function () tensor:map({ READ = true }):unmap() end, 1 },
  { 'workspace get', function () return workspace.x end, 1 },
  { 'workspace set', function () workspace.y = tensor end, 1 },
  { 'blob value', function () return workspace:get_blob('x'):get_object() end, 1 },
  { 'error', function () return tensor:reshape { 7 } end, 1 },
  { 'predictor', function () return predictor:run({ tensor }, nil) end, 5 },
  { 'pixels', function () return C2g.Tensor.new_from_pixels(pixels, 2, 2, 6, 3, options) end, 1 },
  { 'definition', function () return C2g.NetDef.new_from_text(text) end, 1 },
  { 'file', save_and_load, 100 },
  { CONTROL, function () kept[#kept + 1] = ('x'):rep(1000) .. #kept end, 1 },
}

local function resident()
  local statm = assert(io.open('/proc/self/statm'))
  local _, pages = statm:read('*n', '*n')
  statm:close()
  return pages * PAGE
end

-- Returns the bytes that a call leaves: the smallest growth of several rounds, after one that warms up.
local function measure(call, n)
  local least = math.huge
  for round = 1, N_ROUNDS do
    local before = resident()
    for _ = 1, n do
      call()
    end
    collectgarbage()
    collectgarbage()
    if round > 1 then
      least = math.min(least, resident() - before)
    end
  end
  return least / n
end

local leaks = {}
for _, class in ipairs(classes) do
  local name, call, cost = class[1], class[2], class[3]
  local n = math.floor(n_calls / cost / N_ROUNDS)
  local left = measure(call, n)
  -- A few pages are noise of the allocator.
  local is_leak = left > 0.5 and left * n > 4 * PAGE
  if is_leak and name:sub(1, 3) ~= 'lgi' then
    leaks[#leaks + 1] = name
  end
  print(('%s %8.2f bytes a call  %s'):format(is_leak and 'LEAK' or 'flat', left, name))
end
file:delete()
os.remove(folder)
os.exit(table.concat(leaks, ', ') == CONTROL and 0 or 1)
