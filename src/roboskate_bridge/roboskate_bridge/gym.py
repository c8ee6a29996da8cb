# SPDX-License-Identifier: Apache-2.0
"""RoboSkate as a gymnasium environment, straight on the game's wire: no ROS.

Action, observation, reward and ends are those of the learning environment that was made for the
real game (docs/originals/roboskate.md, "The learning environments"). Needs gymnasium::

    from roboskate_bridge.gym import RoboSkateEnv

    env = RoboSkateEnv(port=50051)      # a game, or: ros2 run roboskate_bridge simulator
    observation, info = env.reset()
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
except ImportError as missing:
    raise ImportError(
        "roboskate_bridge.gym needs gymnasium, which is optional: pip install gymnasium"
    ) from missing

from roboskate_bridge.client import GameClient, Timeouts, open_transport
from roboskate_bridge.coordinates import BoardInRos, board_in_ros, yaw_pitch_roll
from roboskate_bridge.crane import ANGLE_LIMITS, RATE_LIMIT
from roboskate_bridge.levels import Course
from roboskate_bridge.picture import Pixels, decode
from roboskate_bridge.protocol import (
    NO_KEYS,
    Dialect,
    ImageSize,
    Keys,
    MatrixOrder,
    Profile,
    ProtocolError,
)
from roboskate_bridge.transport import (
    GRPC_PORT,
    HTTP_PORT,
    TransportError,
    TransportKind,
)

STEP_SECONDS = 0.2
MAXIMUM_STEPS = 2000
SPEED_SCALE = 8.0
"""m/s that an observed forward velocity of 1 stands for."""
LOWEST = -7.0
"""Metres; a board as low as this has fallen off."""
LARGEST_LEAN = 0.35
"""Of half a turn, to either side."""
FASTEST_TURN = math.radians(200.0)
"""rad/s of joint 1 above which the physics is not believed."""
CHECKPOINT_REWARD = 3.0
DISTANCE_REWARD = 5.0
OBSERVATION_LIMIT = 10.0

Observation = NDArray[np.float32]
Action = NDArray[np.float32]


class RoboSkateEnv(gymnasium.Env[Observation, Action]):
    """One board on one level; 0.2 s a step.

    Action: three key fractions, -1 to 1 (specification, 3.0.4).

    Observation, ten float32, each clipped to -10 and 10: the angles of the three joints as parts
    of their ranges, their velocities as parts of 170 degrees/s, forward velocity / 8 m/s, pitch
    and roll as parts of half a turn where 0.5 is level, and the steering angle, from the board's
    heading to the next checkpoint, as a part of half a turn, left positive.

    Reward: 5 for each metre nearer to the next checkpoint, the amount by which the steering angle
    (as observed) has changed, and 3 for a checkpoint.

    An episode ends 7 m below the track, with a lean of more than 0.35 of half a turn, with joint 1
    above 200 degrees/s, and at the last checkpoint; it is cut off after 2000 steps.

    Parameters
    ----------
    host, port, transport, profile, matrix_order
        Where the game is and what it speaks; port 0 is the transport's own.
    level
        The level of every episode; ``reset(options={"level": n})`` takes another.
    width, height
        Size of rendered images, profile ``game`` only; in ``spec`` the game decides.
    render_mode
        None or "rgb_array".

    ``reset``, ``step`` and ``render`` raise TransportError and ProtocolError.

    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as gymnasium declares it
        "render_modes": ["rgb_array"],
        "render_fps": 1.0 / STEP_SECONDS,
    }

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        transport: str = "grpc",
        profile: str = "spec",
        matrix_order: str = "row_major",
        level: int = 0,
        width: int = 640,
        height: int = 360,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None or 'rgb_array', not {render_mode!r}")
        kind = TransportKind(transport)
        default_port = GRPC_PORT if kind is TransportKind.GRPC else HTTP_PORT
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (3,), np.float32)
        self.observation_space = gymnasium.spaces.Box(
            -OBSERVATION_LIMIT, OBSERVATION_LIMIT, (10,), np.float32
        )
        self._dialect = Dialect(Profile(profile), MatrixOrder(matrix_order))
        self._client = GameClient(
            open_transport(kind, host, port or default_port), self._dialect, Timeouts(call=2.0)
        )
        self._level = level
        self._wished_size = ImageSize(width, height)
        self._size: ImageSize | None = None
        self._course = Course(level)
        self._distance = self._steering = 0.0
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Load the level anew; the game has no chance in it, so ``seed`` changes nothing."""
        super().reset(seed=seed)
        level = int((options or {}).get("level", self._level))
        self._course = Course(level)
        self._size = self._client.initialize(level, self._wished_size)
        self._client.set_info(NO_KEYS)
        board = self._board()
        self._steps = 0
        self._distance = self._course.distance(_place(board))
        self._steering = self._steering_of(board)
        return self._observation(board), self._info(board)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Hold the keys for 0.2 s of the game's time."""
        if self._size is None:
            raise gymnasium.error.ResetNeeded("step was called before reset")
        right_left, a_d, w_e = (float(value) for value in action)
        self._client.set_info(Keys(right_left, a_d, w_e))
        self._client.run_game(STEP_SECONDS)
        board = self._board()
        self._steps += 1
        reward = DISTANCE_REWARD * (self._distance - self._course.distance(_place(board)))
        if self._course.update(_place(board)):
            reward += CHECKPOINT_REWARD
        steering = self._steering_of(board)
        reward += abs(steering - self._steering)
        self._distance, self._steering = self._course.distance(_place(board)), steering
        truncated = self._steps >= MAXIMUM_STEPS
        return (
            self._observation(board),
            reward,
            self._has_ended(board),
            truncated,
            self._info(board),
        )

    def render(self) -> Pixels | None:
        """Return the camera's image, height x width x 3, RGB, in render mode "rgb_array"."""
        if self.render_mode is None or self._size is None:
            return None
        return decode(self._client.get_camera(self._size))

    def close(self) -> None:
        """Release the keys and end the connection. Idempotent."""
        if self._size is not None:
            self._size = None
            try:
                self._client.set_info(NO_KEYS)
            except (ProtocolError, TransportError):
                pass  # gone already
        self._client.close()

    def _board(self) -> BoardInRos:
        return board_in_ros(self._client.get_info(), self._dialect)

    def _steering_of(self, board: BoardInRos) -> float:
        heading = yaw_pitch_roll(board.rotation)[0]
        return self._course.bearing(_place(board), heading) / math.pi

    def _observation(self, board: BoardInRos) -> Observation:
        _, pitch, roll = yaw_pitch_roll(board.rotation)
        values = [
            *(a / limit for a, limit in zip(board.joint_angles, ANGLE_LIMITS, strict=True)),
            *(rate / RATE_LIMIT for rate in board.joint_velocities),
            board.linear_velocity[0] / SPEED_SCALE,
            0.5 + pitch / math.pi,
            0.5 + roll / math.pi,
            self._steering,
        ]
        return np.clip(values, -OBSERVATION_LIMIT, OBSERVATION_LIMIT).astype(np.float32)

    def _has_ended(self, board: BoardInRos) -> bool:
        roll = yaw_pitch_roll(board.rotation)[2]
        return (
            board.position[2] <= LOWEST
            or abs(roll / math.pi) > LARGEST_LEAN
            or abs(board.joint_velocities[0]) > FASTEST_TURN
            or self._course.target is None
        )

    def _info(self, board: BoardInRos) -> dict[str, Any]:
        return {
            "checkpoints": self._course.reached,
            "distance": self._distance,
            "position": np.array(board.position),
        }


def _place(board: BoardInRos) -> tuple[float, float]:
    """Return x and y in metres."""
    return (board.position[0], board.position[1])
