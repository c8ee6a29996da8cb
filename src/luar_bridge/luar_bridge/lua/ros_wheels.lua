-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The configuration of a robot on wheels with a head that turns, such as the simulated one of luar_host.launch.py.
Config.dev.walk = 'RosWalk'
Config.game.begins_in = 3 -- it plays at once; 0: it waits for a referee
Config.fsm.body, Config.fsm.head = {'NaoPlayer'}, {'NaoPlayer'}
-- The camera is where both axes of the head meet, and looks where the head does.
Config.head.cameraPos = {{0, 0, 0}, {0, 0, 0}}
Config.head.cameraAngle = {{0, 0, 0}, {0, 0, 0}}
Config.camera.auto_param, Config.camera.param = {}, {}
