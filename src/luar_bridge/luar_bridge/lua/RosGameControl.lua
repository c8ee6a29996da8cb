-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The referee by the bridge, which writes its broadcast into gcmGame (its parameter game_controller).
--
-- Set dev.game_control = 'RosGameControl' in the configuration.
module(..., package.seeall)

require('Config')
require('gcm')

gcm.set_team_number(Config.game.teamNumber)
gcm.set_team_color(Config.game.teamColor)
gcm.set_game_nplayers(Config.game.nPlayers)

-- The button of the chest (the host's press_button): READY, SET, PLAYING, then penalised and PLAYING by turns.
local function press()
  local state = gcm.get_game_state()
  if state < 3 then return gcm.set_game_state(state + 1) end
  local penalty, player = gcm.get_game_penalty(), Config.game.playerID
  if type(penalty) ~= 'table' then penalty, player = {penalty}, 1 end
  penalty[player] = penalty[player] == 0 and 1 or 0
  gcm.set_game_penalty(penalty)
end

local down = false
function entry() end
function update()
  local body = package.loaded.RosBody
  local pressed = body ~= nil and body.sensor.button[1] > 0
  if pressed and not down then press() end
  down = pressed
end
function exit() end
function get_team_color() return gcm.get_team_color() end
function get_state() return gcm.get_game_state() end
function get_kickoff_team() return gcm.get_game_kickoff() end
function which_half() return gcm.get_game_half() end
function get_penalty() return gcm.get_game_penalty() end
