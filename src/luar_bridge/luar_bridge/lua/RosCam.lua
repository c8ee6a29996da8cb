-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- A camera for robots in ROS: the host of luar_bridge writes each image into the segment rhmImage.
--
-- Set dev.camera = 'RosCam' in the configuration. What each variable is: luar_bridge/protocol/host_image.py.
module(..., package.seeall)

require('Config')
require('carray')
require('shm')
require('util')
require('vector')

local width, height = Config.camera.width, Config.camera.height
local memory, bytes = {}, 2 * width * height
util.init_shm_segment(memory, 'rhm', {image = {
  yuyv0 = bytes, yuyv1 = bytes, count = vector.zeros(1), time = vector.zeros(1),
  headAngles = vector.zeros(2), width = vector.zeros(1), height = vector.zeros(1),
}}, {image = 2 * bytes + 65536})
memory.set_image_width(width)
memory.set_image_height(height)

-- One of two images is whole, while the other one may be being written.
function get_image()
  return (memory['get_image_yuyv' .. memory.get_image_count() % 2]())
end

function get_camera_status()
  local joint, head = vector.zeros(20), memory.get_image_headAngles()
  joint[1], joint[2] = head[1], head[2]
  return {
    select = 0, count = memory.get_image_count(), time = memory.get_image_time(), joint = joint,
  }
end

function get_width() return width end
function get_height() return height end
function get_select() return 0 end
function get_camera_position() return 0 end

-- The camera is the robot's in ROS: its driver has the settings. What is asked for in vain is said, once for each.
local said = {}
local function refuse(text)
  if not said[text] then said[text] = true; print('RosCam: ' .. text) end
end

function select_camera(number)
  if number ~= 0 then refuse('camera ' .. tostring(number) .. ' is not selected: there is one') end
end
function set_param(key, value)
  refuse(('%s is not set to %s: set it in the driver of the camera in ROS'):format(tostring(key), tostring(value)))
end
function get_param(key)
  refuse(('%s is not known, 0 is returned: ask the driver of the camera in ROS'):format(tostring(key)))
  return 0
end
_M.select = select_camera -- as the document has it
