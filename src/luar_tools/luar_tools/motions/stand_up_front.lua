-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Getting up from lying on the front.
local mot = {};
mot.servos = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
mot.keyframes = {
  { -- arms beside the head
    angles = vector.new({0, -30, -90, 10, -68, -30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -90, -10, 68, 30})*math.pi/180,
    duration = 1;
  },
  { -- hands to the ground
    angles = vector.new({0, -30, 20, 10, -90, -80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, -10, 90, 80})*math.pi/180,
    duration = 0.8;
  },
  { -- legs under the body
    angles = vector.new({0, -30, 60, 10, -90, -80, -50, 0, -80, 115, -60, 0, -50, 0, -80, 115, -60, 0, 60, -10, 90, 80})*math.pi/180,
    duration = 1;
  },
  { -- weight over the feet
    angles = vector.new({0, -30, 92, 10, -90, -40, -20, 0, -50, 110, -60, 0, -20, 0, -50, 110, -60, 0, 92, -10, 90, 40})*math.pi/180,
    duration = 0.8;
  },
  { -- stand
    angles = vector.new({0, 0, 92, 8, -68, -23, 0, 0, -26, 52, -26, 0, 0, 0, -26, 52, -26, 0, 92, -8, 68, 23})*math.pi/180,
    duration = 1;
  },
};
return mot;
