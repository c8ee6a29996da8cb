-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Getting up from lying on the back.
local mot = {};
mot.servos = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
mot.keyframes = {
  { -- arms behind the body
    angles = vector.new({0, 25, 110, 20, 60, -50, 0, 0, 0, 30, 0, 0, 0, 0, 0, 30, 0, 0, 110, -20, -60, 50})*math.pi/180,
    duration = 1;
  },
  { -- sit up
    angles = vector.new({0, 25, 110, 20, 60, -50, -40, 0, -85, 60, 0, 0, -40, 0, -85, 60, 0, 0, 110, -20, -60, 50})*math.pi/180,
    duration = 1;
  },
  { -- feet to the body
    angles = vector.new({0, 25, 110, 20, 60, -50, -40, 0, -85, 118, -65, 0, -40, 0, -85, 118, -65, 0, 110, -20, -60, 50})*math.pi/180,
    duration = 0.8;
  },
  { -- weight over the feet
    angles = vector.new({0, 0, 70, 20, -68, -50, -15, 0, -55, 110, -65, 0, -15, 0, -55, 110, -65, 0, 70, -20, 68, 50})*math.pi/180,
    duration = 0.9;
  },
  { -- stand
    angles = vector.new({0, 0, 92, 8, -68, -23, 0, 0, -26, 52, -26, 0, 0, 0, -26, 52, -26, 0, 92, -8, 68, 23})*math.pi/180,
    duration = 1;
  },
};
return mot;
