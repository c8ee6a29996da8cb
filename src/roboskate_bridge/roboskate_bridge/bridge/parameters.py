# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge's parameters."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.bridge.first_connection import BridgeParameters
from legacy_robots_common.node.parameters import ParameterError, parameter
from roboskate_bridge.bridge.link_settings import LinkSettings, Mode, OnReconnect
from roboskate_game.client.transport import GRPC_PORT, HTTP_PORT, Timeouts, TransportKind
from roboskate_game.protocol.dialect import FORCE_RANGE, Dialect, MatrixOrder, Profile
from roboskate_game.protocol.messages import ImageSize, ProtocolError, check_image_size


@dataclass(frozen=True)
class Parameters(BridgeParameters):
    """Those that are not read-only may be changed while the bridge runs."""

    transport: str = parameter(
        "grpc",
        "wire: grpc, the real game's; http, the document's URLs with JSON",
        choices=[kind.value for kind in TransportKind],
        group="The game.",
    )
    host: str = parameter("127.0.0.1", "address of the game")
    port: int = parameter(
        0, f"TCP port; 0: {GRPC_PORT} for grpc, {HTTP_PORT} for http", minimum=0, maximum=65535
    )
    profile: str = parameter(
        "spec",
        "spec: the document's shapes; game: those of the real game "
        "(docs/roboskate.md#connect-the-original)",
        choices=[profile.value for profile in Profile],
    )
    force_scale: float = parameter(
        FORCE_RANGE,
        "joint force of a whole key, profile game only; agents were trained with 250 and more",
        minimum=0.1,
        maximum=100000.0,
    )
    matrix_order: str = parameter(
        "row_major",
        "order of the nine floats of the rotation matrix, profile spec only; the document leaves "
        "it open",
        choices=[order.value for order in MatrixOrder],
    )
    image_size_order: str = parameter(
        "height_width",
        "order in the answer to initialize, transport http only: height_width is the document's "
        "text, width_height its example",
        choices=("height_width", "width_height"),
    )

    auto_initialize: bool = parameter(
        True, "load `level` when the game is first found", group="Levels and time."
    )
    level: int = parameter(0, "the level that is loaded first", minimum=0, maximum=2**31 - 1)
    on_reconnect: str = parameter(
        "resume",
        "resume: go on with the level that the game still has; initialize: begin it anew",
        choices=[choice.value for choice in OnReconnect],
    )
    reset_rewinds_clock: bool = parameter(
        False, "the service reset sets /clock to 0; otherwise time goes on", read_only=False
    )
    mode: str = parameter(
        "free_run",
        "free_run: the game runs in real time; stepped: time moves only by run_game",
        choices=[mode.value for mode in Mode],
        read_only=False,
    )
    step_period: float = parameter(
        0.02, "seconds between steps in free_run, and their length", minimum=0.002, maximum=10.0
    )
    command_timeout: float = parameter(
        0.5,
        "seconds until a command's keys are released, simulated ones in mode stepped; 0: never",
        minimum=0.0,
        maximum=3600.0,
        read_only=False,
    )
    command_wait: float = parameter(
        10.0,
        "longest wait in free_run for the next command after one with an end, s; 0: none",
        minimum=0.0,
        maximum=3600.0,
    )

    image_width: int = parameter(
        640,
        "width in pixels that is asked for, profile game only; in spec the game decides",
        minimum=1,
        maximum=7680,
        group="Camera.",
    )
    image_height: int = parameter(360, "the same of the height", minimum=1, maximum=4320)
    camera_rate: float = parameter(
        25.0,
        "images a second in free_run; stepped: one for each step",
        minimum=0.1,
        maximum=1000.0,
        read_only=False,
    )
    vertical_fov: float = parameter(
        1.0471975511965976,
        "vertical field of view for camera_info, rad",
        minimum=0.01,
        maximum=3.1,
    )
    camera_info_url: str = parameter(
        "", "calibration to publish instead: file:///PATH or package://PACKAGE/PATH"
    )
    jpeg_quality: int = parameter(
        80,
        "quality of camera/image_raw/compressed in profile spec, percent; in game the game's "
        "images are passed through",
        minimum=1,
        maximum=100,
    )

    publish_clock: bool = parameter(
        True, "publish /clock; of several bridges only one may", group="Frames and drawing."
    )
    publish_tf: bool = parameter(True, "publish /tf and /tf_static")
    frame_prefix: str = parameter("", "put before every frame, such as skate_2/")
    urdf: str = parameter("", "file with the robot's description; empty: the package's")
    path_spacing: float = parameter(
        0.25, "m between two poses of `path`", minimum=0.001, maximum=1000.0
    )
    path_length: int = parameter(2000, "poses that `path` has at most", minimum=2, maximum=100000)

    initialize_timeout: float = parameter(
        10.0,
        "seconds that the game may take to load a level",
        minimum=0.01,
        maximum=600.0,
        group="Time limits: every call has one.",
    )
    call_timeout: float = parameter(
        1.0,
        "seconds for any other call; run_game may take its own time longer",
        minimum=0.01,
        maximum=600.0,
    )
    camera_timeout: float = parameter(1.0, "seconds for an image", minimum=0.01, maximum=600.0)

    def link_settings(self) -> LinkSettings:
        """Return what the link needs to know. Raises ParameterError for too big an image."""
        size = ImageSize(self.image_width, self.image_height)
        try:
            check_image_size(size)
        except ProtocolError as error:
            raise ParameterError(
                f"parameters 'image_width' and 'image_height': {error}"
            ) from error
        kind = TransportKind(self.transport)
        default_port = GRPC_PORT if kind is TransportKind.GRPC else HTTP_PORT
        return LinkSettings(
            kind=kind,
            host=self.host,
            port=self.port or default_port,
            dialect=Dialect(
                Profile(self.profile), MatrixOrder(self.matrix_order), self.force_scale
            ),
            timeouts=Timeouts(self.initialize_timeout, self.camera_timeout, self.call_timeout),
            level=self.level if self.auto_initialize else None,
            wished_size=size,
            size_order_is_text=self.image_size_order == "height_width",
            on_reconnect=OnReconnect(self.on_reconnect),
            mode=Mode(self.mode),
            step_period=self.step_period,
            camera_rate=self.camera_rate,
            command_timeout=self.command_timeout,
            command_wait=self.command_wait,
        )
