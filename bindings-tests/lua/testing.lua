-- Copyright 2026 The c2g authors
-- SPDX-License-Identifier: LGPL-2.1-or-later

-- Code that the test programs share. A test's name begins with the number of its case in cases.md. Without lgi a
-- program is skipped.

local testing = {}

function testing.skip(reason)
  print('1..0 # SKIP ' .. reason)
  os.exit(0)
end

local found, lgi = pcall(require, 'lgi')
if not found then
  testing.skip('lgi is not installed')
end

local C2g, GLib = lgi.require('C2g', '1'), lgi.GLib
local reporter = C2g.MemoryReporter.get_default()
local tests = {}

testing.lgi = lgi

function testing.test(name, run)
  tests[#tests + 1] = { name = name, run = run }
end

function testing.equal(actual, expected)
  if actual ~= expected then
    error(('expected %s, got %s'):format(tostring(expected), tostring(actual)), 2)
  end
end

function testing.join(list)
  return table.concat(list, ' ')
end

-- Checks an error: lgi returns a false result and the error, and does not throw it.
function testing.fails(code, _, failure)
  if not (failure and failure:matches(C2g.Error, code)) then
    error(('expected %s, got %s'):format(code, tostring(failure)), 2)
  end
  return failure.message
end

function testing.floats(...)
  local bytes = {}
  for i, number in ipairs { ... } do
    local tensor = C2g.Tensor.new_scalar('FLOAT', number)
    bytes[i] = tensor:dup_bytes():get_data()
  end
  return GLib.Bytes.new(table.concat(bytes))
end

function testing.new_tensor(dims, data_type)
  local tensor = C2g.Tensor.new_sized(dims, nil)
  tensor:allocate(data_type or 'FLOAT')
  return tensor
end

function testing.new_floats(...)
  local tensor = testing.new_tensor { select('#', ...) }
  tensor:set_bytes(testing.floats(...))
  return tensor
end

function testing.numbers_of(tensor)
  local numbers = {}
  for i = 0, tensor:get_n_elements() - 1 do
    numbers[#numbers + 1] = tensor:get_value(i)
  end
  return testing.join(numbers)
end

function testing.collect()
  collectgarbage()
  collectgarbage()
end

local function live()
  return reporter:get_n_blocks(nil) .. ' blocks, ' .. reporter:get_current_bytes(nil) .. ' bytes'
end

function testing.run()
  local failed = false

  print('1..' .. #tests)
  for i, case in ipairs(tests) do
    testing.collect()
    local before = live()
    local ok, message = xpcall(function ()
      case.run()
    end, debug.traceback)
    testing.collect()
    if ok and live() ~= before then
      ok, message = false, ('%s at the end, %s at the start'):format(live(), before)
    end
    if not ok then
      failed = true
      io.stderr:write(tostring(message), '\n')
    end
    print((ok and 'ok %d %s' or 'not ok %d %s'):format(i, case.name))
  end
  os.exit(failed and 1 or 0)
end

return testing
