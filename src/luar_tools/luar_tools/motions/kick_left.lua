-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- A kick forward with the left foot.
local mot = {};
mot.servos = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
mot.keyframes = {
  { -- stand
    angles = vector.new({0, 0, 92, 8, -68, -23, 0, 0, -26, 52, -26, 0, 0, 0, -26, 52, -26, 0, 92, -8, 68, 23})*math.pi/180,
    duration = 0.6;
  },
  { -- weight to the right foot
    angles = vector.new({0, 0, 92, 8, -68, -23, 0, -8, -26, 52, -26, 8, 0, -8, -26, 52, -26, 8, 92, -25, 68, 23})*math.pi/180,
    duration = 0.6;
  },
  { -- left foot up and back
    angles = vector.new({0, 0, 92, 8, -68, -23, 0, -8, -10, 80, -40, 8, 0, -8, -26, 52, -26, 8, 92, -25, 68, 23})*math.pi/180,
    duration = 0.4;
  },
  { -- kick
    angles = vector.new({0, 0, 110, 8, -68, -23, 0, -8, -65, 35, -5, 8, 0, -8, -26, 52, -26, 8, 70, -25, 68, 23})*math.pi/180,
    duration = 0.25;
  },
  { -- back over the ground
    angles = vector.new({0, 0, 110, 8, -68, -23, 0, -8, -26, 60, -30, 8, 0, -8, -26, 52, -26, 8, 70, -25, 68, 23})*math.pi/180,
    duration = 0.4;
  },
  { -- stand
    angles = vector.new({0, 0, 92, 8, -68, -23, 0, 0, -26, 52, -26, 0, 0, 0, -26, 52, -26, 0, 92, -8, 68, 23})*math.pi/180,
    duration = 0.8;
  },
};
return mot;
