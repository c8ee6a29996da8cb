-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- In the place of Webots' module: joints are at once where they are told to be.
local now, devices, positions = 0, 0, {}
controller = setmetatable({
  wb_robot_get_basic_time_step = function() return 20 end,
  wb_robot_get_device = function() devices = devices + 1; return devices end,
  wb_robot_get_name = function() return 'player' end,
  wb_robot_get_time = function() return now end,
  wb_robot_step = function() now = now + 0.02; return 0 end,
  wb_servo_get_position = function(tag) return positions[tag] or 0 end,
  wb_servo_set_position = function(tag, position) positions[tag] = position end,
  wb_gyro_get_values = function() return {512, 512, 512} end,
  wb_accelerometer_get_values = function() return {512, 512, 588} end,
  wb_distance_sensor_get_value = function() return 2.5 end,
}, {__index = function() return function() return 0 end end})
package.preload.controller = function() return controller end
