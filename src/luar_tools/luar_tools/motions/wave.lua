-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The right hand waves; no other joint moves.
local mot = {};
mot.servos = {19, 20, 21, 22};
mot.keyframes = {
  { -- arm up
    angles = vector.new({-60, -30, 60, 60})*math.pi/180,
    duration = 1.2;
  },
  { -- out
    angles = vector.new({-60, -30, 60, 20})*math.pi/180,
    duration = 0.4;
  },
  { -- in
    angles = vector.new({-60, -30, 60, 75})*math.pi/180,
    duration = 0.4;
  },
  { -- out
    angles = vector.new({-60, -30, 60, 20})*math.pi/180,
    duration = 0.4;
  },
  { -- in
    angles = vector.new({-60, -30, 60, 75})*math.pi/180,
    duration = 0.4;
  },
  { -- down
    angles = vector.new({92, -8, 68, 23})*math.pi/180,
    duration = 1.2;
  },
};
return mot;
