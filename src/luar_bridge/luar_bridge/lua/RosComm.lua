-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- No radio: the bridge sends and receives the team's messages (its parameter team_messages).
--
-- Set dev.comm = 'RosComm' in the configuration.
module(..., package.seeall)

function size() return 0 end
function receive() end
function send() end
function get_game_control_data() end
