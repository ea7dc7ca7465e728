-- Copyright 2026 The c2g authors
-- SPDX-License-Identifier: LGPL-2.1-or-later

-- What Lua programs expect of c2g: tensor[i] and workspace.name. lgi loads this file with the namespace.

local lgi = require 'lgi'
local C2g, GObject = lgi.C2g, lgi.GObject

-- Raises an error of the library: an index has no second result for it.
local function checked(result, failure)
  if failure then
    error(failure.message, 0)
  end
  return result
end

-- Returns the position of the library, which counts from 0, and the dimensions of what is there.
local function find_row(tensor, i)
  local dims = tensor:get_dims()
  local n = table.remove(dims, 1) or 0
  if i ~= math.floor(i) or i < 1 or i > n then
    error(('expected a position from 1 to %d, got %s'):format(n, tostring(i)), 0)
  end
  return i - 1, dims
end

-- Returns a tensor over the memory of a row.
local function view_of(tensor, at, dims)
  local row = checked(tensor:slice(at, at + 1))
  checked(row:reshape(dims))
  return row
end

local function get_row(tensor, i)
  local at, dims = find_row(tensor, i)
  if #dims > 0 then
    return view_of(tensor, at, dims)
  end
  return checked(tensor:get_element(at)).value
end

-- lgi makes a boolean of whatever is put into a value for one, so that a table would be 1.
local VALUE_TYPES = { boolean = GObject.Type.BOOLEAN, string = GObject.Type.STRING }

local function set_row(tensor, i, content)
  local at, dims = find_row(tensor, i)
  local kind = type(content)
  if #dims == 0 and kind == 'number' then
    checked(tensor:set_value(at, content))
  elseif #dims == 0 then
    local value_type = VALUE_TYPES[kind] or error(('expected a number, a string or a boolean, got a %s'):format(kind), 0)
    checked(tensor:set_element(at, GObject.Value(value_type, content)))
  elseif kind ~= 'number' and not C2g.Tensor:is_type_of(content) then
    error(('expected a number or a C2g.Tensor for a row, got a %s'):format(kind), 0)
  else
    -- A tensor over memory that is read-only gets a copy of its own here, not the row alone.
    checked(tensor:map { READ = true, WRITE = true }):unmap()
    local row = view_of(tensor, at, dims)
    if type(content) == 'number' then
      checked(row:fill(content))
    else
      local converted = checked(content:convert(tensor:get_data_type(), {}))
      checked(row:set_bytes(checked(converted:dup_bytes())))
    end
  end
end

local find_tensor_member = C2g.Tensor._element

function C2g.Tensor:_element(tensor, key, origin)
  if type(key) == 'number' then
    return key, '_row'
  end
  return find_tensor_member(self, tensor, key, origin)
end

function C2g.Tensor:_access_row(tensor, i, ...)
  if select('#', ...) > 0 then
    return set_row(tensor, i, ...)
  end
  return get_row(tensor, i)
end

local function get_content(workspace, name)
  local blob = workspace:lookup_blob(name)
  local object = blob and blob:get_object()
  return object or blob and blob:get_value().value
end

local function set_content(workspace, name, content)
  if content == nil then
    workspace:remove_blob(name)
  elseif type(content) == 'string' then
    checked(workspace:create_blob(name)):set_value(GObject.Value(GObject.Type.STRING, content))
  else
    checked(workspace:set_tensor(name, content))
  end
end

local find_workspace_member = C2g.Workspace._element

-- Methods and properties come before blobs of the same name.
function C2g.Workspace:_element(workspace, key, origin)
  local element, category = find_workspace_member(self, workspace, key, origin)
  if element == nil and workspace and type(key) == 'string' and key:sub(1, 1) ~= '_' then
    return key, '_blob'
  end
  return element, category
end

function C2g.Workspace:_access_blob(workspace, name, ...)
  if select('#', ...) > 0 then
    return set_content(workspace, name, ...)
  end
  return get_content(workspace, name)
end
