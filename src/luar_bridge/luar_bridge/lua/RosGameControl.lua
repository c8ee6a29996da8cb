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

function entry() end
function update() end
function exit() end
function get_team_color() return gcm.get_team_color() end
function get_state() return gcm.get_game_state() end
function get_kickoff_team() return gcm.get_game_kickoff() end
function which_half() return gcm.get_game_half() end
function get_penalty() return gcm.get_game_penalty() end
