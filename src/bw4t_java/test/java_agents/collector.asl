// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// One robot looks into rooms and delivers what is due. Percepts are beliefs: in/1, color/2 and
// holding/1 as the document has them, due/1 the colour that is due, room/1 each room.

+present <- !collect.

+!look : in(R) & color(B, C) & not lies(B, C, R) <- +lies(B, C, R); !look.
+!look <- true.

+!collect : holding(B) <- .go("DropZone"); .put_down; !collect.
+!collect : due(C) & color(B, C) <- .go_to_block(B); .pick_up; -lies(B, C, _); !collect.
+!collect : due(C) & lies(B, C, R) <- .go(R); !collect.
+!collect : due(C) & room(R) & not looked(R) <- +looked(R); .go(R); !look; !collect.
+!collect : not due(_) <- .print("all delivered").
